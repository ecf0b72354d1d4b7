"""How every kernel is compiled.

Every compiled function is decorated with one of three names, and with nothing else:

* ``@entry`` for what Python calls, with numbers, records and arrays of one dimension;
* ``@kernel`` for what only other compiled functions call;
* ``@leaf`` for a small helper that has to vanish into its caller.

A decorated function knows how it would be compiled, and no more: Numba is imported when
something is compiled for the first time.  What has been compiled before is found in the cache
and loaded without it (see cache and native), which is why a program starts in half a second.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import Any

import numpy as np

from montego.kernels.compiler.cache import alone, keep, kept
from montego.kernels.compiler.first_use import MAKING
from montego.kernels.compiler.native import RESULTS, Code, Kind, caller, flatten
from montego.kernels.compiler.sources import digest_of

U = np.uint64
"""Cast for subscripts, ``color[U(p)]``: an unsigned index needs no test for wrap-around.
Only at the subscript: in Numba uint64 with int64 gives float64."""


# --- functions to be compiled ----------------------------------------------------------


class Kernel:
    """A function that compiled functions call; Numba meets it when it compiles one of them."""

    __name__: str

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        self._function = function
        self._options = options

    @cached_property
    def dispatcher(self) -> Any:
        """The function as Numba has it."""
        import numba

        return numba.njit(
            nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True,
            _nrt=False,  # no allocation in a kernel, and no counting of references
            **self._options,
        )(self._function)  # fmt: skip

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object that compiled code mentions."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called by compiled code, see @entry")


class Entry(Kernel):
    """A function that Python calls too: compiled once for each list of kinds of arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._callers: dict[tuple[Kind, ...], Callable[..., Any]] = {}
        self._loaded: dict[tuple[Kind, ...], tuple[int, str]] = {}

    def __call__(self, *arguments: Any) -> Any:
        kinds, words = flatten(arguments)
        return (self._callers.get(kinds) or self._caller(kinds))(words)

    def prepare(self, *arguments: Any) -> None:
        """Compile for such arguments, without a call."""
        self._caller(flatten(arguments)[0])

    def address(self, *kinds: Kind) -> int:
        """Where the code for these kinds of arguments is, for compiled code to call it."""
        return self._load(kinds)[0]

    def _caller(self, kinds: tuple[Kind, ...]) -> Callable[..., Any]:
        address, result = self._load(kinds)
        call = caller(self.__name__, address, kinds, result)
        self._callers[kinds] = call
        return call

    def _load(self, kinds: tuple[Kind, ...]) -> tuple[int, str]:
        """The address of the code and the type of its result; both are found once."""
        with MAKING:
            if kinds not in self._loaded:
                self._loaded[kinds] = load(self._file(kinds), lambda: self._compile(kinds))
            return self._loaded[kinds]

    def _compile(self, kinds: tuple[Kind, ...]) -> Code:
        return compile_for(self.dispatcher, kinds)

    def _file(self, kinds: tuple[Kind, ...]) -> str:
        """The file of the code: its name tells the function, the kinds, and the sources."""
        module = self._function.__module__
        sources = digest_of(module, Path(self._function.__code__.co_filename))
        digest = hashlib.sha256(f"{kinds!r} {sources}".encode()).hexdigest()[:16]
        return f"{module}.{self.__name__}-{digest}.code"


def load(name: str, compile_it: Callable[[], Code]) -> tuple[int, str]:
    """The address of the code of this name and the type of its result; it is compiled, and kept,
    if there is none that can be loaded."""
    found = _load_kept(name)
    if found is None:
        with MAKING, alone(name):
            found = _load_kept(name)  # whoever had to wait finds it ready
            if found is None:
                code = compile_it()
                keep(code, name)
                found = code.link(), code.result
    return found


def _load_kept(name: str) -> tuple[int, str] | None:
    for code in kept(name):
        with suppress(RuntimeError):  # of the linker
            return code.link(), code.result
    return None


def signature_of(kinds: tuple[Kind, ...]) -> tuple[Any, ...]:
    """Numba's types for these kinds of arguments."""
    from numba import from_dtype, types

    def type_of(kind: Kind) -> Any:
        if isinstance(kind, tuple):
            return types.Array(from_dtype(kind[0]), 1, "C")
        return {int: types.int64, float: types.float64}.get(kind) or from_dtype(kind)

    return tuple(type_of(kind) for kind in kinds)


def compile_for(dispatcher: Any, kinds: tuple[Kind, ...]) -> Code:
    """Compile a function for these kinds of arguments."""
    signature = signature_of(kinds)
    with without_garbage_collection():
        dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    result, library = str(compiled.fndesc.restype), compiled.library
    if result not in RESULTS:
        raise TypeError(f"{dispatcher.__name__} returns {result}: not one of {[*RESULTS]}")
    image = library.codegen._tm.emit_object(library._final_module)
    return Code(compiled.fndesc.llvm_func_name, result, image)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """A compiler makes millions of objects and keeps them: looking for waste is wasted."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls."""
    return Entry(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call."""
    return Kernel(function)


def leaf(function: Callable[..., Any]) -> Any:
    """Compile a small helper that is always inlined into the kernels that call it."""
    return Kernel(function, forceinline=True)


# --- functions that are written in LLVM's language -------------------------------------


class Intrinsic:
    """A function for kernels whose code is generated, see ``numba.extending.intrinsic``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__doc__ = function.__doc__
        self._function = function

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        made = intrinsic(prefer_literal=True)(self._function)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(made)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Numba's decorator of this name, without importing Numba before it is needed."""
    return Intrinsic(function)
