"""Kernels of the passes: a loop nest around one codelet, compiled once and cached on disk.

A ``Pass`` is data: the codelet, where the twiddle factors are applied, the memory layout of input
and output.  Its kernel is ``f(x, y, w, count_a, count_s, xa, xi, ya, yk, wa, scale)`` with
addresses and strides in bytes:

    for a < count_a, s < count_s:  codelet from x + a·xa + s·V + i·xi  to  y + a·ya + s·V + k·yk

where V is the size of a complex vector, i the index of an input, k that of an output, and the
twiddles lie at w + a·wa.  No kernel depends on the size of a transform, so a few of them serve all
plans of all sizes.

With ``transposed`` = "out" the results of a codelet's lanes are rows: yk is the stride of rows, and
each row gets the r results of one lane.  With "in" the inputs are rows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any

from llvmlite import ir

from montego.dft.codelet import codelet
from montego.dft.compiler import compiled
from montego.dft.vector import Complex, ComplexLanes
from montego.kernels.compiler.aligned import CACHE_LINE
from montego.kernels.compiler.first_use import once
from montego.kernels.compiler.vector import INT64, has_fma, loop

ARGUMENTS = 11
"""x, y, w, count_a, count_s, xa, xi, ya, yk, wa, scale: all int64."""


@dataclass(frozen=True)
class Pass:
    """What a kernel does; equal passes share one kernel."""

    radix: int
    width: int
    precision: str = "double"
    twiddle: str = "none"
    """none; before or after the codelet: one factor for all lanes; lanes-before or lanes-after: one
    for each lane; grid, lanes-grid: no codelet, but the transpose of a matrix (see
    ``emit_transpose``)."""
    interleaved_in: bool = False
    interleaved_out: bool = False
    transposed: str = "no"
    """no, in or out."""
    inverse: bool = False
    """Real and imaginary parts are swapped where memory is interleaved."""
    scaled: bool = False
    streaming: bool = False
    """Results are written by streaming stores, past the caches."""
    prefetch: int = 0
    """How many vectors ahead inputs are prefetched; 0 for none."""

    @property
    def name(self) -> str:
        """A file name; equal passes have equal names."""
        values = repr([getattr(self, field.name) for field in fields(self)])
        return f"dft{self.radix}x{self.width}-{hashlib.sha256(values.encode()).hexdigest()[:16]}"


@once
def address_of(spec: Pass) -> int:
    """The address of a pass's kernel; compiles it if it is not in the cache."""
    return compiled(spec.name, lambda: kernel_ir(spec))


def kernel_ir(spec: Pass) -> str:
    """The kernel of a pass in LLVM IR."""
    module = ir.Module(spec.name)
    kind = ir.FunctionType(ir.VoidType(), [INT64] * ARGUMENTS)
    function = ir.Function(module, kind, spec.name)
    x, y, w, count_a, count_s, xa, xi, ya, yk, wa, scale = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    lanes = ComplexLanes(builder, spec.precision, spec.width, has_fma())
    step = INT64(2 * lanes.size)
    if spec.twiddle.endswith("grid"):
        tile = INT64(2 * lanes.size * spec.width)
        if spec.twiddle == "grid":  # along rows, which become columns
            x_step, y_step = step, builder.mul(yk, INT64(spec.width))
        else:  # down columns, which become rows
            x_step, y_step = builder.mul(xi, INT64(spec.width)), step
        with loop(builder, count_a, (x, xa), (y, ya), (scale, wa)) as (x, y, scale):  # noqa: SIM117
            with loop(builder, count_s, (x, x_step), (y, y_step), (w, tile)) as (x, y, w):
                Body(spec, lanes, x, y, w, xi, yk, scale).emit_transpose()
    else:
        with loop(builder, count_a, (x, xa), (y, ya), (w, wa)) as (x, y, w):  # noqa: SIM117
            with loop(builder, count_s, (x, step), (y, step)) as (x, y):
                Body(spec, lanes, x, y, w, xi, yk, scale).emit()
    builder.ret_void()
    return str(module)


class Body:
    """Emits one execution of a codelet on vectors."""

    def __init__(
        self, spec: Pass, lanes: ComplexLanes, x: Any, y: Any, w: Any, xi: Any, yk: Any, scale: Any
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

    def emit_transpose(self) -> None:
        """Transpose one tile and multiply it by twiddles, which are products fine · coarse.

        There is one coarse factor for each row, or with lanes-grid one for each lane.
        """
        lanes, size = self.lanes, self.lanes.size
        by_lanes = self.spec.twiddle == "lanes-grid"
        coarse = lanes.load_complex(self.scale, False) if by_lanes else None
        for row in range(self.spec.width):
            fine = lanes.load_complex(lanes.address(self.w, row * 2 * size), False)
            factor = lanes.times(fine, coarse or self.row_factor(row))
            self.outputs[row] = lanes.times(self.load(self.at(self.x, row, self.xi)), factor)
        self.store_tile(0)

    def row_factor(self, row: int) -> Complex:
        """The coarse factor of a row of the tile."""
        lanes, size = self.lanes, self.lanes.size // self.lanes.width
        address = lanes.address(self.scale, row * 2 * size)
        return lanes.broadcast(address), lanes.broadcast(lanes.address(address, size))

    # --- inputs ------------------------------------------------------------------------

    def input(self, i: int) -> Complex:
        if i not in self.inputs:
            if self.spec.transposed == "in":
                self.load_tile(i - i % self.spec.width)
            else:
                self.inputs[i] = self.twiddled_input(i, self.load(self.at(self.x, i, self.xi)))
        return self.inputs[i]

    def at(self, base: Any, index: int, stride: Any) -> Any:
        builder = self.lanes.builder
        return builder.add(base, builder.mul(stride, INT64(index))) if index else base

    def load(self, address: Any) -> Complex:
        re, im = self.lanes.load_complex(address, self.spec.interleaved_in)
        if self.spec.prefetch:
            ahead = self.spec.prefetch * 2 * self.lanes.size
            for line in range(0, 2 * self.lanes.size, CACHE_LINE):
                self.lanes.prefetch(self.lanes.address(address, ahead + line))
        return (im, re) if self.spec.inverse and self.spec.interleaved_in else (re, im)

    def load_tile(self, first: int) -> None:
        """Inputs ``first`` to ``first + width`` of as many rows as there are lanes."""
        lanes, width = self.lanes, self.spec.width
        begin = lanes.address(self.x, first * 2 * lanes.size // width)
        rows = [self.load(self.at(begin, row, self.xi)) for row in range(width)]
        res = lanes.transposed([re for re, _ in rows])
        ims = lanes.transposed([im for _, im in rows])
        for j, value in enumerate(zip(res, ims, strict=True)):
            self.inputs[first + j] = self.twiddled_input(first + j, value)

    def twiddled_input(self, i: int, value: Complex) -> Complex:
        return self.twiddled(i, value) if self.spec.twiddle.endswith("before") else value

    def twiddled(self, index: int, value: Complex) -> Complex:
        """Times the twiddle of an input or output; that of index 0 is 1."""
        if index == 0:
            return value
        lanes, size = self.lanes, self.lanes.size
        if self.spec.twiddle.startswith("lanes"):
            factor = lanes.load_complex(lanes.address(self.w, (index - 1) * 2 * size), False)
        else:
            size //= lanes.width
            address = lanes.address(self.w, (index - 1) * 2 * size)
            factor = lanes.broadcast(address), lanes.broadcast(lanes.address(address, size))
        return lanes.times(value, factor)

    # --- outputs -----------------------------------------------------------------------

    def output(self, k: int, value: Complex) -> None:
        if self.spec.twiddle.endswith("after"):
            value = self.twiddled(k, value)
        if self.spec.scaled:
            builder = self.lanes.builder
            value = builder.fmul(value[0], self.factor), builder.fmul(value[1], self.factor)
        if self.spec.transposed == "out":
            self.outputs[k] = value
            first = k - k % self.spec.width
            if all(first + j in self.outputs for j in range(self.spec.width)):
                self.store_tile(first)
        else:
            self.store(value, self.at(self.y, k, self.yk))

    def store(self, value: Complex, address: Any) -> None:
        if self.spec.inverse and self.spec.interleaved_out:
            value = value[1], value[0]
        self.lanes.store_complex(value, address, self.spec.interleaved_out, self.spec.streaming)

    def store_tile(self, first: int) -> None:
        """Outputs ``first`` to ``first + width`` go to as many rows, transposed."""
        lanes, width = self.lanes, self.spec.width
        res = lanes.transposed([self.outputs[first + j][0] for j in range(width)])
        ims = lanes.transposed([self.outputs[first + j][1] for j in range(width)])
        begin = lanes.address(self.y, first * 2 * lanes.size // width)
        for row, value in enumerate(zip(res, ims, strict=True)):
            self.store(value, self.at(begin, row, self.yk))
