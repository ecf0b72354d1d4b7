"""A good plan without a search: what tuning found on common machines, as rules.

Small sizes are one codelet or two passes.  Larger ones have as few passes as codelets of 16 to 32
allow, and from where caches end the four steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

from montego.dft.plans import (
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
from montego.dft.vector import widest

LARGEST_SIZE = 1 << 24
FOUR_STEP_FROM = 1 << 14
STREAM_FROM = 1 << 19
BEST_RADIX = 24
"""Codelets near this size are best: large enough to save passes, small enough for registers."""


@cache
def default_word(n: int, precision: str = "double") -> Word:
    """A plan for a size; raises DftError if we have none."""
    return spell(default_plan(n, precision))


def default_plan(n: int, precision: str = "double") -> Plan:
    check_size(n)
    width = usable_width(n, widest(precision))
    if width == 1:
        return Flat(Passes("dif", factors(n)), 1)
    if n >= FOUR_STEP_FROM and width == widest(precision):
        return _four_step(n, width)
    return Flat(Passes("dif", _turnable(n, width)), width)


def check_size(n: int) -> None:
    """Raises DftError for a size that we cannot transform."""
    if n < 1:
        raise DftError(f"a transform has at least 1 number, not {n}")
    if not is_smooth(n):
        above = next(size for size in range(n, 2 * n + 2) if is_smooth(size))
        raise DftError(f"sizes are products of 2, 3 and 5, not {n:,}; the next one is {above:,}")
    if n > LARGEST_SIZE:
        raise DftError(f"sizes go up to {LARGEST_SIZE:,}, not {n:,}")


def usable_width(n: int, most: int) -> int:
    """The widest vectors that squares can be turned with: width² divides n."""
    width = most
    while width > 1 and n % (width * width):
        width //= 2
    return width


def codelets_of(n: int) -> Iterator[int]:
    """Sizes of codelets that divide n."""
    return (r for r in range(2, min(n, 64) + 1) if n % r == 0 and is_codelet(r))


@cache
def factors(n: int) -> tuple[int, ...]:
    """Codelets whose product is n: few, and near the best size."""
    if n == 1:
        return ()
    options = []
    for r in codelets_of(n):
        rest = factors(n // r) if n > r else ()
        if math.prod(rest) * r == n:
            options.append((r, *rest))
    return min(options, key=_badness) if options else ()


def _badness(radices: tuple[int, ...]) -> tuple[float, ...]:
    spread = sum(abs(math.log(r / BEST_RADIX)) for r in radices)
    return len(radices) + 0.25 * spread, *(-r for r in radices)


def _turnable(n: int, width: int) -> tuple[int, ...]:
    """The factors of a dif plan: the first is turned in squares."""
    options = [
        (r, *factors(n // r))
        for r in codelets_of(n)
        if r % width == 0 and n // r % width == 0
    ]  # fmt: skip
    return min(options, key=_badness)


def _four_step(n: int, width: int) -> FourStep:
    """k near the root of n."""
    splits = [
        (k, n // k)
        for k in range(width, n // width + 1)
        if n % k == 0 and k % width == 0 and n // k % width == 0
    ]
    k, m = min(splits, key=lambda split: abs(math.log(split[0] / split[1])))
    block = next(
        b for b in (4 * width, 2 * width, width) if m % b == 0 and (k % b == 0 or b == width)
    )
    stream = n >= STREAM_FROM
    return FourStep(
        Passes("dif", factors(k)), Passes("dif", factors(m)), width, block, stream, stream, False
    )
