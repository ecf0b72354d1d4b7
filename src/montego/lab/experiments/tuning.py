"""Searches for the fastest plan of a transform, run many times and compared (T41).

A plan's quality is its speed by that of the default plan, both timed in turns after the search: so
what else the machine does touches neither.  The time of a search is the processor time of its
thread, without what the compiler took: kernels are compiled once and then kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, quantiles, stdev
from typing import Any

from montego.dft import compiling
from montego.dft.bench import measure
from montego.dft.defaults import default_word
from montego.dft.plans import Word
from montego.dft.search import find
from montego.dft.timing import Timer
from montego.lab.experiments.measurements import MeasureWork, mean_figure
from montego.lab.experiments.model import Figure, Panel, Read, Row
from montego.lab.record import Line

ROUNDS = 3
"""Turns in which plans are judged."""
DRAWN = 400
"""Times that runs are drawn again for an interval."""


def own_time() -> float:
    """Seconds of this thread, the compiler's apart."""
    return time.thread_time() - compiling.seconds_spent()


@dataclass(frozen=True)
class Runs:
    """Searches by turns: the first with one seed, the second …, then all with the next seed."""

    n: int
    seconds: float
    searches: tuple[tuple[str, str, tuple[tuple[str, Any], ...]], ...]
    """Name, kind of search, settings of TAG."""

    def __call__(self, number: int) -> Mapping[str, Any]:
        turn, place = divmod(number - 1, len(self.searches))
        name, search, settings = self.searches[place]
        timer = Timer(self.n)
        found = find(self.n, search, self.seconds, seed=turn, timer=timer, clock=own_time,
                     fallback=False, **dict(settings))  # fmt: skip
        words = [word for _, word in found.record] or [found.word]
        middle = sorted(found.timed, key=found.timed.__getitem__)[len(found.timed) // 2]
        speeds = relative_speeds(timer, self.n, [*words, middle])
        return {
            "name": name,
            "seed": turn,
            "elapsed": round(found.elapsed, 3),
            "evaluations": found.evaluations,
            "plan": " ".join(map(str, found.word)),
            "times": [round(at, 4) for at, _ in found.record],
            "quality": [round(speeds[word], 4) for word in words],
            "median": round(speeds[middle], 4),
        }


def relative_speeds(timer: Timer, n: int, words: Sequence[Word]) -> dict[Word, float]:
    """The speeds of plans by that of the default plan, from the mean of some turns.

    Each is in memory that no search has seen.
    """
    fallback = default_word(n)
    times: dict[Word, list[float]] = {word: [] for word in [fallback, *words]}
    for _ in range(ROUNDS):
        timer.move()
        for word, taken in times.items():
            timer.leaders.clear()  # as many samples for all of them
            taken.append(timer.seconds(word))
    usual = fmean(times[fallback])
    return {word: usual / fmean(taken) for word, taken in times.items()}


# --- what is read from runs ------------------------------------------------------------


def named(lines: Sequence[Line], name: str) -> list[Line]:
    return [line for line in lines if line["name"] == name]


def quality_at(line: Line, seconds: float) -> float:
    """The quality of the plan that a search thought best by then; 0 before it had any."""
    reached = [q for at, q in zip(line["times"], line["quality"], strict=True) if at <= seconds]
    return float(reached[-1]) if reached else 0.0


Value = Callable[[Sequence[Line]], "Figure | None"]


def runs_row(
    key: str, label: str, panel: Panel, work: MeasureWork, value: Value, x: float = 0.0,
    curve: str = "", paper: Figure | None = None,
) -> Row:  # fmt: skip
    """A row that is read from the lines of searches."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        return value(lines[work.folder])

    return Row(key, label, panel, read, (work,), paper, x, curve)


def mean_quality(name: str, seconds: float) -> Value:
    return lambda lines: mean_figure([quality_at(line, seconds) for line in named(lines, name)])


def spread(name: str, seconds: float) -> Value:
    """The standard deviation over runs."""

    def value(lines: Sequence[Line]) -> Figure | None:
        values = [quality_at(line, seconds) for line in named(lines, name)]
        return Figure(stdev(values), number=len(values)) if len(values) > 1 else None

    return value


def by_search(name: str, other: str) -> Value:
    """The quality where a search ends by that of another one, with the same seed, in turns."""

    def value(lines: Sequence[Line]) -> Figure | None:
        ends = [{line["seed"]: line["quality"][-1] for line in named(lines, key)}
                for key in (name, other)]  # fmt: skip
        seeds = ends[0].keys() & ends[1].keys()
        return mean_figure([ends[0][seed] / ends[1][seed] for seed in sorted(seeds)])

    return value


def tag_by_median(lines: Sequence[Line]) -> Figure | None:
    """The quality where TAG ends by that of the median of random plans."""
    medians = [line["median"] for line in named(lines, "montecarlo")]
    if not medians:
        return None
    return mean_figure([line["quality"][-1] / fmean(medians) for line in named(lines, "tag")])


def tags_time_to_dp(lines: Sequence[Line]) -> Figure | None:
    """Seconds until TAG's mean over runs is dynamic programming's; none if it never is.

    The interval is that of runs drawn again (bootstrap); where they do not get there, TAG's end
    has to do.
    """
    tag, dp = named(lines, "tag"), named(lines, "dp")
    at = time_to_level(tag, dp) if tag and dp else None
    if at is None:
        return None
    dice, end = Random(0), max(line["elapsed"] for line in tag)
    drawn = [
        time_to_level(dice.choices(tag, k=len(tag)), dice.choices(dp, k=len(dp))) or end
        for _ in range(DRAWN)
    ]
    cuts = quantiles(drawn, n=40)
    return Figure(at, cuts[0], cuts[-1], len(tag))


def time_to_level(tag: Sequence[Line], dp: Sequence[Line]) -> float | None:
    """When the mean of some runs reaches the mean end of others."""
    level = fmean(line["quality"][-1] for line in dp)
    for at in sorted(at for line in tag for at in line["times"]):
        if fmean(quality_at(line, at) for line in tag) >= level:
            return float(at)
    return None


def dps_time(lines: Sequence[Line]) -> Figure | None:
    return mean_figure([line["elapsed"] for line in named(lines, "dp")])


# --- other libraries -------------------------------------------------------------------


@dataclass(frozen=True)
class Libraries:
    """All libraries at one size after the other, in turns."""

    sizes: tuple[int, ...]
    libraries: tuple[str, ...]
    seconds: float

    def __call__(self, number: int) -> Mapping[str, Any]:
        n = self.sizes[(number - 1) % len(self.sizes)]
        figures = measure(n, self.seconds, self.libraries)
        return {"n": n, "mflops": {f.library: round(f.mflops, 1) for f in figures}}


def speed_of(library: str, n: int) -> Value:
    """The best speed over all repeats."""

    def value(lines: Sequence[Line]) -> Figure | None:
        speeds = [line["mflops"][library] for line in lines
                  if line["n"] == n and library in line["mflops"]]  # fmt: skip
        return Figure(max(speeds), number=len(speeds)) if speeds else None

    return value


def counted(count: Callable[[], int]) -> Read:
    """A figure that is computed, not measured."""
    return lambda lines: Figure(float(count()))
