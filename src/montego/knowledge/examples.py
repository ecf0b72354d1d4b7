"""Examples for a network: positions of games in bytes, with the move that was played.

Four million positions of 19x19 are three gigabytes, and planes of numbers would be ninety: so
planes are made of some examples at a time (see network_learning).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.board import new_boards
from montego.kernels.features import planes as f
from montego.kernels.playouts.policy import WORK
from montego.knowledge.games import Game
from montego.knowledge.learning import as_moves
from montego.knowledge.strengths import shipped_tables

Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
ARRAYS = "codes", "hints", "recent", "targets", "numbers"
"""Of examples, by their names."""


@dataclass(frozen=True)
class Examples:
    """Positions of one size of board; points are numbered row by row."""

    size: int
    codes: Bytes
    """What is on every point (see kernels/features/planes)."""
    hints: Bytes
    """How much learned strengths speak for a move there."""
    recent: Shorts
    """The last moves of every position, the latest first."""
    targets: Shorts
    """The move that was played,"""
    numbers: Shorts
    """and its number in the game."""

    def __len__(self) -> int:
        return len(self.targets)

    def planes(self, number: int) -> NDArray[np.float32]:
        """What a network sees of one of them, [planes, size, size]."""
        planes = np.zeros((f.PLANES, self.size * self.size), dtype=np.float32)
        codes, hint = self.codes[number], self.hints[number] / np.float32(f.HINT_STEPS)
        caught = np.flatnonzero(codes > f.CAUGHT_CODE)
        codes = np.where(codes > f.CAUGHT_CODE, codes - f.CAUGHT_CODE, codes)
        stones = np.flatnonzero((codes > 0) & (codes < f.KO_CODE))
        planes[codes[stones] - 1, stones] = 1.0
        planes[f.LADDERS + (codes[caught] > f.OPPONENTS), caught] = 1.0
        for k, move in enumerate(self.recent[number]):
            if move >= 0:
                planes[f.LAST_MOVES + k, move] = 1.0
        planes[f.KO_POINT] = codes == f.KO_CODE
        planes[f.ONES] = 1.0
        planes[f.HINT] = hint
        planes[f.HINT_ROOT] = np.exp(f.HINT_RANGE / 2 * (hint - 1.0)) * (hint > 0)
        return planes.reshape(-1, self.size, self.size)


def examples_of(games: Sequence[Game], size: int) -> Examples:
    """The positions of some games."""
    moves = as_moves(games)
    most, area = len(moves.colors), size * size
    codes, hints = (np.zeros(most * area, dtype=np.uint8) for _ in range(2))
    notes = np.zeros(most * f.NOTES, dtype=np.int16)
    count = f.write_examples(
        new_boards(size)[0], shipped_tables(size), np.zeros(1, dtype=WORK)[0],
        moves.colors, moves.points, codes, hints, notes,
    )  # fmt: skip
    told = notes.reshape(most, f.NOTES)[:count]
    return Examples(
        size,
        codes.reshape(most, area)[:count],
        hints.reshape(most, area)[:count],
        recent=told[:, : f.RECENT].copy(),
        targets=told[:, f.TARGET].copy(),
        numbers=told[:, f.NUMBER].copy(),
    )


def joined(parts: Sequence[Examples], size: int) -> Examples:
    """Examples of the same size together."""
    if not parts:
        parts = [examples_of([], size)]
    return Examples(
        size,
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS),
    )
