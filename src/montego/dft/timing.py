"""How long a plan takes: robust against noise, and verified.

Machines are noisy, for seconds at a time: the time of a transform changes by a tenth while nothing
of ours does.  So a plan is timed in pairs, a sample of it and one of the default plan right after;
whatever slows one down, such as another process in the caches, slows the other, too.  What counts
is the interquartile mean of the ratios: it drops outliers on both sides, and unlike a minimum it
improves with every pair.  Pairs are taken in several sets of buffers, since some plans are fast
only where their vectors happen to lie well.  A plan that is clearly behind the best few gets no
more pairs, one that seems to be the best gets four times as many, and none counts as good before
its result has been compared with NumPy's.

Samples are taken by two clocks, wall time and processor time of the thread: where they agree, the
sample was not interrupted.
"""

from __future__ import annotations

import math
import time
from bisect import insort
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from montego.dft.defaults import default_word
from montego.dft.execute import execute
from montego.dft.plans import Columns, DftError, Word, parse, parse_part
from montego.dft.program import Job, Program
from montego.dft.vector import COMPLEX
from montego.kernels.compiler.aligned import empty_aligned

SAMPLE_SECONDS = 1e-4
"""The shortest sample."""
BUFFER_SETS, PAIRS_IN_SET, SAMPLES = 2, 2, 3
"""Sets of buffers, pairs of samples of a plan in each, and samples of a part; an interrupted sample
is repeated until there are ``SAMPLES``."""
PAIRS = BUFFER_SETS * PAIRS_IN_SET
PAIRS_OF_BEST = 4 * PAIRS
"""Pairs of a plan that seems to be the best."""
LARGE = 1 << 18
"""Elements from which a vector is never warm in the caches."""
AGREE, CLOCK_SECONDS = 1.02, 2e-6
"""The ratio up to which two clocks agree, and the seconds that it takes to read one."""
LEADERS = 4
"""How many of the best plans are timed well."""
SLACK = 0.06
"""A plan may seem to be behind the last leader by this share, over the root of the number of pairs;
beyond that, no more pairs are taken."""
BLOCK_BYTES = 4 << 20
"""Scratch memory for block buffers."""
TOLERANCE = {"double": 1e-14, "single": 1e-5}


class WrongResultError(DftError):
    """A plan that computes something else."""


Sample = tuple[float, float]
"""Seconds of wall time, and of the thread's processor time."""


def sample(work: Callable[..., Any], *arguments: Any) -> Sample:
    """Time a call by both clocks."""
    own, wall = time.thread_time(), time.perf_counter()
    work(*arguments)
    wall = time.perf_counter() - wall
    return wall, time.thread_time() - own


def is_uninterrupted(taken: Sample) -> bool:
    """Whether the thread had the processor all the time."""
    wall, own = taken
    return wall <= AGREE * own + CLOCK_SECONDS


def least_time(samples: Sequence[Sample]) -> float:
    """The least wall time of the samples that were not interrupted.

    If all of them were, the thread's processor time is taken.  In a virtual machine that clock may
    lose time, so values below half of the median do not count.
    """
    clean = [taken[0] for taken in samples if is_uninterrupted(taken)]
    if clean:
        return min(clean)
    owns = sorted(own for _, own in samples)
    return max(CLOCK_SECONDS, next(own for own in owns if own >= 0.5 * owns[len(owns) // 2]))


class Buffers:
    """Memory for a transform: input, output, and scratch.

    It is the same for all plans, so that none is lucky with its own.
    """

    def __init__(self, numbers: Any) -> None:
        self.x, self.y = (empty_aligned(numbers.shape, numbers.dtype) for _ in range(2))
        self.x[:], self.y[:] = numbers, 0.0
        self.scratch = empty_aligned(2 * numbers.nbytes + BLOCK_BYTES, np.uint8)

    def time(self, program: Program, repeats: int) -> Sample:
        """A sample of some transforms."""
        if program.scratch_size > len(self.scratch):
            self.scratch = empty_aligned(program.scratch_size, np.uint8)
        program.use_scratch(self.scratch.ctypes.data)
        x, y = self.x.ctypes.data, self.y.ctypes.data
        return sample(execute, program.address, x, y, repeats, 0, 0)


def interquartile_mean(values: Sequence[float]) -> float:
    """The mean of the middle half."""
    out = len(values) // 4
    return fmean(sorted(values)[out : len(values) - out])


class TimedProgram:
    """A program, and how many transforms make up a sample."""

    def __init__(self, program: Program, buffers: Buffers) -> None:
        self.program, self.repeats = program, 1
        self.is_large = program.size >= LARGE
        self.ratios: list[float] = []
        """Of its samples by those of the default plan."""
        while (
            not self.is_large and (first := buffers.time(program, self.repeats)[0]) < SAMPLE_SECONDS
        ):
            self.repeats = max(2 * self.repeats, int(self.repeats * SAMPLE_SECONDS / first))

    def seconds(self, buffers: Buffers) -> float:
        """Of one transform, in one sample, with warm caches unless the vector is too large."""
        if not self.is_large:
            buffers.time(self.program, 1)
        samples: list[Sample] = []
        while len(samples) < SAMPLES and not any(map(is_uninterrupted, samples)):
            samples.append(buffers.time(self.program, self.repeats))
        return least_time(samples) / self.repeats

    def least_seconds(self, sets: Sequence[Buffers]) -> float:
        """Of one transform: the least of some samples, averaged over sets of buffers."""
        return fmean(
            least_time([buffers.time(self.program, self.repeats) for _ in range(SAMPLES)])
            for buffers in sets
        ) / self.repeats  # fmt: skip


class Timer:
    """Measures plans of one size; keeps the times of the best few."""

    def __init__(self, n: int, precision: str = "double") -> None:
        self.n, self.precision = n, precision
        self.leaders: list[float] = []
        """The least times, rising."""
        self.current = 0
        """The index of the set of buffers in use, which is warm."""
        self.default: TimedProgram | None = None
        self.default_seconds = 0.0
        """The least time of the default plan."""
        self.buffers: dict[int, list[Buffers]] = {}
        self.expected: dict[tuple[int, ...], Any] = {}
        execute.prepare(*[1] * 6)  # what all plans need is compiled before any clock runs
        rng = np.random.default_rng(n)
        self.numbers = rng.standard_normal(2 * n).view(np.complex128)

    def seconds(self, word: Word) -> float:
        """The time of one transform by a plan."""
        program = Program(parse(word), Job(self.precision))
        if program.n != self.n:
            raise DftError(f"a plan for {program.n}, not for {self.n}")
        ours = TimedProgram(program, self._buffers(self.n)[self.current])
        seconds = self._measure(ours, PAIRS)
        if seconds < self.cutoff:
            self._verify(program)
        while seconds < self.best and len(ours.ratios) < PAIRS_OF_BEST:  # may be luck
            seconds = self._measure(ours, len(ours.ratios) + PAIRS)
        insort(self.leaders, seconds)
        del self.leaders[LEADERS:]
        return seconds

    @property
    def best(self) -> float:
        """The time of the first leader."""
        return self.leaders[0] if self.leaders else float("inf")

    @property
    def cutoff(self) -> float:
        """The time of the last leader."""
        return self.leaders[-1] if len(self.leaders) == LEADERS else float("inf")

    def part_seconds(self, word: Word) -> float:
        """The time of a part of a plan alone; if the word is a whole plan, of the whole."""
        plan = parse_part(word, self.precision)
        if not isinstance(plan, Columns):
            return self.seconds(word)
        program = Program(plan, Job(self.precision))
        self._verify(program)
        sets = self._buffers(program.size)
        return TimedProgram(program, sets[0]).least_seconds(sets)

    def reset(self) -> None:
        """Continue with new buffers and without leaders."""
        self.default = None
        self.leaders.clear()
        self.buffers.clear()

    def _measure(self, ours: TimedProgram, most: int) -> float:
        """Seconds by pairs, at most so many, fewer if the plan is clearly behind."""
        default, seconds = self._default(), 0.0
        while len(ours.ratios) < most:
            if ours.ratios and len(ours.ratios) % PAIRS_IN_SET == 0:
                self.current = (self.current + 1) % BUFFER_SETS
                self._ratio(ours, default)  # warm up
            ours.ratios.append(self._ratio(ours, default))
            seconds = self.default_seconds * interquartile_mean(ours.ratios)
            if seconds > (1 + SLACK / math.sqrt(len(ours.ratios))) * self.cutoff:
                break
        return seconds

    def _ratio(self, ours: TimedProgram, default: TimedProgram) -> float:
        """Of a pair; its order alternates."""
        buffers = self._buffers(self.n)[self.current]
        first, second = (ours, default) if len(ours.ratios) % 2 else (default, ours)
        ratio = first.seconds(buffers) / second.seconds(buffers)
        return ratio if first is ours else 1 / ratio

    def _default(self) -> TimedProgram:
        """The default plan, which all others are compared with."""
        if self.default is None:
            program = Program(parse(default_word(self.n, self.precision)), Job(self.precision))
            sets = self._buffers(self.n)
            self.default = TimedProgram(program, sets[0])
            self.default_seconds = self.default.least_seconds(sets)
        return self.default

    def _buffers(self, size: int) -> list[Buffers]:
        """The sets of buffers for a size; the numbers are the same for every plan."""
        if size not in self.buffers:
            numbers = np.resize(self.numbers, size).astype(COMPLEX[self.precision])
            self.buffers[size] = [Buffers(numbers) for _ in range(BUFFER_SETS)]
        return self.buffers[size]

    def _verify(self, program: Program) -> None:
        """Raises WrongResultError unless the result of a plan is NumPy's."""
        buffers, shape = self._buffers(program.size)[0], (program.n, program.size // program.n)
        if shape not in self.expected:
            right = np.fft.fft(buffers.x.reshape(shape).astype(np.complex128), axis=0).ravel()
            self.expected[shape] = right, float(np.abs(right).max())
        right, largest = self.expected[shape]
        buffers.y[:] = np.nan
        buffers.time(program, 1)
        errors = (buffers.y - right).view(np.float64)
        error = max(float(errors.max()), -float(errors.min()))
        if not error <= TOLERANCE[self.precision] * largest:
            raise WrongResultError(f"{program.plan} is wrong by {error}")
