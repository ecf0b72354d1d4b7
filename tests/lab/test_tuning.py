"""R17: what is read from searches, and a search that is really run."""

from __future__ import annotations

from typing import Any

import pytest

from montego.lab.experiments import find
from montego.lab.experiments.model import Scale
from montego.lab.experiments.tuning import (
    Libraries,
    Runs,
    against_dp,
    dps_time,
    mean_quality,
    median_by_best,
    quality_at,
    speed_of,
    spread,
    tags_time_to_dp,
    time_to,
)


def line(name: str, *steps: tuple[float, float], elapsed: float = 10.0) -> dict[str, Any]:
    times, quality = zip(*steps, strict=True)
    return {"name": name, "times": times, "quality": quality, "elapsed": elapsed,
            "median_by_best": 1.5}  # fmt: skip


LINES = [
    line("tag", (1.0, 0.8), (2.0, 1.2), (5.0, 1.3)),
    line("tag", (1.0, 0.9), (4.0, 1.1)),
    line("dp", (8.0, 1.2), elapsed=8.0),
    line("montecarlo", (1.0, 0.7), (9.0, 1.0)),
]


def test_quality_over_time() -> None:
    assert [quality_at(LINES[0], at) for at in (0.5, 1.0, 3.0, 9.0)] == [0.0, 0.8, 1.2, 1.3]
    assert time_to(LINES[0], 1.15) == 2.0
    assert time_to(LINES[1], 1.15) is None


def test_figures_of_searches() -> None:
    mean = mean_quality("tag", 10.0)(LINES)
    assert mean is not None
    assert mean.value == pytest.approx(1.2)
    assert mean.number == 2
    deviation = spread("tag", 10.0)(LINES)
    assert deviation is not None
    assert deviation.value == pytest.approx(0.1 * 2**0.5)
    assert spread("montecarlo", 10.0)(LINES) is None  # one run has no spread
    gain, time = against_dp(LINES), tags_time_to_dp([LINES[0], LINES[2]])
    assert gain is not None
    assert gain.value == pytest.approx((1.3 / 1.2 + 1.1 / 1.2) / 2)
    assert time is not None
    assert time.value == 2.0
    assert tags_time_to_dp(LINES) is None  # one never got there
    longest, slow = dps_time(LINES), median_by_best(LINES)
    assert longest is not None
    assert longest.value == 8.0
    assert slow is not None
    assert slow.value == 1.5


def test_without_searches_there_are_no_figures() -> None:
    for value in (mean_quality("tag", 1.0), against_dp, tags_time_to_dp, dps_time, median_by_best):
        assert value([]) is None
    assert speed_of("scipy", 8)([]) is None


def test_searches_by_turns() -> None:
    runs = Runs(32, 0.02, (("a", "tag", (("s", 30),)), ("b", "dp", ()), ("c", "montecarlo", ())))
    lines = [dict(runs(number)) for number in (1, 2, 3)]
    assert [one["name"] for one in lines] == ["a", "b", "c"]
    for one in lines:
        assert len(one["times"]) == len(one["quality"]) > 0
        assert all(quality > 0 for quality in one["quality"])
        assert one["median_by_best"] >= 1
    assert runs(4)["seed"] == 1


def test_libraries_by_turns() -> None:
    measure = Libraries((8, 32), ("montego", "numpy"), 0.001)
    assert [measure(number)["n"] for number in (1, 2, 3)] == [8, 32, 8]
    assert set(measure(1)["mflops"]) == {"montego", "numpy"}


@pytest.mark.parametrize("scale", list(Scale))
def test_claims_are_about_rows(scale: Scale) -> None:
    experiment = find("R17")
    rows = {row.key: row for row in experiment.rows(scale)}
    assert rows["plain-6"].read({}).value == 188  # type: ignore[union-attr]
    assert len(rows) == len(experiment.rows(scale))
    for claim in experiment.claims:
        assert {claim.above, claim.below} <= set(rows)
