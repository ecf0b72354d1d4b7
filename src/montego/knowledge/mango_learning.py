"""Learning Mango's shapes from games (P4, P9b).

The paper's 3x3 values come from reinforcement (Bouzy and Chaslot 2006) and are not printed.  Ours
are strengths by minorization-maximization (Coulom 2007) with 3x3 shapes as the only features,
brought to the paper's range.  A large pattern gets the part of the times that it was there, as the
largest one known, in which its move was played.

    montego learn pro19.sgfs.gz --mango --out mango19.npz
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.board import new_boards
from montego.kernels.features.counting import count_patterns, rate_shapes
from montego.kernels.features.tables import CHANCES, FREE, MOST_CHANCES, SHAPES
from montego.kernels.playouts.policy import WORK
from montego.knowledge.learning import Moves, frequent_patterns
from montego.knowledge.mango import HIGHEST, LOWEST, MangoShapes, know_patterns
from montego.knowledge.rings import enter_rings
from montego.knowledge.strengths import empty_tables
from montego.knowledge.symmetry import Codes, canonical

Numbers = NDArray[np.float64]
ROUNDS = 20
"""Of minorization-maximization; on 9x9 the last one changes no strength by more than 2 %."""


@dataclass
class MangoLearner:
    """Learns from all games at once."""

    size: int
    moves: Moves
    least_played: int = 10
    """A large pattern has to be played so often to be known."""

    def __post_init__(self) -> None:
        self._start = new_boards(self.size)[0]
        self._tables = empty_tables()
        self._work = np.zeros(1, dtype=WORK)[0]
        enter_rings(self._tables)

    def strengths(self, rounds: int = ROUNDS) -> Numbers:
        """Strengths of all 3x3 shapes.

        As in Coulom's paper, every shape begins with a game won and a game lost against 1.
        """
        gammas = np.ones(SHAPES)
        for _ in range(rounds):
            wins, shares = np.zeros(SHAPES), np.zeros(SHAPES)
            rate_shapes(
                self._start, self._work, self.moves.colors, self.moves.points, gammas, wins, shares
            )
            gammas = (_joined(wins) + 1.0) / (_joined(shares) + 2.0 / (gammas + 1.0))
        return gammas

    def chances(self) -> tuple[Codes, Numbers, float]:
        """The large patterns, how often each was played where it could be, and for no pattern.

        Each begins with one time that it was there and played as often as any point.
        """
        start, tables, moves = self._start, self._tables, self.moves
        patterns = frequent_patterns(start, tables, moves, self.least_played, MOST_CHANCES)
        know_patterns(tables, patterns, np.zeros(len(patterns), dtype=np.float32))
        played, seen = np.zeros(CHANCES + 1), np.zeros(CHANCES + 1)
        count_patterns(start, tables, self._work, moves.colors, moves.points, played, seen)
        chances = (played + played.sum() / seen.sum()) / (seen + 1.0)
        places = np.flatnonzero(tables["chance_code"] != FREE)
        codes = tables["chance_code"][places].astype(np.int64)
        return codes, chances[places], float(chances[CHANCES])

    def shapes(self, manifest: dict[str, Any]) -> MangoShapes:
        """All that is to be learned."""
        shapes = np.unique(canonical())
        values = in_range(self.strengths()[shapes])
        patterns, chances, otherwise = self.chances()
        return MangoShapes(
            shapes, values, patterns, chances.astype(np.float32), otherwise, manifest
        )


def _joined(numbers: Numbers) -> Numbers:
    """Sums over symmetric shapes, for each of them."""
    sums: Numbers = np.bincount(canonical(), weights=numbers, minlength=SHAPES).astype(np.float64)
    return sums[canonical()]


def in_range(gammas: Numbers) -> NDArray[np.uint16]:
    """Strengths in the paper's range: in proportion, the strongest 2433, none below 1."""
    values = np.maximum(np.round(HIGHEST * gammas / gammas.max()), LOWEST)
    return np.asarray(values, dtype=np.uint16)
