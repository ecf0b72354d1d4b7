"""Sums over channels and points, in LLVM IR: what makes logits and a value of the last layer."""

from __future__ import annotations

from montego.kernels.compiler.jit import intrinsic
from montego.kernels.compiler.vector import INT64, Lanes, has_fma, loop
from montego.kernels.net.convolution import VECTOR, lanes_of, relu
from montego.kernels.net.layout import FLOAT, LANES, LINE, PLANE, ROW


@intrinsic
def sum_of_products(typingctx, source, weights, inputs):
    """The sum over the channels of one point, times weights; both are addresses."""
    from numba.core import cgutils, types

    def generate(context, builder, signature, arguments):
        source, weights, inputs = arguments
        lanes = lanes_of(builder)
        total = cgutils.alloca_once(builder, lanes.type())
        builder.store(lanes.constant(0.0), total)
        blocks = builder.sdiv(builder.add(inputs, INT64(LANES - 1)), INT64(LANES))
        with loop(builder, blocks, (source, INT64(PLANE)), (weights, INT64(VECTOR))) as (x, w):
            builder.store(lanes.fma(lanes.load(x), lanes.load(w), builder.load(total)), total)
        return lanes.sum(builder.load(total))

    return types.float32(*[types.int64] * 3), generate


@intrinsic
def sum_of_channels(typingctx, source, weights, target, inputs, size):
    """Sixteen channels of a 1×1 convolution, ReLU, summed over the board; all are addresses.

    At ``weights`` are the biases, and for each input the weights of the sixteen.
    """
    from numba.core import cgutils, types

    def generate(context, builder, signature, arguments):
        source, weights, target, inputs, size = arguments
        lanes = lanes_of(builder)
        total, here = (cgutils.alloca_once(builder, lanes.type()) for _ in range(2))
        builder.store(lanes.constant(0.0), total)
        blocks = builder.sdiv(inputs, INT64(LANES))
        begin = lanes.address(source, (ROW + 1) * LINE)
        with loop(builder, size, (begin, INT64(ROW * LINE))) as (row,):  # noqa: SIM117
            with loop(builder, size, (row, INT64(LINE))) as (point,):
                builder.store(lanes.load(weights), here)
                inner = lanes.address(weights, VECTOR), INT64(LANES * VECTOR)
                with loop(builder, blocks, (point, INT64(PLANE)), inner) as (x, w):
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
        lanes = lanes_of(builder)
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
