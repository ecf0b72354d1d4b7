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
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from montego.cluster.link import Door, Link, LinkLost
from montego.cluster.shared_memory import forget_unused

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
NO_MPI = "searching on several processes needs MPI: pip install 'montego[cluster]'"
NO_NETWORK = {"UCX_TLS": "sm,self"}
"""Processes of one computer use its memory; MPI would open ports for others as well."""


class JobError(ValueError):
    """A job cannot be started; the message is one line for the user."""


def check_installed() -> None:
    """Raise a JobError where there is no MPI."""
    if find_spec("mpi4py") is None:
        raise JobError(NO_MPI)


def mpiexec() -> str:
    """The program that starts jobs; that of this environment before any other."""
    check_installed()
    own = Path(sys.executable).with_name("mpiexec")
    found = str(own) if own.exists() else shutil.which("mpiexec")
    if found is None:
        raise JobError(NO_MPI)
    return found


def forker() -> str:
    """The program that starts the jobs of this computer: one that opens no port, if MPI has it."""
    own = mpiexec()
    silent = f"{own}.gforker"
    return silent if Path(silent).exists() else own


@dataclass(frozen=True)
class Start:
    """How a job is started."""

    command: list[str]
    host: str = "127.0.0.1"
    """Where the player waits for the first process."""
    is_joined: bool = False
    """Whether the job was there before (see joined); it cannot be started again."""
    environment: dict[str, str] = field(default_factory=dict)
    """What the processes are told, where the user says nothing else."""


def start_here(ranks: int) -> Start:
    """A job of this computer; raises JobError."""
    return Start([forker(), "-n", str(ranks), *OWN_RANK], environment=NO_NETWORK)


def start_by(starter: list[str], host: str) -> Start:
    """A job that is started by what stands before the program, such as srun with its options;
    raises JobError."""
    check_installed()
    if not starter or shutil.which(starter[0]) is None:
        raise JobError(f"there is no program {' '.join(starter[:1])!r}")
    return Start([*starter, *OWN_RANK], host)


def open_door(host: str) -> Door:
    """A door at an address of this machine; raises JobError."""
    try:
        return Door(host)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (")[0]
        raise JobError(f"cannot listen at {host}: {why}") from None


class Job:
    """A running job, and the link to its first process."""

    def __init__(self, start: Start) -> None:
        self._begin, self._is_ready = time.time(), False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the job
        self._door = open_door(start.host)
        environment = {
            **start.environment,
            **os.environ,
            ADDRESS: self._door.address,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process = subprocess.Popen(
            start.command, env=environment, stdin=subprocess.DEVNULL, stdout=self._errors,
            stderr=self._errors, start_new_session=True, close_fds=not start.is_joined,
        )  # fmt: skip
        atexit.unregister(end_joined)
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
                    self._is_ready = True
                    return self.link
        except LinkLost as lost:
            with suppress(subprocess.TimeoutExpired):  # what it says comes a little later
                self._process.wait(QUIT_SECONDS)
            raise JobError(self.last_words() or str(lost)) from None

    def _check(self, deadline: float, stopped: Callable[[], bool]) -> None:
        if self._process.poll() is not None or stopped():
            raise JobError(self.last_words() or "the job has ended")
        if time.monotonic() > deadline:
            raise JobError("the job does not get ready")

    def last_words(self) -> str:
        """What the job has said before it ended, in one line: the error, if there was one."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        said = [line.rstrip() for line in lines if line.strip("= ")]
        said = [line for line in said if not line.startswith("Abort(")]
        for i, line in enumerate(said):
            if line.startswith("Traceback"):
                ends = [later for later in said[i + 1 :] if not later.startswith(" ")]
                return (ends or [line])[0][:200]
        return said[0].strip()[:200] if said else ""

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
        if not self._is_ready:
            forget_unused(self._begin)


def end_joined() -> None:
    """End a job that this process belongs to and takes no part in: the others wait for it."""
    program = "from montego.cluster.rank import give_up; give_up()"
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [sys.executable, "-P", "-c", program], close_fds=False, timeout=START_SECONDS,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def _environments() -> Iterator[Path]:
    return Path("/proc").glob("[0-9]*/environ")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # another user's, or gone
        return b""


class Keeper:
    """Sees that there is a job, in a thread of its own: starts it, and ends it when it is lost."""

    def __init__(self, start: Start, settings: dict[str, Any]) -> None:
        self.start, self.settings = start, settings
        self._job: Job | None = None
        self._link: Link | None = None
        self._deaths = 0
        self._reason = ""
        self._is_closed = False
        self._lock = threading.Lock()
        self._tried, self._lost = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()
        self._tried.wait()
        if self._link is None:
            raise JobError(self._reason)
        atexit.register(self.close)

    def _keep(self) -> None:
        has_worked = False
        while not self._is_closed:
            if self._start():
                has_worked = True
                self._tried.set()
                self._lost.wait()
                self._lost.clear()
            self._drop()
            if not has_worked or self.start.is_joined:
                break
            self._pause()
        self._tried.set()

    def _start(self) -> bool:
        try:
            self._job = Job(self.start)
            link = self._job.wait(self.settings, lambda: self._is_closed)
        except (JobError, OSError) as error:
            self._reason = str(error)
            self._deaths += 1
            return False
        with self._lock:
            self._link = link
        return True

    def _drop(self) -> None:
        job, self._job, self._link = self._job, None, None
        if job is not None and self._is_closed:
            job.close()
        elif job is not None:
            job.kill()

    def _pause(self) -> None:
        pause = PAUSES[min(max(self._deaths - 1, 0), len(PAUSES) - 1)]
        end = time.monotonic() + pause
        while time.monotonic() < end and not self._is_closed:
            time.sleep(LOOK)

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
        said = self._job.last_words() if self._job is not None else ""
        then = "the search is alone now" if self.start.is_joined else "it is started again"
        tell(f"{reason}{said and f' ({said})'}; {then}")
        self._deaths += 1
        self._lost.set()

    def note_success(self) -> None:
        """A whole search: the job is sound."""
        self._deaths = 0

    def close(self) -> None:
        """End the job for good."""
        self._is_closed = True
        atexit.unregister(self.close)
        self._lost.set()
        self._thread.join()


def tell(what: str) -> None:
    """Say on the standard error what happened to the cluster."""
    print(f"montego: the cluster: {what}", file=sys.stderr, flush=True)
