"""The eight symmetries of the square, for shapes written as two-bit fields.

A shape of the 3x3 square has eight fields, in the order of ``DIRECTIONS`` of the board; a
diamond of thirteen points has four more: the points two away, in the order up, left,
right, down.  All shapes that a symmetry makes of one another share the smallest code.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

SQUARE_FIELDS, DIAMOND_FIELDS = 8, 12
BLOCK = 1 << 20  # codes that are turned at a time
PLACES = [
    *((-1, 0), (0, -1), (0, 1), (1, 0)),
    *((-1, -1), (-1, 1), (1, -1), (1, 1)),
    *((-2, 0), (0, -2), (0, 2), (2, 0)),
]
"""Row and column of every field, as seen from the middle."""

Codes = NDArray[np.int64]


def _turned(place: tuple[int, int], turns: int, mirrored: bool) -> tuple[int, int]:
    row, column = place[::-1] if mirrored else place
    for _ in range(turns):
        row, column = column, -row
    return row, column


FIELD_MAPS = [
    [PLACES.index(_turned(place, turns, mirrored)) for place in PLACES]
    for mirrored in (False, True)
    for turns in range(4)
]
"""For each symmetry, where every field goes."""


def variants(codes: Codes, fields: int) -> Codes:
    """What the eight symmetries make of every code: one row a code."""
    turned = np.zeros((len(codes), len(FIELD_MAPS)), dtype=np.int64)
    for column, goes_to in enumerate(FIELD_MAPS):
        for field in range(fields):
            turned[:, column] |= (codes >> (2 * field) & 3) << (2 * goes_to[field])
    return turned


@cache
def canonical(fields: int) -> Codes:
    """The smallest code among the variants, for every code of so many fields."""
    codes = np.arange(1 << (2 * fields))
    blocks = np.array_split(codes, -(-len(codes) // BLOCK))
    return np.concatenate([variants(block, fields).min(axis=1) for block in blocks])
