"""Codelets: straight-line code for small transforms, generated symbolically.

``codelet(r)`` is the DFT of size r as a list of operations on real numbers.  Nothing is executed
here.  Sizes divisible by four use the conjugate-pair split radix, primes the symmetry of their
roots of unity, all others Cooley–Tukey.  Operations are hash-consed: a common subexpression exists
once, and factors 0 and ±1 never appear.

A twiddle factor is split for fused multiply-add (FMA), w = cos θ · (1 − i tan θ): multiplying by
1 − i tan θ takes two FMAs, and the cosine is folded into the sums that follow.  Size 16 takes 144
operations, size 32 takes 372.

The order is that of the recursion, depth first: inputs are loaded where they are first needed and
results are stored as soon as they are known, so that few values are live at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

LARGEST = 64
PRIMES = (2, 3, 5)
Value = int
"""The index of the operation that computes it."""
Pair = tuple[Value, Value]
"""A complex value: real part, imaginary part."""


class Op(NamedTuple):
    """One operation: its name, the values it uses, and a constant.

    load: ``a`` is the index of the input, ``b`` 0 for the real part and 1 for the imaginary one.
    add: a + b.  sub: a − b.  mul: c·a.  fma: b + c·a.  fnma: b − c·a.  fms: c·a − b.
    store: pair (a, b) is output ``k``.
    """

    name: str
    a: int
    b: int = 0
    c: float = 0.0
    k: int = 0


class Code:
    """A list of operations without duplicates."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self._known: dict[Op, Value] = {}

    def _op(self, op: Op) -> Value:
        if op not in self._known:
            self._known[op] = len(self.ops)
            self.ops.append(op)
        return self._known[op]

    def load(self, index: int) -> Pair:
        return self._op(Op("load", index, 0)), self._op(Op("load", index, 1))

    def store(self, k: int, value: Pair) -> None:
        self.ops.append(Op("store", *value, k=k))

    def add(self, a: Value, b: Value) -> Value:
        return self._op(Op("add", min(a, b), max(a, b)))

    def sub(self, a: Value, b: Value) -> Value:
        return self._op(Op("sub", a, b))

    def fma(self, c: float, a: Value, b: Value) -> Value:
        """b + c·a."""
        if c == 0.0:
            return b
        if c in (1.0, -1.0):
            return self.add(a, b) if c > 0 else self.sub(b, a)
        return self._op(Op("fma" if c > 0 else "fnma", a, b, abs(c)))

    def fms(self, c: float, a: Value, b: Value) -> Value:
        """c·a − b, for a positive c."""
        return self.sub(a, b) if c == 1.0 else self._op(Op("fms", a, b, c))

    def mul(self, c: float, a: Value) -> Value:
        return a if c == 1.0 else self._op(Op("mul", a, c=c))


def cos_sin(k: int, n: int) -> tuple[float, float]:
    """cos and sin of 2πk/n, reduced to the first octant for accuracy."""
    k %= n
    octant, rest = divmod(8 * k, n)
    if octant % 2:
        rest = n - rest
    angle = 2.0 * math.pi * (rest / (8 * n))
    c, s = math.cos(angle), math.sin(angle)
    if octant in (1, 2, 5, 6):
        c, s = s, c
    return (-c if 2 <= octant < 6 else c), (-s if octant >= 4 else s)


Put = Callable[[int, Pair], None]


class Generator:
    """Generates the operations of a transform."""

    def __init__(self) -> None:
        self.code = Code()

    def dft(self, inputs: Sequence[int], put: Put) -> None:
        """The transform of some inputs; ``put`` is called with each result as it is computed."""
        n = len(inputs)
        if n == 1:
            put(0, self.code.load(inputs[0]))
        elif n % 4 == 0:
            self.split_radix(inputs, put)
        else:
            p = next(p for p in range(2, n + 1) if n % p == 0)
            (self.prime if p == n else self.cooley_tukey)(inputs, put)

    def parts(self, inputs: Sequence[int]) -> list[Pair]:
        """All results of a smaller transform."""
        results: dict[int, Pair] = {}
        self.dft(inputs, results.__setitem__)
        return [results[k] for k in range(len(inputs))]

    def split_radix(self, x: Sequence[int], put: Put) -> None:
        """X from U of the even inputs and Z, Z' of those at 4j + 1 and 4j − 1."""
        n, quarter = len(x), len(x) // 4
        u = self.parts(x[0::2])
        z, z2 = self.parts(x[1::4]), self.parts([x[-1], *x[3:-1:4]])
        for k in range(quarter):
            c, s, d = self.twiddled_sums(z[k], z2[k], k, n)
            put(k, self.plus(u[k], c, s))
            put(k + 2 * quarter, self.plus(u[k], -c, s))
            put(k + quarter, self.plus_i(u[k + quarter], -c, d))
            put(k + 3 * quarter, self.plus_i(u[k + quarter], c, d))

    def twiddled_sums(self, z: Pair, z2: Pair, k: int, n: int) -> tuple[float, Pair, Pair]:
        """c, S and D with c·S = w·z + w̄·z2 and c·D = w·z − w̄·z2, where w = exp(−2πik/n)."""
        cosine, sine = cos_sin(k, n)
        code, (a, b), (a2, b2) = self.code, z, z2
        if cosine >= sine:  # w = cos · (1 − i tan)
            c, t = cosine, sine / cosine
            first = code.fma(t, b, a), code.fma(-t, a, b)
            second = code.fma(-t, b2, a2), code.fma(t, a2, b2)
        else:  # w = sin · (cot − i)
            c, t = sine, cosine / sine
            first = code.fma(t, a, b), code.fms(t, b, a)
            second = code.fms(t, a2, b2), code.fma(t, b2, a2)
        return c, self.plus(first, 1.0, second), self.plus(first, -1.0, second)

    def plus(self, u: Pair, c: float, z: Pair) -> Pair:
        """u + c·z."""
        return self.code.fma(c, z[0], u[0]), self.code.fma(c, z[1], u[1])

    def plus_i(self, u: Pair, c: float, z: Pair) -> Pair:
        """u + i·c·z."""
        return self.code.fma(-c, z[1], u[0]), self.code.fma(c, z[0], u[1])

    def cooley_tukey(self, x: Sequence[int], put: Put) -> None:
        """n = p·m with the smallest prime p, decimation in time."""
        n = len(x)
        p = next(p for p in range(2, n) if n % p == 0)
        rows = [self.parts(x[i::p]) for i in range(p)]
        for j in range(n // p):
            column = [self.twiddled(rows[i][j], i * j, n) for i in range(p)]
            self.short_dft(column, lambda k, value, j=j: put(j + k * (n // p), value))  # type: ignore[misc]

    def prime(self, x: Sequence[int], put: Put) -> None:
        self.short_dft([self.code.load(i) for i in x], put)

    def twiddled(self, z: Pair, k: int, n: int) -> Pair:
        """z · exp(−2πik/n)."""
        (c, s), code = cos_sin(k, n), self.code
        if s == 0.0 and c == 1.0:
            return z
        return (
            code.fma(s, z[1], code.mul(c, z[0])),
            code.fma(-s, z[0], code.mul(c, z[1])),
        )

    def short_dft(self, x: Sequence[Pair], put: Put) -> None:
        """The transform of prime size: x_j ± x_{p−j} share their cosines and sines."""
        p = len(x)
        if p == 2:
            put(0, self.plus(x[0], 1.0, x[1]))
            put(1, self.plus(x[0], -1.0, x[1]))
            return
        half = range(1, p // 2 + 1)
        sums = {j: self.plus(x[j], 1.0, x[p - j]) for j in half}
        differences = {j: self.plus(x[j], -1.0, x[p - j]) for j in half}
        total = x[0]
        for j in half:
            total = self.plus(total, 1.0, sums[j])
        put(0, total)
        for k in half:
            even, odd = x[0], (-1, -1)
            for j in half:
                c, s = cos_sin(j * k, p)
                even = self.plus(even, c, sums[j])
                odd = self.plus(odd, s, differences[j]) if j > 1 else self.times(s, differences[1])
            put(k, self.plus_i(even, -1.0, odd))
            put(p - k, self.plus_i(even, 1.0, odd))

    def times(self, c: float, z: Pair) -> Pair:
        return self.code.mul(c, z[0]), self.code.mul(c, z[1])


@cache
def codelet(r: int) -> tuple[Op, ...]:
    """The DFT of size r, X_k = Σ x_j exp(−2πijk/r), as operations."""
    generator = Generator()
    generator.dft(range(r), generator.code.store)
    return tuple(generator.code.ops)


def arithmetic(r: int) -> int:
    """The number of arithmetic operations of the codelet; a fused multiply-add counts once."""
    return sum(op.name not in ("load", "store") for op in codelet(r))


def interpret(r: int, x: Sequence[complex]) -> list[complex]:
    """Run the codelet operation by operation, to check it."""
    values: list[float] = []
    result = [0j] * r
    for op in codelet(r):
        v = values
        if op.name == "load":
            values.append(x[op.a].imag if op.b else x[op.a].real)
        elif op.name == "store":
            result[op.k] = complex(v[op.a], v[op.b])
            values.append(math.nan)
        else:
            values.append(_MEANING[op.name](v[op.a], v[op.b], op.c))
    return result


_MEANING: dict[str, Callable[[float, float, float], float]] = {
    "add": lambda a, b, c: a + b,
    "sub": lambda a, b, c: a - b,
    "mul": lambda a, b, c: c * a,
    "fma": lambda a, b, c: b + c * a,
    "fnma": lambda a, b, c: b - c * a,
    "fms": lambda a, b, c: c * a - b,
}
