"""The tasks that wait, the most urgent first, and those that are being searched."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable
from itertools import count

from montego.analysis.query import Task


class Tasks:
    """A queue by priority, then by age; several threads take from it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, int, Task]] = []
        self._running: set[Task] = set()
        self._number = count()
        self._is_closed = False

    def put(self, tasks: Iterable[Task]) -> None:
        """Add tasks, all at once."""
        with self._changed:
            for task in tasks:
                heapq.heappush(self._waiting, (-task.priority, next(self._number), task))
            self._changed.notify_all()

    def take(self) -> Task | None:
        """The next task, as soon as there is one; None when there will be no more."""
        with self._changed:
            while not self._waiting:
                if self._is_closed:
                    return None
                self._changed.wait()
            task = heapq.heappop(self._waiting)[2]
            self._running.add(task)
            return task

    def done(self, task: Task) -> None:
        """A task that was taken has been answered."""
        with self._changed:
            self._running.discard(task)

    def stop(self, is_meant: Callable[[Task], bool]) -> list[Task]:
        """Stop the searches that are meant; returns the tasks that had not begun."""
        with self._changed:
            for task in self._running:
                if is_meant(task):
                    task.stopped.set()
            dropped = [task for _, _, task in self._waiting if is_meant(task)]
            self._waiting = [entry for entry in self._waiting if not is_meant(entry[2])]
            heapq.heapify(self._waiting)
            return dropped

    def close(self) -> None:
        """No more tasks will come."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
