"""Learning strengths from game records (T12b; Coulom 2007).

First the large patterns that were played often enough are harvested, then a few passes over
the games learn one weight for every feature, 3x3 shape and harvested pattern.  Besides, 3x3 shapes
are simply counted (H5): a win where one was played, a loss where it could have been.  Shapes are
the same under the eight symmetries, and always seen by the player to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.board import new_boards
from montego.kernels.features.classes import FEATURES
from montego.kernels.features.counting import count_shapes
from montego.kernels.features.learning import (
    FIRST_PATTERN,
    LEARNER,
    RANKS,
    STAGES,
    learn_games,
    list_patterns,
)
from montego.kernels.features.patterns import enter_patterns
from montego.kernels.features.tables import (
    FACTORS,
    FREE,
    LEVELS,
    MOST_PATTERNS,
    SHAPES,
)
from montego.kernels.playouts.policy import WORK
from montego.knowledge.rings import enter_rings
from montego.knowledge.strengths import Strengths, empty_tables
from montego.knowledge.symmetry import Codes, canonical


@dataclass(frozen=True)
class Moves:
    """Colour and point of every move of many games; a colour of 0 begins a game."""

    colors: NDArray[np.int16]
    points: NDArray[np.int16]


@dataclass(frozen=True)
class Teaching:
    """How learning is done."""

    passes: int = 4
    rate: float = 0.15
    """The length of the first pass' steps; each later pass takes shorter ones."""
    decay: float = 0.002
    """How much weights are drawn to 0, where a feature is rare."""
    least_played: int = 10
    """A large pattern has to be played so often to get a weight of its own,"""
    least_won: int = 100
    """and a 3x3 shape to get a ratio (H5)."""


@dataclass(frozen=True)
class Accuracy:
    """How well the moves of games are guessed."""

    ranks: NDArray[np.int64]
    """How many moves had so many stronger ones beside them: a row for each stage of the game."""
    log_likelihood: float
    """Mean logarithm of the probability of the move played."""

    @property
    def moves(self) -> int:
        """How many moves were guessed."""
        return int(self.ranks.sum())

    def __add__(self, other: Accuracy) -> Accuracy:
        """That of both together."""
        moves = max(self.moves + other.moves, 1)
        total = self.log_likelihood * self.moves + other.log_likelihood * other.moves
        return Accuracy(self.ranks + other.ranks, total / moves)

    def within(self, guesses: int) -> float:
        """Part of the moves that are among the first guesses."""
        return float(self.ranks[:, :guesses].sum() / max(self.moves, 1))

    def by_stage(self, guesses: int = 1) -> list[float | None]:
        """The same for each stage of the game; None where no game came so far."""
        return [float(row[:guesses].sum() / row.sum()) if row.sum() else None for row in self.ranks]


USUAL = Teaching()
GUESSES = (1, 5, 20)
"""Numbers of guesses that accuracy is told for."""
FIRST_FACTORS = 0.1
"""The size of factors before anything is learned: at 0 they would stay there."""


class Learner:
    """Weights that grow while games are shown to it."""

    def __init__(self, size: int, teaching: Teaching = USUAL) -> None:
        self.size, self.teaching = size, teaching
        self._start = new_boards(size)[0]
        self._tables = empty_tables()
        self._work, self._learner = (np.zeros(1, dtype=dtype)[0] for dtype in (WORK, LEARNER))
        enter_rings(self._tables)
        self.shapes, index = np.unique(canonical(), return_inverse=True)
        self._learner["shape_index"] = FEATURES + index
        rng = np.random.default_rng(0)
        self.factors[:] = rng.normal(0.0, FIRST_FACTORS, self.factors.shape)
        self.wins, self.losses = (np.zeros(SHAPES, dtype=np.int64) for _ in range(2))

    @property
    def weights(self) -> NDArray[np.float64]:
        """Logarithms of the strengths: of features, of 3x3 shapes, of large patterns."""
        weights: NDArray[np.float64] = self._learner["weights"]
        return weights

    @property
    def factors(self) -> NDArray[np.float64]:
        """By which features and shapes work together, FACTORS for each."""
        factors: NDArray[np.float64] = self._learner["factors"]
        return factors

    def harvest(self, moves: Moves) -> int:
        """Find the large patterns (P9b) that deserve a weight of their own.  Returns how many."""
        least = self.teaching.least_played
        often = frequent_patterns(self._start, self._tables, moves, least, MOST_PATTERNS)
        enter_patterns(self._tables, often, np.ones(len(often), dtype=np.float32))
        return len(often)

    def count(self, moves: Moves) -> None:
        """Count how often 3x3 shapes were played and how often not (H5)."""
        count_shapes(
            self._start, self._work, moves.colors, moves.points, self.wins, self.losses
        )  # fmt: skip

    def know(self, strengths: Strengths) -> None:
        """Take over what was learned before."""
        enter_patterns(self._tables, strengths.patterns, strengths.pattern_gammas)
        place_of = {code: i for i, code in enumerate(self._tables["pattern_code"].tolist())}
        places = [place_of[code] for code in strengths.patterns.tolist()]
        shapes = FEATURES + np.searchsorted(self.shapes, strengths.shapes)
        self.weights[:FEATURES] = np.log(strengths.features)
        self.weights[shapes] = np.log(strengths.shape_gammas)
        self.weights[FIRST_PATTERN + np.array(places, dtype=np.int64)] = np.log(
            strengths.pattern_gammas
        )
        self.factors[:] = 0.0
        factors = self.factors.reshape(-1, FACTORS)
        factors[:FEATURES], factors[shapes] = strengths.factors, strengths.shape_factors

    def learn(self, moves: Moves, number: int) -> Accuracy:
        """The pass of this number (from 0) over games."""
        return self._pass(moves, self.teaching.rate / (1 + number))

    def examine(self, moves: Moves) -> Accuracy:
        """How well the moves of games are guessed now."""
        return self._pass(moves, 0.0)

    def _pass(self, moves: Moves, rate: float) -> Accuracy:
        self._learner["ranks"] = 0
        total = learn_games(
            self._start, self._tables, self._work, self._learner, moves.colors, moves.points,
            rate, self.teaching.decay,
        )  # fmt: skip
        ranks = self._learner["ranks"].copy()
        return Accuracy(ranks.reshape(STAGES, RANKS), total / max(ranks.sum(), 1))

    def strengths(self, manifest: dict[str, Any]) -> Strengths:
        """What has been learned, without shapes that never turned up."""
        gammas, known = np.exp(self.weights).astype(np.float32), self._learner["steps"] > 0
        factors = self.factors.reshape(-1, FACTORS).astype(np.float32)
        of_shapes = slice(FEATURES, FIRST_PATTERN)
        of_patterns = slice(FIRST_PATTERN, None)
        return Strengths(
            features=gammas[:FEATURES],
            shapes=self.shapes[known[of_shapes]],
            shape_gammas=gammas[of_shapes][known[of_shapes]],
            factors=factors[:FEATURES],
            shape_factors=factors[of_shapes][known[of_shapes]],
            patterns=self._tables["pattern_code"][known[of_patterns]].astype(np.int64),
            pattern_gammas=gammas[of_patterns][known[of_patterns]],
            manifest=manifest,
            **self._ratios(),
        )

    def _ratios(self) -> dict[str, Any]:
        """Wins / (wins + losses) of the 3x3 shapes that were played often enough (H5)."""
        wins, losses = (
            np.bincount(canonical(), weights=count, minlength=SHAPES).astype(np.int64)
            for count in (self.wins, self.losses)
        )
        shapes = np.flatnonzero(wins >= self.teaching.least_won)
        ratios = wins[shapes] / (wins[shapes] + losses[shapes])
        return {"ratio_shapes": shapes, "ratios": ratios.astype(np.float32)}


def frequent_patterns(start: Any, tables: Any, moves: Moves, least: int, most: int) -> Codes:
    """The large patterns round the moves of games that were played so often, at most so many."""
    codes = np.zeros(len(moves.colors) * LEVELS, dtype=np.int32)
    work = np.zeros(1, dtype=WORK)[0]
    list_patterns(start, tables, work, moves.colors, moves.points, codes)
    patterns, played = np.unique(codes[codes != FREE], return_counts=True)
    first = np.argsort(-played, kind="stable")[:most]
    often: Codes = patterns[first[played[first] >= least]].astype(np.int64)
    return often


def as_moves(games: Sequence[Sequence[tuple[int, int]]]) -> Moves:
    """Games, each a list of colours and points, one after the other."""
    flat = [move for game in games for move in ((0, 0), *game)]
    colors, points = np.array(flat, dtype=np.int16).reshape(-1, 2).T.copy()
    return Moves(colors, points)
