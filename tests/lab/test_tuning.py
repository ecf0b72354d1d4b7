"""R17: what is read from searches, and a search that is really run."""

from __future__ import annotations

from typing import Any

import pytest

from montego.lab.experiments import find
from montego.lab.experiments.model import Scale
from montego.lab.experiments.tuning import (
    Libraries,
    Runs,
    by_search,
    dps_time,
    mean_quality,
    quality_at,
    speed_of,
    spread,
    tag_by_median,
    tags_time_to_dp,
)


def line(
    name: str, seed: int, *steps: tuple[float, float], elapsed: float = 10.0
) -> dict[str, Any]:
    times, quality = zip(*steps, strict=True)
    return {"name": name, "seed": seed, "times": times, "quality": quality, "elapsed": elapsed,
            "median": 0.8}  # fmt: skip


LINES = [
    line("tag", 0, (1.0, 0.8), (2.0, 1.2), (5.0, 1.3)),
    line("tag", 1, (1.0, 0.9), (4.0, 1.1)),
    line("dp", 0, (8.0, 1.0), elapsed=7.0),
    line("dp", 1, (8.0, 1.1), elapsed=9.0),
    line("montecarlo", 0, (1.0, 0.7), (9.0, 1.0)),
]


def test_quality_over_time() -> None:
    assert [quality_at(LINES[0], at) for at in (0.5, 1.0, 3.0, 9.0)] == [0.0, 0.8, 1.2, 1.3]


def test_figures_of_searches() -> None:
    mean = mean_quality("tag", 10.0)(LINES)
    assert mean is not None
    assert mean.value == pytest.approx(1.2)
    assert mean.number == 2
    deviation = spread("tag", 10.0)(LINES)
    assert deviation is not None
    assert deviation.value == pytest.approx(0.1 * 2**0.5)
    assert spread("montecarlo", 10.0)(LINES) is None  # one run has no spread
    for value, expected in (
        (by_search("tag", "dp"), (1.3 / 1.0 + 1.1 / 1.1) / 2),
        (by_search("tag", "montecarlo"), 1.3 / 1.0),  # the other seed has none
        (tag_by_median, (1.3 / 0.8 + 1.1 / 0.8) / 2),
        (dps_time, 8.0),
    ):
        figure = value(LINES)
        assert figure is not None
        assert figure.value == pytest.approx(expected)


def test_tags_time_to_the_quality_of_dynamic_programming() -> None:
    time = tags_time_to_dp(LINES)
    assert time is not None
    assert time.value == 2.0  # the mean is (1.2 + 0.9) / 2 then
    assert time.low is not None
    assert time.high is not None
    assert 1.0 <= time.low <= 2.0 <= time.high <= 10.0
    assert tags_time_to_dp([LINES[1], line("dp", 0, (8.0, 1.2))]) is None  # never


def test_without_searches_there_are_no_figures() -> None:
    for value in (mean_quality("tag", 1.0), by_search("tag", "dp"), tags_time_to_dp, dps_time,
                  tag_by_median):  # fmt: skip
        assert value([]) is None
    assert speed_of("scipy", 8)([]) is None


def test_searches_by_turns() -> None:
    runs = Runs(32, 0.02, (("a", "tag", (("s", 30),)), ("b", "dp", ()), ("c", "montecarlo", ())))
    lines = [dict(runs(number)) for number in (1, 2, 3)]
    assert [one["name"] for one in lines] == ["a", "b", "c"]
    for one in lines:
        assert len(one["times"]) == len(one["quality"]) > 0
        assert all(quality > 0 for quality in one["quality"])
        assert one["median"] > 0
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
