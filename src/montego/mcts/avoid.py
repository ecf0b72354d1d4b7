"""Moves that a search leaves out because somebody asked it to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board import POINTS
from montego.kernels.policy import DEEPEST


@dataclass(frozen=True)
class Avoid:
    """Moves that one player does not consider in the first so many plies of a search."""

    color: int
    moves: frozenset[int]
    depth: int = 1
    """1: only as the move that is searched for."""


def avoided_until(avoided: Iterable[Avoid]) -> NDArray[np.int16]:
    """For every colour and move, until which depth it is left out."""
    until = np.zeros((3, POINTS), dtype=np.int16)
    for avoid in avoided:
        moves = list(avoid.moves)
        until[avoid.color, moves] = np.maximum(
            until[avoid.color, moves], min(max(avoid.depth, 0), DEEPEST)
        )
    return until
