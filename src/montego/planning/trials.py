"""Trials of a search by TAG, and the elite: the best trials, from which random paths learn.

The elite counts for a choice how many of the best trials made it: at the same depth, with the same
number of edges, at the same index.  Optuna's TPE learns from its best trials in a similar way,
parameter by parameter; here the graph says which choices there are, and bandits learn which of them
belong together.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

ELITE_WEIGHT = 3
"""How much each trial of the elite adds to the weight of its choices, which is 1 without any."""

Choice = tuple[int, int]
"""The number of edges from a vertex, and the index of the one that was taken."""


@dataclass(slots=True)
class Trial:
    """A sink to be evaluated, and its outcome."""

    number: int
    sink: Any
    origin: Hashable
    """The vertex from which a random path led to the sink."""
    outcome: str = "pending"
    """pending, done, failed or timeout."""
    value: float | None = None
    seconds: float | None = None
    message: str | None = None
    reward: float | None = None
    """The value, or its negative when minimising: high is good."""
    path: tuple[Choice, ...] = ()
    """From the root to the sink; kept while the trial is pending or in the elite."""


class Elite:
    """The best trials, and how often each choice was made on their paths."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.best: list[tuple[float, int, Trial]] = []
        """A heap: the worst of them comes first."""
        self.taken: dict[tuple[int, int, int], int] = {}
        """How many of them took, by depth, number of edges and index of the edge."""

    def add(self, trial: Trial) -> None:
        """Add a trial that has its reward, if it is among the best."""
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
        worst.path = ()

    def _count(self, trial: Trial, change: int) -> None:
        for depth, choice in enumerate(trial.path):
            self.taken[depth, *choice] = self.taken.get((depth, *choice), 0) + change

    def draw(self, rng: Random, depth: int, edges: int, candidates: Sequence[int]) -> int:
        """One of the candidates (indices of edges), likelier the more of the elite took it."""
        if not self.size:
            return candidates[int(rng.random() * len(candidates))]
        weights = [1 + ELITE_WEIGHT * self.taken.get((depth, edges, i), 0) for i in candidates]
        return rng.choices(candidates, weights)[0]
