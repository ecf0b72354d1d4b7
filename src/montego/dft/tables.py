"""Tables of rotations, and memory that begins on a cache line."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMPLEX: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.complex128),
    "single": np.dtype(np.complex64),
}
SHARED = ((1 << 13, 256), (1 << 16, 8))
"""Tables that plans share: numbers at the most, and how many are kept (some 30 and 8 MiB)."""
FINE = 32
"""At most so many columns, or rows, share the fine rotations of a turn."""


@lru_cache(32)
def turning_tables(
    k: int, m: int, lanes: int, precision: str, early: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The factors exp(−2πi · row · column / km) of a turn as products, fine and coarse.

    Late: by groups of as many rows as lanes; in them by tiles or by columns; in those by rows.
    Early: by groups of as many columns as lanes; in them by rows or by tiles of rows.
    """
    fine = tile(k if early else m, lanes)
    if early:
        low = roots(np.outer(np.arange(fine), np.arange(m)), k * m)
        high = roots(np.outer(np.arange(0, k, fine), np.arange(m)), k * m)
        return by_columns(low, lanes, precision), by_columns(high, lanes, precision)
    low = roots(np.outer(np.arange(k), np.arange(fine)), k * m)
    high = roots(np.outer(np.arange(k), np.arange(0, m, fine)), k * m)
    low = low.reshape(k // lanes, lanes, fine // lanes, lanes).transpose(0, 2, 1, 3)
    high = high.reshape(k // lanes, lanes, m // fine).transpose(0, 2, 1)
    return chunked(low, precision), np.ascontiguousarray(high, COMPLEX[precision])


def by_columns(factors: NDArray[np.complex128], lanes: int, precision: str) -> NDArray[Any]:
    """By groups of as many columns as lanes, in them by rows."""
    rows, columns = factors.shape
    return chunked(factors.reshape(rows, columns // lanes, lanes).transpose(1, 0, 2), precision)


def tile(side: int, lanes: int) -> int:
    """How many columns, or rows if early, share the fine factors of a turn; it divides the side."""
    return max(size for size in range(lanes, FINE + 1, lanes) if side % size == 0)


def roots(numbers: NDArray[np.int64], n: int) -> NDArray[np.complex128]:
    """exp(−2πi·number/n), computed in the first octant and mirrored: as exact as can be."""
    eighth, rest = np.divmod(8 * (numbers % n), n)
    angle = 2.0 * np.pi * (np.where(eighth % 2, n - rest, rest) / (8 * n))
    c, s = np.cos(angle), np.sin(angle)
    swap = np.isin(eighth, (1, 2, 5, 6))
    c, s = np.where(swap, s, c), np.where(swap, c, s)
    result = np.empty(np.shape(numbers), np.complex128)
    result.real = np.where((eighth >= 2) & (eighth < 6), -c, c)
    result.imag = np.where(eighth >= 4, s, -s)
    return result


def rotations(r: int, m: int, lanes: int, precision: str) -> NDArray[Any]:
    """exp(−2πi jk/rm) for j < m and 0 < k < r: by j; or by so many j at a time, chunked."""
    tables = (keeper for (most, _), keeper in zip(SHARED, _kept, strict=True) if r * m <= most)
    return next(tables, _rotations)(r, m, lanes, precision)


def _rotations(r: int, m: int, lanes: int, precision: str) -> NDArray[Any]:
    factors = roots(np.outer(np.arange(m), np.arange(1, r)), r * m)
    if lanes == 1:
        return aligned(factors, precision)
    return chunked(factors.reshape(m // lanes, lanes, r - 1).transpose(0, 2, 1), precision)


_kept = [lru_cache(many)(_rotations) for _, many in SHARED]


def chunked(factors: NDArray[np.complex128], precision: str) -> NDArray[Any]:
    """Vectors along the last axis: their real parts, then their imaginary parts."""
    parts = np.stack([factors.real, factors.imag], axis=-2)
    return aligned(parts, precision)


def aligned(values: NDArray[Any], precision: str) -> NDArray[Any]:
    """A copy that begins on a cache line."""
    kind = COMPLEX[precision]
    dtype = kind if np.iscomplexobj(values) else np.empty(0, kind).real.dtype
    room = memory(values.size * dtype.itemsize).view(dtype)
    room[:] = values.ravel()
    return room


def memory(size: int) -> NDArray[np.uint8]:
    """Bytes that begin on a cache line."""
    room = np.empty(size + 64, np.uint8)
    begin = -room.ctypes.data % 64
    return room[begin : begin + size]
