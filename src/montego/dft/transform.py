"""A plan made callable: arrays of any shape in, arrays out.

``Transform`` executes one plan for one size, precision and direction.  A plain vector of exactly
that kind goes through a door (see door); everything else comes by way of ``general``: lists, real
numbers, other strides, many vectors at once, a place for the result, several threads.
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

from montego.dft import door
from montego.dft.execute import execute, execute_part
from montego.dft.plans import DftError, FourStep, Plan, Word, parse, spell
from montego.dft.program import Job, Program
from montego.dft.tables import COMPLEX
from montego.kernels.compiler.making import MAKING

RELEASE_FROM, ALIGN_FROM = 4096, 64
"""Sizes from which other threads may run meanwhile, and from which results begin on cache lines."""
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
        """What one transform took when it was measured."""
        self._job = Job(PRECISIONS[self.dtype], inverse, self.scale != 1.0)
        self._program = Program(self.plan, self._job, self.scale)
        self._spare: list[Program] = []
        self.fast = self.door(self.general)

    def __repr__(self) -> str:
        speed = "" if self.seconds is None else f", {self.mflops:,.0f} Mflop/s"
        return f"<DFT of {self.n:,}: {' '.join(map(str, self.word))}{speed}>"

    @property
    def mflops(self) -> float | None:
        """5 n log2 n operations by microseconds: the usual measure, pseudo-Mflop/s."""
        return None if self.seconds is None else pseudo_mflops(self.n, self.seconds)

    def __call__(self, x: Any, out: Array | None = None) -> Array:
        """The transform along the last axis."""
        if out is None:
            return self.fast(x)
        return self.general(x, out)

    def door(self, otherwise: Callable[[Any], Array]) -> Callable[[Any], Array]:
        """The quick way in; ``otherwise`` does what it cannot."""
        if self.threads > 1 or not door.is_possible():
            return otherwise
        return door.door(
            execute.address(*[int] * 6), self._program, self.dtype, otherwise,
            self.n >= ALIGN_FROM, self.n >= RELEASE_FROM,
        )  # fmt: skip

    def bind(self, x: Array, out: Array) -> Callable[[], Array]:
        """A function without arguments: it transforms what is in ``x`` into ``out``, over and over.

        The quickest call there is; both arrays are vectors of this plan's type, in one piece.
        """
        check_out(out, (self.n,), self.dtype)
        check_out(x, (self.n,), self.dtype)
        if np.may_share_memory(x, out):
            raise DftError("a bound transform needs two arrays")
        program = self._borrow(out.ctypes.data)
        if not door.is_possible():
            return lambda: self.general(x, out)
        return door.bound(execute.address(*[int] * 6), program, x, out)

    # --- any array ---------------------------------------------------------------------

    def general(self, x: Any, out: Array | None = None) -> Array:
        """The transform along the last axis of whatever is an array."""
        x = np.asarray(x)
        if x.ndim == 0 or x.shape[-1] != self.n:
            raise DftError(f"this plan transforms {self.n:,} numbers, not an array of {x.shape}")
        rows = np.ascontiguousarray(checked(x), self.dtype)
        if out is None:
            result = empty(x.shape, self.dtype)
        else:
            result = check_out(out, x.shape, self.dtype)
            if np.may_share_memory(result, rows):
                rows = rows.copy()
        self._rows(rows.reshape(-1, self.n), result)
        return result

    def _rows(self, x: Array, y: Array) -> None:
        """Transform every row; both arrays are in one piece."""
        if not len(x):
            return
        if self.threads > 1 and isinstance(self.plan, FourStep):
            for source, target in zip(x, y.reshape(x.shape), strict=True):
                self._by_blocks(source, target)
            return
        parts = min(self.threads, len(x))
        ends = [len(x) * part // parts for part in range(parts + 1)]
        jobs = [(x[a:b], y.reshape(x.shape)[a:b]) for a, b in pairwise(ends)]
        if parts == 1:
            self._some(*jobs[0])
        else:
            together(self._some, jobs)

    def _some(self, x: Array, y: Array) -> None:
        """Transform all rows."""
        program = self._borrow(y.ctypes.data)
        step = self.n * self.dtype.itemsize
        execute(program.words.ctypes.data, x.ctypes.data, y.ctypes.data, len(x), step, step)
        self._spare.append(program)

    def _by_blocks(self, x: Array, y: Array) -> None:
        """One transform by several threads: each has buffers of its own, all share the matrix."""
        threads = min(self.threads, *self._program.blocks)
        programs = [self._borrow(y.ctypes.data) for _ in range(threads)]
        matrix = programs[0].work
        for program in programs:
            program.use_work(matrix)
        for stage, blocks in enumerate(programs[0].blocks):
            ends = [blocks * part // threads for part in range(threads + 1)]
            calls = [(program, x, y, stage, a, b)
                     for program, (a, b) in zip(programs, pairwise(ends), strict=True)]  # fmt: skip
            together(_part, calls)
        for program in programs:
            program.use_work(program.work)
        self._spare.extend(programs)

    def _borrow(self, y: int) -> Program:
        """A program that nobody else is executing, for a result at an address."""
        if self._program.needs_alignment and y % 64:
            return Program(self._unaligned_plan, self._job, self.scale)
        try:
            return self._spare.pop()
        except IndexError:
            return Program(self.plan, self._job, self.scale)

    @cached_property
    def _unaligned_plan(self) -> Plan:
        assert isinstance(self.plan, FourStep)
        stream_work = self.plan.stream_work and not self.plan.early  # early, it goes to y as well
        return replace(self.plan, stream_work=stream_work, stream_y=False)


def _part(program: Program, x: Array, y: Array, *which: int) -> None:
    """Some blocks of one stage."""
    execute_part(program.words.ctypes.data, x.ctypes.data, y.ctypes.data, *which)


def pseudo_mflops(n: int, seconds: float) -> float:
    """5 n log2 n / t, t in microseconds."""
    return float(5 * n * np.log2(n) / seconds / 1e6)


# --- arrays ----------------------------------------------------------------------------


def checked(x: Array) -> Array:
    """An array of numbers; raises TypeError for what is none, or is too precise for us."""
    if x.dtype.kind not in "biufc":
        raise TypeError(f"a transform takes numbers, not {x.dtype}")
    if x.dtype.kind in "fc" and x.dtype.itemsize > (16 if x.dtype.kind == "c" else 8):
        raise TypeError(f"transforms are in double or single precision, not {x.dtype}")
    return x


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A new array that begins on a cache line."""
    size = int(np.prod(shape)) * dtype.itemsize
    room = np.empty(size + 64, np.uint8)
    begin = -room.ctypes.data % 64
    return room[begin : begin + size].view(dtype).reshape(shape)


def check_out(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """The user's place for a result; raises DftError if it does not fit."""
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype:
        what = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise DftError(f"the result is an array of {dtype} {shape}, not {what}")
    if not out.flags.carray:
        raise DftError("the result has to be writeable and in one piece")
    return out


def check_scale(scale: Any) -> float:
    """What results are multiplied with; raises DftError for what is no number."""
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

_crew: list[ThreadPoolExecutor] = []
"""The threads that help, if there were any to be helped."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_crew.clear)  # a forked process has none of its parent's


def crew() -> ThreadPoolExecutor:
    """The threads that help; in a forked process they are new ones."""
    if not _crew:
        with MAKING:
            if not _crew:
                helpers = os.cpu_count() or 1
                _crew.append(ThreadPoolExecutor(helpers, thread_name_prefix="dft"))
    return _crew[0]


def together(work: Callable[..., None], jobs: Sequence[tuple[Any, ...]]) -> None:
    """Do all of it at once; whatever happens, a job holds the memory that it works on."""
    for done in [crew().submit(work, *job) for job in jobs]:
        done.result()
