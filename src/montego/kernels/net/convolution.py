"""The inner loops of a convolution, in LLVM IR: tiles are transformed into their parts, parts are
multiplied by weights, and the products are transformed back into tiles (winograd).

A *run* is a few tiles, for one part and one group of output channels.  Its sums stay in registers
over all input channels: an input is a number in every lane, the weights of sixteen output channels
are a vector.

Vectors have sixteen lanes on every processor; LLVM splits them where registers are narrower.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from montego.kernels.compiler.jit import intrinsic
from montego.kernels.compiler.vector import INT64, Lanes, has_fma, loop
from montego.kernels.net.layout import (
    FLOAT,
    GROUP,
    LANES,
    LARGEST,
    LINE,
    REGISTERS,
    ROW,
    RUN,
    SMALLEST,
    tiles_for,
)
from montego.kernels.net.winograd import TILES, Tile, both_sides

VECTOR = LANES * FLOAT
"""Bytes."""


def lanes_of(builder: Any) -> Lanes:
    """Vectors of sixteen float32."""
    return Lanes(builder, "single", LANES, has_fma())


def relu(lanes: Lanes, value: Any) -> Any:
    zero = lanes.constant(0.0)
    return lanes.builder.select(lanes.builder.fcmp_ordered(">", value, zero), value, zero)


# --- tiles and parts -------------------------------------------------------------------


def transform_of(tile: Tile) -> Any:
    """The code that transforms what a tile sees into its parts."""

    @intrinsic
    def transform_tile(typingctx, source, target, step):
        """The parts of a tile, for sixteen channels: what it sees begins at ``source``, its parts
        go to ``target`` and every ``step`` bytes from there on."""
        from numba.core import types

        def generate(context, builder, signature, arguments):
            lanes, (source, target, step) = lanes_of(builder), arguments
            seen = [
                [lanes.load(lanes.address(source, (i * ROW + j) * LINE)) for j in range(tile.seen)]
                for i in range(tile.seen)
            ]
            for row in both_sides(lanes, tile.B, seen):
                for part in row:
                    lanes.store(part, target)
                    target = builder.add(target, step)
            return context.get_dummy_value()

        return types.none(*[types.int64] * 3), generate

    return transform_tile


def inverse_of(tile: Tile) -> Any:
    """The code that transforms products back into a tile."""

    @intrinsic
    def invert_tile(typingctx, source, step, bias, skip, target, rows, columns):
        """A tile from its products, for sixteen channels: plus bias, plus what skips the layer (0
        for nothing), ReLU; only so many of its rows and columns are on the board, the rest is
        zero."""
        from numba.core import types

        def generate(context, builder, signature, arguments):
            lanes, (source, step, bias, skip, target, rows, columns) = lanes_of(builder), arguments
            parts = [lanes.address(source, builder.mul(step, INT64(i))) for i in range(tile.parts)]
            loaded = [lanes.load(part) for part in parts]
            products = [loaded[i : i + tile.seen] for i in range(0, tile.parts, tile.seen)]
            inverse, bias = both_sides(lanes, tile.A, products), lanes.load(bias)
            sums = [[builder.fadd(one, bias) for one in row] for row in inverse]
            on_board = [
                [builder.icmp_signed(">", count, INT64(i)) for i in range(tile.side)]
                for count in (rows, columns)
            ]
            with builder.if_else(builder.icmp_signed("!=", skip, INT64(0))) as (then, otherwise):
                with then:
                    write_tile(lanes, target, skip, sums, *on_board)
                with otherwise:
                    write_tile(lanes, target, None, sums, *on_board)
            return context.get_dummy_value()

        return types.none(*[types.int64] * 7), generate

    return invert_tile


def write_tile(
    lanes: Lanes, target: Any, skip: Any, sums: Any, is_row: list[Any], is_column: list[Any]
) -> None:
    """Write what is on the board of a tile, and zeros round it."""
    builder = lanes.builder
    for i, row in enumerate(sums):
        for j, one in enumerate(row):
            place = (i * ROW + j) * LINE
            if skip is not None:
                one = builder.fadd(one, lanes.load(lanes.address(skip, place)))
            is_there = builder.and_(is_row[i], is_column[j])
            seen = builder.select(is_there, relu(lanes, one), lanes.constant(0.0))
            lanes.store(seen, lanes.address(target, place))


transform_small_tile, transform_large_tile = (transform_of(tile) for tile in TILES)
invert_small_tile, invert_large_tile = (inverse_of(tile) for tile in TILES)


# --- products --------------------------------------------------------------------------


class Run:
    """Emits the function of a run of so many tiles; its arguments are those of ``multiply_run``
    but the last."""

    def __init__(self, function: Any, count: int) -> None:
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.lanes, self.count = lanes_of(self.builder), count
        self.source, self.weights, self.target, self.inputs, self.step = function.args
        self.sums = [
            [self.builder.alloca(self.lanes.type()) for _ in range(REGISTERS.vectors)]
            for _ in range(count)
        ]

    def emit(self) -> None:
        for sums in self.sums:
            for at in sums:
                self.builder.store(self.lanes.constant(0.0), at)
        self.add_blocks()
        for place, sums in enumerate(self.sums):
            for v, at in enumerate(sums):
                first = self.lanes.address(self.target, self.builder.mul(self.step, INT64(v)))
                total = self.builder.load(at)
                self.lanes.store(total, self.lanes.address(first, place * LINE))
        self.builder.ret_void()

    def add_blocks(self) -> None:
        """The loops over blocks of input channels, and the channels of one."""
        builder, row = self.builder, GROUP * FLOAT
        blocks = builder.sdiv(builder.add(self.inputs, INT64(LANES - 1)), INT64(LANES))
        running = (
            (self.source, self.step), (self.weights, INT64(LANES * row)),
            (self.inputs, INT64(-LANES)),
        )  # fmt: skip
        with loop(builder, blocks, *running) as (x, w, left):
            is_whole = builder.icmp_signed(">", left, INT64(LANES))
            channels = builder.select(is_whole, INT64(LANES), left)
            with loop(builder, channels, (x, INT64(FLOAT)), (w, INT64(row))) as (x, w):
                self.add_channel(x, w)

    def add_channel(self, x: Any, w: Any) -> None:
        """Add the products of one input channel."""
        lanes = self.lanes
        weights = [lanes.load(lanes.address(w, v * VECTOR)) for v in range(REGISTERS.vectors)]
        for place, sums in enumerate(self.sums):
            value = lanes.broadcast(lanes.address(x, place * LINE))
            for weight, at in zip(weights, sums, strict=True):
                self.builder.store(lanes.fma(value, weight, self.builder.load(at)), at)


def run_function(module: Any, count: int) -> Any:
    """The function of a run of so many tiles, once in a module."""
    name = f"multiply_run_of_{count}"
    if name not in module.globals:
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [INT64] * 5), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        Run(function, count).emit()
    return module.globals[name]


def lengths_of_runs() -> list[int]:
    """How many tiles the runs of any board have: its tiles are split as equally as can be."""
    boards = {tiles_for(size) for size in range(SMALLEST, LARGEST + 1)}
    parts = {tiles: -(-tiles // RUN) for tiles in boards}
    return sorted({(tiles + i) // n for tiles, n in parts.items() for i in range(n)})


@intrinsic
def multiply_run(typingctx, source, weights, target, inputs, step, count):
    """Multiply one part of ``count`` tiles by the weights of a group of output channels.

    ``source`` and ``target`` are the addresses of the first tile in the first block of channels;
    the next block is ``step`` bytes on, in both.
    """
    from numba.core import types

    def generate(context, builder, signature, arguments):
        after = builder.append_basic_block("after")
        cases = builder.switch(arguments[5], after)
        for length in lengths_of_runs():
            block = builder.append_basic_block(f"run_of_{length}")
            cases.add_case(INT64(length), block)
            builder.position_at_end(block)
            builder.call(run_function(builder.module, length), arguments[:5])
            builder.branch(after)
        builder.position_at_end(after)
        return context.get_dummy_value()

    return types.none(*[types.int64] * 6), generate
