"""How long a plan takes: honestly, and verified.

A plan is warmed up and timed in samples of many transforms each, and none counts as good before its
result has been compared with NumPy's.  Some plans are fast only where their vectors happen to lie
well: so samples are taken in several places, and what counts is the mean of the least of each:
whatever else the machine does can only add to those.  Each is taken by two clocks, that on the wall
and that of the thread's own processor time: only where they agree was it not interrupted.  In each
place they are followed by as many of the default plan: what slows that one down, a neighbour in the
caches for instance, slows the other, too, and is taken out.  A plan that is behind the best few
gets no more samples, and one that seems to be the best is timed twice.
"""

from __future__ import annotations

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
from montego.dft.transform import pseudo_mflops

SAMPLE_SECONDS = 2e-4
"""A sample lasts at least so long."""
PLACES, SAMPLES = 4, 3
"""So many places, and samples in each."""
LARGE, PLACES_OF_LARGE, SAMPLES_OF_LARGE = 1 << 18, 2, 2
"""Numbers of vectors which are in no cache anyway, and whose many pages are not all lucky."""
AGREE, READING = 1.02, 2e-6
"""How far two clocks may differ, and the seconds that it takes to read one."""
LEADERS = 12
"""So many of the best plans are known well."""
COLD, HOPELESS = 2.0, (1.35, 1.2, 1.1)
"""So many times what the last of them takes at the very first, then after one sample, two, or more:
and no more of them are taken."""
OUTLOOK_SECONDS, OUTLOOK_TIMES = 0.05, 50
"""How old a look at the default plan may be by which a plan is called hopeless: in seconds, or by
what it takes."""
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


class Samples:
    """Samples of a program, by places."""

    def __init__(self, program: Program, places: Sequence[Place], repeats: int = 0) -> None:
        self.program, self.places = program, places
        self.taken: list[list[Sample]] = []
        self.repeats = repeats or self._enough()

    def _enough(self) -> int:
        """How many transforms last as long as a sample should; the last try is one."""
        repeats = 1
        while (first := self.places[0].time(self.program, repeats))[0] < SAMPLE_SECONDS / 2:
            repeats = max(2 * repeats, int(0.5 * repeats * SAMPLE_SECONDS / first[0]))
        self.taken.append([first])
        return repeats

    def take(self, place: int, count: int = 1) -> None:
        """More of them in a place."""
        if place == len(self.taken):
            self.taken.append([])
        for _ in range(count):
            self.taken[place].append(self.places[place].time(self.program, self.repeats))

    def mean(self) -> float:
        """The mean over places of the least so far, for one transform."""
        return fmean(map(least, self.taken)) / self.repeats


class Timer:
    """Measures plans of one size; knows what the best few take."""

    def __init__(self, n: int, precision: str = "double") -> None:
        self.n, self.precision = n, precision
        self.samples = SAMPLES if n < LARGE else SAMPLES_OF_LARGE
        self.leaders: list[float] = []
        """The least times, rising."""
        self.usual = 0.0
        """What the default plan took when it was first timed."""
        self.outlook, self.looked = 1.0, 0.0
        """That by what it took lately in the first place, and when this was."""
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
        found = self._measure(program, self.bar)
        if found < self.bar:
            self._verify(program)
        if not self.leaders or found < self.leaders[0]:  # may be luck: once more
            found = max(found, self._measure(program, self.bar))
        insort(self.leaders, found)
        del self.leaders[LEADERS:]
        return found

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
        return self._measure(program, float("inf"))

    def move(self) -> None:
        """Go on in other memory, with no plan known."""
        self.usual, self.looked = 0.0, 0.0
        self.leaders.clear()
        self.places.clear()

    def mflops(self, word: Word) -> float:
        """The speed of a plan, which TAG maximises."""
        return pseudo_mflops(self.n, self.seconds(word))

    def _measure(self, program: Program, bar: float) -> float:
        """The mean over places; of a whole plan by what the default plan takes meanwhile."""
        places = self._places(program.size)
        theirs = None if isinstance(program.plan, Columns) else self._default()
        factor = 1.0 if theirs is None else self.outlook
        cold = factor * places[0].time(program, 1)[0]
        if bar > SAMPLE_SECONDS and cold > COLD * bar:  # of short ones the clocks take more
            return cold
        ours = Samples(program, places)
        for number in range(len(places) * self.samples):
            place, taken = divmod(number, self.samples)
            if number:
                ours.take(place)
            if ours.mean() * factor > HOPELESS[min(number, len(HOPELESS) - 1)] * bar:
                break
            if taken == self.samples - 1 and theirs is not None:
                factor = self._by_default(theirs, place)
        return ours.mean() * factor

    def _default(self) -> Samples:
        """The default plan, not yet sampled; the outlook is up to date."""
        places = self._places(self.n)
        if not self.usual:
            word = default_word(self.n, self.precision)
            self.reference = Program(parse(word), Job(self.precision))
            samples = Samples(self.reference, places)
            for place in range(len(places)):
                samples.take(place, self.samples)
            self.usual, self.repeats = samples.mean(), samples.repeats
        if time.perf_counter() - self.looked > max(OUTLOOK_SECONDS, OUTLOOK_TIMES * self.usual):
            self._by_default(Samples(self.reference, places, self.repeats), 0)
        return Samples(self.reference, places, self.repeats)

    def _by_default(self, samples: Samples, place: int) -> float:
        """What the default plan took by what it takes in another place, and those before."""
        samples.take(place, self.samples)
        factor = self.usual / samples.mean()
        if place == 0:
            self.outlook, self.looked = factor, time.perf_counter()
        return factor

    def _places(self, size: int) -> list[Place]:
        """Where transforms are timed; the numbers are the same for every plan."""
        if size not in self.places:
            numbers = np.resize(self.numbers, size).astype(COMPLEX[self.precision])
            many = PLACES if self.n < LARGE else PLACES_OF_LARGE
            self.places[size] = [Place(numbers) for _ in range(many)]
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
