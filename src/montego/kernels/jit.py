"""How every kernel is compiled, and where the compiled code is kept.

Numba's own cache notices an edit in the file of a function, but not in the files of the
functions it calls: a cached caller would silently go on running the old callee.  So the
cache directory is named after a digest of *all* the sources that hold kernels, of the
compiler's version and Python's, and of the processor: any edit leads to an empty directory
and a fresh compilation.

Every compiled function is decorated with one of three names, and with nothing else:

* ``@entry`` for what Python calls, with numbers, records and arrays of one dimension;
* ``@kernel`` for what only other compiled functions call;
* ``@leaf`` for a small helper that has to vanish into its caller.

A decorated function knows how it would be compiled, and no more: Numba is imported when
something is compiled for the first time.  What has been compiled before is loaded without
it (see native), which is why a program starts in half a second.
"""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_cache_path

from montego.kernels.keeping import obstacle, reason, say_not_kept
from montego.kernels.making import MAKING
from montego.kernels.native import RESULTS, Code, Kind, caller, flatten, processor

U = np.uint64
"""Cast for subscripts, ``color[U(p)]``: an unsigned index needs no test for wrap-around.
Only at the subscript: in Numba uint64 with int64 gives float64."""

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_ROOMS = ("kernels", "mcts", "knowledge", "planning", "dft")
STALE_AFTER_DAYS = 30
KEPT = "compiled kernels"


# --- the cache -------------------------------------------------------------------------


def sources_digest(package: Path = PACKAGE) -> str:
    """A short digest of every source that may hold a kernel, and of what compiles it."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__} {processor()}".encode())
    digest.update(_version_of_numba())
    digest.update(repr(sorted(i for i in os.environ.items() if i[0].startswith("NUMBA_"))).encode())
    for room in KERNEL_ROOMS:
        for path in sorted((package / room).glob("**/*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _version_of_numba() -> bytes:
    """What tells one version of Numba from another, without importing it."""
    spec = find_spec("numba")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("_version.py").read_bytes()


def cache_root() -> Path:
    """Where compiled kernels of all versions are kept (``MONTEGO_CACHE`` overrides it)."""
    chosen = os.environ.get("MONTEGO_CACHE")
    return Path(chosen) if chosen else user_cache_path("montego", appauthor=False) / "kernels"


CACHE_DIRECTORY = cache_root() / sources_digest()
COMPLETE = CACHE_DIRECTORY / "complete"


def is_compiled() -> bool:
    """Whether an earlier run has compiled everything for exactly these sources."""
    return os.path.exists(COMPLETE)  # which, unlike pathlib's, takes a refusal for a no


def can_keep() -> bool:
    """Whether compiled code can be kept for the next run; the user is told if it cannot."""
    why = obstacle(CACHE_DIRECTORY)
    if why is not None:
        say_not_kept(KEPT, CACHE_DIRECTORY.parent, why)
    return why is None


def keep(code: Code, path: Path) -> None:
    """Write code for the next run; without a place to keep it, it serves this one."""
    try:
        code.write(path)
    except OSError as error:
        say_not_kept(KEPT, CACHE_DIRECTORY.parent, reason(error))


def note_compiled() -> None:
    """Everything is compiled now.  Versions that nobody has used for a month may go."""
    try:
        CACHE_DIRECTORY.mkdir(parents=True, exist_ok=True)
        COMPLETE.touch()
    except OSError:
        return
    oldest = time.time() - STALE_AFTER_DAYS * 86_400
    for directory in CACHE_DIRECTORY.parent.glob("*/"):
        if directory != CACHE_DIRECTORY and directory.stat().st_mtime < oldest:
            shutil.rmtree(directory, ignore_errors=True)


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
                self._loaded[kinds] = self._link(kinds)
            return self._loaded[kinds]

    def _link(self, kinds: tuple[Kind, ...]) -> tuple[int, str]:
        """Read the code, or compile what is not there, and load it."""
        path = self._path(kinds)
        code = Code.read(path)
        if code is None:
            with alone(path):  # whoever had to wait finds it ready
                code = Code.read(path) or self._compile(kinds, path)
        return code.link(), code.result

    def _compile(self, kinds: tuple[Kind, ...], path: Path) -> Code:
        code = compile_for(self.dispatcher, kinds)
        keep(code, path)
        return code

    def _path(self, kinds: tuple[Kind, ...]) -> Path:
        """The file of the code; its name covers the function's own source, wherever that is."""
        source = Path(self._function.__code__.co_filename)
        digest = hashlib.sha256(repr(kinds).encode() + source.read_bytes()).hexdigest()[:16]
        return CACHE_DIRECTORY / f"{self._function.__module__}.{self.__name__}-{digest}.code"


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
def alone(path: Path) -> Iterator[None]:
    """One process at a time, if the system can do that: several that start together on an
    empty cache would all compile everything."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_suffix(".lock").open("w")
    except (ImportError, OSError):
        yield
        return
    with lock:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
