"""Bradley–Terry ratings beside scipy and a textbook, the IGS rank (T50) beside the thesis."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from montego.lab.base.errors import LabError
from montego.lab.base.statistics import ELO_SCALE, elo
from montego.lab.matches.igs import TAIWAN_2008, HandicapGame, igs_rank
from montego.lab.matches.rating import bradley_terry, rate

BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    dtype=np.float64,
)
"""Agresti, Categorical Data Analysis: the Eastern Division of 1987, Milwaukee to Baltimore."""


def pairs(won: NDArray[np.float64]) -> Mapping[tuple[str, str], float]:
    names = [chr(ord("a") + number) for number in range(len(won))]
    return {
        (one, other): float(won[i, j])
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i != j
    }


def test_a_textbook_case() -> None:
    strengths, _ = bradley_terry(BASEBALL)
    # Agresti's estimates, Baltimore at 0
    expected = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]
    assert strengths - strengths[-1] == pytest.approx(expected, abs=2e-3)


def test_against_scipy() -> None:
    random = np.random.default_rng(1)
    won = random.integers(1, 30, (6, 6)).astype(np.float64) * (1 - np.eye(6))

    def unlikelihood(strengths: NDArray[np.float64]) -> float:
        difference = strengths[:, None] - strengths[None, :]
        return float((won * np.log1p(np.exp(-difference))).sum() + strengths.sum() ** 2)

    theirs = minimize(unlikelihood, np.zeros(6), tol=1e-12).x
    assert bradley_terry(won)[0] == pytest.approx(theirs, abs=1e-4)


def test_two_players_are_their_elo_difference() -> None:
    ratings = rate({("a", "b"): 70, ("b", "a"): 30}, zero="b", prior=0)
    assert [rating.name for rating in ratings] == ["a", "b"]
    assert ratings[0].elo == pytest.approx(elo(0.7))
    # the textbook's deviation of log odds: 1 / sqrt(n p (1 - p))
    half = 1.959964 * ELO_SCALE / math.sqrt(100 * 0.7 * 0.3)
    assert ratings[0].interval == pytest.approx((elo(0.7) - half, elo(0.7) + half), abs=1e-3)
    assert ratings[1].interval == pytest.approx((0, 0), abs=1e-9)
    assert (ratings[0].games, ratings[0].points) == (100, 70)


def test_intervals_hold_the_truth() -> None:
    """Of many simulated tournaments, about 95 % of the intervals hold the true difference."""
    random, truth = np.random.default_rng(5), np.array([0.0, 0.4, 1.0])
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    inside = total = 0
    for _ in range(300):
        won = np.zeros((3, 3))
        for i, j in ((0, 1), (1, 2), (0, 2)):
            won[i, j] = random.binomial(60, chance[i, j])
            won[j, i] = 60 - won[i, j]
        for rating in rate(pairs(won), zero="a", prior=0):
            true = ELO_SCALE * truth[ord(rating.name) - ord("a")]
            inside += rating.name != "a" and rating.interval.low <= true <= rating.interval.high
            total += rating.name != "a"
    assert 0.92 < inside / total < 0.98


def test_a_perfect_score_has_a_rating() -> None:
    ratings = rate({("a", "b"): 10, ("b", "a"): 0, ("b", "c"): 5, ("c", "b"): 5})
    assert ratings[0].name == "a"
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert ratings[0].elo == pytest.approx(ratings[1].elo + elo(10.5 / 11), abs=1e-3)
    with pytest.raises(LabError, match="no maximum"):
        rate({("a", "b"): 10, ("b", "a"): 0}, prior=0)


def test_what_cannot_be_rated() -> None:
    with pytest.raises(LabError, match="no games connect 'a' and 'c'"):
        rate({("a", "b"): 1, ("b", "a"): 1, ("c", "d"): 1, ("d", "c"): 1})
    with pytest.raises(LabError, match="'x' has not played"):
        rate({("a", "b"): 1}, zero="x")


# --- the IGS rank ----------------------------------------------------------------------


def test_the_thesis() -> None:
    """R18: 5.3 dan follows for at most 4 stones; all 24 games give 4.1, not the 1.6 of the text."""
    assert len(TAIWAN_2008) == 24
    assert igs_rank(TAIWAN_2008).dan == pytest.approx(4.08, abs=0.01)
    few_stones = [game for game in TAIWAN_2008 if game.stones <= 4]
    rank = igs_rank(few_stones)
    assert rank.dan == pytest.approx(5.34, abs=0.01)
    assert rank.interval.low < 4 < 6 < rank.interval.high


def test_as_many_wins_as_losses_is_the_opponents_rank() -> None:
    games = [HandicapGame(3, 0, True), HandicapGame(3, 0, False)]
    assert igs_rank(games).dan == pytest.approx(3, abs=0.002)
    with_stones = [HandicapGame(7, 4, True), HandicapGame(7, 4, False)]
    assert igs_rank(with_stones).dan == pytest.approx(3, abs=0.002)


def test_nothing_but_wins_is_without_bound() -> None:
    won, lost = [HandicapGame(3, 0, True)] * 5, [HandicapGame(3, 0, False)] * 5
    assert igs_rank(won).dan == igs_rank(won).interval.high == math.inf
    assert igs_rank(lost).dan == igs_rank(lost).interval.low == -math.inf
    assert math.isfinite(igs_rank(won).interval.low)
    with pytest.raises(ValueError, match="without a game"):
        igs_rank([])
