"""A program that speaks the Go Text Protocol, in a process of its own, trusted with nothing.

Two threads read what it says, so that it can neither block on a full pipe nor make us wait
beyond a deadline.  It leads a process group of its own: whatever it starts ends with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from montego.lab.foul import Foul, Kind

LONGEST_LINE = 65_536
MOST_LINES = 1_000
FAREWELL_SECONDS = 1.0
"""How long a program may take to leave by itself."""
PATH_OF_GAMES = "/usr/games"
"""Where Debian keeps GNU Go, often outside of PATH."""


def find_program(name: str) -> str | None:
    """The full path of a program, or None if there is none."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), PATH_OF_GAMES]))


class Refusal(Exception):  # noqa: N818 - a reply of the protocol, which may be in order
    """The program answered a command with ``?``."""


class GtpProgram:
    """A running program; ``ask`` is one command and its reply."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """``folder`` is where it runs, if not here."""
        pipe = subprocess.PIPE
        name = find_program(command[0]) or command[0]
        try:
            self._process = subprocess.Popen(
                [name, *command[1:]],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise Foul(Kind.CRASH, f"cannot be started: {error.strerror}") from error
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._complaints: deque[bytes] = deque(maxlen=5)
        self._readers = [
            _start(_read_lines, self._process.stdout, self._lines),
            _start(_drain, self._process.stderr, self._complaints),
        ]

    def ask(self, command: str, seconds: float) -> str:
        """The reply to a command; raises Refusal, or Foul if there is none."""
        deadline = time.monotonic() + seconds
        self._forget_what_was_not_asked()
        self._say(command)
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            line = self._next_line(command, deadline).decode("utf-8", errors="replace").strip()
            if line:
                lines.append(line)
            elif lines:
                return _content(command, lines)
        raise Foul(Kind.NONSENSE, f"does not stop answering to {command!r}")

    def close(self) -> None:
        """Ask it to leave, then end it and all that it has started."""
        with suppress(Foul):
            self._say("quit")
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        self._readers[0].join(FAREWELL_SECONDS)
        # Not waited for until now: the number of the group cannot have passed to another.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for reader in self._readers:
            reader.join(FAREWELL_SECONDS)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _say(self, command: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._stopped(command) from error

    def _next_line(self, command: str, deadline: float) -> bytes:
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except Empty:
            raise Foul(Kind.TIME, f"no reply to {command!r} in time") from None
        if line is None:
            raise self._stopped(command)
        return line

    def _forget_what_was_not_asked(self) -> None:
        with suppress(Empty):
            while (line := self._lines.get_nowait()) is not None:
                pass
            self._lines.put(line)  # the end stays the end

    def _stopped(self, command: str) -> Foul:
        self._readers[1].join(0.2)
        said = b" / ".join(self._complaints).decode("utf-8", errors="replace").strip()
        return Foul(Kind.CRASH, f"stopped at {command!r}" + (f": {said[-200:]}" if said else ""))


def _start(reader: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=reader, args=arguments, daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    """Pass every line on, and None at the end."""
    with suppress(OSError, ValueError):
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            lines.put(line)
    lines.put(None)


def _drain(stream: IO[bytes], last: deque[bytes]) -> None:
    """Read all and keep the end."""
    with suppress(OSError, ValueError):
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            last.append(line.strip())


def _content(command: str, lines: list[str]) -> str:
    """What stands behind the sign of success."""
    sign, rest = lines[0][0], " ".join([lines[0][1:].strip(), *lines[1:]])
    if sign == "?":
        raise Refusal(rest)
    if sign != "=":
        raise Foul(Kind.NONSENSE, f"answered {lines[0][:60]!r} to {command!r}")
    return rest
