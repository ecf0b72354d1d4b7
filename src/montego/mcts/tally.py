"""What the threads of a search have summed up over its playouts, by the root's moves.

Where a move has not been tried, what is told of it is that of all moves together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.go import BLACK, Position
from montego.mcts.playouts import Workspace, as_grid

SUMS = ("owners", "winner_owns", "owned", "winners", "scores", "squares", "scored", "results",
        "balanced", "move_owners", "move_owned")  # fmt: skip
"""What every search sums up from zero."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """The sums of all threads for a position; values are seen by the player to move."""

    workspaces: Sequence[Workspace]
    position: Position

    def values(self, moves: NDArray[np.int64]) -> Numbers:
        """The value of each move by the real komi."""
        return self._seen(self._means("results"))[moves]

    def scores(self, moves: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        """The mean score after each move, and the deviation."""
        means, squares = self._means("scores"), self._means("squares")
        deviations = np.sqrt(np.maximum(squares - means**2, 0.0))
        return self._seen(means)[moves], deviations[moves]

    @property
    def balanced(self) -> tuple[float, float]:
        """The sum of Black's results with extra komi, and how many they are."""
        return float(self._sum("balanced")), float(self._sum("scored").sum())

    def ownership(self) -> Numbers:
        """Whose every point is."""
        owned = max(float(self._sum("owned")), 1.0)
        return as_grid(self._sum("owners"), self.position.size) / owned

    def ownerships(self, moves: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        """After each move, over how many playouts points were noted and whose they were."""
        counts = self._sum("move_owned")[moves]
        owners = np.asarray(sum(space.work["move_owners"][moves] for space in self.workspaces))
        return counts, as_grid(owners, self.position.size) / np.maximum(counts, 1)[:, None, None]

    def _sum(self, name: str) -> Numbers:
        return np.asarray(sum(space.work[name].astype(np.float64) for space in self.workspaces))

    def _means(self, name: str) -> Numbers:
        """The mean of each move, as Black sees it."""
        sums, counts = self._sum(name), self._sum("scored")
        tried = counts > 0
        means: Numbers = np.where(tried, sums, sums.sum())
        return means / np.where(tried, counts, max(counts.sum(), 1))

    def _seen(self, values: Numbers) -> Numbers:
        return values if self.position.to_play == BLACK else -values
