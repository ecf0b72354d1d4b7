"""How many simulations to run before the next look at the clock.

Batches are short for the clock and long for the processor.  Towards a deadline they become
shorter: even at the slowest speed of late the next one has to end in time, for on a busy
machine the same batch may take ten times as long as the one before.  What there is to see at
such a look is whether the race of the two most visited moves is run.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

BATCH_SECONDS = 0.02
FIRST_BATCH = 16
FEWEST, MOST = 16, 100_000
RECOVERY = 1.05
"""How much faster than the slowest batch the next is trusted to be, each time it is."""
NEAR = 2.5
"""A race of two moves is close while the first has fewer visits than this times the second's: 2.5
times as many simulations then chose another move in 33 % of cases on 19x19, otherwise in 2 %."""


class Pace:
    """The speed of a search, from batch to batch."""

    def __init__(self) -> None:
        self.batch = FIRST_BATCH
        """What to run while no deadline is near."""
        self._slowest = math.inf  # simulations per second

    def begin(self) -> None:
        """A new search: its first batch is short, for its playouts may be much longer than those
        of the search before, as they are at the start of the next game."""
        self.batch = FIRST_BATCH

    def note(self, simulations: int, seconds: float) -> None:
        """Learn from a batch."""
        rate = simulations / max(seconds, 1e-6)
        self.batch = int(min(max(rate * BATCH_SECONDS, FEWEST), 4 * self.batch, MOST))
        self._slowest = min(rate, RECOVERY * self._slowest)

    def within(self, seconds: float) -> int:
        """A batch that ends within these seconds at the slowest speed of late; perhaps 0."""
        if seconds <= 0:
            return 0
        return int(min(self.batch, self._slowest * seconds))


def first_two(visits: NDArray[Any]) -> tuple[float, float]:
    """The most visits and those of the second move; an only move has infinitely many."""
    if len(visits) < 2:
        return math.inf if len(visits) else 0.0, 0.0
    second, first = np.partition(visits, -2)[-2:].tolist()
    return first, second
