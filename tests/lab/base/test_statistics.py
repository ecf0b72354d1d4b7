"""Intervals and Elo beside scipy and textbooks; the sequential test keeps its promises."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest, sem, t as student_t

from montego.lab.base.statistics import (
    Score,
    Sprt,
    elo,
    elo_interval,
    expected_score,
    mean_interval,
    quantile,
    student,
    wilson,
)


@given(st.integers(1, 2000), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_is_scipys(games: int, data: st.DataObject, confidence: float) -> None:
    wins = data.draw(st.integers(0, games))
    theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert wilson(wins, games, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_wilson_of_a_textbook() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 and 0 of 20
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


@pytest.mark.parametrize("games", [20, 207, 210, 1000])
def test_who_has_won_every_game_has_no_upper_bound(games: int) -> None:
    assert wilson(games, games).high == 1
    assert wilson(0, games).low == 0
    assert elo_interval(games, games).high == math.inf


def test_without_games_nothing_is_known() -> None:
    assert wilson(0, 0) == (0, 1)
    assert elo_interval(0, 0) == (-math.inf, math.inf)
    assert Score().rate == 0.5


def test_quantile() -> None:
    assert quantile() == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize(
    ("rate", "difference"),
    [(0.5, 0), (0.640065, 100), (0.759747, 200), (10 / 11, 400), (1, math.inf), (0, -math.inf)],
)
def test_elo(rate: float, difference: float) -> None:
    assert elo(rate) == pytest.approx(difference, abs=1e-3)
    assert expected_score(difference) == pytest.approx(rate, abs=1e-6)


def test_draws_are_half() -> None:
    score = Score(wins=10, losses=6, draws=4)
    assert (score.games, score.points, score.rate) == (20, 12, 0.6)
    assert score.interval == wilson(12, 20)
    assert score.elo == elo(0.6)
    assert score.elo_interval.low < 0 < score.elo < score.elo_interval.high


# --- the sequential test ---------------------------------------------------------------


def decide(sprt: Sprt, strength: float, draws: float, random: Random) -> tuple[float, int]:
    """The verdict on a player of this strength, and after how many games."""
    chance = expected_score(strength)
    wins = losses = drawn = 0
    while (verdict := sprt.verdict(Score(wins, losses, drawn))) is None:
        if random.random() < draws:
            drawn += 1
        elif random.random() < chance:
            wins += 1
        else:
            losses += 1
    return verdict, wins + losses + drawn


@pytest.mark.parametrize("draws", [0.0, 0.1])
@pytest.mark.parametrize(("strength", "wrong"), [(0.0, 60.0), (60.0, 0.0)])
def test_error_rates(strength: float, wrong: float, draws: float) -> None:
    sprt, random = Sprt(0, 60), Random(f"{strength} {draws}")
    trials = 600
    found = [decide(sprt, strength, draws, random) for _ in range(trials)]
    errors = sum(verdict == wrong for verdict, _ in found)
    assert wilson(errors, trials, 0.999).low <= 0.05
    # Wald expects 180 games without draws; a match of fixed length would need 365.
    if not draws:
        assert 150 < sum(games for _, games in found) / trials < 230


def test_ratio_and_bounds() -> None:
    sprt = Sprt(0, 100, alpha=0.05, beta=0.1)
    assert sprt.bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    p1 = expected_score(100)
    won, lost = math.log(p1 / 0.5), math.log((1 - p1) / 0.5)
    assert sprt.ratio(Score(7, 3, 2)) == pytest.approx(8 * won + 4 * lost)
    assert sprt.verdict(Score(0, 0, 0)) is None
    assert sprt.verdict(Score(100, 0, 0)) == 100
    assert sprt.verdict(Score(0, 100, 0)) == 0


@pytest.mark.parametrize("bounds", [(10, 10), (10, 0), (0, math.nan), (-math.inf, 0)])
def test_bounds_without_sense(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="the smaller one first"):
        Sprt(*bounds)


# --- means -----------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 29, 99])
def test_student_is_scipys(degrees: int) -> None:
    assert student(degrees) == pytest.approx(student_t.ppf(0.975, degrees), rel=0.002)


def test_the_interval_of_a_mean() -> None:
    values = [4.1, 5.0, 3.2, 4.4, 6.3]
    theirs = student_t.interval(0.95, 4, loc=4.6, scale=sem(values))
    assert mean_interval(values) == pytest.approx(theirs, rel=0.001)
    assert mean_interval([1.0]) == (-math.inf, math.inf)
