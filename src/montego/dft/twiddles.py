"""Tables of twiddle factors."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import empty_aligned

SHARED = ((1 << 13, 256), (1 << 16, 8))
"""Tables that plans share: numbers at the most, and how many are cached (some 30 and 8 MiB)."""
LARGEST_FINE = 32
"""At most so many columns, or rows, share the fine twiddles of a transpose."""


@lru_cache(32)
def transpose_twiddles(
    k: int, m: int, lanes: int, precision: str, early: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The twiddles exp(−2πi · row · column / km) of a transpose as products fine · coarse.

    Late: grouped by as many rows as lanes; in a group by tiles or by columns; in those by rows.
    Early: grouped by as many columns as lanes; in a group by rows or by tiles of rows.
    """
    fine = fine_size(k if early else m, lanes)
    if early:
        low = roots_of_unity(np.outer(np.arange(fine), np.arange(m)), k * m)
        high = roots_of_unity(np.outer(np.arange(0, k, fine), np.arange(m)), k * m)
        return by_columns(low, lanes, precision), by_columns(high, lanes, precision)
    low = roots_of_unity(np.outer(np.arange(k), np.arange(fine)), k * m)
    high = roots_of_unity(np.outer(np.arange(k), np.arange(0, m, fine)), k * m)
    low = low.reshape(k // lanes, lanes, fine // lanes, lanes).transpose(0, 2, 1, 3)
    high = high.reshape(k // lanes, lanes, m // fine).transpose(0, 2, 1)
    return chunked(low, precision), np.ascontiguousarray(high, COMPLEX[precision])


def by_columns(factors: NDArray[np.complex128], lanes: int, precision: str) -> NDArray[Any]:
    """Grouped by as many columns as lanes, in a group by rows."""
    rows, columns = factors.shape
    return chunked(factors.reshape(rows, columns // lanes, lanes).transpose(1, 0, 2), precision)


def fine_size(side: int, lanes: int) -> int:
    """How many columns, or rows if early, share the fine twiddles; a divisor of the side."""
    return max(size for size in range(lanes, LARGEST_FINE + 1, lanes) if side % size == 0)


def roots_of_unity(k: NDArray[np.int64], n: int) -> NDArray[np.complex128]:
    """exp(−2πik/n), reduced to the first octant for accuracy."""
    octant, rest = np.divmod(8 * (k % n), n)
    angle = 2.0 * np.pi * (np.where(octant % 2, n - rest, rest) / (8 * n))
    c, s = np.cos(angle), np.sin(angle)
    swap = np.isin(octant, (1, 2, 5, 6))
    c, s = np.where(swap, s, c), np.where(swap, c, s)
    result = np.empty(np.shape(k), np.complex128)
    result.real = np.where((octant >= 2) & (octant < 6), -c, c)
    result.imag = np.where(octant >= 4, s, -s)
    return result


def twiddles(r: int, m: int, lanes: int, precision: str) -> NDArray[Any]:
    """exp(−2πi jk/rm) for j < m and 0 < k < r: by j, or chunked by so many lanes of j."""
    caches = (cached for (most, _), cached in zip(SHARED, _cached, strict=True) if r * m <= most)
    return next(caches, _twiddles)(r, m, lanes, precision)


def _twiddles(r: int, m: int, lanes: int, precision: str) -> NDArray[Any]:
    factors = roots_of_unity(np.outer(np.arange(m), np.arange(1, r)), r * m)
    if lanes == 1:
        return aligned(factors, precision)
    return chunked(factors.reshape(m // lanes, lanes, r - 1).transpose(0, 2, 1), precision)


_cached = [lru_cache(many)(_twiddles) for _, many in SHARED]


def chunked(factors: NDArray[np.complex128], precision: str) -> NDArray[Any]:
    """Vectors along the last axis: their real parts, then their imaginary parts."""
    parts = np.stack([factors.real, factors.imag], axis=-2)
    return aligned(parts, precision)


def aligned(values: NDArray[Any], precision: str) -> NDArray[Any]:
    """A flat copy that begins on a cache line."""
    kind = COMPLEX[precision]
    dtype = kind if np.iscomplexobj(values) else np.empty(0, kind).real.dtype
    copy = empty_aligned(values.size, dtype)
    copy[:] = values.ravel()
    return copy
