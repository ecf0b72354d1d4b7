"""R17: TAG and the discrete Fourier transform (T40, T41)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib.util import find_spec

from montego.lab.experiments.measurements import MeasureWork
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale
from montego.lab.experiments.tuning import (
    Libraries,
    Runs,
    by_search,
    counted,
    dps_time,
    mean_own_end,
    mean_quality,
    own_end,
    runs_row,
    speed_of,
    spread,
    tag_by_median,
    tags_time_to_dp,
)
from montego.planning import THESIS

COUNT = Panel(
    "algorithms of the plain library (figure 5.1)", "algorithms", 0, x="t, size 2^t", log_y=True
)
BY_S = Panel("TAG by its parameter s (5.7a)", "times the default plan", 3, x="s", log_x=True)
MEAN = Panel("mean quality over time (5.7b)", "times the default plan", 3, x="seconds")
SPREAD = Panel("standard deviation over runs (5.7c)", "times the default plan", 3, x="seconds")
OVER_TIME = Panel("TAG over time, and dynamic programming (5.8a)", "times the default plan", 3,
                  x="seconds")  # fmt: skip
TIME = Panel("search time to dynamic programming's quality (5.8b)", "seconds", 2, x="t, size 2^t",
             log_y=True)  # fmt: skip
GAIN = Panel("where TAG ends, by other searches and by the median plan", "times", 3, even=1.0)
SPEED = Panel("libraries (5.8c)", "pseudo-Mflop/s", 0, x="t, size 2^t")

PLAIN_UP_TO = 20
S_VALUES = (3, 10, 30, 100)
SEARCHES = (("tag", "tag", ()), ("montecarlo", "montecarlo", ()), ("dp", "dp", ()))
AMOUNTS = {  # runs; seconds of a search by size 2^t
    Scale.quick: (3, {16: 10.0, 18: 25.0}),
    Scale.full: (20, {16: 10.0, 18: 25.0, 20: 45.0}),
}
"""At the most twice what dynamic programming takes for them."""
BY_S_AMOUNTS = {Scale.quick: (4.0, 2, 16), Scale.full: (4.0, 10, 16)}
SIZES = tuple(2**t for t in range(5, 21))
LIBRARIES = ("montego", "numpy", "scipy", "fftw-measure")
POINTS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Where curves over time are read, in parts of a search; keys end with them."""


def rows(scale: Scale) -> list[Row]:
    found = [
        Row(f"plain-{t}", f"DFT of 2^{t}", COUNT, counted(partial(_plain_algorithms, 2**t)), x=t)
        for t in range(1, PLAIN_UP_TO + 1)
    ]
    return [*found, *_by_s(scale), *_searches(scale), *_libraries(scale)]


def _plain_algorithms(n: int) -> int:
    from montego.dft.grammars import count_plain

    return count_plain(n)


def _by_s(scale: Scale) -> list[Row]:
    seconds, runs, t = BY_S_AMOUNTS[scale]
    others = ("delta", THESIS.delta), ("elite", THESIS.elite)
    searches = tuple((f"s={s}", "tag", (("s", s), *others)) for s in S_VALUES)
    work = MeasureWork(f"R17/{scale}/by-s", Runs(2**t, seconds, searches), runs, alone=True)
    return [
        runs_row(f"s-{s}", f"2^{t}, s = {s}", BY_S, work, mean_quality(f"s={s}", seconds), s, "TAG")
        for s in S_VALUES
    ]


def _searches(scale: Scale) -> list[Row]:
    runs, amounts = AMOUNTS[scale]
    found: list[Row] = []
    for t, seconds in amounts.items():
        work = MeasureWork(f"R17/{scale}/searches-{t}", Runs(2**t, seconds, SEARCHES), runs,
                           alone=True)  # fmt: skip
        if t == 18:
            found += _over_time(work, seconds)
        found += [
            runs_row(f"gain-{t}", f"2^{t}, TAG by DP", GAIN, work,
                     by_search("tag", "dp", own_end), paper=Figure(1.1)),
            runs_row(f"finals-{t}", f"2^{t}, TAG by DP with finals", GAIN, work,
                     by_search("tag", "dp")),
            runs_row(f"above-{t}", f"2^{t}, TAG by Monte Carlo", GAIN, work,
                     by_search("tag", "montecarlo")),
            runs_row(f"median-{t}", f"2^{t}, TAG by the median plan", GAIN, work, tag_by_median),
            runs_row(f"tag-time-{t}", f"2^{t}, TAG to DP's quality", TIME, work, tags_time_to_dp,
                     t, "TAG"),
            runs_row(f"dp-time-{t}", f"2^{t}, DP", TIME, work, dps_time, t,
                     "dynamic programming"),
        ]  # fmt: skip
    return found


def _over_time(work: MeasureWork, seconds: float) -> list[Row]:
    found = []
    for part in POINTS:
        at = part * seconds
        for name, told in (("tag", "TAG"), ("montecarlo", "Monte Carlo")):
            found += [
                runs_row(f"{name}-at-{part:g}", f"2^18, {told} after {at:g} s", MEAN, work,
                         mean_quality(name, at), at, told),
                runs_row(f"{name}-sd-at-{part:g}", f"2^18, {told} after {at:g} s", SPREAD, work,
                         spread(name, at), at, told),
            ]  # fmt: skip
        found += [
            runs_row(f"a-tag-at-{part:g}", f"TAG after {at:g} s", OVER_TIME, work,
                     mean_quality("tag", at), at, "TAG"),
            runs_row(f"a-dp-at-{part:g}", "dynamic programming, whenever it ends", OVER_TIME, work,
                     mean_own_end("dp"), at, "dynamic programming"),
        ]  # fmt: skip
    return found


def _libraries(scale: Scale) -> list[Row]:
    repeats = {Scale.quick: 2, Scale.full: 6}[scale]
    work = MeasureWork(f"R17/{scale}/libraries", Libraries(SIZES, LIBRARIES, 0.2),
                       repeats * len(SIZES), "sizes", alone=True)  # fmt: skip
    found = []
    for library in LIBRARIES:
        for n in SIZES:
            t = n.bit_length() - 1
            row = runs_row(f"{library}-{t}", f"{library}, 2^{t}", SPEED, work,
                           speed_of(library, n), t, library)  # fmt: skip
            found.append(row if _is_there(library) else _without(row, library))
    return found


def _is_there(library: str) -> bool:
    module = {"scipy": "scipy"}.get(library, "pyfftw" if library.startswith("fftw") else "numpy")
    return find_spec(module) is not None


def _without(row: Row, library: str) -> Row:
    return replace(row, works=(), missing=f"{library} is not installed")


EXPERIMENT = Experiment(
    "R17",
    "Tuning a Fourier transform by TAG",
    "Thesis, figures 5.1, 5.7 and 5.8",
    rows,
    claims=(
        Claim("TAG is above plain Monte Carlo", "tag-at-1", "montecarlo-at-1"),
        Claim("TAG reaches dynamic programming's quality sooner", "dp-time-18", "tag-time-18"),
    ),
    finding="TAG is above plain Monte Carlo and steadier; it reaches dynamic programming's result "
    "sooner and ends 10 % above it.",
    notes="Our own library instead of Spiral's, on one thread. Quality is the speed of a plan by "
    "that of the default plan, timed in turns after all searches of a run, in other memory; the "
    "time of a search is processor time without compiling. All searches but dynamic programming, "
    "which has one result, end with finals of their best plans; what they would make of its "
    "timings is told as well. TAG has our settings, by s those of the thesis. The thesis' figures "
    "have no numbers in the text but the 10 %.",
)
