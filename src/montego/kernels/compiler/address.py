"""Calling compiled code by its address.

Numba optimises a function again inside every function that calls it, and whatever is
passed as a function is compiled again in every process.  Code that is large (the playouts,
knowledge, the reader of ladders, the judge of self-ataris) or the user's own (heuristics, rules) is
therefore compiled once, and its callers get an address: a field of a record, not something to
compile.
"""

from __future__ import annotations

from montego.kernels.compiler.jit import intrinsic


def _call(builder, address, result, arguments):
    """Call the C function at an address; what is not a word is a pointer to a record."""
    from llvmlite import ir

    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    plain = [a if a.type == word else builder.bitcast(a, pointer) for a in arguments]
    native = ir.FunctionType(result, [a.type for a in plain])
    return builder.call(builder.inttoptr(address, native.as_pointer()), plain)


def _call_entry(context, builder, signature, arguments):
    """Call an entry that returns a number.

    An entry writes its result to where its first argument points.  The second is for
    exceptions, which ours do not raise; a user's may, and then the result is 0.  An array is as
    many arguments as it has parts.
    """
    from numba.core import cgutils, types

    number, status = (context.get_value_type(t) for t in (signature.return_type, types.int32))
    result = cgutils.alloca_once(builder, number)
    builder.store(context.get_constant(signature.return_type, 0), result)
    exception = cgutils.alloca_once(builder, cgutils.voidptr_t)
    parts = context.get_arg_packer(signature.args[1:]).as_arguments(builder, arguments[1:])
    _call(builder, arguments[0], status, [result, exception, *parts])
    return builder.load(result)


@intrinsic
def call_playout(typingctx, address, B, P, T, W, only_choose):
    """Call the entry ``f(B, P, T, W, only_choose)`` at an address."""
    from numba.core import types

    return types.int64(types.int64, B, P, T, W, types.int64), _call_entry


@intrinsic
def call_reader(typingctx, address, B, X, point, stone, most):
    """Call the entry ``f(B, R, point, stone, most)`` at an address."""
    from numba.core import types

    return types.int64(types.int64, B, X, types.int64, types.int64, types.int64), _call_entry


@intrinsic
def call_judge(typingctx, address, B, point, color):
    """Call the entry ``f(B, point, color)`` at an address."""
    from numba.core import types

    return types.int64(types.int64, B, types.int64, types.int64), _call_entry


@intrinsic
def call_knowledge(typingctx, address, B, R, S, T, W, count):
    """Call the entry ``f(B, R, S, T, W, count)`` at an address."""
    from numba.core import types

    return types.int64(types.int64, B, R, S, T, W, types.int64), _call_entry


@intrinsic
def call_network(typingctx, address, E, scratch, size):
    """Call the entry ``f(E, scratch, size)`` at an address; it returns a value."""
    from numba.core import types

    return types.float64(types.int64, E, scratch, types.int64), _call_entry


@intrinsic
def call_selector(typingctx, address, R, N, node, open_children):
    """Call the entry ``f(R, N, node, open_children)`` at an address."""
    from numba.core import types

    return types.int64(types.int64, R, N, types.int64, types.int64), _call_entry


@intrinsic
def call_valuer(typingctx, address, R, N, node):
    """Call the entry ``f(R, N, node)`` at an address; it returns a value."""
    from numba.core import types

    return types.float64(types.int64, R, N, types.int64), _call_entry


@intrinsic
def call_heuristic(typingctx, address, B, point, color):
    """Call ``double f(B *, int64 point, int64 color)`` at an address."""
    from numba.core import types

    def generate(context, builder, signature, arguments):
        return _call(builder, arguments[0], context.get_value_type(types.float64), arguments[1:])

    return types.float64(types.int64, B, types.int64, types.int64), generate


@intrinsic
def address_of_data(typingctx, array):
    """Where the elements of an array begin."""
    from numba.core import types

    def generate(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        return builder.ptrtoint(data, context.get_value_type(types.int64))

    return types.int64(array), generate


@intrinsic
def floats_at(typingctx, address, count):
    """The array of ``count`` float32 at an address."""
    from numba.core import types

    kind = types.Array(types.float32, 1, "C")

    def generate(context, builder, signature, arguments):
        from numba.np.arrayobj import populate_array

        array = context.make_array(kind)(context, builder)
        step = context.get_constant(types.intp, 4)  # bytes
        data = builder.inttoptr(arguments[0], array.data.type)
        populate_array(array, data, [arguments[1]], [step], step, None)
        return array._getvalue()

    return kind(types.int64, types.int64), generate
