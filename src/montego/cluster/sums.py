"""The sums of one search (T24), one after the other, made by two threads of a machine.

The thread that searches gives what the machine has found, between two batches of simulations, and
takes what all have found.  The main thread lets MPI add, without waiting: it looks now and then
whether a sum is complete, so that a core is free while machines wait for each other.

A sum goes through the states below, in this order.  Each step is made by one of the two threads
alone, so neither needs a lock, and a vector always belongs to the sum that it is added to.

A sum also says who has stopped.  The first machine ends a search by saying so in a sum, and
all machines see it in the same one: so all of them take part in the same sums.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from montego.cluster.layout import Layout, Vector
from montego.cluster.machine import OTHERS, Machine

IDLE, WANTED, GIVEN, ADDING, COMPLETE = range(5)
"""Nothing to do, a vector is asked for, there it is, MPI adds, the sum is there to be taken."""
RANKS, DIGEST, STOP, FINISHED, HEADER = range(5)
"""The first numbers of a vector: how many were added, the layout, who stops, who has done all."""
PAUSES = {IDLE: 0.005, WANTED: 0.005, GIVEN: 0.0, ADDING: 0.002, COMPLETE: 0.005}
"""Seconds between two looks at MPI."""
REST = 0.01
"""The same when all is over."""


class Disagreement(Exception):  # noqa: N818 - what happened
    """Machines do not sum up the same nodes."""


class Sums:
    """The sums of one search, as one machine sees them; an Exchange."""

    def __init__(self, machine: Machine, layout: Layout, period: float, comm: Any) -> None:
        self.machine, self.layout, self.period, self._comm = machine, layout, period, comm
        self.count = 0
        self.is_stopping = self.has_finished = False
        self.all_have_finished = self.has_ended = False
        self.in_a_hurry = True  # the first one is for the trees that are kept
        self._state = IDLE
        self._said = (False, False)  # stopping and finished, in the latest vector
        self._next = time.monotonic() + period
        self._own = self._vector = self._buffer = np.zeros(0, dtype=np.int64)
        self._request: Any = None
        self._since = 0.0

    def hurry(self) -> None:
        """The next sum is due now."""
        self.in_a_hurry = True

    # --- the thread that searches -------------------------------------------------------

    def step(self) -> None:
        """Take a sum that is complete, give what is asked for; between batches."""
        if self._state == COMPLETE:
            self._take(self._buffer)
            self._state = IDLE
        if self._state == WANTED:
            self._own = self.layout.vector(self.machine.tell(opens=False))
            self._said = self.is_stopping, self.has_finished
            header = [1, self.layout.digest, *map(int, self._said)]
            self._vector = np.concatenate([np.array(header, dtype=np.int64), self._own])
            self._state = GIVEN

    def _take(self, complete: Vector) -> None:
        message, has_grown = self.layout.take(complete[HEADER:], self._own)
        self.machine.hear(OTHERS, message)
        self.machine.take_in()
        if has_grown:  # the children of busy nodes come at once
            self.in_a_hurry = True

    @property
    def is_taken(self) -> bool:
        """Whether the last sum is in the tree."""
        return self.has_ended and self._state == IDLE

    # --- the main thread ----------------------------------------------------------------

    def pump(self) -> None:
        """Continue with the sum that is due, as far as that needs no waiting."""
        if self._state == ADDING:
            if self._request.Test():
                self._see(self._buffer)
                self._state = COMPLETE
        elif self._state == GIVEN:
            self._buffer = np.empty_like(self._vector)
            self._since = time.monotonic()
            self._request = self._comm.Iallreduce(self._vector, self._buffer)
            self._state = ADDING
        elif self._state == IDLE and self._is_due():
            self.in_a_hurry = False
            self._next = time.monotonic() + self.period
            self._state = WANTED

    def _is_due(self) -> bool:
        if self.has_ended:
            return False
        says_more = self._said != (self.is_stopping, self.has_finished)
        return says_more or self.in_a_hurry or time.monotonic() >= self._next

    def _see(self, complete: Vector) -> None:
        ranks = int(complete[RANKS])
        if int(complete[DIGEST]) != ranks * int(self._vector[DIGEST]):
            raise Disagreement("machines do not sum up the same nodes")
        self.count += 1
        self.all_have_finished = int(complete[FINISHED]) == ranks
        self.has_ended = bool(complete[STOP])

    @property
    def waits(self) -> float:
        """Seconds that a sum has been waiting for other machines."""
        return time.monotonic() - self._since if self._state == ADDING else 0.0

    @property
    def pause(self) -> float:
        """Seconds until the main thread is to look again."""
        return REST if self.is_taken else PAUSES[self._state]
