"""Confident local optimisation: the best parameters from single games, won or lost.

The idea is Rémi Coulom's (CLOP: Confident Local Optimization for Noisy Black-Box Parameter
Tuning, ACG 2011).  Every game is played with other parameters.  A quadratic logistic
regression through all games estimates the strength q(x); where q is surely below the mean
strength m, games count less:

    w(x) = min over k of exp((q_k(x) - m_k) / (H s_k)),   H = 3

(s is how sure m is), and the regression is repeated with these weights until they hardly
change.  So the games that count close in on the optimum, as fast as their number allows and
no faster.  The next parameters are drawn in proportion to w.  A general optimiser would need
many games for every point before it could compare two of them; here no game is wasted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from montego.lab.base.statistics import CONFIDENCE, Interval, quantile

H = 3.0
PRIOR_PRECISION = 0.05
"""Of every coefficient but the constant: a weak belief that nothing matters."""
STEADY = 0.99
"""The weights are found when a round takes less than 1 % of them."""
MOST_ROUNDS = 50
NEWTON_STEPS = 30
TRIES = 2_000
GAMES_FOR_A_COEFFICIENT = 5
"""So many games are played anywhere, for each coefficient, before any weight is given."""

Floats = NDArray[np.float64]


def features(points: Floats) -> Floats:
    """1, x_i and x_i x_j of every point; a point is a row, each coordinate from -1 to 1."""
    count, dimensions = points.shape
    pairs = [points[:, i] * points[:, j] for i in range(dimensions) for j in range(i, dimensions)]
    return np.column_stack([np.ones(count), points, *pairs])


class Fit(NamedTuple):
    """A quadratic logistic regression: coefficients and how sure they are."""

    coefficients: Floats
    covariance: Floats

    def strength(self, points: Floats) -> Floats:
        """q(x): the logarithm of the odds to win."""
        return np.asarray(features(points) @ self.coefficients)

    def rate(self, point: Floats, confidence: float = CONFIDENCE) -> tuple[float, Interval]:
        """The expected score at a point, with its interval."""
        row = features(point[None, :])[0]
        middle = float(row @ self.coefficients)
        half = quantile(confidence) * math.sqrt(max(float(row @ self.covariance @ row), 0.0))
        return _sigmoid(middle), Interval(_sigmoid(middle - half), _sigmoid(middle + half))


def fit(points: Floats, results: Floats, weights: Floats) -> Fit:
    """The most probable coefficients by Newton's method; a result is 0, 0.5 or 1."""
    rows = features(points)
    precision = np.full(rows.shape[1], PRIOR_PRECISION)
    precision[0] = 1e-3
    coefficients = np.zeros(rows.shape[1])
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(rows @ coefficients, -30, 30)))
        slope = rows.T @ (weights * (results - chances)) - precision * coefficients
        curvature = (rows.T * (weights * chances * (1 - chances))) @ rows + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        coefficients = coefficients + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return Fit(coefficients, np.linalg.inv(curvature).astype(np.float64))


@dataclass(frozen=True)
class _Round:
    """A regression that took weight away: q, m and s."""

    fit: Fit
    mean: float
    deviation: float

    def weight(self, points: Floats) -> Floats:
        exponent = (self.fit.strength(points) - self.mean) / (H * self.deviation)
        return np.asarray(np.exp(np.minimum(exponent, 0.0)))


class Model:
    """What all games so far say."""

    def __init__(
        self, dimensions: int, points: Sequence[Sequence[float]], results: Sequence[float]
    ):
        self.dimensions = dimensions
        self.points = np.asarray(points, dtype=np.float64).reshape(-1, dimensions)
        self.results = np.asarray(results, dtype=np.float64)
        self.weights = np.ones(len(self.results))
        self.rounds: list[_Round] = []
        coefficients = 1 + dimensions + dimensions * (dimensions + 1) // 2
        self.is_ready = len(self.results) >= GAMES_FOR_A_COEFFICIENT * coefficients
        if self.is_ready:
            self._find_weights()
        self.fit = fit(self.points, self.results, self.weights)

    def _find_weights(self) -> None:
        for _ in range(MOST_ROUNDS):
            found = self._round()
            weights = np.minimum(self.weights, found.weight(self.points))
            before, self.weights = self.weights.sum(), weights
            self.rounds.append(found)
            if weights.sum() > STEADY * before:
                return

    def _round(self) -> _Round:
        total = self.weights.sum()
        # One game won and one lost more: a mean of 0 or 1 has no logarithm of its odds.
        mean = (self.weights @ self.results + 0.5) / (total + 1)
        deviation = 1 / math.sqrt((total + 1) * mean * (1 - mean))
        strength = math.log(mean / (1 - mean))
        return _Round(fit(self.points, self.results, self.weights), strength, deviation)

    def weight(self, points: Floats) -> Floats:
        """w(x): how much a game there counts."""
        weights = np.ones(len(points))
        for one in self.rounds:
            weights = np.minimum(weights, one.weight(points))
        return weights

    def ask(self, random: Random) -> tuple[float, ...]:
        """Where to play the next game: drawn in proportion to w."""
        generator = np.random.default_rng(random.getrandbits(64))
        points = generator.uniform(-1, 1, size=(TRIES, self.dimensions))
        weights = self.weight(points)
        if weights.sum() <= 0:
            return tuple(float(x) for x in self.best())
        chosen = generator.choice(TRIES, p=weights / weights.sum())
        return tuple(float(x) for x in points[chosen])

    def best(self) -> Floats:
        """The optimum: the mean of all games by their weights; the middle before the first."""
        if not len(self.results):
            return np.zeros(self.dimensions)
        return np.asarray(np.average(self.points, axis=0, weights=np.maximum(self.weights, 1e-12)))

    def spread(self, confidence: float = CONFIDENCE) -> list[Interval]:
        """For every coordinate where the games that count lie."""
        outside, found = (1 - confidence) / 2, []
        for column in self.points.T:
            order = np.argsort(column)
            share = np.cumsum(np.maximum(self.weights, 1e-12)[order])
            share /= share[-1]
            low, high = (int(np.searchsorted(share, q)) for q in (outside, 1 - outside))
            found.append(
                Interval(*(float(column[order][min(i, len(order) - 1)]) for i in (low, high)))
            )
        return found


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(min(x, 30.0), -30.0)))
