"""A plan made callable: arrays of any shape in, arrays out.

``Transform`` executes one plan for one size, precision and direction.  A contiguous vector of
exactly that type takes the fast path (see fastpath.py); everything else goes through ``general``:
lists, real numbers, other strides, batches, an output array, several threads.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.dft import fastpath
from montego.dft.execute import execute, execute_part
from montego.dft.plans import DftError, FourStep, Plan, Word, parse, spell
from montego.dft.program import Job, Program
from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import CACHE_LINE, empty_aligned
from montego.kernels.compiler.first_use import MAKING

RELEASE_FROM, ALIGN_FROM = 4096, 64
"""Sizes from which the GIL is released, and from which results begin on a cache line."""
PRECISIONS = {np.dtype(kind): name for name, kind in COMPLEX.items()}
Array = NDArray[Any]


class Transform:
    """The DFT of one size by one plan: ``transform(x)``."""

    def __init__(
        self,
        word: Sequence[Any],
        dtype: Any = np.complex128,
        *,
        inverse: bool = False,
        scale: float | None = None,
        threads: int = 1,
    ) -> None:
        self.plan: Plan = parse(word)
        self.word: Word = spell(self.plan)
        self.n, self.inverse, self.threads = self.plan.n, inverse, check_threads(threads)
        self.dtype = np.dtype(dtype)
        if self.dtype not in PRECISIONS:
            raise DftError(f"transforms are of complex128 or complex64, not {self.dtype}")
        self.scale = (1 / self.n if inverse else 1.0) if scale is None else check_scale(scale)
        self.seconds: float | None = None
        """Of one transform, if the plan was timed."""
        self._job = Job(PRECISIONS[self.dtype], inverse, self.scale != 1.0)
        self._program = Program(self.plan, self._job, self.scale)
        self._idle: list[Program] = []
        self.fast = self.fast_path(self.general)

    def __repr__(self) -> str:
        speed = "" if self.seconds is None else f", {self.mflops:,.0f} Mflop/s"
        return f"<DFT of {self.n:,}: {' '.join(map(str, self.word))}{speed}>"

    @property
    def mflops(self) -> float | None:
        """Pseudo-Mflop/s, as FFTW's benchmarks have it: 5 n log2 n operations per transform."""
        return None if self.seconds is None else pseudo_mflops(self.n, self.seconds)

    def __call__(self, x: Any, out: Array | None = None) -> Array:
        """The transform along the last axis."""
        if out is None:
            return self.fast(x)
        return self.general(x, out)

    def fast_path(self, fallback: Callable[[Any], Array]) -> Callable[[Any], Array]:
        """A built-in function for contiguous vectors; ``fallback`` takes everything else."""
        if self.threads > 1 or not fastpath.is_possible():
            return fallback
        return fastpath.fast_path(
            execute.address(*[int] * 6), self._program, self.dtype, fallback,
            self.n >= ALIGN_FROM, self.n >= RELEASE_FROM,
        )  # fmt: skip

    def bind(self, x: Array, out: Array) -> Callable[[], Array]:
        """A function without arguments that transforms the current content of ``x`` into ``out``.

        The fastest call there is; both arrays are contiguous vectors of this plan's type.
        """
        check_out(out, (self.n,), self.dtype)
        check_out(x, (self.n,), self.dtype)
        if np.may_share_memory(x, out):
            raise DftError("a bound transform needs two arrays")
        program = self._acquire(out.ctypes.data)
        if not fastpath.is_possible():
            return lambda: self.general(x, out)
        return fastpath.bound(execute.address(*[int] * 6), program, x, out)

    # --- any array ---------------------------------------------------------------------

    def general(self, x: Any, out: Array | None = None) -> Array:
        """The transform along the last axis of anything that NumPy takes for an array."""
        x = np.asarray(x)
        if x.ndim == 0 or x.shape[-1] != self.n:
            raise DftError(f"this plan transforms {self.n:,} numbers, not an array of {x.shape}")
        rows = np.ascontiguousarray(checked(x), self.dtype)
        if out is None:
            result = empty_aligned(x.shape, self.dtype)
        else:
            result = check_out(out, x.shape, self.dtype)
            if np.may_share_memory(result, rows):
                rows = rows.copy()
        self._batch(rows.reshape(-1, self.n), result)
        return result

    def _batch(self, x: Array, y: Array) -> None:
        """Transform every row; both arrays are contiguous."""
        if not len(x):
            return
        if self.threads > 1 and isinstance(self.plan, FourStep):
            for source, target in zip(x, y.reshape(x.shape), strict=True):
                self._in_parallel(source, target)
            return
        parts = min(self.threads, len(x))
        ends = [len(x) * part // parts for part in range(parts + 1)]
        jobs = [(x[a:b], y.reshape(x.shape)[a:b]) for a, b in pairwise(ends)]
        if parts == 1:
            self._rows(*jobs[0])
        else:
            in_threads(self._rows, jobs)

    def _rows(self, x: Array, y: Array) -> None:
        """Transform all rows in this thread."""
        program = self._acquire(y.ctypes.data)
        stride = self.n * self.dtype.itemsize
        execute(program.address, x.ctypes.data, y.ctypes.data, len(x), stride, stride)
        self._idle.append(program)

    def _in_parallel(self, x: Array, y: Array) -> None:
        """One transform by several threads: block buffers are their own, the matrix is shared."""
        threads = min(self.threads, *self._program.blocks)
        programs = [self._acquire(y.ctypes.data) for _ in range(threads)]
        matrix = programs[0].work
        for program in programs:
            program.use_work(matrix)
        for stage, blocks in enumerate(programs[0].blocks):
            ends = [blocks * part // threads for part in range(threads + 1)]
            calls = [(program, x, y, stage, a, b)
                     for program, (a, b) in zip(programs, pairwise(ends), strict=True)]  # fmt: skip
            in_threads(_part, calls)
        for program in programs:
            program.use_work(program.work)
        self._idle.extend(programs)

    def _acquire(self, y: int) -> Program:
        """A program that no other thread is executing, for an output at an address."""
        if self._program.needs_alignment and y % CACHE_LINE:
            return Program(self._unaligned_plan, self._job, self.scale)
        try:
            return self._idle.pop()
        except IndexError:
            return Program(self.plan, self._job, self.scale)

    @cached_property
    def _unaligned_plan(self) -> Plan:
        assert isinstance(self.plan, FourStep)
        stream_work = (
            self.plan.stream_work and not self.plan.early
        )  # if early, it writes to y as well
        return replace(self.plan, stream_work=stream_work, stream_y=False)


def _part(program: Program, x: Array, y: Array, *which: int) -> None:
    """Some blocks of one stage."""
    execute_part(program.address, x.ctypes.data, y.ctypes.data, *which)


def pseudo_mflops(n: int, seconds: float) -> float:
    """5 n log2 n / t, t in microseconds."""
    return float(5 * n * np.log2(n) / seconds / 1e6)


# --- arrays ----------------------------------------------------------------------------


def checked(x: Array) -> Array:
    """An array of numbers; raises TypeError for other types and for extended precision."""
    if x.dtype.kind not in "biufc":
        raise TypeError(f"a transform takes numbers, not {x.dtype}")
    if x.dtype.kind in "fc" and x.dtype.itemsize > (16 if x.dtype.kind == "c" else 8):
        raise TypeError(f"transforms are in double or single precision, not {x.dtype}")
    return x


def check_out(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """The user's output array; raises DftError if it does not fit."""
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype:
        what = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise DftError(f"the result is an array of {dtype} {shape}, not {what}")
    if not out.flags.carray:
        raise DftError("the result has to be writeable and contiguous")
    return out


def check_scale(scale: Any) -> float:
    """The factor on the result; raises DftError unless it is a finite number."""
    try:
        number = float(scale)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise DftError(f"the scale is a number, not {scale!r}")
    return number


def check_threads(threads: Any) -> int:
    try:
        threads = operator.index(threads)
    except TypeError:
        raise DftError(f"threads are a whole number, not {threads!r}") from None
    if threads < 1:
        raise DftError(f"threads are at least 1, not {threads}")
    return int(threads)


# --- threads ---------------------------------------------------------------------------

_pool: list[ThreadPoolExecutor] = []
"""The thread pool, once it is needed."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.clear)  # threads do not survive a fork


def thread_pool() -> ThreadPoolExecutor:
    """The thread pool of this process."""
    if not _pool:
        with MAKING:
            if not _pool:
                threads = os.cpu_count() or 1
                _pool.append(ThreadPoolExecutor(threads, thread_name_prefix="dft"))
    return _pool[0]


def in_threads(work: Callable[..., None], jobs: Sequence[tuple[Any, ...]]) -> None:
    """Run all jobs in the thread pool; each holds references to the arrays that it works on."""
    for done in [thread_pool().submit(work, *job) for job in jobs]:
        done.result()
