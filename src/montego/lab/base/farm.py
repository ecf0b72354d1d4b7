"""Workers of a Dask scheduler, for many games on many machines.

They do what the processes of this machine do (see workers), one task at a time for each of their
threads.  A worker that dies costs the tasks that it had, which are given to others; records are
written here alone.  Dask's messages are pickled objects, which a stranger must not send: by itself
nothing listens but on 127.0.0.1, and between machines there is TLS.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from montego.cluster.scheduler import SchedulerError, connected
from montego.lab.base.errors import LabError
from montego.lab.base.workers import Factory, Task, Worker, WorkError, Workers

LOOK_SECONDS = 0.05
"""How often it is looked for answers."""
MOST_DEATHS = 20
"""So often in a row tasks may be lost with their workers before the work is given up."""
FETCH_SECONDS = 10.0
"""What an answer may take to come from its worker."""
GONE = "the scheduler has gone; the same command resumes where it stopped"
_here = threading.local()


class FarmError(LabError):
    """The workers cannot be used; the message says why."""


class _Lost(Exception):  # noqa: N818 - what happened
    """An answer has gone with its worker."""


@contextmanager
def crew(address: str | None, count: int) -> Iterator[Workers]:
    """Processes of this machine, or the workers of a scheduler; raises FarmError."""
    if address is None:
        yield count
        return
    try:
        with connected(address, count) as client:
            yield Farm(client)
    except SchedulerError as error:
        raise FarmError(str(error)) from None


class Farm:
    """The workers of a scheduler."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def work_through(
        self, factory: Factory, tasks: Iterator[Task], stopped: Callable[[], bool]
    ) -> Generator[tuple[Task, Any]]:
        """Work on all tasks; yields (task, answer) as they are done, see workers."""
        under_way: dict[Any, Task] = {}
        try:
            yield from self._work_through(factory, tasks, stopped, under_way)
        except (OSError, CancelledError) as error:
            raise FarmError(GONE) from error
        finally:
            if self.client.status == "running":
                self.client.cancel(list(under_way), force=True)

    def _work_through(
        self,
        factory: Factory,
        tasks: Iterator[Task],
        stopped: Callable[[], bool],
        under_way: dict[Any, Task],
    ) -> Generator[tuple[Task, Any]]:
        deaths = 0

        def give(task: Task) -> None:
            under_way[self.client.submit(work, factory, task, pure=False)] = task

        self._fill(under_way, tasks, give)
        while under_way and not stopped():
            self._check_scheduler()
            done = [future for future in under_way if future.done()]
            if not done:
                time.sleep(LOOK_SECONDS)
            for future in done:
                task = under_way.pop(future)
                try:
                    answer = self._answer(future)
                except _Lost:
                    deaths += 1
                    self._check_deaths(deaths)
                    give(task)
                    continue
                deaths = 0
                yield task, answer
            self._fill(under_way, tasks, give)

    def _answer(self, future: Any) -> Any:
        """The answer to a task; raises WorkError if it cannot be done.

        An answer stays where it was made until it is fetched: its worker may die even now.
        """
        from distributed import KilledWorker

        try:
            return future.result(timeout=FETCH_SECONDS)
        except (KilledWorker, CancelledError):
            raise _Lost from None
        except Exception as error:
            if future.status != "error":  # the way to it broke, or it is being made again
                raise _Lost from None
            raise WorkError(f"{type(error).__name__}: {error}") from None

    def _fill(
        self, under_way: dict[Any, Task], tasks: Iterator[Task], give: Callable[[Task], None]
    ) -> None:
        """One task for every thread of every worker."""
        while len(under_way) < max(sum(self.client.nthreads().values()), 1):
            task = next(tasks, None)
            if task is None:
                return
            give(task)

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise FarmError(GONE)

    def _check_deaths(self, deaths: int) -> None:
        self._check_scheduler()
        if deaths >= MOST_DEATHS:
            raise WorkError("workers keep dying")


# --- in the worker's process -----------------------------------------------------------


def work(factory: Factory, task: Any) -> Any:
    """One task; whoever works for it is made once for each thread and kind of work."""
    kind = pickle.dumps(factory)
    if getattr(_here, "kind", None) != kind:
        if (before := getattr(_here, "worker", None)) is not None:
            before.close()
        _here.kind, _here.worker = kind, factory()
    worker: Worker = _here.worker
    return worker(task)
