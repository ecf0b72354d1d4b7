"""Default plans: a good plan without a search, by rules that tuning found on common machines.

Small sizes are one codelet or two passes.  Larger ones have passes whose codelets are as large as
the registers allow; sizes beyond the caches use the four-step algorithm.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from functools import cache
from typing import Any

from montego.dft.codelet import arithmetic
from montego.dft.plans import (
    LARGEST_SIZE,
    DftError,
    Flat,
    FourStep,
    Passes,
    Plan,
    Word,
    is_codelet,
    is_smooth,
    spell,
)
from montego.kernels.compiler.vector import register_bits, widest

ABSURD = 10**30
"""Numbers from here on are not written out in messages."""
TWO_PASSES_FROM, FOUR_STEP_FROM, STREAM_FROM = 8, 1 << 15, 1 << 18
"""Sizes.  Below ``STREAM_FROM`` a four-step plan's matrix stays in the caches and can lie in y;
from there on stores are streaming and inputs are prefetched."""
ROWS, BLOCKS = (128, 2048), ((8, 16), (32, 8))
"""Four-step plans below ``STREAM_FROM`` and from there on: about so many rows in the second half,
and the largest blocks of columns in each half."""
LARGEST_IN_BLOCK = 25
"""The largest codelet in a block: there, one more pass costs less than register spills."""


@cache
def default_word(n: int, precision: str = "double") -> Word:
    """The default plan of a size as a word; raises DftError for unsupported sizes."""
    return spell(default_plan(n, precision))


def default_plan(n: int, precision: str = "double") -> Plan:
    check_size(n)
    width = usable_width(n, widest(precision))
    if width == 1 or n < TWO_PASSES_FROM:
        return Flat(Passes("dif", (n,) if is_codelet(n) else factors(n)), 1)
    if n >= FOUR_STEP_FROM and width == widest(precision):
        return _four_step(n, width)
    return Flat(Passes("dif", _transposable(n, width)), width)


def check_size(n: Any) -> int:
    """A size as an int; raises DftError for unsupported sizes."""
    try:
        n = operator.index(n)
    except TypeError:
        raise DftError(f"a size is a whole number, not {n!r}") from None
    asked = f"{n:,}" if abs(n) < ABSURD else f"a number of {n.bit_length():,} bits"
    if n > LARGEST_SIZE:
        raise DftError(f"sizes go up to {LARGEST_SIZE:,}, not {asked}")
    if n < 1:
        raise DftError(f"a transform has at least 1 number, not {asked}")
    if not is_smooth(n):
        above = next(size for size in range(n, 2 * n + 2) if is_smooth(size))
        raise DftError(f"sizes are products of 2, 3 and 5, not {n:,}; the next one is {above:,}")
    return int(n)


def usable_width(n: int, most: int) -> int:
    """The widest vectors whose tiles can be transposed: width² divides n."""
    width = most
    while width > 1 and n % (width * width):
        width //= 2
    return width


def codelets_of(n: int) -> Iterator[int]:
    """Sizes of codelets that divide n."""
    return (r for r in range(2, min(n, 64) + 1) if n % r == 0 and is_codelet(r))


@cache
def cost(r: int) -> float:
    """The cost of a pass per element, roughly in nanoseconds: memory, arithmetic, spills."""
    registers = 32 if register_bits() == 512 else 16
    spilled = max(0, r - registers // 2)
    return 0.25 + 0.012 * (arithmetic(r) / r + 4) + 0.008 * spilled


@cache
def factors(n: int, largest: int = 64) -> tuple[int, ...]:
    """The radices whose product is n and whose passes cost least; large ones first."""
    if n == 1:
        return ()
    options = [
        (r, *factors(n // r, largest))
        for r in codelets_of(n)
        if r <= largest and (n == r or factors(n // r, largest))
    ]
    best = min(options, key=lambda radices: sum(map(cost, radices)), default=())
    return tuple(sorted(best, reverse=True))


def _transposable(n: int, width: int) -> tuple[int, ...]:
    """The radices of a dif plan: the first pass transposes tiles, the smaller the better."""
    options = [
        (r, *factors(n // r)) for r in codelets_of(n) if r % width == 0 and n // r % width == 0
    ]
    return min(options, key=lambda radices: (sum(map(cost, radices)) + 0.01 * radices[0], radices))


def _four_step(n: int, width: int) -> FourStep:
    """An early transpose as long as the caches hold two vectors, else streaming stores.

    Beyond the caches, a half begins with a small codelet: it waits for fewer cache lines at a time.
    """
    is_large = n >= STREAM_FROM
    wanted = max(ROWS[is_large], 2 * math.isqrt(n) if is_large else 0)
    splits = [
        (k, n // k)
        for k in range(width, n // width + 1)
        if n % k == 0 and k % width == 0 and n // k % width == 0
    ]
    k, m = min(splits, key=lambda split: abs(math.log(split[1] / wanted)))
    block, group = (
        max(width, math.gcd(most, side))
        for most, side in zip(BLOCKS[is_large], (m, k), strict=True)
    )
    columns, rows = (factors(side, LARGEST_IN_BLOCK) for side in (k, m))
    return FourStep(
        Passes("dif", columns[::-1] if is_large else columns),
        Passes("dif", rows[::-1]),
        width,
        block,
        group,
        early=not is_large,
        stream_work=is_large,
        stream_y=is_large,
        prefetch=is_large,
    )
