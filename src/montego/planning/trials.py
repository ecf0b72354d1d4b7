"""Trials of a search by TAG, and the elite of the best, from which random ways learn.

The elite says of a choice how many of the best trials made it: at the same depth, among as many
arrows, at the same place.  Optuna's TPE learns of its best trials in a like way, parameter by
parameter; here a graph says which choices there are, and bandits see to what belongs together.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

PULL = 3
"""How much likelier each of the elite makes a choice, against 1 for a choice that none made."""

Way = tuple[tuple[int, int], ...]
"""For each step from the root: among how many arrows which one was taken."""


@dataclass(slots=True)
class Trial:
    """A sink to be evaluated, and what came of it."""

    number: int
    sink: Any
    origin: Hashable
    """The vertex whose random expansion it is."""
    outcome: str = "out"
    """out, done, failed or timeout."""
    value: float | None = None
    seconds: float | None = None
    message: str | None = None
    reward: float | None = None
    """The value as the search likes it: high is good."""
    way: Way = ()
    """Kept as long as the trial is out, or of the elite."""


class Elite:
    """The best trials, and how often each choice was made on their ways."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.best: list[tuple[float, int, Trial]] = []
        """A heap: the worst of them is its first."""
        self.taken: dict[tuple[int, int, int], int] = {}
        """How many of them took, at a depth, of so many arrows, the one at this place."""

    def add(self, trial: Trial) -> None:
        """A trial that has its reward: of the best, or forgotten."""
        assert trial.reward is not None
        ranked = (trial.reward, -trial.number, trial)
        if len(self.best) < self.size:
            heapq.heappush(self.best, ranked)
            self._count(trial, 1)
            return
        worst = heapq.heappushpop(self.best, ranked)[2]
        if worst is not trial:
            self._count(trial, 1)
            self._count(worst, -1)
        worst.way = ()

    def _count(self, trial: Trial, change: int) -> None:
        for depth, choice in enumerate(trial.way):
            self.taken[depth, *choice] = self.taken.get((depth, *choice), 0) + change

    def draw(self, dice: Random, depth: int, arrows: int, places: Sequence[int]) -> int:
        """One of these places, likelier the more of the elite took it."""
        if not self.size:
            return places[int(dice.random() * len(places))]
        odds = [1 + PULL * self.taken.get((depth, arrows, place), 0) for place in places]
        return dice.choices(places, odds)[0]
