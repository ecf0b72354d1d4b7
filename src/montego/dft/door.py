"""The door through which Python calls a transform: a function of C's kind, made at run time.

A call through ctypes costs a microsecond, as much as a transform of a thousand numbers.  So the door
is written in LLVM's language and handed to Python as a built-in function: it looks at the array,
makes a new one for the result and executes the program, in a tenth of a microsecond.  Whatever is
not an array of exactly the right kind goes to a function in Python instead.

It reads NumPy's array structure, which has not changed for twenty years; that it is so here, too, is
tried when the first door is made, and if it is not, there are no doors, only the slower way.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_int64, c_void_p, py_object
from functools import cache
from typing import Any

import numpy as np

from montego.dft.compiling import compiled

RECORD = (
    "execute", "words", "n", "array_type", "dtype", "new_array", "otherwise", "call", "count_up",
    "let_go", "take_back", "busy", "element", "set_base", "byte_dtype", "room",
)  # fmt: skip
"""What a door has to know: one word each."""
NEW_FROM_DESCR, SET_BASE_OBJECT = 94, 282
"""Places in NumPy's table of functions."""
DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 16, 24, 32, 40, 56, 64
"""Where NumPy keeps these of an array, in bytes."""
IS_ALIGNED, IS_OURS = 0x100, 0x501
"""NumPy's flags: aligned; in one piece, aligned and writeable."""


def text() -> str:
    """The door in LLVM's language."""
    names = {name: 8 * place for place, name in enumerate(RECORD)}
    lines: list[str] = []

    def field(name: str) -> str:
        """Load a word of the record."""
        return word("record", names[name], name)

    def word(base: str, offset: int, name: str, kind: str = "i64") -> str:
        lines.append(f"  %{name}.p = getelementptr i8, ptr %{base}, i64 {offset}")
        lines.append(f"  %{name} = load {kind}, ptr %{name}.p")
        return f"%{name}"

    def go_on_if(left: str, right: str, kind: str = "i64") -> None:
        number = len(lines)
        lines.append(f"  %c{number} = icmp eq {kind} {left}, {right}")
        lines.append(f"  br i1 %c{number}, label %ok{number}, label %otherwise")
        lines.append(f"ok{number}:")

    word("self", DATA, "record", "ptr")
    go_on_if(word("x", 8, "type"), field("array_type"))
    go_on_if(word("x", DTYPE, "x.dtype"), field("dtype"))
    go_on_if(word("x", DIMENSIONS, "x.nd", "i32"), "1", "i32")
    word("x", SHAPE, "x.shape", "ptr")
    lines.append("  %length = load i64, ptr %x.shape")
    go_on_if("%length", field("n"))
    word("x", STRIDES, "x.strides", "ptr")
    lines.append("  %stride = load i64, ptr %x.strides")
    go_on_if("%stride", field("element"))
    word("x", FLAGS, "x.flags", "i32")
    lines.append(f"  %is.aligned = and i32 %x.flags, {IS_ALIGNED}")
    go_on_if("%is.aligned", str(IS_ALIGNED), "i32")
    go_on_if(field("busy"), "0")
    checks = "\n".join(lines)
    lines.clear()
    for name in ("execute", "words", "new_array", "count_up", "let_go", "take_back", "set_base"):
        field(name)
    for name in ("byte_dtype", "room"):
        field(name)
    return TEMPLATE.format(
        checks=checks, fields="\n".join(lines), otherwise=names["otherwise"], call=names["call"],
        data=DATA, ours=IS_OURS, shape=names["n"], room=names["room"],
    )  # fmt: skip


TEMPLATE = """
define ptr @montego_dft_door(ptr %self, ptr %x) {{
{checks}
{fields}
  %array.type = inttoptr i64 %array_type to ptr
  %the.dtype = inttoptr i64 %dtype to ptr
  %new = inttoptr i64 %new_array to ptr
  %up = inttoptr i64 %count_up to ptr
  %nothing = alloca i64
  call void %up(ptr %the.dtype)
  %is.small = icmp eq i64 %room, 0
  br i1 %is.small, label %small, label %large
small:
  %y.small = call ptr %new(ptr %array.type, ptr %the.dtype, i32 1, ptr %n.p, ptr null, ptr null, i32 0, ptr null)
  %no.small = icmp eq ptr %y.small, null
  br i1 %no.small, label %failed, label %made
large:
  %byte = inttoptr i64 %byte_dtype to ptr
  call void %up(ptr %byte)
  %owner = call ptr %new(ptr %array.type, ptr %byte, i32 1, ptr %room.p, ptr null, ptr null, i32 0, ptr null)
  %no.owner = icmp eq ptr %owner, null
  br i1 %no.owner, label %failed, label %owned
owned:
  %owner.data.p = getelementptr i8, ptr %owner, i64 {data}
  %owner.data = load i64, ptr %owner.data.p
  %above = add i64 %owner.data, 63
  %line = and i64 %above, -64
  %place = inttoptr i64 %line to ptr
  %y.large = call ptr %new(ptr %array.type, ptr %the.dtype, i32 1, ptr %n.p, ptr null, ptr %place, i32 {ours}, ptr null)
  %no.large = icmp eq ptr %y.large, null
  br i1 %no.large, label %failed, label %viewed
viewed:
  %base = inttoptr i64 %set_base to ptr
  %done = call i32 %base(ptr %y.large, ptr %owner)
  br label %made
made:
  %y = phi ptr [ %y.small, %small ], [ %y.large, %viewed ]
  %y.data.p = getelementptr i8, ptr %y, i64 {data}
  %y.data = load i64, ptr %y.data.p
  %x.data.p = getelementptr i8, ptr %x, i64 {data}
  %x.data = load i64, ptr %x.data.p
  %run = inttoptr i64 %execute to ptr
  %keeps = icmp eq i64 %let_go, 0
  br i1 %keeps, label %quick, label %long
quick:
  %s1 = call i32 %run(ptr %nothing, ptr %nothing, i64 %words, i64 %x.data, i64 %y.data, i64 1, i64 0, i64 0)
  ret ptr %y
long:
  store i64 1, ptr %busy.p
  %go = inttoptr i64 %let_go to ptr
  %state = call ptr %go()
  %s2 = call i32 %run(ptr %nothing, ptr %nothing, i64 %words, i64 %x.data, i64 %y.data, i64 1, i64 0, i64 0)
  %back = inttoptr i64 %take_back to ptr
  call void %back(ptr %state)
  store i64 0, ptr %busy.p
  ret ptr %y
failed:
  ret ptr null
otherwise:
  %otherwise.p = getelementptr i8, ptr %record, i64 {otherwise}
  %function = load ptr, ptr %otherwise.p
  %call.p = getelementptr i8, ptr %record, i64 {call}
  %callee = load ptr, ptr %call.p
  %answer = call ptr %callee(ptr %function, ptr %x)
  ret ptr %answer
}}
"""


class _Method(ctypes.Structure):
    """Python's PyMethodDef."""

    _fields_ = (("name", c_char_p), ("code", c_void_p), ("flags", c_int), ("doc", c_char_p))


METH_O = 8
_method = _Method(b"transform", None, METH_O, b"The transform of an array.")


def _python(name: str) -> int:
    """The address of a function of Python's."""
    return int(ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p).value or 0)


@cache
def _numpy_functions() -> Any:
    """NumPy's table of functions, as C sees it."""
    from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [py_object, c_char_p]
    table = pointer(_multiarray_umath._ARRAY_API, None)
    return ctypes.cast(table, ctypes.POINTER(c_void_p))


@cache
def is_possible() -> bool:
    """Whether this Python and this NumPy look inside as we think they do."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    probe = np.zeros((3, 5), np.complex128)[:, ::2]
    try:
        _numpy_functions()
    except (ImportError, AttributeError, ValueError):
        return False

    def word(offset: int, kind: Any = c_int64) -> int:
        return int(kind.from_address(id(probe) + offset).value)

    shape, strides = (
        (c_int64 * 2).from_address(word(SHAPE)),
        (c_int64 * 2).from_address(word(STRIDES)),
    )
    return (
        word(8) == id(np.ndarray)
        and word(DATA) == probe.ctypes.data
        and word(DIMENSIONS, c_int) == 2
        and (tuple(shape), tuple(strides)) == (probe.shape, probe.strides)
        and word(DTYPE) == id(probe.dtype)
        and bool(word(FLAGS, c_int) & IS_ALIGNED) == probe.flags.aligned
    )


def door(
    execute: int,
    words: int,
    n: int,
    dtype: np.dtype[Any],
    otherwise: Callable[[Any], Any],
    aligned: bool,
    release: bool,
) -> Callable[[Any], Any]:
    """A function of one array that executes a program; ``otherwise`` and the program must outlive it.

    ``aligned``: the result begins on a cache line.  ``release``: other threads may run meanwhile.
    """
    code = compiled("montego_dft_door", text)
    _method.code = code
    table = _numpy_functions()
    known = {
        "execute": execute, "words": words, "n": n, "array_type": id(np.ndarray),
        "dtype": id(dtype), "new_array": table[NEW_FROM_DESCR], "otherwise": id(otherwise),
        "call": _python("PyObject_CallOneArg"), "count_up": _python("Py_IncRef"),
        "let_go": _python("PyEval_SaveThread") if release else 0,
        "take_back": _python("PyEval_RestoreThread"), "busy": 0, "element": dtype.itemsize,
        "set_base": table[SET_BASE_OBJECT], "byte_dtype": id(np.dtype(np.uint8)),
        "room": n * dtype.itemsize + 64 if aligned else 0,
    }  # fmt: skip
    record = np.array([known[name] for name in RECORD], np.int64)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = py_object, [c_void_p, py_object, c_void_p]
    made: Callable[[Any], Any] = make(ctypes.addressof(_method), record, None)
    return made
