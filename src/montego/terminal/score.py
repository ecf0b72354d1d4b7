"""A game counted: whose every point is, which stones are dead, and what that makes.

A finished game is counted as Chinese rules have it, after the dead stones have been taken off.
One that was given up can only be estimated: by what playouts make of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.engine.status import CERTAIN, Status
from montego.go import BLACK, EMPTY, WHITE, Position, color_letter
from montego.go.points import all_points, row_and_column
from montego.terminal.board import Mark, Signs, area, dead_stone


@dataclass(frozen=True)
class Count:
    """Both areas, komi not counted."""

    position: Position
    owners: NDArray[np.uint8]
    """BLACK, WHITE or EMPTY, rows from the top."""
    dead: frozenset[int]
    black: float
    white: float

    @property
    def score(self) -> float:
        """Points that Black is ahead."""
        return self.black - self.white - self.position.komi

    def marks(self, signs: Signs) -> dict[int, Mark]:
        """The dead stones and the territories."""
        marks = {}
        for point in all_points(self.position.size):
            row, column = row_and_column(point)
            color, owner = self.position.color_at(point), int(self.owners[row - 1, column - 1])
            if point in self.dead:
                marks[point] = dead_stone(color, signs)
            elif color == EMPTY and owner != EMPTY:
                marks[point] = area(owner, signs)
        return marks


def count(status: Status) -> Count:
    """The count of a finished game."""
    owners = status.cleared().owner()
    black, white = (int(np.count_nonzero(owners == color)) for color in (BLACK, WHITE))
    return Count(status.position, owners, frozenset(status.dead()), black, white)


def estimate(status: Status) -> Count:
    """The areas that playouts expect; a point is marked where most of them agree."""
    expected = status.ownership
    owners = np.select([expected >= CERTAIN, expected <= -CERTAIN], [BLACK, WHITE], EMPTY)
    black = float((1 + expected).sum()) / 2
    white = expected.size - black
    dead = frozenset(status.dead())
    return Count(status.position, owners.astype(np.uint8), dead, black, white)


def told_result(score: float) -> str:
    """Who is ahead by how much, to a tenth of a point."""
    leader = color_letter(BLACK if score > 0 else WHITE)
    return f"{leader}+{abs(score):.1f}"
