"""How long a plan takes: honestly, and verified.

A plan is warmed up, its result is compared with NumPy's, and it is timed in samples of many
transforms each.  The least sample counts: whatever else the machine does can only add to it.  Each
is taken by two clocks, that on the wall and that of the thread's own processor time: only where
they agree was it not interrupted.  And each is followed by one of the default plan: what slows that
one down, a neighbour in the caches for instance, slows the other, too, and is taken out.  A plan
that is far behind the best gets no more samples, and one that seems to be the best is timed twice:
some plans are fast only where their memory happens to lie well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from montego.dft.defaults import default_word
from montego.dft.execute import execute
from montego.dft.plans import Columns, DftError, Word, parse, parse_part
from montego.dft.program import Job, Program
from montego.dft.tables import COMPLEX, memory
from montego.dft.transform import pseudo_mflops

SAMPLE_SECONDS, SAMPLES = 2e-4, 12
"""A sample lasts at least so long; so many are taken of a good plan."""
AGREE, READING = 1.02, 2e-6
"""How far two clocks may differ, and the seconds that it takes to read one."""
HOPELESS = (1.5, 1.3, 1.15)
"""So many times the best time after one sample, two, or more: and no more of them are taken."""
TOLERANCE = {"double": 1e-14, "single": 1e-5}


class WrongResultError(DftError):
    """A plan that computes something else."""


Sample = tuple[float, float]
"""Seconds on the wall, and of the thread's own time."""


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
        self.usual = float("inf")
        """What the default plan takes at its best."""
        self.default: tuple[tuple[int, int, int], int] | None = None
        self.memory: dict[int, tuple[Any, Any]] = {}
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

    def mflops(self, word: Word) -> float:
        """The speed of a plan, which TAG maximises."""
        return pseudo_mflops(self.n, self.seconds(word))

    def _measure(self, program: Program, best: float) -> float:
        """The least of some samples; those of whole plans are followed by the default plan's."""
        x, y = self._vectors(program.size)
        call = (program.words.ctypes.data, x.ctypes.data, y.ctypes.data)
        execute(*call, 1, 0, 0)
        self._verify(program, x, y)
        repeats, is_part = self._enough(call), isinstance(program.plan, Columns)
        ours: list[Sample] = []
        theirs: list[Sample] = []
        while len(ours) < SAMPLES:
            ours.append(sample(execute, *call, repeats, 0, 0))
            found = least(ours) / repeats
            found *= 1.0 if is_part else self._weather(theirs)
            if found > HOPELESS[min(len(ours), len(HOPELESS)) - 1] * best:
                break
        return found

    def _weather(self, samples: list[Sample]) -> float:
        """The default plan at its best by what it takes now, from one more sample."""
        call, repeats = self._default()
        samples.append(sample(execute, *call, repeats, 0, 0))
        now = least(samples) / repeats
        self.usual = min(self.usual, now)
        return self.usual / now

    def _default(self) -> tuple[tuple[int, int, int], int]:
        """How the default plan is called, and how often for a sample."""
        if self.default is None:
            self.reference = Program(
                parse(default_word(self.n, self.precision)), Job(self.precision)
            )
            x, y = self._vectors(self.n)
            call = (self.reference.words.ctypes.data, x.ctypes.data, y.ctypes.data)
            self.default = call, self._enough(call)
        return self.default

    def _enough(self, call: tuple[int, int, int]) -> int:
        """How many transforms last as long as a sample should."""
        repeats = 1
        while (lasted := sample(execute, *call, repeats, 0, 0)[0]) < SAMPLE_SECONDS / 2:
            repeats = max(2 * repeats, int(0.5 * repeats * SAMPLE_SECONDS / lasted))
        return repeats

    def _vectors(self, size: int) -> tuple[Any, Any]:
        """Memory for a transform, filled with the same numbers for every plan."""
        if size not in self.memory:
            dtype = COMPLEX[self.precision]
            x, y = (memory(size * dtype.itemsize).view(dtype) for _ in range(2))
            x[:] = np.resize(self.numbers, size)
            self.memory[size] = (x, y)
        return self.memory[size]

    def _verify(self, program: Program, x: Any, y: Any) -> None:
        shape = (program.n, program.size // program.n)
        if shape not in self.expected:
            right = np.fft.fft(x.reshape(shape).astype(np.complex128), axis=0).ravel()
            self.expected[shape] = right, float(np.abs(right).max())
        right, largest = self.expected[shape]
        errors = (y - right).view(np.float64)
        error = max(float(errors.max()), -float(errors.min()))
        if not error <= TOLERANCE[self.precision] * largest:
            raise WrongResultError(f"{program.plan} is wrong by {error}")
