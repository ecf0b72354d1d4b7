"""Atomic addition on integers of a record, for trees that several threads share.

A plain ``+=`` loses half of its updates under two threads; a locked instruction loses none
and costs some 20 cycles, so it is used where the count decides, not for every statistic.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _field_pointer(context, builder, record_type, record, name):
    """The address of an integer field inside a record."""
    offset = context.get_constant(types.intp, record_type.offset(name))
    integer = context.get_value_type(record_type.typeof(name))
    return cgutils.pointer_add(builder, record, offset, integer.as_pointer())


@intrinsic(prefer_literal=True)
def atomic_add(typingctx, record, name, amount):
    """``record.name += amount`` without losing updates; returns the value before."""
    if not isinstance(name, types.StringLiteral):
        return None
    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        added = context.cast(builder, arguments[2], signature.args[2], field)
        return builder.atomic_rmw("add", pointer, added, "monotonic")

    return field(record, name, amount), generate


@intrinsic(prefer_literal=True)
def atomic_claim(typingctx, record, name):
    """Set an integer field from 0 to 1; whether it was this caller who did it."""
    if not isinstance(name, types.StringLiteral):
        return None
    field = record.typeof(name.literal_value)

    def generate(context, builder, signature, arguments):
        pointer = _field_pointer(context, builder, record, arguments[0], name.literal_value)
        zero, one = (ir.Constant(context.get_value_type(field), n) for n in (0, 1))
        swapped = builder.cmpxchg(pointer, zero, one, "acq_rel", "acquire")
        return builder.extract_value(swapped, 1)

    return types.boolean(record, name), generate
