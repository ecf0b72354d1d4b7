"""Machine code in files, and how Python calls it without Numba.

To import Numba and to load code through it takes a second; to link an object file takes a
millisecond.  So the code of an entry is written to a file when it has been compiled, and
from then on LLVM's linker loads it and ctypes calls it.  The calling convention is Numba's:

    status = f(result *, exception **, arguments ...)

where a number is a word, a record its address, and an array seven words (see ``flatten``).
"""

from __future__ import annotations

import ctypes
import json
import operator
from collections.abc import Callable, Sequence
from ctypes import c_bool, c_double, c_int32, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from montego.kernels.compiler.first_use import once

Kind = Any
"""What an argument is: int, float, the dtype of a record, or the dtype of an array in a tuple."""

RESULTS: dict[str, Any] = {
    "none": None,
    "int64": c_int64,
    "uint64": c_uint64,
    "float64": c_double,
    "bool": c_bool,
}
"""How the types that an entry may return look to C, by Numba's names."""

CHECKSUM_BYTES = 32
IS_FINE = (0, -2)  # Numba's codes for a result and for None; all others are exceptions


# --- arguments -------------------------------------------------------------------------


class _Buffer(ctypes.Structure):
    """Python's Py_buffer."""

    _fields_ = (
        ("address", c_void_p), ("owner", c_void_p), ("length", c_int64), ("step", c_int64),
        ("readonly", c_int32), ("dimensions", c_int32), ("format", c_void_p),
        ("shape", c_void_p), ("strides", c_void_p), ("suboffsets", c_void_p),
        ("internal", c_void_p),
    )  # fmt: skip


_get_buffer = ctypes.PYFUNCTYPE(c_int32, ctypes.py_object, c_void_p, c_int32)(
    ("PyObject_GetBuffer", ctypes.pythonapi)
)
_release_buffer = ctypes.PYFUNCTYPE(None, c_void_p)(("PyBuffer_Release", ctypes.pythonapi))


def address_of(record: np.void) -> int:
    """Where the bytes of a record are; they stay there as long as the record lives."""
    buffer = _Buffer()
    _get_buffer(record, ctypes.addressof(buffer), 0)
    address = buffer.address
    _release_buffer(ctypes.addressof(buffer))
    return int(address)


def flatten(arguments: Sequence[Any]) -> tuple[tuple[Kind, ...], list[int | float]]:
    """The kinds of some arguments, and the words that a kernel takes for them."""
    kinds: list[Kind] = []
    words: list[int | float] = []
    for argument in arguments:
        if type(argument) is np.void:
            kinds.append(argument.dtype)
            words.append(address_of(argument))
        elif type(argument) is np.ndarray:
            if argument.ndim != 1 or not argument.flags.carray:
                raise TypeError("a kernel takes arrays of one dimension, in one piece, writeable")
            size, step = argument.size, argument.itemsize
            kinds.append((argument.dtype,))
            # No owner and no parent, number and size of the elements, data, shape, strides.
            words += (0, 0, size, step, argument.ctypes.data, size, step)
        elif isinstance(argument, float):
            kinds.append(float)
            words.append(argument)
        else:
            kinds.append(int)
            words.append(operator.index(argument))
    return tuple(kinds), words


def _words_of(kind: Kind) -> tuple[Any, ...]:
    """The C types of the words that an argument becomes."""
    if kind is float:
        return (c_double,)
    if isinstance(kind, tuple):
        return (c_void_p, c_void_p, c_int64, c_int64, c_void_p, c_int64, c_int64)
    return (c_int64,) if kind is int else (c_void_p,)


# --- code ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Code:
    """A compiled function: its name among the symbols, what it returns, an object file."""

    symbol: str
    result: str
    image: bytes

    def packed(self, label: str) -> bytes:
        """The content of a file: a checksum of all that follows and of the label, and the code."""
        header = json.dumps([self.symbol, self.result]).encode()
        content = header + b"\n" + self.image
        return _checksum(label, content) + content

    @classmethod
    def unpacked(cls, content: bytes, label: str) -> Code | None:
        """The code in the content of a file; None if it is damaged, or was not packed as this."""
        checksum, content = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if checksum != _checksum(label, content):
            return None
        header, _, image = content.partition(b"\n")
        symbol, result = json.loads(header)
        return cls(symbol, result, image)

    def link(self) -> int:
        """Load the code for the rest of this process; returns its address."""
        library = llvm.JITLibraryBuilder().add_object_img(self.image).add_current_process()
        library.export_symbol(self.symbol)
        loaded = library.link(_linker(), f"montego{next(_numbers)}")
        _loaded.append(loaded)
        return int(loaded[self.symbol])


def _checksum(label: str, content: bytes) -> bytes:
    digest = sha256(label.encode() + b"\n")
    digest.update(content)
    return digest.digest()


_numbers = count()
_loaded: list[Any] = []


@once
def _linker() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(suppress_errors=True)  # they come as exceptions


@once
def processor() -> str:
    """The processor that code is compiled for, with all that it can do."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def caller(name: str, address: int, kinds: tuple[Kind, ...], result: str) -> Callable[..., Any]:
    """A Python function of the words of the arguments; it lets go of Python's global lock."""
    words = [word for kind in kinds for word in _words_of(kind)]
    function = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, *words)(address)
    slot = RESULTS[result] or c_int64
    is_none = RESULTS[result] is None
    byref = ctypes.byref

    def call(words: list[int | float]) -> Any:
        returned, exception = slot(), c_void_p()
        if function(byref(returned), byref(exception), *words) not in IS_FINE:
            raise RuntimeError(f"the kernel {name} failed")
        return None if is_none else returned.value

    return call
