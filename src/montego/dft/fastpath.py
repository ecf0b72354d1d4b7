"""The fast path from Python to a transform: a built-in function, generated at run time.

A call through ctypes takes a microsecond, as long as a transform of a thousand numbers.  So the
fast path is emitted in LLVM IR and given to Python as a built-in function (PyCFunction): it checks
the array, allocates the result and executes the program, in a tenth of a microsecond.  Whatever is
not an array of exactly the right type goes to a fallback in Python.

Results are views of memory that begins on a cache line.  A fast path owns two such buffers and
reuses one as soon as nothing refers to it any more, since fresh memory is slow (page faults).

It reads the fields of NumPy's array structure, which has not changed for twenty years.  This is
checked before the first one is built; if it does not hold, every call takes the fallback.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_int64, c_uint32, c_void_p, py_object
from typing import Any

import numpy as np

from montego.dft.compiler import compiled
from montego.dft.program import BUSY
from montego.kernels.compiler.aligned import CACHE_LINE
from montego.kernels.compiler.first_use import once

RECORD = (
    "execute", "program", "n", "array_type", "dtype", "new_array", "fallback", "call", "incref",
    "save_thread", "restore_thread", "itemsize", "set_base", "byte_dtype", "size", "buffer0",
    "buffer1", "x", "y", "result",
)  # fmt: skip
"""What a fast path has to know: one int64 each."""
NEW_FROM_DESCR, SET_BASE_OBJECT = 94, 282
"""Indices in NumPy's C API table."""
TYPE, DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64
"""Offsets of an array's fields, in bytes; its reference count is at 0."""
ALIGNED, CARRAY = 0x100, 0x501
"""NumPy's flags: aligned; C-contiguous, aligned and writeable."""
METH_O, METH_NOARGS = 8, 4
LARGEST_KEPT = 1 << 24
"""Bytes of a result up to which buffers are reused."""


# --- the IR ----------------------------------------------------------------------------


class Emitter:
    """Collects lines of LLVM IR."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def load(self, base: str, offset: int, name: str, kind: str = "i64") -> str:
        """Load the value at a pointer plus an offset in bytes."""
        self.lines.append(f"  %{name}.p = getelementptr i8, ptr %{base}, i64 {offset}")
        self.lines.append(f"  %{name} = load {kind}, ptr %{name}.p")
        return f"%{name}"

    def field(self, name: str, kind: str = "i64") -> str:
        return self.load("record", 8 * RECORD.index(name), name, kind)

    def require(self, left: str, right: str, kind: str = "i64") -> None:
        """Branch to the fallback unless both are equal."""
        number = len(self.lines)
        self.lines.append(f"  %c{number} = icmp eq {kind} {left}, {right}")
        self.lines.append(f"  br i1 %c{number}, label %ok{number}, label %use.fallback")
        self.lines.append(f"ok{number}:")

    def text(self) -> str:
        lines, self.lines = self.lines, []
        return "\n".join(lines)


def fast_path_ir() -> str:
    """f(self, x): check the array, allocate the result, execute."""
    ir = Emitter()
    ir.load("self", DATA, "record", "ptr")
    ir.require(ir.load("x", TYPE, "x.type", "ptr"), ir.field("array_type", "ptr"), "ptr")
    ir.require(ir.load("x", DTYPE, "x.dtype", "ptr"), ir.field("dtype", "ptr"), "ptr")
    ir.require(ir.load("x", DIMENSIONS, "x.nd", "i32"), "1", "i32")
    ir.load("x", SHAPE, "x.shape", "ptr")
    ir.require(ir.load("x.shape", 0, "length"), ir.field("n"))
    ir.load("x", STRIDES, "x.strides", "ptr")
    ir.require(ir.load("x.strides", 0, "stride"), ir.field("itemsize"))
    ir.load("x", FLAGS, "x.flags", "i32")
    ir.lines.append(f"  %x.aligned = and i32 %x.flags, {ALIGNED}")
    ir.require("%x.aligned", str(ALIGNED), "i32")
    ir.field("program", "ptr")
    ir.require(ir.load("program", 8 * BUSY, "busy"), "0")
    checks = ir.text()
    for name in ("execute", "new_array", "incref", "save_thread", "restore_thread", "set_base"):
        ir.field(name, "ptr")
    for name in ("byte_dtype", "buffer0", "buffer1"):
        ir.field(name, "ptr")
    ir.field("size")
    fields = ir.text()
    ir.field("fallback", "ptr")
    ir.field("call", "ptr")
    return FAST_PATH.format(
        checks=checks, fields=fields, fallback=ir.text(), data=DATA, carray=CARRAY,
        below=CACHE_LINE - 1, line=-CACHE_LINE,
    )  # fmt: skip


FAST_PATH = """
define ptr @montego_dft_fast_path(ptr %self, ptr %x) {{
{checks}
{fields}
  %unused = alloca i64
  call void %incref(ptr %dtype)
  %is.small = icmp eq i64 %size, 0
  br i1 %is.small, label %small, label %large
small:
  %y.small = call ptr %new_array(ptr %array_type, ptr %dtype, i32 1, ptr %n.p,
                                 ptr null, ptr null, i32 0, ptr null)
  %no.small = icmp eq ptr %y.small, null
  br i1 %no.small, label %failed, label %made
large:
  %has.buffers = icmp ne ptr %buffer0, null
  br i1 %has.buffers, label %first, label %new
first:
  %references0 = load i32, ptr %buffer0
  %is.free0 = icmp eq i32 %references0, 1
  br i1 %is.free0, label %reuse, label %second
second:
  %references1 = load i32, ptr %buffer1
  %is.free1 = icmp eq i32 %references1, 1
  br i1 %is.free1, label %reuse, label %new
reuse:
  %free = phi ptr [ %buffer0, %first ], [ %buffer1, %second ]
  call void %incref(ptr %free)
  br label %owned
new:
  call void %incref(ptr %byte_dtype)
  %fresh = call ptr %new_array(ptr %array_type, ptr %byte_dtype, i32 1, ptr %size.p,
                               ptr null, ptr null, i32 0, ptr null)
  %no.fresh = icmp eq ptr %fresh, null
  br i1 %no.fresh, label %failed, label %owned
owned:
  %owner = phi ptr [ %free, %reuse ], [ %fresh, %new ]
  %owner.data.p = getelementptr i8, ptr %owner, i64 {data}
  %owner.data = load i64, ptr %owner.data.p
  %above = add i64 %owner.data, {below}
  %line = and i64 %above, {line}
  %line.p = inttoptr i64 %line to ptr
  %y.large = call ptr %new_array(ptr %array_type, ptr %dtype, i32 1, ptr %n.p,
                                 ptr null, ptr %line.p, i32 {carray}, ptr null)
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
  %keeps.gil = icmp eq ptr %save_thread, null
  br i1 %keeps.gil, label %with.gil, label %without.gil
with.gil:
  %status1 = call i32 %execute(ptr %unused, ptr %unused, ptr %program, i64 %x.data, i64 %y.data,
                               i64 1, i64 0, i64 0)
  ret ptr %y
without.gil:
  store i64 1, ptr %busy.p
  %state = call ptr %save_thread()
  %status2 = call i32 %execute(ptr %unused, ptr %unused, ptr %program, i64 %x.data, i64 %y.data,
                               i64 1, i64 0, i64 0)
  call void %restore_thread(ptr %state)
  store i64 0, ptr %busy.p
  ret ptr %y
failed:
  ret ptr null
use.fallback:
{fallback}
  %answer = call ptr %call(ptr %fallback, ptr %x)
  ret ptr %answer
}}
"""


def bound_ir() -> str:
    """f(self, unused): execute from x to y, which are fixed, and return y."""
    ir = Emitter()
    ir.load("self", DATA, "record", "ptr")
    for name in ("execute", "incref", "result"):
        ir.field(name, "ptr")
    for name in ("program", "x", "y"):
        ir.field(name)
    return f"""
define ptr @montego_dft_bound(ptr %self, ptr %none) {{
{ir.text()}
  %unused = alloca i64
  %status = call i32 %execute(ptr %unused, ptr %unused, i64 %program, i64 %x, i64 %y,
                              i64 1, i64 0, i64 0)
  call void %incref(ptr %result)
  ret ptr %result
}}
"""


# --- Python's side ---------------------------------------------------------------------


class FastPathValues(np.ndarray[Any, Any]):
    """The values of a fast path, and the objects that must live as long as it."""

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
    """The address of a function of Python's C API."""
    return int(ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p).value or 0)


@once
def _numpy_functions() -> Any:
    """NumPy's C API table."""
    from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

    table = _pointer_in(_multiarray_umath._ARRAY_API, None)
    return ctypes.cast(table, ctypes.POINTER(c_void_p))


@once
def is_possible() -> bool:
    """Whether this Python and this NumPy have the memory layout that the fast path relies on."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    try:
        _numpy_functions()
    except (ImportError, AttributeError, ValueError):
        return False
    probe = np.zeros((3, 5), np.complex128)[:, ::2]

    def field(offset: int, kind: Any = c_int64) -> int:
        return int(kind.from_address(id(probe) + offset).value)

    shape, strides = ((c_int64 * 2).from_address(field(offset)) for offset in (SHAPE, STRIDES))
    return (
        field(0, c_uint32) == sys.getrefcount(probe) - 1
        and field(TYPE) == id(np.ndarray)
        and field(DATA) == probe.ctypes.data
        and field(DIMENSIONS, c_int) == 2
        and (tuple(shape), tuple(strides)) == (probe.shape, probe.strides)
        and field(DTYPE) == id(probe.dtype)
        and bool(field(FLAGS, c_int) & ALIGNED) == probe.flags.aligned
    )


@once
def _method(name: str, flags: int, emit_ir: Callable[[], str]) -> _Method:
    return _Method(name.encode(), compiled(name, emit_ir), flags, b"A compiled transform.")


def _function(method: _Method, known: dict[str, int], kept: tuple[Any, ...]) -> Any:
    """A built-in function of Python with a record as its self."""
    values = np.array([known.get(name, 0) for name in RECORD], np.int64)
    record = values.view(FastPathValues)
    record.kept = (values, method, *kept)
    return _make_function(ctypes.addressof(method), record, None)


def fast_path(
    execute: int,
    program: Any,
    dtype: np.dtype[Any],
    fallback: Callable[[Any], Any],
    aligned: bool,
    release: bool,
) -> Callable[[Any], Any]:
    """A function of one array that executes a program, or else calls ``fallback``.

    ``aligned``: the result begins on a cache line.  ``release``: the GIL is released meanwhile.
    """
    table, size = _numpy_functions(), program.n * dtype.itemsize + CACHE_LINE if aligned else 0
    is_reused = 0 < size <= LARGEST_KEPT + CACHE_LINE
    buffers = [np.empty(size, np.uint8) for _ in range(2)] if is_reused else []
    known = {
        "execute": execute, "program": program.address, "n": program.n,
        "array_type": id(np.ndarray), "dtype": id(dtype), "itemsize": dtype.itemsize,
        "new_array": table[NEW_FROM_DESCR], "set_base": table[SET_BASE_OBJECT],
        "fallback": id(fallback), "call": _python("PyObject_CallOneArg"),
        "incref": _python("Py_IncRef"), "byte_dtype": id(np.dtype(np.uint8)), "size": size,
        "save_thread": _python("PyEval_SaveThread") if release else 0,
        "restore_thread": _python("PyEval_RestoreThread"),
        **{f"buffer{i}": id(buffer) for i, buffer in enumerate(buffers)},
    }  # fmt: skip
    method = _method("montego_dft_fast_path", METH_O, fast_path_ir)
    made: Callable[[Any], Any] = _function(method, known, (program, dtype, fallback, buffers))
    return made


def bound(execute: int, program: Any, x: Any, y: Any) -> Callable[[], Any]:
    """A function without arguments that transforms x to y, and returns y."""
    known = {
        "execute": execute, "program": program.address, "x": x.ctypes.data,
        "y": y.ctypes.data, "incref": _python("Py_IncRef"), "result": id(y),
    }  # fmt: skip
    method = _method("montego_dft_bound", METH_NOARGS, bound_ir)
    made: Callable[[], Any] = _function(method, known, (program, x, y))
    return made
