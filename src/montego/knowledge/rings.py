"""The rings of large patterns: their points and the random numbers behind their codes (P9b).

Everything is fixed for good: codes in a file of strengths mean the same patterns for ever.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.features.tables import LEVELS, RING_POINTS
from montego.knowledge.symmetry import SYMMETRIES, turned

SMALLEST = 4
"""The distance up to which the smallest pattern reaches: thirteen points, a diamond."""
REACH = 6
SQUARE = 8
"""Points of the 3x3 square, which come first, in the order of a shape's."""
SEED = 20_080


def distance(place: tuple[int, int]) -> int:
    """dx + dy + max(dx, dy): straight and diagonal steps are kept apart."""
    rows, columns = map(abs, place)
    return rows + columns + max(rows, columns)


def _places() -> list[tuple[int, int]]:
    """All points of the largest pattern but the middle one, ring by ring."""
    reach = range(-REACH, REACH + 1)
    places = [place for place in product(reach, reach) if place != (0, 0)]
    return sorted((p for p in places if distance(p) < SMALLEST + LEVELS), key=distance)


PLACES = _places()


def enter_rings(tables: Any) -> None:
    """Write the rings into a record of tables."""
    distances = np.array([distance(place) for place in PLACES])
    tables["ring_start"][0] = SQUARE
    tables["ring_start"][1:] = np.searchsorted(distances, SMALLEST + np.arange(LEVELS), "right")
    tables["ring_row"], tables["ring_column"] = np.array(PLACES).T
    raw = np.random.PCG64(SEED).random_raw(RING_POINTS * 4)
    numbers = raw.view(np.int64).reshape(RING_POINTS, 4)
    numbers[:, 0] = 0  # empty points change nothing
    index = {place: i for i, place in enumerate(PLACES)}
    turns = np.stack(
        [numbers[[index[turned(place, *s)] for place in PLACES]] for s in SYMMETRIES], axis=-1
    )
    tables["ring_number"] = turns.ravel()
    tables["square_number"] = np.concatenate([_sums(turns[:4]), _sums(turns[4:SQUARE])]).ravel()


def _sums(turns: NDArray[np.int64]) -> NDArray[np.int64]:
    """By what stands on four points, two bits each: their numbers XORed, for each symmetry."""
    stones = np.arange(256)[:, None] >> np.arange(0, 8, 2) & 3
    sums: NDArray[np.int64] = np.bitwise_xor.reduce(turns[np.arange(4), stones], axis=1)
    return sums
