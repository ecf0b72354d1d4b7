"""How long a plan takes: honestly, and verified.

Machines are noisy, and for seconds on end: what a transform takes changes by a tenth while nothing
of ours does.  So a plan is timed in pairs, a sample of it and one of the default plan right after;
what slows one down, a neighbour in the caches for instance, slows the other, too.  What counts is
the mean of the middle half of the ratios: outliers on both sides are out, and unlike a minimum it
becomes better with every pair.  Pairs are taken in several places, for some plans are fast only
where their vectors happen to lie well.  A plan that is clearly behind the best few gets no more of
them, one that seems to be the best gets four times as many, and none counts as good before its
result has been compared with NumPy's.

Samples are taken by two clocks, that on the wall and that of the thread's own processor time: only
where they agree was it not interrupted.
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
from montego.dft.tables import COMPLEX, memory

ENOUGH = 1e-4
"""Seconds that a sample lasts at least."""
PLACES, STAY, SAMPLES = 2, 2, 3
"""So many places, pairs of samples of a plan in each, and samples of a part; of one that is
interrupted as many at the most."""
PAIRS = PLACES * STAY
OF_BEST = 4 * PAIRS
"""Of a plan that seems to be the best."""
LARGE = 1 << 18
"""Numbers of vectors that a cache is never warm for."""
AGREE, READING = 1.02, 2e-6
"""How far two clocks may differ, and the seconds that it takes to read one."""
LEADERS = 4
"""So many of the best plans are known well."""
SLACK = 0.06
"""By so much, over the root of the number of pairs, a plan may seem to be behind the last of them:
if it is more, no more pairs are taken."""
ROOM = 4 << 20
"""Bytes for blocks."""
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


def is_calm(taken: Sample) -> bool:
    """Whether it was not interrupted."""
    wall, own = taken
    return wall <= AGREE * own + READING


def least(samples: Sequence[Sample]) -> float:
    """The least time of some samples, interrupted ones left out.

    If all of them were, the thread's own time has to do.  In a virtual machine that clock may lose
    time, so what is less than half of the usual does not count.
    """
    calm = [taken[0] for taken in samples if is_calm(taken)]
    if calm:
        return min(calm)
    owns = sorted(own for _, own in samples)
    return max(READING, next(own for own in owns if own >= 0.5 * owns[len(owns) // 2]))


class Place:
    """Memory for a transform: its input, its result, and room for what a program needs besides.

    It is the same for all plans, so that none is lucky with its own.
    """

    def __init__(self, numbers: Any) -> None:
        self.x, self.y = (memory(numbers.nbytes).view(numbers.dtype) for _ in range(2))
        self.x[:], self.y[:] = numbers, 0.0
        self.room = memory(2 * numbers.nbytes + ROOM)

    def time(self, program: Program, repeats: int) -> Sample:
        """A sample of some transforms."""
        if program.needs > len(self.room):
            self.room = memory(program.needs)
        program.use(self.room.ctypes.data)
        words, x, y = (part.ctypes.data for part in (program.words, self.x, self.y))
        return sample(execute, words, x, y, repeats, 0, 0)


def middle_mean(values: Sequence[float]) -> float:
    """The mean of the middle half."""
    out = len(values) // 4
    return fmean(sorted(values)[out : len(values) - out])


class Sampled:
    """A program, and how many transforms by it last as long as a sample should."""

    def __init__(self, program: Program, place: Place) -> None:
        self.program, self.repeats = program, 1
        self.is_large = program.size >= LARGE
        self.ratios: list[float] = []
        """Of its samples by those of the default plan."""
        while not self.is_large and (first := place.time(program, self.repeats)[0]) < ENOUGH:
            self.repeats = max(2 * self.repeats, int(self.repeats * ENOUGH / first))

    def seconds(self, place: Place) -> float:
        """Of one transform, in a sample; caches are warm, where they can be."""
        if not self.is_large:
            place.time(self.program, 1)
        samples: list[Sample] = []
        while len(samples) < SAMPLES and not any(map(is_calm, samples)):
            samples.append(place.time(self.program, self.repeats))
        return least(samples) / self.repeats

    def least(self, places: Sequence[Place]) -> float:
        """Of one transform: the mean over places of the least of some samples."""
        return fmean(
            least([place.time(self.program, self.repeats) for _ in range(SAMPLES)])
            for place in places
        ) / self.repeats  # fmt: skip


class Timer:
    """Measures plans of one size; knows what the best few take."""

    def __init__(self, n: int, precision: str = "double") -> None:
        self.n, self.precision = n, precision
        self.leaders: list[float] = []
        """The least times, rising."""
        self.here = 0
        """The place where we are: it is warm."""
        self.default: Sampled | None = None
        self.usual = 0.0
        """What the default plan takes, at the least."""
        self.places: dict[int, list[Place]] = {}
        self.expected: dict[tuple[int, ...], Any] = {}
        execute.prepare(*[1] * 6)  # what all plans need is compiled before any clock runs
        dice = np.random.default_rng(n)
        self.numbers = dice.standard_normal(2 * n).view(np.complex128)

    def seconds(self, word: Word) -> float:
        """What one transform takes by a plan."""
        program = Program(parse(word), Job(self.precision))
        if program.n != self.n:
            raise DftError(f"a plan for {program.n}, not for {self.n}")
        ours = Sampled(program, self._places(self.n)[self.here])
        found = self._measure(ours, PAIRS)
        if found < self.bar:
            self._verify(program)
        while found < self.best and len(ours.ratios) < OF_BEST:  # may be luck
            found = self._measure(ours, len(ours.ratios) + PAIRS)
        insort(self.leaders, found)
        del self.leaders[LEADERS:]
        return found

    @property
    def best(self) -> float:
        """What the first of the leaders takes."""
        return self.leaders[0] if self.leaders else float("inf")

    @property
    def bar(self) -> float:
        """What the last of the leaders takes."""
        return self.leaders[-1] if len(self.leaders) == LEADERS else float("inf")

    def part_seconds(self, word: Word) -> float:
        """What a part of a plan takes alone; of words that are whole plans, the whole."""
        plan = parse_part(word, self.precision)
        if not isinstance(plan, Columns):
            return self.seconds(word)
        program = Program(plan, Job(self.precision))
        self._verify(program)
        places = self._places(program.size)
        return Sampled(program, places[0]).least(places)

    def move(self) -> None:
        """Go on in other memory, with no plan known."""
        self.default = None
        self.leaders.clear()
        self.places.clear()

    def _measure(self, ours: Sampled, most: int) -> float:
        """Seconds by pairs, until there are so many or hope is gone."""
        default, found = self._default(), 0.0
        while len(ours.ratios) < most:
            if ours.ratios and len(ours.ratios) % STAY == 0:
                self.here = (self.here + 1) % PLACES
                self._ratio(ours, default)  # a place is slow at first
            ours.ratios.append(self._ratio(ours, default))
            found = self.usual * middle_mean(ours.ratios)
            if found > (1 + SLACK / math.sqrt(len(ours.ratios))) * self.bar:
                break
        return found

    def _ratio(self, ours: Sampled, default: Sampled) -> float:
        """Of a pair; who is first changes."""
        place = self._places(self.n)[self.here]
        first, second = (ours, default) if len(ours.ratios) % 2 else (default, ours)
        ratio = first.seconds(place) / second.seconds(place)
        return ratio if first is ours else 1 / ratio

    def _default(self) -> Sampled:
        """The default plan, which all others are compared with."""
        if self.default is None:
            program = Program(parse(default_word(self.n, self.precision)), Job(self.precision))
            places = self._places(self.n)
            self.default = Sampled(program, places[0])
            self.usual = self.default.least(places)
        return self.default

    def _places(self, size: int) -> list[Place]:
        """Where transforms are timed; the numbers are the same for every plan."""
        if size not in self.places:
            numbers = np.resize(self.numbers, size).astype(COMPLEX[self.precision])
            self.places[size] = [Place(numbers) for _ in range(PLACES)]
        return self.places[size]

    def _verify(self, program: Program) -> None:
        """Raises WrongResultError unless the result of a plan is NumPy's."""
        place, shape = self._places(program.size)[0], (program.n, program.size // program.n)
        if shape not in self.expected:
            right = np.fft.fft(place.x.reshape(shape).astype(np.complex128), axis=0).ravel()
            self.expected[shape] = right, float(np.abs(right).max())
        right, largest = self.expected[shape]
        place.y[:] = np.nan
        place.time(program, 1)
        errors = (place.y - right).view(np.float64)
        error = max(float(errors.max()), -float(errors.min()))
        if not error <= TOLERANCE[self.precision] * largest:
            raise WrongResultError(f"{program.plan} is wrong by {error}")
