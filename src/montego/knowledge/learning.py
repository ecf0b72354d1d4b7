"""Learning strengths from game records (T12b; Coulom 2007).

First the diamonds that were played often enough are harvested, then a few passes over the
games learn one weight for every feature, 3x3 shape and harvested diamond.  Shapes are the
same under the eight symmetries, and always seen by the player to move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board import MAX_AREA, new_boards
from montego.kernels.learning import MEMBERS, NO_FEATURE, count_diamonds, learn_games
from montego.kernels.policy import WORK
from montego.kernels.tables import FEATURES, MOST_DIAMONDS
from montego.knowledge.strengths import Strengths
from montego.knowledge.symmetry import DIAMOND_FIELDS, SQUARE_FIELDS, canonical


@dataclass(frozen=True)
class Moves:
    """Colour and point of every move of many games; a colour of 0 begins a game."""

    colors: NDArray[np.int16]
    points: NDArray[np.int16]


Progress = Callable[[str], None]


@dataclass(frozen=True)
class Teaching:
    """How learning is done."""

    passes: int = 4
    rate: float = 0.15
    """The length of the first pass' steps; each later pass takes shorter ones."""
    decay: float = 0.002
    """How much weights are drawn to 0, where a feature is rare."""
    least_played: int = 5
    """A diamond has to be played so often to get a weight of its own,"""
    least_seen: int = 50
    """and to be there so often."""


@dataclass(frozen=True)
class Accuracy:
    """How well the moves of games are guessed."""

    moves: int
    ranks: NDArray[np.int64]
    """How many moves had so many stronger ones beside them."""
    log_likelihood: float
    """Mean logarithm of the probability of the move played."""

    def within(self, guesses: int) -> float:
        """Part of the moves that are among the first guesses."""
        return float(self.ranks[:guesses].sum() / max(self.moves, 1))


USUAL = Teaching()


class Learner:
    """Weights that grow while games are shown to it."""

    def __init__(self, size: int, teaching: Teaching = USUAL) -> None:
        self.size, self.teaching = size, teaching
        self._start, self._boards = new_boards(size), new_boards(size)
        self._work = np.zeros(1, dtype=WORK)[0]
        self._teams = np.zeros((MAX_AREA + 1) * MEMBERS, dtype=np.int64)
        self._odds = np.zeros(MAX_AREA + 1)
        self.shapes, index = np.unique(canonical(SQUARE_FIELDS), return_inverse=True)
        self._shape_index = FEATURES + index.astype(np.int32)
        self.diamonds: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._diamond_index = np.full(1 << (2 * DIAMOND_FIELDS), NO_FEATURE, dtype=np.int32)
        self._set_weights()

    def _set_weights(self) -> None:
        self.weights = np.zeros(FEATURES + len(self.shapes) + len(self.diamonds))
        self._steps = np.zeros_like(self.weights)

    def harvest(self, moves: Moves) -> int:
        """Find the diamonds that deserve a weight of their own.  Returns how many."""
        smallest = canonical(DIAMOND_FIELDS)
        played = np.zeros(len(smallest), dtype=np.int32)
        seen = np.zeros(len(smallest), dtype=np.int32)
        count_diamonds(
            self._start, self._boards, moves.colors, moves.points, smallest, played, seen
        )
        often = (played >= self.teaching.least_played) & (seen >= self.teaching.least_seen)
        played[~often] = 0
        most = np.argsort(-played, kind="stable")[:MOST_DIAMONDS]
        self.diamonds = np.sort(most[played[most] > 0])
        place = np.full(len(smallest), NO_FEATURE, dtype=np.int32)
        place[self.diamonds] = FEATURES + len(self.shapes) + np.arange(len(self.diamonds))
        self._diamond_index = place[smallest]
        self._set_weights()
        return len(self.diamonds)

    def learn(self, moves: Moves, number: int) -> Accuracy:
        """The pass of this number (from 0) over games."""
        return self._pass(moves, self.teaching.rate / (1 + number))

    def examine(self, moves: Moves) -> Accuracy:
        """How well the moves of games are guessed now."""
        return self._pass(moves, 0.0)

    def _pass(self, moves: Moves, rate: float) -> Accuracy:
        ranks = np.zeros(MAX_AREA + 1, dtype=np.int64)
        total = learn_games(
            self._start, self._boards, moves.colors, moves.points, self._work,
            self._shape_index, self._diamond_index, self.weights, self._steps, self._teams,
            self._odds, ranks, rate, self.teaching.decay,
        )  # fmt: skip
        count = int(ranks.sum())
        return Accuracy(count, ranks, total / max(count, 1))

    def strengths(self, manifest: dict[str, Any]) -> Strengths:
        """What has been learned, without shapes that never turned up."""
        gammas = np.exp(self.weights).astype(np.float32)
        shapes = gammas[FEATURES : FEATURES + len(self.shapes)]
        known = self._steps[FEATURES : FEATURES + len(self.shapes)] > 0
        return Strengths(
            features=gammas[:FEATURES],
            shapes=self.shapes[known],
            shape_gammas=shapes[known],
            diamonds=self.diamonds,
            diamond_gammas=gammas[FEATURES + len(self.shapes) :],
            manifest=manifest,
        )


def as_moves(games: Sequence[Sequence[tuple[int, int]]]) -> Moves:
    """Games, each a list of colours and points, one after the other."""
    flat = [move for game in games for move in ((0, 0), *game)]
    colors, points = np.array(flat, dtype=np.int16).reshape(-1, 2).T.copy()
    return Moves(colors, points)
