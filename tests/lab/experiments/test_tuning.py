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
    mean_own_end,
    mean_quality,
    own_end,
    quality_at,
    speed_of,
    spread,
    tag_by_median,
    tags_time_to_dp,
    very_end,
)


def search(*steps: tuple[float, float], searched: float = 10.0) -> dict[str, Any]:
    times, quality = zip(*steps, strict=True)
    return {"times": times, "quality": quality, "searched": searched, "elapsed": 11.0,
            "median": 0.8}  # fmt: skip


LINES: list[dict[str, Any]] = [
    {"seed": 1, "searches": {
        "tag": search((1.0, 0.8), (2.0, 1.2), (5.0, 1.3)),
        "dp": search((7.0, 1.0), (7.5, 1.2), searched=7.0),
        "montecarlo": search((1.0, 0.7), (9.0, 1.0)),
    }},
    {"seed": 2, "searches": {
        "tag": search((1.0, 0.9), (4.0, 1.1)),
        "dp": search((9.0, 1.1), searched=9.0),
        "montecarlo": search((1.0, 0.7), (9.0, 1.0)),
    }},
]  # fmt: skip


def test_quality_over_time() -> None:
    tag, dp = (LINES[0]["searches"][name] for name in ("tag", "dp"))
    assert [quality_at(tag, at) for at in (0.5, 1.0, 3.0, 9.0)] == [0.0, 0.8, 1.2, 1.3]
    assert (own_end(dp), very_end(dp)) == (1.0, 1.2)


def test_figures_of_searches() -> None:
    mean = mean_quality("tag", 10.0)(LINES)
    assert mean is not None
    assert mean.value == pytest.approx(1.2)
    assert mean.number == 2
    deviation = spread("tag", 10.0)(LINES)
    assert deviation is not None
    assert deviation.value == pytest.approx(0.1 * 2**0.5)
    assert spread("montecarlo", 10.0)(LINES[:1]) is None  # one run has no spread
    for value, expected in (
        (by_search("tag", "dp", own_end), (1.3 / 1.0 + 1.1 / 1.1) / 2),
        (by_search("tag", "dp"), (1.3 / 1.2 + 1.1 / 1.1) / 2),
        (tag_by_median, (1.3 / 0.8 + 1.1 / 0.8) / 2),
        (mean_own_end("dp"), 1.05),
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
    assert 1.0 <= time.low <= 2.0 <= time.high <= 11.0
    never = {"tag": search((1.0, 0.9)), "dp": search((7.0, 1.0), searched=7.0)}
    assert tags_time_to_dp([{"searches": never}]) is None


def test_without_searches_there_are_no_figures() -> None:
    for value in (mean_quality("tag", 1.0), by_search("tag", "dp"), tags_time_to_dp, dps_time,
                  tag_by_median):  # fmt: skip
        assert value([]) is None
    assert speed_of("scipy", 8)([]) is None


def test_searches_with_one_seed_are_judged_together() -> None:
    runs = Runs(32, 0.02, (("a", "tag", (("s", 30),)), ("b", "dp", ()), ("c", "montecarlo", ())))
    line = runs(3)
    assert line["seed"] == 3
    assert list(line["searches"]) == ["a", "b", "c"]
    for one in line["searches"].values():
        assert len(one["times"]) == len(one["quality"]) > 0
        assert own_end(one) > 0
        assert one["median"] > 0


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
