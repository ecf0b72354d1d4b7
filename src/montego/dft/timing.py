"""How long a plan takes: honestly, and verified.

A plan is warmed up, its result is compared with NumPy's, and it is timed in samples of many
transforms each.  Some plans are fast only where their vectors happen to lie well: so samples are
taken in several memories, and what counts is the mean of the least of each: whatever else the
machine does can only add to those.  Each is taken by two clocks, that on the wall and that of the
thread's own processor time: only where they agree was it not interrupted.  And each is followed by
one of the default plan: what slows that one down, a neighbour in the caches for instance, slows the
other, too, and is taken out.  A plan that is far behind the best gets no more samples, and after
the first not even a comparison; one that seems to be the best is timed twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from montego.dft.defaults import default_word
from montego.dft.execute import execute
from montego.dft.plans import Columns, DftError, Word, parse, parse_part
from montego.dft.program import Job, Program
from montego.dft.tables import COMPLEX, memory
from montego.dft.transform import pseudo_mflops

SAMPLE_SECONDS, SAMPLES, PLACES = 2e-4, 3, 4
"""A sample lasts at least so long; so many are taken of a good plan in each of so many memories."""
AGREE, READING = 1.02, 2e-6
"""How far two clocks may differ, and the seconds that it takes to read one."""
TURNS = [place for place in range(PLACES) for _ in range(SAMPLES)]
HOPELESS = (1.4, 1.3, 1.15)
"""So many times the best time after one sample, two, or more: and no more of them are taken."""
TOLERANCE = {"double": 1e-14, "single": 1e-5}


class WrongResultError(DftError):
    """A plan that computes something else."""


Sample = tuple[float, float]
"""Seconds on the wall, and of the thread's own time."""
Call = tuple[int, int, int]
"""Addresses of a program, of its input and of its result."""


def sample(work: Callable[..., Any], *arguments: Any) -> Sample:
    """Time a call by both clocks."""
    own, wall = time.thread_time(), time.perf_counter()
    work(*arguments)
    wall = time.perf_counter() - wall
    return wall, time.thread_time() - own


def least(samples: Sequence[Sample]) -> float:
    """The least time of some samples, interrupted ones left out.

    If all of them were, the thread's own time has to do.  In a virtual machine that clock may lose
    time, so what is less than half of the usual does not count.
    """
    calm = [wall for wall, own in samples if wall <= AGREE * own + READING]
    if calm:
        return min(calm)
    owns = sorted(own for _, own in samples)
    return next(own for own in owns if own >= 0.5 * owns[len(owns) // 2])


class Timer:
    """Measures plans of one size; knows the best so far."""

    def __init__(self, n: int, precision: str = "double") -> None:
        self.n, self.precision = n, precision
        self.best = float("inf")
        self.usual = 0.0
        """What the default plan took when it was first timed."""
        self.weather = 1.0
        """That by what it takes now."""
        self.vectors: dict[int, list[tuple[Any, Any]]] = {}
        self.expected: dict[tuple[int, ...], Any] = {}
        execute.prepare(*[1] * 6)  # what all plans need is compiled before any clock runs
        dice = np.random.default_rng(n)
        self.numbers = dice.standard_normal(2 * n).view(np.complex128)

    def seconds(self, word: Word) -> float:
        """What one transform takes by a plan."""
        program = Program(parse(word), Job(self.precision))
        if program.n != self.n:
            raise DftError(f"a plan for {program.n}, not for {self.n}")
        found = self._measure(program, self.best)
        if found < self.best:  # may be luck: a record has to be confirmed, in other memory
            again = Program(program.plan, program.job)
            found = max(found, self._measure(again, self.best))
        self.best = min(self.best, found)
        return found

    def part_seconds(self, word: Word) -> float:
        """What a part of a plan takes alone; of words that are whole plans, the whole."""
        plan = parse_part(word, self.precision)
        if not isinstance(plan, Columns):
            return self.seconds(word)
        return self._measure(Program(plan, Job(self.precision)), float("inf"))

    def move(self) -> None:
        """Go on in other memory, with no plan known."""
        self.best, self.usual, self.weather = float("inf"), 0.0, 1.0
        self.vectors.clear()

    def mflops(self, word: Word) -> float:
        """The speed of a plan, which TAG maximises."""
        return pseudo_mflops(self.n, self.seconds(word))

    def _measure(self, program: Program, best: float) -> float:
        """In all memories; of a whole plan by what the default plan takes meanwhile."""
        calls = self._calls(program)
        execute(*calls[0], 1, 0, 0)
        ours = Samples(calls, *enough(calls[0]))
        found = ours.mean() * self.weather
        if found > HOPELESS[0] * best:
            return found
        self._verify(program)
        theirs = None if isinstance(program.plan, Columns) else self._default()
        for number, place in enumerate(TURNS):
            if number:
                ours.take(place)
            if theirs:
                theirs.take(place)
                self.weather = self.usual / theirs.mean()
            found = ours.mean() * (self.weather if theirs else 1.0)
            if found > HOPELESS[min(number, len(HOPELESS) - 1)] * best:
                break
        return found

    def _default(self) -> Samples:
        """The default plan, not yet sampled again."""
        if not self.usual:
            word = default_word(self.n, self.precision)
            self.reference = Program(parse(word), Job(self.precision))
            calls = self._calls(self.reference)
            self.repeats, first = enough(calls[0])
            samples = Samples(calls, self.repeats, first)
            for place in TURNS[1:]:
                samples.take(place)
            self.usual = samples.mean()
        return Samples(self._calls(self.reference), self.repeats)

    def _calls(self, program: Program) -> list[Call]:
        """How a program is called in each memory, which hold the same numbers for every plan."""
        if program.size not in self.vectors:
            self.vectors[program.size] = [self._pair(program.size) for _ in range(PLACES)]
        return [
            (program.words.ctypes.data, x.ctypes.data, y.ctypes.data)
            for x, y in self.vectors[program.size]
        ]

    def _pair(self, size: int) -> tuple[Any, Any]:
        dtype = COMPLEX[self.precision]
        x, y = (memory(size * dtype.itemsize).view(dtype) for _ in range(2))
        x[:], y[:] = np.resize(self.numbers, size), 0.0
        return x, y

    def _verify(self, program: Program) -> None:
        """Whether the result in the first memory is NumPy's."""
        x, y = self.vectors[program.size][0]
        shape = (program.n, program.size // program.n)
        if shape not in self.expected:
            right = np.fft.fft(x.reshape(shape).astype(np.complex128), axis=0).ravel()
            self.expected[shape] = right, float(np.abs(right).max())
        right, largest = self.expected[shape]
        errors = (y - right).view(np.float64)
        error = max(float(errors.max()), -float(errors.min()))
        if not error <= TOLERANCE[self.precision] * largest:
            raise WrongResultError(f"{program.plan} is wrong by {error}")


class Samples:
    """Samples of a program, by memories; there may be one already, in the first of them."""

    def __init__(self, calls: Sequence[Call], repeats: int, first: Sample | None = None) -> None:
        self.calls, self.repeats = calls, repeats
        self.taken: list[list[Sample]] = [] if first is None else [[first]]

    def take(self, place: int) -> None:
        if place == len(self.taken):
            self.taken.append([])
        self.taken[place].append(sample(execute, *self.calls[place], self.repeats, 0, 0))

    def mean(self) -> float:
        """The mean over memories of the least so far, for one transform."""
        return fmean(map(least, self.taken)) / self.repeats


def enough(call: Call) -> tuple[int, Sample]:
    """How many transforms last as long as a sample should, and such a sample."""
    repeats = 1
    while (first := sample(execute, *call, repeats, 0, 0))[0] < SAMPLE_SECONDS / 2:
        repeats = max(2 * repeats, int(0.5 * repeats * SAMPLE_SECONDS / first[0]))
    return repeats, first
