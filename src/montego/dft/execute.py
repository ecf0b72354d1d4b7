"""Executing a program: a loop over the words that program.py writes, compiled by Numba.

words: stages, addresses of the memories, then for each stage: blocks, steps, and for each
step: kernel, source, target, offsets (4), offsets by block (4), counts and strides (7)
"""

from __future__ import annotations

from montego.dft.program import HEAD_WORDS, STEP_WORDS
from montego.kernels.compiler.jit import entry, intrinsic, leaf


@intrinsic
def peek(typingctx, address, index):
    """The word at an address, counted in words."""
    from llvmlite import ir
    from numba.core import types

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def call_pass(typingctx, kernel, x, y, w, A, S, xa, xi, ya, yk, wa, scale):
    """Call the kernel at an address."""
    from llvmlite import ir
    from numba.core import types

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [word] * 11)
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 12), generate


@leaf
def at(words, memory, x, y):
    """The address of a memory."""
    return x if memory == 0 else y if memory == 1 else peek(words, 1 + memory)


@leaf
def do_blocks(words, stage, x, y, first, last):
    """Blocks ``first`` to ``last`` of the stage at a place in the words."""
    steps = peek(stage, 1)
    for block in range(first, last):
        p = stage + 16
        for _ in range(steps):
            call_pass(
                peek(p, 0),
                at(words, peek(p, 1), x, y) + peek(p, 3) + block * peek(p, 7),
                at(words, peek(p, 2), x, y) + peek(p, 4) + block * peek(p, 8),
                peek(p, 5) + block * peek(p, 9),
                peek(p, 11), peek(p, 12), peek(p, 13), peek(p, 14), peek(p, 15), peek(p, 16),
                peek(p, 17), peek(p, 6) + block * peek(p, 10),
            )  # fmt: skip
            p += 8 * STEP_WORDS


@entry
def execute(words, x, y, count, x_step, y_step):
    """Transform ``count`` vectors at the address x, so many bytes apart, to y."""
    for _ in range(count):
        stage = words + 8 * HEAD_WORDS
        for _ in range(peek(words, 0)):
            do_blocks(words, stage, x, y, 0, peek(stage, 0))
            stage += 8 * (2 + STEP_WORDS * peek(stage, 1))
        x += x_step
        y += y_step


@entry
def execute_part(words, x, y, number, first, last):
    """A part of the blocks of one stage, for one of several threads."""
    stage = words + 8 * HEAD_WORDS
    for _ in range(number):
        stage += 8 * (2 + STEP_WORDS * peek(stage, 1))
    do_blocks(words, stage, x, y, first, last)
