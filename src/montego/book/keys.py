"""The key of a position: the same for all that look the same to a player.

Reflections and rotations share a key, and so do all orders in which the same stones were played.
What decides the game besides the stones is part of it: size, komi, rules, who is to move, and the
point of a ko.  What superko forbids is not: a move is tried when it is played.

The eight views of the board are compared as bytes, and the smallest is hashed to 64 bits.  In a
book of a million positions the chance that any two share a key is 3 in 10⁸.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from montego.go import PASS, Position, Rules
from montego.go.points import point_at
from montego.kernels.board.board import POINTS
from montego.knowledge.symmetry import SYMMETRIES, turned

KO = 4
"""Stands for the ko in a view; colours of points are smaller."""


@dataclass(frozen=True, slots=True)
class PositionKey:
    """A position's key, and how its moves are named whichever way the board is turned."""

    key: int
    """Signed, 64 bits."""
    size: int
    views: tuple[int, ...]
    """The symmetries that give the smallest view: several if the position is symmetric itself."""

    def number(self, point: int) -> int:
        """A move as books count them: 0 is a pass; moves that a symmetry exchanges are one."""
        if point == PASS:
            return 0
        places = _places(self.size)
        return 1 + min(int(places[view, point]) for view in self.views)

    def point(self, number: int) -> int:
        """The move on this board."""
        return PASS if number == 0 else int(_points(self.size)[self.views[0], number - 1])


def key_of(position: Position) -> PositionKey:
    """The key of a position."""
    size = position.size
    colors, ko = position.board_copy()[0]["color"], position.ko
    if ko:
        colors[ko] = KO
    views = [view.tobytes() for view in colors[_points(size)]]
    smallest = min(views)
    words = _rules_text(size, position.rules, position.to_play)
    digest = blake2b(words + smallest, digest_size=8).digest()
    same = tuple(number for number, view in enumerate(views) if view == smallest)
    return PositionKey(int.from_bytes(digest, "big", signed=True), size, same)


@cache
def _rules_text(size: int, rules: Rules, to_play: int) -> bytes:
    komi = float(rules.komi)
    return f"{size} {komi!r} {rules.superko} {bool(rules.suicide)} {to_play} ".encode()


@cache
def _points(size: int) -> NDArray[np.int64]:
    """For each symmetry, the points of the board in the order of its view."""
    lines = range(1, size + 1)
    middle = size + 1  # coordinates are doubled: then it is a whole number
    views = np.empty((len(SYMMETRIES), size * size), dtype=np.int64)
    for number, symmetry in enumerate(SYMMETRIES):
        turns = (
            turned((2 * row - middle, 2 * column - middle), *symmetry)
            for row in lines
            for column in lines
        )
        views[number] = [
            point_at((row + middle) // 2, (column + middle) // 2) for row, column in turns
        ]
    return views


@cache
def _places(size: int) -> NDArray[np.int64]:
    """The inverse: for each symmetry and point, its place in the view."""
    places = np.full((len(SYMMETRIES), POINTS), -1, dtype=np.int64)
    for view, points in zip(places, _points(size), strict=True):
        view[points] = np.arange(size * size)
    return places
