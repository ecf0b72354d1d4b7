"""Moves that a search leaves out because somebody asked it to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.go.points import all_points
from montego.kernels.board.board import PASS, POINTS
from montego.kernels.playouts.policy import DEEPEST


@dataclass(frozen=True)
class Avoid:
    """Moves that one player does not consider in the first so many plies of a search."""

    color: int
    moves: frozenset[int]
    depth: int = 1
    """1: only as the move that is searched for."""


def left_out(avoided: Iterable[Avoid], allowed: Iterable[Avoid], size: int) -> list[Avoid]:
    """What is avoided, and all moves of a player's that are not among those allowed."""
    by_color: dict[int, list[Avoid]] = {}
    for only in allowed:
        by_color.setdefault(only.color, []).append(only)
    others = [
        Avoid(
            color,
            frozenset({PASS, *all_points(size)}).difference(*(only.moves for only in some)),
            max(only.depth for only in some),
        )
        for color, some in by_color.items()
    ]
    return [*avoided, *others]


def avoided_until(avoided: Iterable[Avoid]) -> NDArray[np.int16]:
    """For every colour and move, until which depth it is left out."""
    until = np.zeros((3, POINTS), dtype=np.int16)
    for avoid in avoided:
        moves = list(avoid.moves)
        until[avoid.color, moves] = np.maximum(
            until[avoid.color, moves], min(max(avoid.depth, 0), DEEPEST)
        )
    return until
