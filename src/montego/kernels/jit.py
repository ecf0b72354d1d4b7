"""How every kernel is compiled, and where the compiled code is kept.

Numba's own cache notices an edit in the file of a function, but not in the files of the
functions it calls: a cached caller would silently go on running the old callee.  So the
cache directory is named after a digest of *all* the sources that hold kernels, of numba's
version and of Python's: any edit leads to an empty directory and a fresh compilation.

Every compiled function is decorated with one of three names, and with nothing else:

* ``@entry`` for what Python calls;
* ``@kernel`` for what only other compiled functions call;
* ``@leaf`` for a small helper that has to vanish into its caller.

The difference is not cosmetic: a wrapper for Python holds a second copy of the optimised
code, and doing without it where nobody needs it halves the time of a cold start.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from platformdirs import user_cache_path

U = np.uint64
"""Cast for subscripts, ``color[U(p)]``: an unsigned index needs no test for wrap-around.
Only at the subscript: in Numba uint64 with int64 gives float64."""

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_ROOMS = ("kernels", "mcts", "knowledge", "planning", "dft")
STALE_AFTER_DAYS = 30
MISSING: Any = object()


def sources_digest(package: Path = PACKAGE) -> str:
    """A short digest of every source that may hold a kernel, and of the compiler's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {np.__version__}".encode())
    for room in KERNEL_ROOMS:
        for path in sorted((package / room).glob("**/*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled kernels of all versions are kept (``MONTEGO_CACHE`` overrides it)."""
    chosen = os.environ.get("MONTEGO_CACHE")
    return Path(chosen) if chosen else user_cache_path("montego", appauthor=False) / "kernels"


CACHE_DIRECTORY = cache_root() / sources_digest()


COMPLETE = CACHE_DIRECTORY / "complete"


def is_compiled() -> bool:
    """Whether an earlier run has compiled everything for exactly these sources."""
    return COMPLETE.exists()


def note_compiled() -> None:
    """Everything is compiled now.  Versions that nobody has used for a month may go."""
    CACHE_DIRECTORY.mkdir(parents=True, exist_ok=True)
    COMPLETE.touch()
    oldest = time.time() - STALE_AFTER_DAYS * 86_400
    for directory in CACHE_DIRECTORY.parent.glob("*/"):
        if directory != CACHE_DIRECTORY and directory.stat().st_mtime < oldest:
            shutil.rmtree(directory, ignore_errors=True)


def leave_blas_out() -> None:
    """Spare this process a quarter of a second: Numba, before its first function, imports
    scipy.linalg to look for BLAS, which serves matrix products in kernels; we have none.

    For our own commands only: a program that imports montego may want those products.
    """
    before = sys.modules.get("scipy.linalg", MISSING)
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        if before is MISSING:
            del sys.modules["scipy.linalg"]
        else:
            sys.modules["scipy.linalg"] = before


@contextmanager
def our_cache_directory() -> Iterator[None]:
    """Numba reads its cache directory while it decorates a function: lend it ours for that."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIRECTORY)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    with our_cache_directory():
        return numba.njit(nogil=True, cache=True, error_model="numpy", **options)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls."""
    return _compile(function, no_cfunc_wrapper=True)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call: no wrapper for Python is made."""
    return _internal(_compile(function, no_cfunc_wrapper=True, no_cpython_wrapper=True))


def leaf(function: Callable[..., Any]) -> Any:
    """Compile a small helper that is always inlined into the kernels that call it."""
    return _internal(
        _compile(function, no_cfunc_wrapper=True, no_cpython_wrapper=True, forceinline=True)
    )


def _internal(dispatcher: Any) -> Any:
    """Let a call from Python raise an error; without a wrapper it would jump to nowhere."""

    def refuse(*arguments: Any, **named: Any) -> None:
        raise TypeError(f"{dispatcher.__name__} can only be called by compiled code, see @entry")

    dispatcher._compile_for_args = refuse
    dispatcher._insert = lambda *arguments, **named: None  # so the check is never passed by
    return dispatcher
