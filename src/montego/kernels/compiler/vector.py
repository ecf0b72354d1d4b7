"""SIMD vectors of the processor's width, in LLVM IR.

LLVM's own vectoriser leaves large straight-line code scalar, so where speed hangs on it we emit
vector code ourselves: a ``Lanes`` knows one element type and one width, and emits loads, stores,
sums and shuffles through an IR builder.  Width 1 is plain scalar code; LLVM splits vectors that are
wider than a register.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from montego.kernels.compiler.first_use import once

INT64, BYTE = ir.IntType(64), ir.IntType(8)
BITS = {"double": 64, "single": 32}
TYPES: dict[str, Any] = {"double": ir.DoubleType(), "single": ir.FloatType()}


@once
def features() -> frozenset[str]:
    """The processor's features; ``NUMBA_CPU_FEATURES`` overrides them, as for Numba."""
    if "NUMBA_CPU_FEATURES" in os.environ or os.environ.get("NUMBA_CPU_NAME"):
        named = os.environ.get("NUMBA_CPU_FEATURES", "").split(",")
        return frozenset(name.strip().lstrip("+") for name in named if name.strip()[:1] == "+")
    return frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)


@once
def register_bits() -> int:
    """The width of the processor's vector registers; 0 if it has none that we know."""
    known = {"avx512f": 512, "avx": 256, "sse2": 128, "neon": 128}
    return next((bits for name, bits in known.items() if name in features()), 0)


def widest(precision: str) -> int:
    """How many numbers fit into one register."""
    return max(1, register_bits() // BITS[precision])


def has_fma() -> bool:
    """Whether the processor has fused multiply-add."""
    return bool({"fma", "neon"} & features())


@contextmanager
def loop(builder: Any, count: Any, *running: tuple[Any, Any]) -> Iterator[list[Any]]:
    """Emit a loop: the body runs ``count`` times, at least once; addresses advance by strides."""
    before, body = builder.block, builder.append_basic_block("body")
    builder.branch(body)
    builder.position_at_end(body)
    counter = builder.phi(INT64)
    counter.add_incoming(INT64(0), before)
    addresses = [builder.phi(INT64) for _ in running]
    yield addresses
    following = builder.add(counter, INT64(1))
    counter.add_incoming(following, builder.block)
    for address, (start, stride) in zip(addresses, running, strict=True):
        address.add_incoming(start, before)
        address.add_incoming(builder.add(address, stride), builder.block)
    after = builder.append_basic_block("after")
    builder.cbranch(builder.icmp_signed("<", following, count), body, after)
    builder.position_at_end(after)


@dataclass(frozen=True)
class Lanes:
    """Emits code for vectors of one type and width."""

    builder: Any
    precision: str
    width: int
    fused: bool

    @property
    def size(self) -> int:
        """Bytes of a vector of real numbers."""
        return BITS[self.precision] // 8 * self.width

    @property
    def element(self) -> Any:
        return TYPES[self.precision]

    def type(self, width: int = 0) -> Any:
        lanes = width or self.width
        return self.element if lanes == 1 else ir.VectorType(self.element, lanes)

    def constant(self, value: float) -> Any:
        plain = ir.Constant(self.element, value)
        return plain if self.width == 1 else ir.Constant(self.type(), [plain] * self.width)

    # --- memory ------------------------------------------------------------------------

    def address(self, base: Any, *offsets: Any) -> Any:
        """An address plus offsets in bytes, each an int or an IR value."""
        for offset in offsets:
            if not isinstance(offset, int) or offset:
                value = INT64(offset) if isinstance(offset, int) else offset
                base = self.builder.add(base, value)
        return base

    def pointer(self, address: Any, pointee: Any) -> Any:
        return self.builder.inttoptr(address, pointee.as_pointer())

    def load(self, address: Any, width: int = 0) -> Any:
        kind = self.type(width)
        loaded = self.builder.load(self.pointer(address, kind))
        loaded.align = BITS[self.precision] // 8
        return loaded

    def broadcast(self, address: Any) -> Any:
        """One number in every lane."""
        number = self.load(address, 1)
        if self.width == 1:
            return number
        empty = ir.Constant(self.type(), ir.Undefined)
        one = self.builder.insert_element(empty, number, ir.IntType(32)(0))
        return self.shuffle(one, empty, [0] * self.width)

    def store(self, value: Any, address: Any, streaming: bool = False) -> None:
        """A ``streaming`` (non-temporal) store needs an address aligned to the vector."""
        stored = self.builder.store(value, self.pointer(address, value.type))
        stored.align = self.size if streaming else BITS[self.precision] // 8
        if streaming:
            one = self.builder.module.add_metadata([ir.IntType(32)(1)])
            stored.set_metadata("nontemporal", one)

    def prefetch(self, address: Any) -> None:
        """Prefetch the cache line at an address."""
        kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), *[ir.IntType(32)] * 3])
        function = self._declared("llvm.prefetch.p0", kind)
        numbers = [
            ir.IntType(32)(number) for number in (0, 3, 1)
        ]  # for reading, into all caches, data
        self.builder.call(function, [self.pointer(address, BYTE), *numbers])

    # --- arithmetic --------------------------------------------------------------------

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a·b + c."""
        if not self.fused:
            return self.builder.fadd(self.builder.fmul(a, b), c)
        kind = ir.FunctionType(self.type(), [self.type()] * 3)
        letter = "f64" if self.precision == "double" else "f32"
        name = f"llvm.fma.{letter}" if self.width == 1 else f"llvm.fma.v{self.width}{letter}"
        return self.builder.call(self._declared(name, kind), [a, b, c])

    def sum(self, a: Any) -> Any:
        """The sum of all lanes, as one number; pairs are added first."""
        distance = self.width // 2
        while distance:
            lanes = [(lane + distance) % self.width for lane in range(self.width)]
            a = self.builder.fadd(a, self.shuffle(a, a, lanes))
            distance //= 2
        return a if self.width == 1 else self.builder.extract_element(a, ir.IntType(32)(0))

    def _declared(self, name: str, kind: Any) -> Any:
        module = self.builder.module
        return module.globals.get(name) or ir.Function(module, kind, name)

    # --- shuffles ----------------------------------------------------------------------

    def shuffle(self, a: Any, b: Any, lanes: Sequence[int]) -> Any:
        kind = ir.VectorType(ir.IntType(32), len(lanes))
        return self.builder.shuffle_vector(a, b, ir.Constant(kind, list(lanes)))

    def transposed(self, rows: Sequence[Any]) -> list[Any]:
        """The transpose of a square tile: lane j of vector i becomes lane i of vector j."""
        rows, width = list(rows), self.width
        distance = 1
        while distance < width:
            is_low = [not lane & distance for lane in range(width)]
            low = [j if is_low[j] else width + j - distance for j in range(width)]
            high = [j + distance if is_low[j] else width + j for j in range(width)]
            for i in range(width):
                if not i & distance:
                    a, b = rows[i], rows[i + distance]
                    rows[i], rows[i + distance] = self.shuffle(a, b, low), self.shuffle(a, b, high)
            distance *= 2
        return rows
