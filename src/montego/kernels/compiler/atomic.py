"""Atomic operations on integers of a record, for trees that several threads share (T21).

A plain ``+=`` loses half of its updates under two threads; a locked instruction loses none
and costs some 20 cycles, so it is used where the count decides, not for every statistic.
"""

from __future__ import annotations

import sys

from montego.kernels.compiler.jit import intrinsic


def _field_pointer(context, builder, record_type, record, name):
    """The address of an integer field inside a record."""
    from numba.core import cgutils, types

    offset = context.get_constant(types.intp, record_type.offset(name))
    integer = context.get_value_type(record_type.typeof(name))
    return cgutils.pointer_add(builder, record, offset, integer.as_pointer())


@intrinsic
def atomic_add(typingctx, record, name, amount):
    """``record.name += amount`` without losing updates; returns the value before."""
    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        added = context.cast(builder, arguments[2], signature.args[2], field)
        return builder.atomic_rmw("add", pointer, added, "monotonic")

    return field(record, name, amount), generate


@intrinsic
def atomic_claim(typingctx, record, name):
    """Set an integer field from 0 to 1; whether it was this caller who did it."""
    from numba.core import types

    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        integer = context.get_value_type(field)
        swapped = builder.cmpxchg(pointer, integer(0), integer(1), "acq_rel", "acquire")
        return builder.extract_value(swapped, 1)

    return types.boolean(record, name), generate


@intrinsic
def atomic_read(typingctx, record, name):
    """An integer field as it is now, whoever writes it."""
    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        return builder.load_atomic(pointer, "acquire", field.bitwidth // 8)

    return field(record, name), generate


@intrinsic
def atomic_release(typingctx, record, name):
    """Set an integer field to 0, after everything that was written before."""
    from numba.core import types

    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        zero = context.get_value_type(field)(0)
        builder.store_atomic(zero, pointer, "release", field.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(record, name), generate


@intrinsic
def give_way(typingctx):
    """Let another thread have the processor, if one wants it."""
    from llvmlite import ir
    from numba.core import cgutils, types

    def generate(context, builder, signature, arguments):
        if sys.platform != "win32":  # where there is no such function
            kind = ir.FunctionType(ir.IntType(32), [])
            function = cgutils.get_or_insert_function(builder.module, kind, "sched_yield")
            builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate
