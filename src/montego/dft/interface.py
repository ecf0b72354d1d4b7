"""``fft``, ``ifft`` and ``plan``: what users call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from montego.dft import wisdom
from montego.dft.defaults import check_size, default_word
from montego.dft.plans import DftError
from montego.dft.transform import Array, Transform, check_out, check_threads, checked
from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import empty_aligned

if TYPE_CHECKING:
    from montego.dft.search import SearchResult

NORMS: dict[str | None, tuple[float, float]] = {
    None: (0.0, -1.0), "backward": (0.0, -1.0), "ortho": (-0.5, -0.5), "forward": (-1.0, 0.0),
}  # fmt: skip
"""The powers of n that scale the result, forward and inverse, as in NumPy."""
Progress = Callable[[Any], None]
SINGLE = {np.dtype(kind) for kind in (np.float16, np.float32, np.complex64)}
_forward: dict[int, Callable[[Any], Array]] = {}
_backward: dict[int, Callable[[Any], Array]] = {}
"""Fast paths for vectors of complex128, by their length.

``fft`` and ``ifft`` look them up by the same lines: one more call would cost as much as a small
transform.
"""


def fft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
    *,
    threads: int = 1,
) -> Array:
    """The discrete Fourier transform, X_k = Σ x_j exp(−2πijk/n), as ``numpy.fft.fft``.

    Uses the best known plan of the size (see ``plan``), or else the default plan.  Sizes are
    products of 2, 3 and 5.  complex64 and float32 are transformed in single precision.
    """
    if n is None and norm is None and out is None and axis == -1 and threads == 1:
        try:
            fast_path = _forward[len(x)]
        except (KeyError, TypeError):
            pass
        else:
            return fast_path(x)
    return _general(x, n, axis, norm, out, threads, False)


def ifft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    out: Array | None = None,
    *,
    threads: int = 1,
) -> Array:
    """The inverse of ``fft``, as ``numpy.fft.ifft``."""
    if n is None and norm is None and out is None and axis == -1 and threads == 1:
        try:
            fast_path = _backward[len(x)]
        except (KeyError, TypeError):
            pass
        else:
            return fast_path(x)
    return _general(x, n, axis, norm, out, threads, True)


def plan(
    n: int,
    search: str = "tag",
    seconds: float = 5.0,
    *,
    dtype: Any = np.complex128,
    inverse: bool = False,
    threads: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> Transform:
    """Search for the fastest plan of a size on this machine, and keep it as wisdom.

    ``search`` is tag, dp, montecarlo, exhaustive, or none (the best known or default plan).
    """
    n, precision = check_size(n), precision_of(dtype)
    found = None
    if search == "none":
        word = wisdom.best(n, precision) or default_word(n, precision)
    else:
        found = find_plan(n, search, seconds, precision, seed, progress)
        word = found.word
    made = Transform(word, COMPLEX[precision], inverse=inverse, threads=threads)
    made.seconds = None if found is None else found.seconds
    return made


def find_plan(
    n: int, search: str, seconds: float, precision: str, seed: int, progress: Progress | None
) -> SearchResult:
    """Search for a plan and keep it as wisdom."""
    from montego.dft.search import find

    found = find(n, search, seconds, precision=precision, seed=seed, progress=progress)
    wisdom.learn(n, precision, found.word, found.seconds)
    forget()
    return found


def import_wisdom(file: str | Path, *, foreign: bool = False) -> int:
    """Add the plans of a file where none is known; returns how many are new for this machine.

    ``foreign``: use plans of other machines on this one, too.
    """
    number = wisdom.add_file(file, foreign)
    forget()
    return number


def forget_wisdom() -> None:
    """Forget all plans for this machine."""
    wisdom.forget_all()
    forget()


def forget() -> None:
    """Clear the caches of transforms: wisdom has changed."""
    _forward.clear()
    _backward.clear()
    transform.cache_clear()


def precision_of(dtype: Any) -> str:
    """single for what NumPy transforms in single precision, double for all other numbers."""
    dtype = np.dtype(dtype)
    checked(np.empty(0, dtype))
    return "single" if dtype.newbyteorder("=") in SINGLE else "double"


@cache
def transform(n: int, precision: str, inverse: bool, norm: str | None, threads: int) -> Transform:
    """The transform that ``fft`` and ``ifft`` use."""
    check_size(n)
    word = wisdom.best(n, precision) or default_word(n, precision)
    scale = float(n) ** NORMS[norm][inverse]
    return Transform(word, COMPLEX[precision], inverse=inverse, scale=scale, threads=threads)


def _general(
    x: Any, n: int | None, axis: int, norm: str | None, out: Array | None, threads: int,
    inverse: bool,
) -> Array:  # fmt: skip
    """Any array, any axis."""
    x = checked(np.asarray(x))
    if norm not in NORMS:
        raise DftError(f"norm is backward, ortho or forward, not {norm!r}")
    if x.ndim == 0:
        raise DftError("a transform takes an array with at least one axis")
    axis = normalize_axis_index(axis, x.ndim)
    if n is not None:
        x = _resized(x, check_size(n), axis)
    size, precision = x.shape[axis], precision_of(x.dtype)
    dtype = COMPLEX[precision]
    check_size(size)
    if out is not None:
        check_out(out, x.shape, dtype)
    if size == 1:
        result = np.array(x, dtype)
    else:
        one = transform(size, precision, inverse, norm, check_threads(threads))
        if x.ndim == 1 and out is None and x.dtype == dtype:
            if norm is None and threads == 1 and precision == "double":
                _add_fast_path(one)
            if x.flags.c_contiguous and x.flags.aligned:
                return one(x)
        last = axis == x.ndim - 1
        if last and out is not None:
            return one.general(x, out)
        result = one.general(x if last else np.moveaxis(x, axis, -1))
        if not last:
            back = empty_aligned(x.shape, dtype) if out is None else out
            np.copyto(back, np.moveaxis(result, -1, axis))
            return back
    if out is None:
        return result
    np.copyto(out, result)
    return out


def _add_fast_path(one: Transform) -> None:
    """Let such vectors take the fast path from now on."""
    known = _backward if one.inverse else _forward
    if one.n not in known:
        known[one.n] = one.fast_path(lambda x: _general(x, None, -1, None, None, 1, one.inverse))


def _resized(x: Array, n: int, axis: int) -> Array:
    """Cropped or zero-padded to n numbers along an axis."""
    if n <= x.shape[axis]:
        return x[(slice(None),) * axis + (slice(n),)]
    shape = list(x.shape)
    shape[axis] = n
    wide = np.zeros(shape, x.dtype)
    wide[(slice(None),) * axis + (slice(x.shape[axis]),)] = x
    return wide
