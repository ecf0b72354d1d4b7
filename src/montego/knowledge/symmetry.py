"""The eight symmetries of the square, for 3x3 shapes written as two-bit fields.

A shape of the 3x3 square has eight fields, in the order of ``DIRECTIONS`` of the board.  All
shapes that a symmetry makes of one another share the smallest code.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.features.tables import SHAPES

FIELDS = [
    *((-1, 0), (0, -1), (0, 1), (1, 0)),
    *((-1, -1), (-1, 1), (1, -1), (1, 1)),
]
"""Row and column of every field, as seen from the middle."""

Codes = NDArray[np.int64]


SYMMETRIES = [(turns, mirrored) for mirrored in (False, True) for turns in range(4)]


def turned(place: tuple[int, int], turns: int, mirrored: bool) -> tuple[int, int]:
    """Where a symmetry takes a point, as seen from the middle."""
    row, column = place[::-1] if mirrored else place
    for _ in range(turns):
        row, column = column, -row
    return row, column


FIELD_MAPS = [[FIELDS.index(turned(field, *s)) for field in FIELDS] for s in SYMMETRIES]
"""For each symmetry, where every field goes."""


def variants(codes: Codes) -> Codes:
    """What the eight symmetries make of every code: one row a code."""
    found = np.empty((len(FIELD_MAPS), len(codes)), dtype=np.int64)
    for row, (low, high) in zip(found, _maps_of_bytes(), strict=True):
        np.bitwise_or(low[codes & 255], high[codes >> 8], out=row)
    return found.T


@cache
def _maps_of_bytes() -> list[tuple[Codes, Codes]]:
    """For each symmetry, what it makes of the four fields of either byte of a code."""
    byte = np.arange(256)

    def moved(goes_to: list[int]) -> Codes:
        parts = [(byte >> 2 * field & 3) << 2 * goes_to[field] for field in range(4)]
        whole: Codes = np.bitwise_or.reduce(parts)
        return whole

    return [(moved(goes_to[:4]), moved(goes_to[4:])) for goes_to in FIELD_MAPS]


def spread(codes: Codes, numbers: NDArray[Any], otherwise: float) -> NDArray[Any]:
    """The number of every shape, of those that are listed, in all symmetries, and of all others."""
    every = np.full(SHAPES, otherwise, dtype=numbers.dtype)
    every[variants(codes)] = numbers[:, None]
    return every


@cache
def canonical() -> Codes:
    """The smallest code among the variants, for every code."""
    smallest: Codes = variants(np.arange(SHAPES)).min(axis=1)
    return smallest
