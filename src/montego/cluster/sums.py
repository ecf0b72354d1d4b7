"""The sums of one search (T24), one after the other, made by two threads of a machine.

The thread that searches gives what the machine has found, between two batches of simulations, and
takes what all have found.  The other thread lets MPI add, without waiting: it looks now and then
whether a sum is complete, so that a core is free while machines wait for each other.

A sum also says who has stopped.  The first machine ends a search by saying so in a sum, and
all machines see it in the same one: so all of them take part in the same sums.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from montego.cluster.layout import Layout, Vector
from montego.cluster.machine import Machine

RANKS, DIGEST, STOP, FINISHED, HEADER = range(5)
"""The first numbers of a vector: how many were added, the layout, who stops, who has done all."""
OTHERS = -1
"""The sender of what all others have found."""


class Disagreement(Exception):  # noqa: N818 - what happened
    """Machines do not sum up the same nodes."""


class Sums:
    """The sums of one search, as one machine sees them."""

    def __init__(self, machine: Machine, layout: Layout, period: float) -> None:
        self.machine, self.layout, self.period = machine, layout, period
        self.count = 0
        """Sums that are complete."""
        self.is_stopping = self.has_finished = False
        """What this machine says in the next sum."""
        self.all_have_finished = self.has_ended = False
        """What the latest sum said."""
        self.in_a_hurry = True  # the first one is for the trees that are kept
        self._next = time.monotonic() + period
        self._is_wanted = False
        self._vector: Vector | None = None  # given, to be added
        self._own: Vector = np.zeros(0, dtype=np.int64)
        self._complete: Vector | None = None  # added, to be taken
        self._request: Any = None
        self._buffer = self._sent = self._own
        self._since = 0.0

    # --- the thread that searches -------------------------------------------------------

    def step(self) -> None:
        """Take a sum that is complete, give what is asked for; between batches."""
        if (complete := self._complete) is not None:
            self._complete = None
            self._take(complete)
        if self._is_wanted and not self.has_ended:
            self._is_wanted = False
            self._own = self.layout.vector(self.machine.tell(opens=False))
            header = [1, self.layout.digest, int(self.is_stopping), int(self.has_finished)]
            self._vector = np.concatenate([np.array(header, dtype=np.int64), self._own])

    def _take(self, complete: Vector) -> None:
        message, has_grown = self.layout.take(complete[HEADER:], self._own)
        self.machine.hear(OTHERS, message)
        self.machine.take_in()
        self.in_a_hurry |= has_grown  # the children of busy nodes come at once

    @property
    def is_taken(self) -> bool:
        """Whether the last sum is in the tree."""
        return self.has_ended and self._complete is None

    # --- the thread that adds -----------------------------------------------------------

    def pump(self, comm: Any) -> None:
        """Go on with the sum that is due, as far as it goes without waiting."""
        if self._request is not None:
            if self._request.Test():
                self._request = None
                self._see(self._buffer)
            return
        if self.has_ended:
            return
        if (vector := self._vector) is not None:
            self._vector, self._sent = None, vector
            self._buffer = np.empty_like(vector)
            self._since = time.monotonic()
            self._request = comm.Iallreduce(vector, self._buffer)
        elif self._complete is None and (self.in_a_hurry or time.monotonic() >= self._next):
            self.in_a_hurry = False
            self._next = time.monotonic() + self.period
            self._is_wanted = True

    def _see(self, complete: Vector) -> None:
        ranks = int(complete[RANKS])
        if int(complete[DIGEST]) != ranks * int(self._sent[DIGEST]):
            raise Disagreement("machines do not sum up the same nodes")
        self.count += 1
        self._complete = complete
        self.all_have_finished = int(complete[FINISHED]) == ranks
        self.has_ended = bool(complete[STOP])  # after _complete, which is taken with it

    @property
    def is_pending(self) -> bool:
        """Whether a sum waits for other machines."""
        return self._request is not None

    @property
    def waits(self) -> float:
        """Seconds that a sum has been waiting for other machines."""
        return time.monotonic() - self._since if self._request is not None else 0.0
