"""A program that speaks the Go Text Protocol, in a process of its own, trusted with nothing.

A thread reads all that it writes, so that it can never block on a full pipe, and keeps no more of
it than a reply may hold.  Nothing here waits beyond a deadline: not for a reply, not for a program
that does not read its commands, not for its end.

It leads a process group of its own, and its environment carries a mark that all it starts
inherits: whatever has left the group is found by that mark, where the system tells it (Linux).
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from montego.lab.matches.foul import Foul, Kind
from montego.lab.matches.program_output import MOST_LINES, OutputReader

FAREWELL_SECONDS = 1.0
"""How long a program may take to leave by itself, and to be gone once it is killed."""
LOOK_SECONDS = 0.2
"""How often it is looked at whether a program that says nothing is still there."""
PATH_OF_GAMES = "/usr/games"
"""Where Debian keeps GNU Go, often outside of PATH."""
MARK = "MONTEGO_PROGRAM"
"""The variable of the environment that marks a program and all that it starts; who starts a
program in turn adds a mark of its own."""


def find_program(name: str) -> str | None:
    """The full path of a program, or None if there is none."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), PATH_OF_GAMES]))


class Refusal(Exception):  # noqa: N818 - a reply of the protocol, which may be in order
    """The program answered a command with ``?``."""


class GtpProgram:
    """A running program; ``ask`` is one command and its reply."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """``folder`` is where it runs, if not here."""
        pipe, self._mark = subprocess.PIPE, uuid4().hex
        name = find_program(command[0]) or command[0]
        try:
            self._process = subprocess.Popen(
                [name, *command[1:]],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
                cwd=folder,
                env=os.environ | {MARK: f"{os.environ.get(MARK, '')} {self._mark}".strip()},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a null character in the command
            reason = getattr(error, "strerror", None) or error
            raise Foul(Kind.CRASH, f"cannot be started: {reason}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input = self._process.stdin
        os.set_blocking(self._input.fileno(), False)
        self._output = OutputReader(self._process.stdout, self._process.stderr)

    def ask(self, command: str, seconds: float) -> str:
        """The reply to a command; raises Refusal, or Foul if there is none."""
        deadline = time.monotonic() + seconds
        self._output.forget()
        self._say(command, deadline)
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
            self._say("quit", time.monotonic() + FAREWELL_SECONDS)
        with suppress(OSError):
            self._input.close()
        self._wait_until_it_leaves()
        # Not waited for until now: the number of the group cannot have passed to another.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_SECONDS)
        end_marked(self._mark, FAREWELL_SECONDS)
        self._output.close()

    def _wait_until_it_leaves(self) -> None:
        deadline = time.monotonic() + FAREWELL_SECONDS
        while not (self._output.has_ended or self._has_died()) and time.monotonic() < deadline:
            time.sleep(0.005)

    def _has_died(self) -> bool:
        """Whether the process has ended; it stays to be waited for."""
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.returncode is not None
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self._process.pid, look) is not None
        except ChildProcessError:
            return True

    def _say(self, command: str, deadline: float) -> None:
        left = f"{command}\n".encode()
        try:
            while left:
                if select.select([], [self._input], [], LOOK_SECONDS)[1]:
                    left = left[os.write(self._input.fileno(), left) :]
                elif time.monotonic() > deadline:
                    raise Foul(Kind.TIME, f"does not read {command[:100]!r} in time")
        except (OSError, ValueError) as error:
            raise self._stopped(command) from error

    def _next_line(self, command: str, deadline: float) -> bytes:
        """The next line; a program that has died has said its last within a moment."""
        died = False
        while (left := deadline - time.monotonic()) > 0:
            line = self._output.next_line(min(left, LOOK_SECONDS))
            if line is not None:
                return line
            if self._output.has_ended or died:
                raise self._stopped(command)
            died = self._has_died()
        raise Foul(Kind.TIME, f"no reply to {command!r} in time")

    def _stopped(self, command: str) -> Foul:
        said = self._output.error_text(LOOK_SECONDS)
        return Foul(Kind.CRASH, f"stopped at {command!r}" + (f": {said[-200:]}" if said else ""))


def _content(command: str, lines: list[str]) -> str:
    """What stands behind the sign of success."""
    sign, rest = lines[0][0], " ".join([lines[0][1:].strip(), *lines[1:]])
    if sign == "?":
        raise Refusal(rest)
    if sign != "=":
        raise Foul(Kind.NONSENSE, f"answered {lines[0][:60]!r} to {command!r}")
    return rest


# --- all that a program has started ----------------------------------------------------


def end_marked(mark: str, seconds: float) -> None:
    """Kill every process that carries the mark, and what it starts meanwhile, for so long."""
    deadline = time.monotonic() + seconds
    while sum(_end(process, mark) for process in _processes()) and time.monotonic() < deadline:
        time.sleep(0.01)


def _processes() -> list[int]:
    """The numbers of all processes; none where the system does not tell, or pidfd is missing."""
    folder = Path("/proc")
    if not hasattr(os, "pidfd_open") or not (folder / "self/environ").exists():
        return []
    return [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]


def _end(process: int, mark: str) -> bool:
    """Kill a process that carries the mark; returns whether there was one."""
    try:
        handle = os.pidfd_open(process)  # it stays the same process, whoever gets the number
    except OSError:
        return False
    try:
        marked = mark.encode() in Path(f"/proc/{process}/environ").read_bytes()
        if marked:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return marked
    except OSError:
        return False
    finally:
        os.close(handle)
