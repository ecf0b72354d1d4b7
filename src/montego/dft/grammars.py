"""The choices of a transform as a grammar whose words are plans; TAG searches its graph (T41).

``grammar(n)`` is the grammar of this library: how n is split, the kind of the passes and their
radices, flat or four-step, its blocks and its stores.  What matters most is chosen first, since TAG
learns that first.  With ``by_parts`` the words are the same, but every nonterminal stands for a
part that can be executed and timed alone, as dynamic programming needs it.

``grammar(n, plain=True)`` is the grammar of the thesis' plain library: DFT_n is computed by its
definition or split, DFT_n → DFT_k DFT_m for every k·m = n, and nothing else is free.  With A_t
algorithms for 2^t: A_t = 1 + Σ A_i A_{t−i}, that is 1, 2, 5, 15, 51, 188, … (figure 5.1), which
grows like 5^t/t^1.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from montego.dft.codelet import PRIMES
from montego.dft.defaults import check_size, codelets_of
from montego.dft.plans import FLAGS, DftError, is_codelet
from montego.kernels.compiler.vector import widest
from montego.planning import Grammar

Symbol = Any
TRY_FOUR_STEP_FROM = 1 << 10
"""From this size four-step plans are tried."""
SIDES = (16, 4096)
"""The smallest and the largest side of their matrix."""
TRY_FLAT_UP_TO = 1 << 16
"""Up to this size flat plans are tried."""
EXTRA_PASSES = 1
"""Passes beyond the fewest possible: every pass goes through memory once."""


def grammar(
    n: int, plain: bool = False, precision: str = "double", by_parts: bool = False
) -> Grammar:
    """The grammar of the plans of a size."""
    if plain:
        return Grammar(dict(_plain(n)), f"DFT_{n}", leftmost=True)
    check_size(n)
    rules = (PartRuleBuilder if by_parts else RuleBuilder)(widest(precision))
    rules.add(("dft", n))
    return Grammar(rules.by_symbol, ("dft", n), leftmost=True)


def count_plain(n: int) -> int:
    """The number of algorithms of the plain library."""
    return grammar(n, plain=True).count()


def _plain(n: int) -> Iterator[tuple[str, list[tuple[Symbol, ...]]]]:
    """Rules by symbol; brackets distinguish trees with the same leaves."""
    divisors = [1]
    for p in PRIMES:
        while n % (divisors[-1] * p) == 0:
            divisors = sorted({*divisors, *(d * p for d in divisors)})
            divisors = [d for d in divisors if n % d == 0]
    divisors.remove(1)
    if n not in divisors:
        raise DftError(f"sizes are products of 2, 3 and 5, at least 2, not {n}")
    for size in divisors:
        splits = [k for k in divisors if k < size and size % k == 0]
        yield (
            f"DFT_{size}",
            [(size,), *(("(", f"DFT_{k}", f"DFT_{size // k}", ")") for k in splits)],
        )


@cache
def fewest_passes(n: int) -> int:
    """The least number of passes of a transform."""
    return 1 if is_codelet(n) else 1 + min(fewest_passes(n // r) for r in codelets_of(n))


class RuleBuilder:
    """Collects the rules that can be reached from a symbol."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.by_symbol: dict[Symbol, list[tuple[Symbol, ...]]] = {}

    def add(self, symbol: Symbol) -> None:
        if not isinstance(symbol, tuple) or symbol in self.by_symbol:
            return
        kind, *numbers = symbol
        self.by_symbol[symbol] = right_sides = list(getattr(self, f"_{kind}")(*numbers))
        for right in right_sides:
            for part in right:
                self.add(part)

    def _dft(self, n: int) -> Iterator[tuple[Symbol, ...]]:
        """Any transform of size n."""
        if is_codelet(n):
            yield ("codelet", n)
        width = self.lanes
        if n <= TRY_FLAT_UP_TO:
            while width >= 1:
                if any(self._flat(n, width)):
                    yield (("flat", n, width),)
                    break
                width //= 2
        if n >= TRY_FOUR_STEP_FROM and any(self._splits(n)):
            yield from self._four_steps(n)

    def _splits(self, n: int) -> Iterator[tuple[int, int]]:
        """n = k·m as a matrix."""
        for k in range(SIDES[0], SIDES[1] + 1):
            m = n // k
            if (
                n % k == 0
                and SIDES[0] <= m <= SIDES[1]
                and any(self._blocks_of(k))
                and any(self._blocks_of(m))
            ):
                yield k, m

    def _blocks_of(self, side: int) -> Iterator[int]:
        """Sizes of blocks of columns."""
        return (block for d in range(3) if side % (block := self.lanes << d) == 0)

    def _four_steps(self, n: int) -> Iterator[tuple[Symbol, ...]]:
        """The flags first."""
        yield ("four-step", f"w{self.lanes}", ("flag", 0, n))

    def _flag(self, place: int, n: int) -> Iterator[tuple[Symbol, ...]]:
        """One flag after the other: TAG has to learn only once that one is bad."""
        rest = ("flag", place + 1, n) if place + 1 < len(FLAGS) else ("matrix", n)
        yield (FLAGS[place], rest)
        yield (rest,)

    def _matrix(self, n: int) -> Iterator[tuple[Symbol, ...]]:
        for k, m in self._splits(n):
            yield (("blocks", k, m),)

    def _blocks(self, k: int, m: int) -> Iterator[tuple[Symbol, ...]]:
        for b in self._blocks_of(m):
            yield (f"b{b}", ("groups", k, m))

    def _groups(self, k: int, m: int) -> Iterator[tuple[Symbol, ...]]:
        for g in self._blocks_of(k):
            yield (f"g{g}", "columns", ("passes", k), "rows", ("passes", m))

    def _flat(self, n: int, width: int) -> Iterator[tuple[Symbol, ...]]:
        """Pass by pass: the radix that transposes comes first (dif) or last (dit)."""
        for r in codelets_of(n):
            rest = n // r
            most = fewest_passes(n) + EXTRA_PASSES - 1
            if (
                rest == 1
                or fewest_passes(rest) > most
                or (width > 1 and (r % width or rest % width))
            ):
                continue
            for buffers in ((), ("buffers",)):
                yield ("dif", f"w{width}", *buffers, r, ("rest", rest, most))
                yield ("dit", f"w{width}", *buffers, ("rest", rest, most), r)

    def _rest(self, n: int, most: int) -> Iterator[tuple[Symbol, ...]]:
        """Radices, at most so many."""
        if is_codelet(n):
            yield (n,)
        for r in codelets_of(n):
            if n > r and fewest_passes(n // r) < most:
                yield (r, ("rest", n // r, most - 1))

    def _passes(self, n: int) -> Iterator[tuple[Symbol, ...]]:
        yield ("dif", ("rest", n, fewest_passes(n) + EXTRA_PASSES))
        yield ("dit", ("rest", n, fewest_passes(n) + EXTRA_PASSES))


class PartRuleBuilder(RuleBuilder):
    """The same words, derived part by part."""

    def _four_steps(self, n: int) -> Iterator[tuple[Symbol, ...]]:
        for k, m in self._splits(n):
            yield (("split", k, m),)

    def _split(self, k: int, m: int) -> Iterator[tuple[Symbol, ...]]:
        for b, g in product(self._blocks_of(m), self._blocks_of(k)):
            yield (("sized", k, m, b, g),)

    def _sized(self, k: int, m: int, b: int, g: int) -> Iterator[tuple[Symbol, ...]]:
        for flags in all_flags():
            yield ("four-step", f"w{self.lanes}", *flags, f"b{b}", f"g{g}",
                   "columns", ("passes", k), "rows", ("passes", m))  # fmt: skip


def all_flags() -> Iterator[tuple[str, ...]]:
    """Every combination of flags."""
    for has in product((False, True), repeat=len(FLAGS)):
        yield tuple(flag for flag, is_set in zip(FLAGS, has, strict=True) if is_set)
