"""The rings of large patterns: their points and the random numbers behind their codes (P9b).

Everything is fixed for good: codes in a file of strengths mean the same patterns for ever.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from montego.kernels.features.tables import LEVELS, RING_POINTS
from montego.knowledge.symmetry import SYMMETRIES, turned

SMALLEST = 4
"""The distance up to which the smallest pattern reaches: thirteen points, a diamond."""
REACH = 6
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
    tables["ring_start"][1:] = np.searchsorted(distances, SMALLEST + np.arange(LEVELS), "right")
    tables["ring_row"], tables["ring_column"] = np.array(PLACES).T
    raw = np.random.PCG64(SEED).random_raw(RING_POINTS * 4)
    numbers = raw.view(np.int64).reshape(RING_POINTS, 4)
    numbers[:, 0] = 0  # empty points change nothing
    index = {place: i for i, place in enumerate(PLACES)}
    tables["ring_number"] = np.stack(
        [numbers[[index[turned(place, *s)] for place in PLACES]] for s in SYMMETRIES], axis=-1
    ).ravel()
