"""The door through which Python calls a transform: a function of C's kind, made at run time.

A call through ctypes costs a microsecond, as much as a transform of a thousand numbers.  So the
door is written in LLVM's language and handed to Python as a built-in function: it looks at the
array, finds a place for the result and executes the program, in a tenth of a microsecond.
Whatever is not an array of exactly the right kind goes to a function in Python instead.

Results are views of memory that begins on a cache line.  A door keeps two such memories and uses
one again as soon as nobody refers to it any more: memory that is new is slow.

It reads NumPy's array structure, which has not changed for twenty years.  That it is so here, too,
is tried before the first door is made; if it is not, there are none, only the slower way.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_int64, c_uint32, c_void_p, py_object
from typing import Any

import numpy as np

from montego.dft.compiling import compiled
from montego.dft.program import BUSY
from montego.kernels.compiler.making import once

RECORD = (
    "execute", "words", "n", "array_type", "dtype", "new_array", "python", "call", "count_up",
    "let_go", "take_back", "element", "set_base", "byte_dtype", "room", "place0", "place1",
    "x", "y", "result",
)  # fmt: skip
"""What a door has to know: one word each."""
NEW_FROM_DESCR, SET_BASE_OBJECT = 94, 282
"""Places in NumPy's table of functions."""
TYPE, DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64
"""Where an array keeps these, in bytes; the count of its references is at 0."""
IS_ALIGNED, IS_OURS = 0x100, 0x501
"""NumPy's flags: aligned; in one piece, aligned and writeable."""
METH_O, METH_NOARGS = 8, 4
LARGEST_KEPT = 1 << 24
"""Bytes of a result up to which memories are kept."""


# --- the code --------------------------------------------------------------------------


class Writer:
    """Collects lines of LLVM's language."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def word(self, base: str, offset: int, name: str, kind: str = "i64") -> str:
        """Load what is so many bytes behind a pointer."""
        self.lines.append(f"  %{name}.p = getelementptr i8, ptr %{base}, i64 {offset}")
        self.lines.append(f"  %{name} = load {kind}, ptr %{name}.p")
        return f"%{name}"

    def field(self, name: str, kind: str = "i64") -> str:
        return self.word("record", 8 * RECORD.index(name), name, kind)

    def need(self, left: str, right: str, kind: str = "i64") -> None:
        """Leave for ``otherwise`` unless both are equal."""
        number = len(self.lines)
        self.lines.append(f"  %c{number} = icmp eq {kind} {left}, {right}")
        self.lines.append(f"  br i1 %c{number}, label %ok{number}, label %otherwise")
        self.lines.append(f"ok{number}:")

    def text(self) -> str:
        lines, self.lines = self.lines, []
        return "\n".join(lines)


def door_text() -> str:
    """f(self, x): check the array, make the result, execute."""
    w = Writer()
    w.word("self", DATA, "record", "ptr")
    w.need(w.word("x", TYPE, "x.type", "ptr"), w.field("array_type", "ptr"), "ptr")
    w.need(w.word("x", DTYPE, "x.dtype", "ptr"), w.field("dtype", "ptr"), "ptr")
    w.need(w.word("x", DIMENSIONS, "x.nd", "i32"), "1", "i32")
    w.word("x", SHAPE, "x.shape", "ptr")
    w.need(w.word("x.shape", 0, "length"), w.field("n"))
    w.word("x", STRIDES, "x.strides", "ptr")
    w.need(w.word("x.strides", 0, "stride"), w.field("element"))
    w.word("x", FLAGS, "x.flags", "i32")
    w.lines.append(f"  %x.aligned = and i32 %x.flags, {IS_ALIGNED}")
    w.need("%x.aligned", str(IS_ALIGNED), "i32")
    w.field("words", "ptr")
    w.need(w.word("words", 8 * BUSY, "busy"), "0")
    checks = w.text()
    for name in ("execute", "new_array", "count_up", "let_go", "take_back", "set_base"):
        w.field(name, "ptr")
    for name in ("byte_dtype", "place0", "place1"):
        w.field(name, "ptr")
    w.field("room")
    fields = w.text()
    w.field("python", "ptr")
    w.field("call", "ptr")
    return DOOR.format(checks=checks, fields=fields, rest=w.text(), data=DATA, ours=IS_OURS)


DOOR = """
define ptr @montego_dft_door(ptr %self, ptr %x) {{
{checks}
{fields}
  %unused = alloca i64
  call void %count_up(ptr %dtype)
  %is.small = icmp eq i64 %room, 0
  br i1 %is.small, label %small, label %large
small:
  %y.small = call ptr %new_array(ptr %array_type, ptr %dtype, i32 1, ptr %n.p,
                                 ptr null, ptr null, i32 0, ptr null)
  %no.small = icmp eq ptr %y.small, null
  br i1 %no.small, label %failed, label %made
large:
  %has.places = icmp ne ptr %place0, null
  br i1 %has.places, label %first, label %new
first:
  %references0 = load i32, ptr %place0
  %is.free0 = icmp eq i32 %references0, 1
  br i1 %is.free0, label %again, label %second
second:
  %references1 = load i32, ptr %place1
  %is.free1 = icmp eq i32 %references1, 1
  br i1 %is.free1, label %again, label %new
again:
  %free = phi ptr [ %place0, %first ], [ %place1, %second ]
  call void %count_up(ptr %free)
  br label %owned
new:
  call void %count_up(ptr %byte_dtype)
  %fresh = call ptr %new_array(ptr %array_type, ptr %byte_dtype, i32 1, ptr %room.p,
                               ptr null, ptr null, i32 0, ptr null)
  %no.fresh = icmp eq ptr %fresh, null
  br i1 %no.fresh, label %failed, label %owned
owned:
  %owner = phi ptr [ %free, %again ], [ %fresh, %new ]
  %owner.data.p = getelementptr i8, ptr %owner, i64 {data}
  %owner.data = load i64, ptr %owner.data.p
  %above = add i64 %owner.data, 63
  %line = and i64 %above, -64
  %line.p = inttoptr i64 %line to ptr
  %y.large = call ptr %new_array(ptr %array_type, ptr %dtype, i32 1, ptr %n.p,
                                 ptr null, ptr %line.p, i32 {ours}, ptr null)
  %no.large = icmp eq ptr %y.large, null
  br i1 %no.large, label %failed, label %viewed
viewed:
  %is.base = call i32 %set_base(ptr %y.large, ptr %owner)
  br label %made
made:
  %y = phi ptr [ %y.small, %small ], [ %y.large, %viewed ]
  %y.data.p = getelementptr i8, ptr %y, i64 {data}
  %y.data = load i64, ptr %y.data.p
  %x.data.p = getelementptr i8, ptr %x, i64 {data}
  %x.data = load i64, ptr %x.data.p
  %holds = icmp eq ptr %let_go, null
  br i1 %holds, label %holding, label %letting.go
holding:
  %status1 = call i32 %execute(ptr %unused, ptr %unused, ptr %words, i64 %x.data, i64 %y.data,
                               i64 1, i64 0, i64 0)
  ret ptr %y
letting.go:
  store i64 1, ptr %busy.p
  %state = call ptr %let_go()
  %status2 = call i32 %execute(ptr %unused, ptr %unused, ptr %words, i64 %x.data, i64 %y.data,
                               i64 1, i64 0, i64 0)
  call void %take_back(ptr %state)
  store i64 0, ptr %busy.p
  ret ptr %y
failed:
  ret ptr null
otherwise:
{rest}
  %answer = call ptr %call(ptr %python, ptr %x)
  ret ptr %answer
}}
"""


def bound_text() -> str:
    """f(self, nothing): execute from x to y, which never change, and return y."""
    w = Writer()
    w.word("self", DATA, "record", "ptr")
    for name in ("execute", "count_up", "result"):
        w.field(name, "ptr")
    for name in ("words", "x", "y"):
        w.field(name)
    return f"""
define ptr @montego_dft_bound(ptr %self, ptr %nothing) {{
{w.text()}
  %unused = alloca i64
  %status = call i32 %execute(ptr %unused, ptr %unused, i64 %words, i64 %x, i64 %y,
                              i64 1, i64 0, i64 0)
  call void %count_up(ptr %result)
  ret ptr %result
}}
"""


# --- Python's side ---------------------------------------------------------------------


class Record(np.ndarray[Any, Any]):
    """The words of a door, and whatever has to live as long as it."""

    kept: tuple[Any, ...]


class _Method(ctypes.Structure):
    """Python's PyMethodDef."""

    _fields_ = (("name", c_char_p), ("code", c_void_p), ("flags", c_int), ("doc", c_char_p))


_pointer_in = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_make_function = ctypes.PYFUNCTYPE(py_object, c_void_p, py_object, c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


def _python(name: str) -> int:
    """The address of a function of Python's."""
    return int(ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p).value or 0)


@once
def _numpy_functions() -> Any:
    """NumPy's table of functions, as C sees it."""
    from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

    table = _pointer_in(_multiarray_umath._ARRAY_API, None)
    return ctypes.cast(table, ctypes.POINTER(c_void_p))


@once
def is_possible() -> bool:
    """Whether this Python and this NumPy look inside as we think they do."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    try:
        _numpy_functions()
    except (ImportError, AttributeError, ValueError):
        return False
    probe = np.zeros((3, 5), np.complex128)[:, ::2]

    def word(offset: int, kind: Any = c_int64) -> int:
        return int(kind.from_address(id(probe) + offset).value)

    shape, strides = ((c_int64 * 2).from_address(word(place)) for place in (SHAPE, STRIDES))
    return (
        word(0, c_uint32) == sys.getrefcount(probe) - 1
        and word(TYPE) == id(np.ndarray)
        and word(DATA) == probe.ctypes.data
        and word(DIMENSIONS, c_int) == 2
        and (tuple(shape), tuple(strides)) == (probe.shape, probe.strides)
        and word(DTYPE) == id(probe.dtype)
        and bool(word(FLAGS, c_int) & IS_ALIGNED) == probe.flags.aligned
    )


@once
def _method(name: str, flags: int, write: Callable[[], str]) -> _Method:
    return _Method(name.encode(), compiled(name, write), flags, b"A transform by machine code.")


def _function(method: _Method, known: dict[str, int], kept: tuple[Any, ...]) -> Any:
    """A built-in function of Python's with a record as its self."""
    words = np.array([known.get(name, 0) for name in RECORD], np.int64)
    record = words.view(Record)
    record.kept = (words, method, *kept)
    return _make_function(ctypes.addressof(method), record, None)


def door(
    execute: int,
    program: Any,
    dtype: np.dtype[Any],
    otherwise: Callable[[Any], Any],
    aligned: bool,
    release: bool,
) -> Callable[[Any], Any]:
    """A function of one array that executes a program, or else calls ``otherwise``.

    ``aligned``: the result begins on a cache line.  ``release``: other threads may run meanwhile.
    """
    table, room = _numpy_functions(), program.n * dtype.itemsize + 64 if aligned else 0
    places = [np.empty(room, np.uint8) for _ in range(2)] if 0 < room <= LARGEST_KEPT + 64 else []
    known = {
        "execute": execute, "words": program.words.ctypes.data, "n": program.n,
        "array_type": id(np.ndarray), "dtype": id(dtype), "element": dtype.itemsize,
        "new_array": table[NEW_FROM_DESCR], "set_base": table[SET_BASE_OBJECT],
        "python": id(otherwise), "call": _python("PyObject_CallOneArg"),
        "count_up": _python("Py_IncRef"), "byte_dtype": id(np.dtype(np.uint8)), "room": room,
        "let_go": _python("PyEval_SaveThread") if release else 0,
        "take_back": _python("PyEval_RestoreThread"),
        **{f"place{i}": id(place) for i, place in enumerate(places)},
    }  # fmt: skip
    method = _method("montego_dft_door", METH_O, door_text)
    made: Callable[[Any], Any] = _function(method, known, (program, dtype, otherwise, places))
    return made


def bound(execute: int, program: Any, x: Any, y: Any) -> Callable[[], Any]:
    """A function of nothing that transforms x to y, and returns y."""
    known = {
        "execute": execute, "words": program.words.ctypes.data, "x": x.ctypes.data,
        "y": y.ctypes.data, "count_up": _python("Py_IncRef"), "result": id(y),
    }  # fmt: skip
    method = _method("montego_dft_bound", METH_NOARGS, bound_text)
    made: Callable[[], Any] = _function(method, known, (program, x, y))
    return made
