"""Executing a program: an interpreter loop over the encoded steps, compiled by Numba.

Encoding (see program.py): the number of stages, the addresses of the buffers, then for each stage
its blocks and steps, and for each step: kernel, source, target, offsets (4), offsets by block (4),
counts and strides (7).
"""

from __future__ import annotations

from montego.dft.program import HEADER_LENGTH, STEP_LENGTH
from montego.kernels.compiler.jit import entry, intrinsic, leaf


@intrinsic
def load(typingctx, address, index):
    """The int64 at an address and an index."""
    from llvmlite import ir
    from numba.core import types

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def call_kernel(typingctx, kernel, x, y, w, count_a, count_s, xa, xi, ya, yk, wa, scale):
    """Call the kernel at an address."""
    from llvmlite import ir
    from numba.core import types

    def generate(context, builder, signature, arguments):
        int64 = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [int64] * 11)
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 12), generate


@leaf
def address_of(program, buffer, x, y):
    """The address of a buffer."""
    return x if buffer == 0 else y if buffer == 1 else load(program, 1 + buffer)


@leaf
def execute_blocks(program, stage, x, y, first, last):
    """Blocks ``first`` to ``last`` of the stage at an address."""
    steps = load(stage, 1)
    for block in range(first, last):
        p = stage + 16
        for _ in range(steps):
            call_kernel(
                load(p, 0),
                address_of(program, load(p, 1), x, y) + load(p, 3) + block * load(p, 7),
                address_of(program, load(p, 2), x, y) + load(p, 4) + block * load(p, 8),
                load(p, 5) + block * load(p, 9),
                load(p, 11), load(p, 12), load(p, 13), load(p, 14), load(p, 15), load(p, 16),
                load(p, 17), load(p, 6) + block * load(p, 10),
            )  # fmt: skip
            p += 8 * STEP_LENGTH


@entry
def execute(program, x, y, count, x_stride, y_stride):
    """Transform a batch of ``count`` vectors from address x to y; strides in bytes."""
    for _ in range(count):
        stage = program + 8 * HEADER_LENGTH
        for _ in range(load(program, 0)):
            execute_blocks(program, stage, x, y, 0, load(stage, 0))
            stage += 8 * (2 + STEP_LENGTH * load(stage, 1))
        x += x_stride
        y += y_stride


@entry
def execute_part(program, x, y, number, first, last):
    """Blocks ``first`` to ``last`` of one stage, for one of several threads."""
    stage = program + 8 * HEADER_LENGTH
    for _ in range(number):
        stage += 8 * (2 + STEP_LENGTH * load(stage, 1))
    execute_blocks(program, stage, x, y, first, last)
