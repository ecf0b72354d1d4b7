"""The passes of a transform: loops round one codelet, compiled and kept on disk.

A ``Pass`` is data: which codelet, where its rotations come from, how memory is laid out before and
after.  Its kernel is ``f(x, y, w, A, S, xa, xi, ya, yk, wa, scale)`` with addresses and strides in
bytes, and does

    for a < A: for s < S:  codelet from x + a·xa + s·V + i·xi  to  y + a·ya + s·V + k·yk

with V the bytes of a complex vector, i the number of an input and k of an output, and rotations at
w + a·wa.  The kernels know no size of a transform, so few of them serve all plans of all sizes.

With ``turned`` = "out" the results of a codelet's lanes are rows: yk is the distance of rows, and
each row gets the r results of one lane.  With "in" it is the inputs that are rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

from llvmlite import ir

from montego.dft.codelet import codelet
from montego.dft.compiling import compiled
from montego.dft.vector import WORD, Complex, Lanes, has_fma
from montego.kernels.compiler.making import once

ARGUMENTS = 11
"""x, y, w, A, S, xa, xi, ya, yk, wa, scale: words, all of them."""


@dataclass(frozen=True)
class Pass:
    """What a kernel does; two that are equal share their code."""

    radix: int
    width: int
    precision: str = "double"
    rotation: str = "none"
    """none; before or after: one factor for all lanes; lanes-before or lanes-after: for each;
    grid, lanes-grid: no codelet at all, but the turn of a matrix, see ``emit_turn``."""
    interleaved_in: bool = False
    interleaved_out: bool = False
    turned: str = "no"
    """no, in or out."""
    inverse: bool = False
    """Real and imaginary parts change places where memory is interleaved."""
    scaled: bool = False
    streaming: bool = False
    """Results go past the caches."""
    prefetch: int = 0
    """How many vectors ahead inputs are asked for."""

    @property
    def name(self) -> str:
        """A short name for files."""
        values = repr([getattr(self, field.name) for field in fields(self)])
        return f"dft{self.radix}x{self.width}-{hashlib.sha256(values.encode()).hexdigest()[:16]}"


@once
def address_of(spec: Pass) -> int:
    """Where the code of a pass is; compiles it if no earlier run has."""
    return compiled(spec.name, lambda: written(spec))


def written(spec: Pass) -> str:
    """The kernel of a pass in LLVM's language."""
    module = ir.Module(spec.name)
    kind = ir.FunctionType(ir.VoidType(), [WORD] * ARGUMENTS)
    function = ir.Function(module, kind, spec.name)
    x, y, w, count_a, count_s, xa, xi, ya, yk, wa, scale = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    lanes = Lanes(builder, spec.precision, spec.width, has_fma())
    step = WORD(2 * lanes.size)
    if spec.rotation.endswith("grid"):
        square = WORD(2 * lanes.size * spec.width)
        if spec.rotation == "grid":  # along rows, which become columns
            x_step, y_step = step, builder.mul(yk, WORD(spec.width))
        else:  # down columns, which become rows
            x_step, y_step = builder.mul(xi, WORD(spec.width)), step
        with loop(builder, count_a, (x, xa), (y, ya), (scale, wa)) as (x, y, scale):  # noqa: SIM117
            with loop(builder, count_s, (x, x_step), (y, y_step), (w, square)) as (x, y, w):
                Body(spec, lanes, x, y, w, xi, yk, scale).emit_turn()
    else:
        with loop(builder, count_a, (x, xa), (y, ya), (w, wa)) as (x, y, w):  # noqa: SIM117
            with loop(builder, count_s, (x, step), (y, step)) as (x, y):
                Body(spec, lanes, x, y, w, xi, yk, scale).emit()
    builder.ret_void()
    return str(module)


@contextmanager
def loop(builder: Any, count: Any, *running: tuple[Any, Any]) -> Iterator[list[Any]]:
    """Repeat what is emitted inside ``count`` times, at least once; addresses run by strides."""
    before, body = builder.block, builder.append_basic_block("body")
    builder.branch(body)
    builder.position_at_end(body)
    counter = builder.phi(WORD)
    counter.add_incoming(WORD(0), before)
    places = [builder.phi(WORD) for _ in running]
    yield places
    following = builder.add(counter, WORD(1))
    counter.add_incoming(following, builder.block)
    for place, (start, stride) in zip(places, running, strict=True):
        place.add_incoming(start, before)
        place.add_incoming(builder.add(place, stride), builder.block)
    after = builder.append_basic_block("after")
    builder.cbranch(builder.icmp_signed("<", following, count), body, after)
    builder.position_at_end(after)


class Body:
    """Emits one execution of a codelet on vectors."""

    def __init__(
        self, spec: Pass, lanes: Lanes, x: Any, y: Any, w: Any, xi: Any, yk: Any, scale: Any
    ) -> None:
        self.spec, self.lanes = spec, lanes
        self.x, self.y, self.w, self.xi, self.yk, self.scale = x, y, w, xi, yk, scale
        self.inputs: dict[int, Complex] = {}
        self.outputs: dict[int, Complex] = {}

    def emit(self) -> None:
        lanes, builder = self.lanes, self.lanes.builder
        if self.spec.scaled:
            self.factor = lanes.broadcast(self.scale)
        values: list[Any] = []
        for op in codelet(self.spec.radix):
            if op.name == "load":
                values.append(self.input(op.a)[op.b])
                continue
            a, b = values[op.a], values[op.b]
            if op.name == "store":
                values.append(None)
                self.output(op.k, (a, b))
            elif op.name == "add":
                values.append(builder.fadd(a, b))
            elif op.name == "sub":
                values.append(builder.fsub(a, b))
            elif op.name == "mul":
                values.append(builder.fmul(lanes.constant(op.c), a))
            else:
                a = builder.fneg(a) if op.name == "fnma" else a
                b = builder.fneg(b) if op.name == "fms" else b
                values.append(lanes.fma(lanes.constant(op.c), a, b))

    def emit_turn(self) -> None:
        """A square of lanes, rotated by products of fine and coarse factors, and turned.

        The coarse ones are one for each row, or with lanes-grid one for each lane.
        """
        lanes, size = self.lanes, self.lanes.size
        by_lanes = self.spec.rotation == "lanes-grid"
        coarse = lanes.load_complex(self.scale, False) if by_lanes else None
        for row in range(self.spec.width):
            fine = lanes.load_complex(lanes.address(self.w, row * 2 * size), False)
            factor = lanes.times(fine, coarse or self.of_row(row))
            self.outputs[row] = lanes.times(self.load(self.at(self.x, row, self.xi)), factor)
        self.store_square(0)

    def of_row(self, row: int) -> Complex:
        """The coarse factor of a row of the square."""
        lanes, size = self.lanes, self.lanes.size // self.lanes.width
        place = lanes.address(self.scale, row * 2 * size)
        return lanes.broadcast(place), lanes.broadcast(lanes.address(place, size))

    # --- inputs ------------------------------------------------------------------------

    def input(self, i: int) -> Complex:
        if i not in self.inputs:
            if self.spec.turned == "in":
                self.load_square(i - i % self.spec.width)
            else:
                self.inputs[i] = self.arrived(i, self.load(self.at(self.x, i, self.xi)))
        return self.inputs[i]

    def at(self, base: Any, number: int, stride: Any) -> Any:
        builder = self.lanes.builder
        return builder.add(base, builder.mul(stride, WORD(number))) if number else base

    def load(self, address: Any) -> Complex:
        re, im = self.lanes.load_complex(address, self.spec.interleaved_in)
        if self.spec.prefetch:
            ahead = self.spec.prefetch * 2 * self.lanes.size
            for line in range(0, 2 * self.lanes.size, 64):
                self.lanes.prefetch(self.lanes.address(address, ahead + line))
        return (im, re) if self.spec.inverse and self.spec.interleaved_in else (re, im)

    def load_square(self, first: int) -> None:
        """Inputs ``first`` to ``first + width`` of as many rows as there are lanes."""
        lanes, width = self.lanes, self.spec.width
        begin = lanes.address(self.x, first * 2 * lanes.size // width)
        rows = [self.load(self.at(begin, row, self.xi)) for row in range(width)]
        res = lanes.transposed([re for re, _ in rows])
        ims = lanes.transposed([im for _, im in rows])
        for j, value in enumerate(zip(res, ims, strict=True)):
            self.inputs[first + j] = self.arrived(first + j, value)

    def arrived(self, i: int, value: Complex) -> Complex:
        return self.rotated(i, value) if self.spec.rotation.endswith("before") else value

    def rotated(self, number: int, value: Complex) -> Complex:
        """Multiplied by the factor of an input or output; that of number 0 is 1."""
        if number == 0:
            return value
        lanes, size = self.lanes, self.lanes.size
        if self.spec.rotation.startswith("lanes"):
            factor = lanes.load_complex(lanes.address(self.w, (number - 1) * 2 * size), False)
        else:
            size //= lanes.width
            place = lanes.address(self.w, (number - 1) * 2 * size)
            factor = lanes.broadcast(place), lanes.broadcast(lanes.address(place, size))
        return lanes.times(value, factor)

    # --- outputs -----------------------------------------------------------------------

    def output(self, k: int, value: Complex) -> None:
        if self.spec.rotation.endswith("after"):
            value = self.rotated(k, value)
        if self.spec.scaled:
            builder = self.lanes.builder
            value = builder.fmul(value[0], self.factor), builder.fmul(value[1], self.factor)
        if self.spec.turned == "out":
            self.outputs[k] = value
            first = k - k % self.spec.width
            if all(first + j in self.outputs for j in range(self.spec.width)):
                self.store_square(first)
        else:
            self.store(value, self.at(self.y, k, self.yk))

    def store(self, value: Complex, address: Any) -> None:
        if self.spec.inverse and self.spec.interleaved_out:
            value = value[1], value[0]
        self.lanes.store_complex(value, address, self.spec.interleaved_out, self.spec.streaming)

    def store_square(self, first: int) -> None:
        """Outputs ``first`` to ``first + width`` become a part of as many rows."""
        lanes, width = self.lanes, self.spec.width
        res = lanes.transposed([self.outputs[first + j][0] for j in range(width)])
        ims = lanes.transposed([self.outputs[first + j][1] for j in range(width)])
        begin = lanes.address(self.y, first * 2 * lanes.size // width)
        for row, value in enumerate(zip(res, ims, strict=True)):
            self.store(value, self.at(begin, row, self.yk))
