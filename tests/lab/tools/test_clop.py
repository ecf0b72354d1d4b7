"""The optimiser: regression beside scipy, and noisy functions whose optimum is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize

from montego.lab.tools.clop import PRIOR_PRECISION, Model, features, fit

Chance = Callable[[tuple[float, ...]], float]


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def hill(*top: float, height: float = 0.5, slope: float = 2.0) -> Chance:
    """The chance to win: highest at one point."""
    return lambda x: sigmoid(
        height - slope * sum((a - b) ** 2 for a, b in zip(x, top, strict=True))
    )


def play(chance: Chance, dimensions: int, games: int, seed: int, every: int = 10) -> Model:
    """Tune with games that are thrown rng."""
    random, points, results = Random(seed), list[tuple[float, ...]](), list[float]()
    model = Model(dimensions, points, results)
    for number in range(games):
        if number % every == 0:
            model = Model(dimensions, points, results)
        points.append(model.ask(random))
        results.append(float(random.random() < chance(points[-1])))
    return Model(dimensions, points, results)


def test_features() -> None:
    assert features(np.array([[2.0, 3.0]])).tolist() == [[1, 2, 3, 4, 6, 9]]


def test_the_regression_is_the_most_probable_one() -> None:
    generator = np.random.default_rng(3)
    points, weights = generator.uniform(-1, 1, (200, 2)), generator.uniform(0, 1, 200)
    results = (generator.uniform(size=200) < 0.4 + 0.2 * points[:, 0]).astype(float)
    rows = features(points)
    precision = np.full(6, PRIOR_PRECISION)
    precision[0] = 1e-3

    def unlikely(coefficients: np.ndarray) -> float:
        odds = rows @ coefficients
        likelihood = weights * (results * odds - np.logaddexp(0, odds))
        return float(-likelihood.sum() + (precision * coefficients**2).sum() / 2)

    theirs = minimize(unlikely, np.zeros(6)).x
    assert fit(points, results, weights).coefficients == pytest.approx(theirs, abs=1e-3)


@pytest.mark.parametrize("seed", [1, 2])
def test_one_parameter(seed: int) -> None:
    chance = hill(0.4)
    model = play(chance, 1, 800, seed)
    best = model.best()
    assert best[0] == pytest.approx(0.4, abs=0.25)
    rate, (low, high) = model.fit.rate(best)
    assert low < chance((0.4,)) < high + 0.05
    assert low < rate < high
    # Games are not wasted far from the optimum: at random they would win 42 %.
    assert model.results[-400:].mean() > 0.52
    (spread,) = model.spread()
    assert spread.low < 0.4 < spread.high


def test_two_parameters() -> None:
    chance = hill(0.3, -0.5, slope=1.5)
    model = play(chance, 2, 1200, seed=5)
    assert chance(tuple(model.best())) > chance((0.3, -0.5)) - 0.03


def test_games_that_count_close_in() -> None:
    few, many = (play(hill(-0.2, slope=3.0), 1, games, seed=9) for games in (150, 1200))
    widths = [spread.high - spread.low for model in (few, many) for spread in model.spread()]
    assert widths[1] < widths[0]


@pytest.mark.parametrize("result", [0.0, 1.0])
def test_a_player_who_always_wins_or_loses_breaks_nothing(result: float) -> None:
    model = play(lambda x: result, 2, 80, seed=1)
    assert np.abs(model.best()).max() < 0.6  # nothing is known
    assert 0 <= model.fit.rate(model.best())[0] <= 1


def test_before_the_first_game() -> None:
    model = Model(2, [], [])
    assert model.best().tolist() == [0, 0]
    assert not model.is_ready
    assert all(-1 <= x <= 1 for x in model.ask(Random(1)))
