"""Calling compiled code by its address.

Numba optimises a function again inside every function that calls it, and whatever is
passed as a function is compiled anew in every process.  Code that is large (the playouts)
or the user's own (heuristics) is therefore compiled once, behind a plain C signature, and
its callers get an address: a field of a record, not something to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from montego.kernels.jit import our_cache_directory

WORD, REAL, POINTER = ir.IntType(64), ir.DoubleType(), ir.IntType(8).as_pointer()

PLAYOUT = types.int64(*[types.voidptr] * 4)
HEURISTIC = types.float64(types.voidptr, types.int64, types.int64)


def _call(builder: Any, address: Any, result: Any, arguments: list[Any]) -> Any:
    """Call the C function at an address; what is not a word is a pointer to a record."""
    plain = [a if a.type == WORD else builder.bitcast(a, POINTER) for a in arguments]
    native = ir.FunctionType(result, [a.type for a in plain])
    return builder.call(builder.inttoptr(address, native.as_pointer()), plain)


@intrinsic
def call_playout(typingctx, address, B, P, T, W):
    """Call ``int64 f(B *, P *, T *, W *)`` at an address."""

    def generate(context, builder, signature, arguments):
        return _call(builder, arguments[0], WORD, list(arguments[1:]))

    return types.int64(types.int64, B, P, T, W), generate


@intrinsic
def call_heuristic(typingctx, address, B, point, color):
    """Call ``double f(B *, int64 point, int64 color)`` at an address."""

    def generate(context, builder, signature, arguments):
        return _call(builder, arguments[0], REAL, list(arguments[1:]))

    return types.float64(types.int64, B, types.int64, types.int64), generate


def with_address(function: Callable[..., Any], signature: Any, cache: bool = True) -> Any:
    """Compile a function behind a C signature, or load it from the cache; see ``.address``."""
    with our_cache_directory():
        return numba.cfunc(signature, cache=cache, error_model="numpy")(function)
