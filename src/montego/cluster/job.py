"""An MPI job as its player sees it: started, watched, and started again when it dies.

The player is no part of the job: whatever happens to the job, the game goes on.  A job ends with
its player, and no process of it on this machine outlives the next start: all of them have the
address of the player in their environment, and are known by it even if their parents are gone.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from montego.cluster.link import Door, Link, LinkLost

ADDRESS = "MONTEGO_PLAYER"
"""The environment's name for the address of the player, for the first process of the job."""
START_SECONDS = 120.0
"""What a job may take to get ready: machines may have to compile."""
QUIT_SECONDS = 2.0
PAUSES = (0.0, 1.0, 5.0, 20.0, 60.0)
"""Seconds before a job is started again, the longer the more often it has died in a row."""
LOOK = 0.1
OWN_RANK = (sys.executable, "-P", "-m", "montego.cluster.rank")
"""The program of a process of the job."""


class JobError(ValueError):
    """A job cannot be started; the message is one line for the user."""


def mpiexec() -> str:
    """The program that starts jobs; that of this environment before any other."""
    own = Path(sys.executable).with_name("mpiexec")
    found = str(own) if own.exists() else shutil.which("mpiexec")
    if found is None or find_spec("mpi4py") is None:
        raise JobError("searching on several processes needs MPI: pip install 'montego[cluster]'")
    return found


def command_of(ranks: int, starter: list[str] | None) -> list[str]:
    """The command that starts a job: ``starter`` is what stands before the program, if not
    mpiexec, such as srun with its options."""
    before = starter if starter is not None else [mpiexec(), "-n", str(ranks)]
    if starter is not None and shutil.which(before[0]) is None:
        raise JobError(f"there is no program {before[0]!r}")
    return [*before, *OWN_RANK]


class Job:
    """A running job, and the link to its first process."""

    def __init__(self, command: list[str], host: str, is_joined: bool = False) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the job
        self._door = Door(host)
        environment = os.environ | {
            ADDRESS: self._door.address,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self._errors,
            stderr=self._errors, start_new_session=True, close_fds=not is_joined,
        )  # fmt: skip
        self.link: Link | None = None

    def wait(self, settings: dict[str, Any], stopped: Callable[[], bool]) -> Link:
        """The link, as soon as all processes are ready; raises JobError."""
        deadline = time.monotonic() + START_SECONDS
        while self.link is None:
            self._check(deadline, stopped)
            self.link = self._door.wait(LOOK)
        self._door.close()
        try:
            self.link.send({"do": "set", **settings})
            while True:
                self._check(deadline, stopped)
                frame = self.link.receive(LOOK)
                if frame is not None and "ready" in frame.told:
                    return self.link
        except LinkLost as lost:
            raise JobError(self._told() or str(lost)) from None

    def _check(self, deadline: float, stopped: Callable[[], bool]) -> None:
        if self._process.poll() is not None or stopped():
            raise JobError(self._told() or "the job has ended")
        if time.monotonic() > deadline:
            raise JobError("the job does not get ready")

    def _told(self) -> str:
        """What the job has said before it ended, in one line."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        sensible = [line.strip() for line in lines if line.strip() and line.strip("= ")]
        return sensible[0][:200] if sensible else ""

    def processes(self) -> list[int]:
        """The numbers of its processes on this machine, where the system tells (Linux)."""
        mark = f"{ADDRESS}={self._door.address}".encode()
        return [int(path.parent.name) for path in _environments() if mark in _read(path)]

    def close(self) -> None:
        """End all its processes, politely at first."""
        if self.link is not None:
            with suppress(LinkLost):
                self.link.send({"do": "quit"})
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(QUIT_SECONDS)
            self.link.close()
        self.kill()

    def kill(self) -> None:
        """End all its processes."""
        for number in {self._process.pid, *self.processes()}:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        self._process.wait()
        self._door.close()
        if self.link is not None:
            self.link.close()
        self._errors.close()


def _environments() -> Iterator[Path]:
    return Path("/proc").glob("[0-9]*/environ")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # another user's, or gone
        return b""


class Keeper:
    """Sees that there is a job, in a thread of its own."""

    def __init__(
        self, command: list[str], host: str, settings: dict[str, Any], is_joined: bool = False
    ) -> None:
        """A job that was joined (see joined) cannot be started again."""
        self.command, self.host, self.settings = command, host, settings
        self.is_joined = is_joined
        self._job: Job | None = None
        self._link: Link | None = None
        self._deaths = 0
        self._is_closed = False
        self._lock = threading.Lock()
        self._begin()
        self._starter.join()
        if self._link is None:
            raise JobError(self._reason)
        atexit.register(self.close)

    def _begin(self) -> None:
        self._reason = ""
        self._starter = threading.Thread(target=self._start, daemon=True)
        self._starter.start()

    def _start(self) -> None:
        pause = PAUSES[min(max(self._deaths - 1, 0), len(PAUSES) - 1)]
        end = time.monotonic() + pause
        while time.monotonic() < end and not self._is_closed:
            time.sleep(LOOK)
        try:
            self._job = Job(self.command, self.host, self.is_joined)
            link = self._job.wait(self.settings, lambda: self._is_closed)
        except (JobError, OSError) as error:
            self._reason = str(error)
            self._deaths += 1
            self._drop()
            if self._deaths > 1 and not self._is_closed:  # it has worked before
                threading.Thread(target=self._begin, daemon=True).start()
            return
        with self._lock:
            self._link = link

    def _drop(self) -> None:
        if self._job is not None:
            self._job.kill()
            self._job = None

    @property
    def link(self) -> Link | None:
        """The link to the job; None while there is none."""
        return self._link

    def start_again(self, link: Link, reason: str) -> None:
        """The job behind a link is of no use any more."""
        with self._lock:
            if self._link is not link:
                return
            self._link = None
        then = "the search goes on alone" if self.is_joined else "it is started again"
        print(f"montego: the cluster: {reason}; {then}", file=sys.stderr, flush=True)
        self._deaths += 1
        self._drop()
        if not self.is_joined:
            self._begin()

    def note_success(self) -> None:
        """A whole search: the job is sound."""
        self._deaths = 0

    def close(self) -> None:
        """End the job for good."""
        self._is_closed = True
        atexit.unregister(self.close)
        self._starter.join()
        self._link = None
        if self._job is not None:
            self._job.close()
            self._job = None
