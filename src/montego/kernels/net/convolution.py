"""The inner loop of a convolution, in LLVM IR.

A *run* is a few points next to each other in a row, for one group of output channels.  Its sums
stay in registers over all taps and input channels: an input is a number in every lane, the weights
of sixteen output channels are a vector.  Three taps of a row that are done together share their
inputs: for m points, m + 2 inputs and 3 vectors of weights make 3·m products (see layout: Tile).

Rows of the kernel that lie outside of the board are left out.  Vectors have sixteen lanes on every
processor; LLVM splits them where registers are narrower.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from montego.kernels.compiler.jit import intrinsic
from montego.kernels.compiler.vector import INT64, Lanes, has_fma, loop
from montego.kernels.net.layout import FLOAT, LANES, LARGEST, LINE, POINTS, SMALLEST, TILE, Tile

VECTOR = LANES * FLOAT
"""Bytes."""


class Run:
    """Emits the function of a run of so many points.

    Its arguments are those of ``convolve_run`` but the last.
    """

    def __init__(self, function: Any, count: int, tile: Tile) -> None:
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.lanes = Lanes(self.builder, "single", LANES, has_fma())
        self.count, self.tile = count, tile
        self.source, self.weights, self.skip, self.target = function.args[:4]
        self.inputs, self.size, self.row, self.first = function.args[4:]
        self.sums = [
            [self.builder.alloca(self.lanes.type()) for _ in range(tile.vectors)]
            for _ in range(count)
        ]

    def emit(self) -> None:
        builder = self.builder
        self.line = builder.mul(builder.add(self.size, INT64(1)), INT64(LINE))
        self.plane = builder.add(builder.mul(self.size, self.line), INT64(LINE))
        steps = builder.mul(self.first, INT64(LINE))
        self.point = builder.add(builder.mul(self.row, self.line), steps)
        self.begin()
        self.add_blocks()
        self.finish()
        builder.ret_void()

    def begin(self) -> None:
        """Sums begin with the biases."""
        for v in range(self.tile.vectors):
            bias = self.lanes.load(self.lanes.address(self.weights, v * VECTOR))
            for point in range(self.count):
                self.builder.store(bias, self.sums[point][v])

    def add_blocks(self) -> None:
        """The loops over blocks of input channels, rows of the kernel, parts of them, channels."""
        builder, group = self.builder, self.tile.vectors * VECTOR
        is_top = builder.zext(builder.icmp_signed("==", self.row, INT64(0)), INT64)
        last = builder.sub(self.size, INT64(1))
        is_bottom = builder.zext(builder.icmp_signed("==", self.row, last), INT64)
        rows = builder.sub(builder.sub(INT64(3), is_top), is_bottom)
        above = builder.mul(builder.sub(is_top, INT64(1)), self.line)
        x = self.lanes.address(self.source, self.point, above)  # left of the run, the row above
        w = self.lanes.address(self.weights, group)
        blocks = builder.sdiv(builder.add(self.inputs, INT64(LANES - 1)), INT64(LANES))
        whole = INT64(9 * LANES * group)
        running = (x, self.plane), (w, whole), (self.inputs, INT64(-LANES))
        with loop(builder, blocks, *running) as (x, w, left):
            is_whole = builder.icmp_signed(">", left, INT64(LANES))
            channels = builder.select(is_whole, INT64(LANES), left)
            w_part = builder.mul(channels, INT64(self.tile.taps * group))
            w_row = builder.mul(w_part, INT64(3 // self.tile.taps))
            w = builder.add(w, builder.mul(is_top, w_row))
            with loop(builder, rows, (x, self.line), (w, w_row)) as (x, w):
                self.add_row(x, w, w_part, channels)

    def add_row(self, x: Any, w: Any, w_part: Any, channels: Any) -> None:
        builder, taps = self.builder, self.tile.taps
        w_channel = INT64(taps * self.tile.vectors * VECTOR)
        parts = INT64(3 // taps)
        with loop(builder, parts, (x, INT64(taps * LINE)), (w, w_part)) as (x, w):  # noqa: SIM117
            with loop(builder, channels, (x, INT64(FLOAT)), (w, w_channel)) as (x, w):
                self.add_channel(x, w)

    def add_channel(self, x: Any, w: Any) -> None:
        """Add the products of one input channel with the taps that are done together."""
        lanes, vectors, taps = self.lanes, self.tile.vectors, self.tile.taps
        weights = [
            [lanes.load(lanes.address(w, (tap * vectors + v) * VECTOR)) for v in range(vectors)]
            for tap in range(taps)
        ]
        for place in range(self.count + taps - 1):
            value = lanes.broadcast(lanes.address(x, place * LINE))
            for tap in range(taps):
                if 0 <= place - tap < self.count:
                    for v, at in enumerate(self.sums[place - tap]):
                        total = lanes.fma(value, weights[tap][v], self.builder.load(at))
                        self.builder.store(total, at)

    def finish(self) -> None:
        """Add what skips the block, if anything does; ReLU."""
        has_skip = self.builder.icmp_signed("!=", self.skip, INT64(0))
        with self.builder.if_else(has_skip) as (then, otherwise):
            with then:
                self.write(with_skip=True)
            with otherwise:
                self.write(with_skip=False)

    def write(self, with_skip: bool) -> None:
        builder, lanes = self.builder, self.lanes
        for v in range(self.tile.vectors):
            offset = builder.add(self.point, builder.mul(self.plane, INT64(v)))
            for point in range(self.count):
                place = (1 + point) * LINE
                total = builder.load(self.sums[point][v])
                if with_skip:
                    skipped = lanes.load(lanes.address(self.skip, offset, place))
                    total = builder.fadd(total, skipped)
                lanes.store(relu(lanes, total), lanes.address(self.target, offset, place))


def relu(lanes: Lanes, value: Any) -> Any:
    zero = lanes.constant(0.0)
    return lanes.builder.select(lanes.builder.fcmp_ordered(">", value, zero), value, zero)


def run_function(module: Any, count: int) -> Any:
    """The function of a run of so many points, once in a module."""
    name = f"convolve_run_of_{count}"
    if name not in module.globals:
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [INT64] * 8), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        Run(function, count, TILE).emit()
    return module.globals[name]


def lengths_of_runs() -> list[int]:
    """How many points the runs of any board have: rows are split into parts as equal as can be."""
    parts = {size: -(-size // POINTS) for size in range(SMALLEST, LARGEST + 1)}
    return sorted({(size + i) // n for size, n in parts.items() for i in range(n)})


@intrinsic
def convolve_run(typingctx, source, weights, skip, target, inputs, size, row, first, count):
    """Convolve ``count`` points of a row from column ``first`` on, for a group of channels.

    ``source`` is the address of the planes of all input channels, ``weights`` that of the group,
    ``skip`` (0 for none) and ``target`` are those of the group's planes.
    """
    from numba.core import types

    def generate(context, builder, signature, arguments):
        after = builder.append_basic_block("after")
        cases = builder.switch(arguments[8], after)
        for length in lengths_of_runs():
            block = builder.append_basic_block(f"run_of_{length}")
            cases.add_case(INT64(length), block)
            builder.position_at_end(block)
            builder.call(run_function(builder.module, length), arguments[:8])
            builder.branch(after)
        builder.position_at_end(after)
        return context.get_dummy_value()

    return types.none(*[types.int64] * 9), generate


@intrinsic
def sum_of_products(typingctx, source, weights, inputs, size):
    """The sum over the channels of one point, times weights; both are addresses."""
    from numba.core import cgutils, types

    def generate(context, builder, signature, arguments):
        source, weights, inputs, size = arguments
        lanes = Lanes(builder, "single", LANES, has_fma())
        total = cgutils.alloca_once(builder, lanes.type())
        builder.store(lanes.constant(0.0), total)
        points = builder.add(builder.mul(size, builder.add(size, INT64(1))), INT64(1))
        plane = builder.mul(points, INT64(LINE))
        blocks = builder.sdiv(builder.add(inputs, INT64(LANES - 1)), INT64(LANES))
        with loop(builder, blocks, (source, plane), (weights, INT64(VECTOR))) as (x, w):
            builder.store(lanes.fma(lanes.load(x), lanes.load(w), builder.load(total)), total)
        return lanes.sum(builder.load(total))

    return types.float32(*[types.int64] * 4), generate


@intrinsic
def sum_of_channels(typingctx, source, weights, target, inputs, size):
    """Sixteen channels of a 1×1 convolution, ReLU, summed over the board; all are addresses.

    At ``weights`` are the biases, and for each input the weights of the sixteen.
    """
    from numba.core import cgutils, types

    def generate(context, builder, signature, arguments):
        source, weights, target, inputs, size = arguments
        lanes = Lanes(builder, "single", LANES, has_fma())
        total, here = (cgutils.alloca_once(builder, lanes.type()) for _ in range(2))
        builder.store(lanes.constant(0.0), total)
        line = builder.mul(builder.add(size, INT64(1)), INT64(LINE))
        plane = builder.add(builder.mul(size, line), INT64(LINE))
        blocks = builder.sdiv(inputs, INT64(LANES))
        begin = lanes.address(source, LINE)
        with loop(builder, size, (begin, line)) as (row,):  # noqa: SIM117
            with loop(builder, size, (row, INT64(LINE))) as (point,):
                builder.store(lanes.load(weights), here)
                running = (point, plane), (lanes.address(weights, VECTOR), INT64(LANES * VECTOR))
                with loop(builder, blocks, *running) as (x, w):
                    for lane in range(LANES):
                        value = lanes.broadcast(lanes.address(x, lane * FLOAT))
                        weight = lanes.load(lanes.address(w, lane * VECTOR))
                        builder.store(lanes.fma(value, weight, builder.load(here)), here)
                seen = relu(lanes, builder.load(here))
                builder.store(builder.fadd(builder.load(total), seen), total)
        lanes.store(builder.load(total), target)
        return context.get_dummy_value()

    return types.none(*[types.int64] * 5), generate


@intrinsic
def clear_line(typingctx, address):
    """Write zeros for all channels of one point of a plane."""
    from numba.core import types

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, "single", LANES, has_fma())
        lanes.store(lanes.constant(0.0), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64), generate


@intrinsic
def number_at(typingctx, address):
    """The float32 at an address."""
    from numba.core import types

    def generate(context, builder, signature, arguments):
        return Lanes(builder, "single", 1, has_fma()).load(arguments[0])

    return types.float32(types.int64), generate
