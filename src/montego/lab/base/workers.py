"""Processes that work on tasks and hand the answers to the one that started them.

They are spawned, not forked: threads and compiled code do not survive a fork.  A worker
whose parent is gone, in whatever way, closes what it has started and ends.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar

from montego.kernels.compiler.notices import WAITING, leave_unsaid
from montego.lab.base.errors import LabError

LOOK_SECONDS = 0.25
"""How often the parent checks whether to stop."""
STOP_SECONDS = 10.0
"""What a worker may take to close its programs before it is killed."""
MOST_DEATHS = 3
"""So often in a row workers may die before the work is given up."""
Task = TypeVar("Task")
_SPAWN = multiprocessing.get_context("spawn")


class WorkError(LabError):
    """The work cannot be done; the message says why."""

    exit_code = 1


class Worker(Protocol):
    """What a process does."""

    def __call__(self, task: Any, /) -> Any:
        """Work on one task."""

    def close(self) -> None:
        """End everything that was started."""


Factory = Callable[[], Worker]
"""Makes a worker, in its own process; has to be picklable."""


class Crew(Protocol):
    """Workers of other machines."""

    def work_through(
        self, factory: Factory, tasks: Iterator[Task], stopped: Callable[[], bool]
    ) -> Generator[tuple[Task, Any]]:
        """As the function of this name."""


Workers = int | Crew
"""So many processes of this machine, or the workers of others."""


def with_cores(workers: Workers, cores: int) -> Workers:
    """The workers for tasks that take so many cores each; others' are what they are."""
    return max(1, workers // cores) if isinstance(workers, int) else workers


def work_through(
    factory: Factory, tasks: Iterator[Task], workers: Workers, stopped: Callable[[], bool]
) -> Generator[tuple[Task, Any]]:
    """Work on all tasks; yields (task, answer) as they are done.

    A task is anything that can be sent to a process.  It is taken from the iterator when
    a worker is free for it, and after every answer before has been seen.

    When ``stopped`` says so, or the iterator is closed, what is being worked on is dropped.
    """
    if not isinstance(workers, int):
        yield from workers.work_through(factory, tasks, stopped)
        return
    crew: list[_Hand] = []
    deaths = 0
    try:
        for task in _take(tasks, workers):
            crew.append(_Hand(factory, task))
        while (busy := [hand for hand in crew if hand.task is not None]) and not stopped():
            ready = wait([hand.pipe for hand in busy], timeout=LOOK_SECONDS)
            for hand in (hand for hand in busy if hand.pipe in ready):
                done, answer = hand.task, hand.answer()
                assert done is not None
                if isinstance(answer, _Died):
                    deaths += 1
                    _give_up_after(deaths, answer)
                    hand.start_again()
                    continue
                deaths = 0
                hand.task = None
                yield done, answer
                hand.give(next(tasks, None))
    finally:
        for hand in crew:
            hand.process.terminate()
        for hand in crew:
            hand.join()


def map_in_order(
    workers: Workers, function: Callable[[Any], Any], things: Iterable[Any]
) -> Generator[Any]:
    """As ``map``, by workers; one process of this machine is this one."""
    if workers == 1:
        yield from map(function, things)
        return
    early: dict[int, Any] = {}
    due = 0
    answers = work_through(partial(_Mapper, function), enumerate(things), workers, lambda: False)
    for (number, _), answer in answers:
        early[number] = answer
        while due in early:
            yield early.pop(due)
            due += 1


class _Mapper:
    """A worker that does the same to everything; tasks have a number."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, task: tuple[int, Any], /) -> Any:
        return self.function(task[1])

    def close(self) -> None:
        """Nothing was started."""


def _take(tasks: Iterator[Task], count: int) -> Iterator[Task]:
    return (task for _, task in zip(range(count), tasks, strict=False))


def _give_up_after(deaths: int, death: _Died) -> None:
    if deaths >= MOST_DEATHS:
        raise WorkError(f"workers keep dying, the last one with exit code {death.code}")


class _Died:
    """In place of an answer."""

    def __init__(self, code: int | None) -> None:
        self.code = code


class _Failed:
    """In place of an answer: the task cannot be done, and why."""

    def __init__(self, told: str) -> None:
        self.told = told


class _Hand:
    """A worker process as its parent sees it, and the task that it has."""

    def __init__(self, factory: Factory, task: Any) -> None:
        self.factory = factory
        self.task = task
        self.start_again()

    def start_again(self) -> None:
        """Start a process and give it the task."""
        self.pipe, theirs = _SPAWN.Pipe()
        told = pickle.dumps(self.factory)
        self.process = _SPAWN.Process(target=_work, args=(told, theirs), daemon=True)
        with _interrupts_ignored():  # Ctrl-C reaches all processes; the parent alone answers
            self.process.start()
        theirs.close()
        self.give(self.task)

    def give(self, task: Any) -> None:
        """The next task, or None if there is none left."""
        self.task = task
        if task is not None:
            with suppress(OSError):  # a dead worker is noticed where its answer is missed
                self.pipe.send(task)

    def answer(self) -> Any:
        """What the process has handed over."""
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return _Died(self.process.exitcode)
        if isinstance(answer, _Failed):
            raise WorkError(answer.told)
        return answer

    def join(self) -> None:
        """See the process end."""
        self.process.join(STOP_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """A process that is started meanwhile ignores Ctrl-C from its first moment on."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# --- in the worker's process -----------------------------------------------------------


def _work(factory: bytes, pipe: Connection) -> None:
    """Work on what comes through the pipe until there is nobody at the other end."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    leave_unsaid(WAITING)
    try:
        worker = pickle.loads(factory)()
    except (LabError, OSError) as error:
        pipe.send(_Failed(str(error)))
        return
    threading.Thread(target=_end_with_parent, args=(worker,), daemon=True).start()
    try:
        with suppress(EOFError, OSError):
            while True:
                pipe.send(_answer(worker, pipe.recv()))
    finally:
        worker.close()


def _answer(worker: Worker, task: Any) -> Any:
    try:
        return worker(task)
    except Exception as error:
        return _Failed(f"task {task}: {type(error).__name__}: {error}")


def _end_with_parent(worker: Worker) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    try:
        worker.close()
    finally:
        os._exit(1)
