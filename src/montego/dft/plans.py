"""Plans: the free choices of a transform, as data.

A plan is written as a word of a grammar (see grammars.py): a tuple of names and numbers.  TAG
derives such words, wisdom keeps them, and they can be written by hand:

    ("codelet", 32)                                  one codelet, nothing else
    ("dif", "w8", 32, 32)                            two passes with vectors of 8, n = 32 · 32
    ("dit", "w8", "buffers", 16, 16, 8)              three passes by way of two buffers, not y
    ("four-step", "w8", "stream-y", "b16", "g8",
         "columns", "dif", 32, 32, "rows", "dit", 16, 64)

dif and dit: Stockham's algorithm by decimation in frequency or in time.  It is Cooley–Tukey without
a permutation: every pass writes where the next one reads.  The numbers are the radices.

four-step: n = k·m as a matrix of k rows, for sizes beyond the caches.  Blocks of ``b`` columns are
transformed, multiplied by twiddles and transposed; then blocks of ``g`` columns are transformed.
``early``: transposed at the end of the first half, so that y can hold the matrix; otherwise at the
beginning of the second half, from a work buffer.  ``stream-work``, ``stream-y``: streaming stores
in the first half and in the second.  ``prefetch``: inputs are prefetched.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from montego.dft.codelet import LARGEST, PRIMES
from montego.kernels.compiler.vector import widest

Word = tuple[Any, ...]
"""The written form of a plan."""
LARGEST_SIZE = 1 << 24
LONGEST_WORD = 64
"""Symbols of a word; the product of more radices than that would be too large."""
LANES = (1, 2, 4, 8, 16)


class DftError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2


@dataclass(frozen=True)
class Passes:
    """Stockham's algorithm: its kind (dif or dit) and the radices of its passes in order."""

    kind: str
    radices: tuple[int, ...]

    @property
    def n(self) -> int:
        return math.prod(self.radices)


@dataclass(frozen=True)
class Flat:
    """The whole transform pass by pass; width 1 with a single radix is a bare codelet."""

    passes: Passes
    width: int
    buffers: bool = False

    @property
    def n(self) -> int:
        return self.passes.n


@dataclass(frozen=True)
class FourStep:
    """The four-step algorithm: n = k·m as a matrix, blocks of columns twice."""

    columns: Passes
    rows: Passes
    width: int
    block: int
    group: int
    early: bool = False
    stream_work: bool = False
    stream_y: bool = False
    prefetch: bool = False

    @property
    def n(self) -> int:
        return self.columns.n * self.rows.n


@dataclass(frozen=True)
class Columns:
    """A batch of column transforms: a part of other plans, to be timed alone."""

    passes: Passes
    width: int
    block: int

    @property
    def n(self) -> int:
        return self.passes.n


Plan = Flat | FourStep | Columns
FLAGS = ("early", "stream-work", "stream-y", "prefetch")


def parse(word: Iterable[Any]) -> Plan:
    """The plan that a word describes; raises DftError if it describes none."""
    try:
        word = tuple(islice(word, LONGEST_WORD + 1))
    except TypeError:
        raise DftError(f"a plan is a list of names and numbers, not {named(word)}") from None
    try:
        if len(word) > LONGEST_WORD:
            raise ValueError
        plan = _parse(iter(word))
    except (StopIteration, ValueError, TypeError, IndexError):
        raise DftError(f"not a plan: {named(word)}") from None
    check(plan)
    return plan


def named(word: Any) -> str:
    """A word, or what was given in its place, as text for a message."""
    try:
        text = " ".join(map(str, word)) if isinstance(word, tuple) else repr(word)
    except (ValueError, RecursionError):  # numbers of too many digits, lists that are too deep
        return type(word).__name__
    return text if len(text) <= 200 else text[:198] + " …"


def _parse(tokens: Iterator[Any]) -> Plan:
    head = next(tokens)
    if head == "codelet":
        return Flat(Passes("dif", tuple(map(_radix, tokens))), 1)
    width = _number(next(tokens), "w")
    rest = list(tokens)
    if head in ("dif", "dit"):
        buffers = rest[:1] == ["buffers"]
        return Flat(Passes(head, tuple(map(_radix, rest[buffers:]))), width, buffers)
    if head != "four-step":
        raise ValueError(head)
    c, r = rest.index("columns"), rest.index("rows")
    *flags, b, g = rest[:c]
    block, group = _number(b, "b"), _number(g, "g")
    if set(flags) - set(FLAGS):
        raise ValueError(flags)
    columns, rows = (Passes(str(part[0]), tuple(map(_radix, part[1:]))) for part in
                     (rest[c + 1 : r], rest[r + 1 :]))  # fmt: skip
    return FourStep(columns, rows, width, block, group, *(flag in flags for flag in FLAGS))


def parse_part(word: Sequence[Any], precision: str) -> Plan:
    """The plan of a word, or of a part of one: passes over a batch of columns."""
    kind, radices = (word[0], word[1:]) if word and isinstance(word[0], str) else ("dif", word)
    if kind in ("dif", "dit") and all(isinstance(radix, int) for radix in radices):
        width = widest(precision)
        return Columns(Passes(kind, tuple(radices)), width, 2 * width)
    return parse(word)


def _number(token: str, letter: str) -> int:
    if token[:1] != letter:
        raise ValueError(token)
    return int(token[1:])


def _radix(token: Any) -> int:
    """A whole number or its digits; not 2.5, nor True."""
    if isinstance(token, bool):
        raise TypeError(token)
    return int(token) if isinstance(token, str) else operator.index(token)


def spell(plan: Plan) -> Word:
    """The word of a plan."""
    if isinstance(plan, Columns):
        return (plan.passes.kind, *plan.passes.radices)
    if isinstance(plan, FourStep):
        has = (plan.early, plan.stream_work, plan.stream_y, plan.prefetch)
        flags = tuple(flag for flag, is_set in zip(FLAGS, has, strict=True) if is_set)
        return (
            "four-step", f"w{plan.width}", *flags, f"b{plan.block}", f"g{plan.group}",
            "columns", plan.columns.kind, *plan.columns.radices,
            "rows", plan.rows.kind, *plan.rows.radices,
        )  # fmt: skip
    if plan.width == 1 and len(plan.passes.radices) == 1:
        return ("codelet", plan.n)
    buffers = ("buffers",) if plan.buffers else ()
    return (plan.passes.kind, f"w{plan.width}", *buffers, *plan.passes.radices)


def check(plan: Plan) -> None:
    """Raises DftError unless the plan can be executed."""
    parts = [plan.columns, plan.rows] if isinstance(plan, FourStep) else [plan.passes]
    for passes in parts:
        if passes.kind not in ("dif", "dit") or not passes.radices:
            raise DftError(f"passes are dif or dit with radices, not {passes.kind}")
        for r in passes.radices:
            if not is_codelet(r):
                raise DftError(f"there is no codelet of size {r}")
    if plan.n > LARGEST_SIZE:
        raise DftError(f"sizes go up to {LARGEST_SIZE:,}, not {plan.n:,}")
    if plan.width not in LANES:
        raise DftError(f"vectors have 1, 2, 4, 8 or 16 lanes, not {plan.width}")
    if isinstance(plan, FourStep):
        k, m = plan.columns.n, plan.rows.n
        for columns, side in ((plan.block, m), (plan.group, k)):
            if columns < 1 or columns % plan.width or side % columns:
                raise DftError(f"blocks of {columns} columns do not fit {k} × {m}")
    elif isinstance(plan, Flat) and plan.width > 1 and not fits(plan):
        raise DftError(
            f"vectors of {plan.width} lanes do not fit {' · '.join(map(str, plan.passes.radices))}"
        )


def fits(plan: Flat) -> bool:
    """Whether tiles can be transposed in the first pass (dif) or the last one (dit)."""
    radix = plan.passes.radices[0 if plan.passes.kind == "dif" else -1]
    return radix % plan.width == 0 and plan.n // radix % plan.width == 0


def is_codelet(n: int) -> bool:
    return 1 < n <= LARGEST and is_smooth(n)


def is_smooth(n: int) -> bool:
    """Whether n is a product of 2, 3 and 5."""
    for p in PRIMES:
        while n > 1 and n % p == 0:
            n //= p
    return n == 1
