"""How long a plan takes: honestly, and verified.

A plan is warmed up, its result is compared with NumPy's, and it is timed in samples of many
transforms each.  The minimum counts: whatever else the machine does can only add to it.  The clock
is that of the thread's own processor time, so a sample that was interrupted is not longer for it.
A plan that is far behind the best after a few samples gets no more of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from montego.dft.execute import execute
from montego.dft.plans import Columns, DftError, Word, parse, parse_part
from montego.dft.program import COMPLEX, Job, Program, memory
from montego.dft.transform import pseudo_mflops

SAMPLE_SECONDS, SAMPLES, FIRST_SAMPLES = 2e-4, 12, 3
"""A sample lasts at least so long; so many are taken of a good plan, and of any."""
HOPELESS = 1.15
"""So many times the best time, and no more samples are taken."""
TOLERANCE = {"double": 1e-14, "single": 1e-5}


class WrongResultError(DftError):
    """A plan that computes something else."""


class Timer:
    """Measures plans of one size; knows the best so far."""

    def __init__(
        self,
        n: int,
        precision: str = "double",
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.n, self.precision, self.clock = n, precision, clock
        self.best = float("inf")
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
        x, y = self._vectors(program.size)
        call = (program.words.ctypes.data, x.ctypes.data, y.ctypes.data)
        execute(*call, 1, 0, 0)
        self._verify(program, x, y)
        repeats = self._enough(call)
        fastest = float("inf")
        for sample in range(SAMPLES):
            fastest = min(fastest, self._sample(call, repeats))
            if sample + 1 >= FIRST_SAMPLES and fastest > HOPELESS * best:
                break
        return fastest

    def _sample(self, call: tuple[int, int, int], repeats: int) -> float:
        begin = self.clock()
        execute(*call, repeats, 0, 0)
        return (self.clock() - begin) / repeats

    def _enough(self, call: tuple[int, int, int]) -> int:
        """How many transforms last as long as a sample should."""
        repeats = 1
        while (lasted := repeats * self._sample(call, repeats)) < SAMPLE_SECONDS / 2:
            repeats = max(2 * repeats, int(0.5 * repeats * SAMPLE_SECONDS / max(lasted, 1e-6)))
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
        rows = x.reshape(program.n, -1).astype(np.complex128)
        if rows.shape not in self.expected:
            self.expected[rows.shape] = np.fft.fft(rows, axis=0)
        expected = self.expected[rows.shape]
        error = np.linalg.norm(y.reshape(rows.shape) - expected)
        if not error <= TOLERANCE[self.precision] * np.linalg.norm(expected):
            raise WrongResultError(f"{program.plan} is wrong by {error}")
