"""Searches for the fastest plan of a transform, run many times and compared (T41).

A plan's quality is its speed by that of the default plan, both timed in turns after the search: so
what else the machine does touches neither.  The time of a search is the processor time of its
thread, without what the compiler took: kernels are compiled once and then kept.

The transform is imported where it runs: a list of experiments need not wait for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, quantiles, stdev
from typing import TYPE_CHECKING, Any

from montego.lab.base.journal import Line
from montego.lab.experiments.measurements import MeasureWork, mean_figure
from montego.lab.experiments.model import Figure, Panel, Read, Row

if TYPE_CHECKING:
    from montego.dft.plans import Word
    from montego.dft.search import SearchResult

INFINITY = float("inf")
ROUNDS = 4
"""Turns in which plans are judged."""
DRAWN = 400
"""Times that runs are drawn again for an interval."""


def own_time() -> float:
    """Seconds of this thread, the compiler's apart."""
    from montego.dft import compiler

    return time.thread_time() - compiler.seconds_spent()


@dataclass(frozen=True)
class Runs:
    """Several searches with the same seed, one after the other; then their plans are judged."""

    n: int
    seconds: float
    searches: tuple[tuple[str, str, tuple[tuple[str, Any], ...]], ...]
    """Name, kind of search, settings of TAG."""

    def __call__(self, number: int) -> Mapping[str, Any]:
        from montego.dft.search import TAG_SETTINGS, find

        done = {
            name: find(self.n, search, self.seconds, seed=number, clock=own_time, fallback=False,
                       settings=replace(TAG_SETTINGS, **dict(settings)))
            for name, search, settings in self.searches
        }  # fmt: skip
        middles = {name: middle(result.timed) for name, result in done.items()}
        words = [word for result in done.values() for _, word in result.improvements]
        speeds = relative_speeds(self.n, [*words, *middles.values()])
        return {
            "seed": number,
            "searches": {
                name: kept(result, speeds) | {"median": round(speeds[middles[name]], 4)}
                for name, result in done.items()
            },
        }


def middle(timed: Mapping[Word, float]) -> Word:
    """The median plan."""
    return sorted(timed, key=timed.__getitem__)[len(timed) // 2]


def kept(result: SearchResult, speeds: Mapping[Word, float]) -> dict[str, Any]:
    """What is kept of a search."""
    return {
        "elapsed": round(result.elapsed, 3),
        "searched": round(result.searched, 4),
        "evaluations": result.evaluations,
        "plan": " ".join(map(str, result.word)),
        "times": [round(at, 4) for at, _ in result.improvements],
        "quality": [round(speeds[word], 4) for _, word in result.improvements],
    }


def relative_speeds(n: int, words: Sequence[Word]) -> dict[Word, float]:
    """The speeds of plans by that of the default plan, from the mean of some turns.

    Each is in memory that no search has seen.
    """
    from montego.dft.timing import Timer

    timer = Timer(n)
    times: dict[Word, list[float]] = {word: [] for word in words}
    for _ in range(ROUNDS):
        timer.reset()
        for word, taken in times.items():
            timer.leaders.clear()  # as many samples for all of them
            taken.append(timer.seconds(word) / timer.default_seconds)
    return {word: 1 / fmean(taken) for word, taken in times.items()}


# --- what is read from runs ------------------------------------------------------------


def named(lines: Sequence[Line], name: str) -> list[dict[str, Any]]:
    """The searches of a name, one of each run."""
    return [line["searches"][name] for line in lines if name in line["searches"]]


def quality_at(search: Mapping[str, Any], seconds: float) -> float:
    """The quality of the plan that a search thought best by then; 0 before it had any."""
    pairs = zip(search["times"], search["quality"], strict=True)
    reached = [quality for at, quality in pairs if at <= seconds]
    return float(reached[-1]) if reached else 0.0


def own_end(search: Mapping[str, Any]) -> float:
    """The quality where a search ended by itself, before the finals."""
    return quality_at(search, search["searched"])


def very_end(search: Mapping[str, Any]) -> float:
    """The quality of its final result."""
    return quality_at(search, INFINITY)


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
    return lambda lines: mean_figure([quality_at(one, seconds) for one in named(lines, name)])


def mean_own_end(name: str) -> Value:
    return lambda lines: mean_figure([own_end(one) for one in named(lines, name)])


def spread(name: str, seconds: float) -> Value:
    """The standard deviation over runs."""

    def value(lines: Sequence[Line]) -> Figure | None:
        values = [quality_at(one, seconds) for one in named(lines, name)]
        return Figure(stdev(values), number=len(values)) if len(values) > 1 else None

    return value


End = Callable[[Mapping[str, Any]], float]


def by_search(name: str, other: str, end: End = very_end) -> Value:
    """The quality where a search ends by that where another one ends, run by run."""

    def value(lines: Sequence[Line]) -> Figure | None:
        pairs = zip(named(lines, name), named(lines, other), strict=True)
        return mean_figure([very_end(one) / end(two) for one, two in pairs])

    return value


def tag_by_median(lines: Sequence[Line]) -> Figure | None:
    """The quality where TAG ends by that of the median of random plans, run by run."""
    pairs = zip(named(lines, "tag"), named(lines, "montecarlo"), strict=True)
    return mean_figure([very_end(tag) / random["median"] for tag, random in pairs])


def tags_time_to_dp(lines: Sequence[Line]) -> Figure | None:
    """Seconds until TAG's mean over runs is dynamic programming's; none if it never is.

    The interval is that of runs drawn again (bootstrap); where they do not get there, TAG's end
    has to do.
    """
    at = time_to_level(lines)
    if at is None:
        return None
    rng, end = Random(0), max(search["elapsed"] for search in named(lines, "tag"))
    drawn = [time_to_level(rng.choices(lines, k=len(lines))) or end for _ in range(DRAWN)]
    cuts = quantiles(drawn, n=40)
    return Figure(at, cuts[0], cuts[-1], len(lines))


def time_to_level(lines: Sequence[Line]) -> float | None:
    """When TAG's mean over runs reaches dynamic programming's."""
    tag, dp = named(lines, "tag"), named(lines, "dp")
    for at in sorted(at for search in tag for at in search["times"]):
        if fmean(quality_at(search, at) for search in tag) >= fmean(map(own_end, dp)):
            return float(at)
    return None


def dps_time(lines: Sequence[Line]) -> Figure | None:
    return mean_figure([search["searched"] for search in named(lines, "dp")])


# --- other libraries -------------------------------------------------------------------


@dataclass(frozen=True)
class Libraries:
    """All libraries at one size after the other, in turns."""

    sizes: tuple[int, ...]
    libraries: tuple[str, ...]
    seconds: float

    def __call__(self, number: int) -> Mapping[str, Any]:
        from montego.dft.bench import measure

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
