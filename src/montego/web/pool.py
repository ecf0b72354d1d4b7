"""A few processes with engines, and the jobs that wait for one.

Moves and counts go before analyses, and all of a kind in their order.  An analysis that others
wait for gives its process up after a while, and comes again at the end of the queue: so each has
its turn.  A job prefers the process that had its game before.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from montego.web.jobs import Done, Job, Progress, Reply, StopJob
from montego.web.limits import MOST_SECONDS

SLICE = 2.0
"""Seconds of an analysis that others wait for."""
MOST_DEATHS = 3
"""So often a job may lose its process before it is given up."""
GRACE = 60.0
"""Seconds beyond its limit after which a process that gives no sign is taken for stuck."""
LONGEST_LINE = 1 << 22

Tell = Callable[[Progress], None]
T = TypeVar("T")


class EngineFailed(Exception):  # noqa: N818 - the name says what is wrong
    """A job that cannot be done; the message says why."""


class ProcessDied(Exception):  # noqa: N818 - the same
    """The process ended in the middle of a job."""


class EngineProcess:
    """A process as the server sees it; one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.game = ""
        """Whose tree it holds."""

    @classmethod
    async def start(cls, memory_mb: int, book: Path | None = None) -> EngineProcess:
        """It imports from where this process does."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "montego.web.worker", str(memory_mb),
            *([] if book is None else [str(book.absolute())]),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LONGEST_LINE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        return cls(process)

    async def run(self, job: Job, tell: Tell) -> Done:
        """Have a job done."""
        self.game = job.game
        self._write(job)
        assert self.process.stdout is not None
        while True:
            try:
                line = await asyncio.wait_for(self.process.stdout.readline(), MOST_SECONDS + GRACE)
            except (TimeoutError, ValueError) as error:
                raise ProcessDied("it gives no sign") from error
            if not line:
                raise ProcessDied(f"exit code {await self.process.wait()}")
            reply = Reply.model_validate_json(line)
            if reply.id != job.id:
                continue  # of a job that nobody wanted any more
            if reply.failed is not None:
                raise EngineFailed(reply.failed)
            if reply.done is not None:
                return reply.done
            if reply.progress is not None:
                tell(reply.progress)

    def stop(self, job: Job) -> None:
        """The job shall end with what it has."""
        self._write(StopJob(stop=job.id))

    def _write(self, line: Job | StopJob) -> None:
        assert self.process.stdin is not None
        with suppress(OSError, RuntimeError):  # a dead process is noticed where it is read
            self.process.stdin.write(line.model_dump_json().encode() + b"\n")

    @property
    def is_alive(self) -> bool:
        """Whether it can be given a job."""
        return self.process.returncode is None

    async def end(self) -> None:
        """Kill it; it has nothing to lose."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()


class Ticket:
    """A job on its way: one may stop it, wherever it is."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.is_stopped = False
        self.is_wanted = True
        """Whether anybody still wants to hear of it."""
        self.began = 0.0
        self.process: EngineProcess | None = None

    def stop(self) -> None:
        """Let it end with what it has; one that has not begun ends at once after it has."""
        self.is_stopped = True
        if self.process is not None:
            self.process.stop(self.job)


class Pool:
    """Processes, and who waits for them."""

    def __init__(self, size: int, memory_mb: int, book: Path | None = None) -> None:
        self.size = size
        self.book = book
        self.memory_mb = memory_mb
        self._free: list[EngineProcess] = []
        self._busy: set[EngineProcess] = set()
        self._starting = 0
        self._running: set[Ticket] = set()
        self._waiting: list[tuple[tuple[bool, int], Ticket, asyncio.Future[EngineProcess]]] = []
        self._turn = itertools.count()
        self._number = itertools.count(1)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.reviews = asyncio.Semaphore(max(size - 1, 1))
        """Reviews take minutes: while they run, a process is left for moves."""
        self.is_closed = False

    def number(self) -> int:
        """For the next job."""
        return next(self._number)

    async def warm(self) -> None:
        """Start a first process, before anybody needs it."""
        self._starting += 1
        self._spawn(self._start_one())

    def processes(self) -> list[int]:
        """The ids of all that live."""
        return [p.process.pid for p in (*self._free, *self._busy) if p.is_alive]

    # --- jobs -------------------------------------------------------------------------

    async def run(self, ticket: Ticket, tell: Tell) -> Done:
        """Have a job done, by another process if one dies; cancelling it stops the search."""
        died: ProcessDied | None = None
        for _ in range(MOST_DEATHS):
            process = await self._take(ticket)
            task = self._spawn(self._run_on(process, ticket, tell))
            try:
                return await asyncio.shield(task)
            except ProcessDied as error:
                died = error
            except asyncio.CancelledError:
                ticket.is_wanted = False
                process.stop(ticket.job)  # it is free again when the search has ended
                raise
        raise EngineFailed(f"its process died {MOST_DEATHS} times ({died})")

    async def _run_on(self, process: EngineProcess, ticket: Ticket, tell: Tell) -> Done:
        ticket.process, ticket.began = process, time.monotonic()
        self._running.add(ticket)

        def progress(told: Progress) -> None:
            if ticket.is_stopped:
                process.stop(ticket.job)  # it may have been asked before it had begun
            self._make_room(ticket)
            if ticket.is_wanted:
                tell(told)

        try:
            return await process.run(ticket.job, progress)
        except ProcessDied:
            await process.end()
            raise
        finally:
            ticket.process = None
            self._running.discard(ticket)
            self._give_back(process)

    def _make_room(self, ticket: Ticket) -> None:
        """End an analysis that has had its share, if another job waits."""
        is_long = time.monotonic() - ticket.began > SLICE
        if self._waiting and is_long and ticket.job.work == "analyse":
            ticket.stop()

    # --- processes --------------------------------------------------------------------

    async def _take(self, ticket: Ticket) -> EngineProcess:
        """A process, as soon as it is this job's turn."""
        future: asyncio.Future[EngineProcess] = asyncio.get_running_loop().create_future()
        rank = (ticket.job.work in ("analyse", "review"), next(self._turn))
        entry = (rank, ticket, future)
        self._waiting.append(entry)
        self._hand_out()
        try:
            return await future
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
            elif not future.cancelled():
                self._give_back(future.result())
            raise

    def _hand_out(self) -> None:
        """Give free processes to those that wait; start more, as long as there may be more."""
        self._free = [process for process in self._free if process.is_alive]
        self._waiting.sort(key=lambda entry: entry[0])
        while self._waiting and self._free:
            _, ticket, future = self._waiting.pop(0)
            if future.done():
                continue
            process = min(self._free, key=lambda p: (p.game != ticket.job.game, p.game != ""))
            self._free.remove(process)
            self._busy.add(process)
            future.set_result(process)
        room = self.size - len(self._free) - len(self._busy) - self._starting
        for _ in range(min(room, len(self._waiting) - self._starting)):
            self._starting += 1
            self._spawn(self._start_one())

    async def _start_one(self) -> None:
        """One that is counted among those that start."""
        try:
            process = await EngineProcess.start(self.memory_mb, self.book)
            self._free.append(process)  # the list of now: while we waited there came another
        finally:
            self._starting -= 1
        self._hand_out()

    def _give_back(self, process: EngineProcess) -> None:
        self._busy.discard(process)
        if process.is_alive and not self.is_closed:
            self._free.append(process)
        self._hand_out()

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever waited for it

    async def close(self) -> None:
        """End everything."""
        self.is_closed = True
        for task in [*self._tasks]:
            task.cancel()
        for process in (*self._free, *self._busy):
            await process.end()
