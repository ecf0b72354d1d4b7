"""What a score of a match means: intervals, Elo differences, and when to stop playing.

A draw counts as half a win and half a loss throughout.  Intervals are of 95 % unless
another confidence is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

CONFIDENCE = 0.95
ELO_SCALE = 400 / math.log(10)
"""Elo points for a factor e in the odds."""


class Interval(NamedTuple):
    """A lower and an upper bound."""

    low: float
    high: float


def quantile(confidence: float = CONFIDENCE) -> float:
    """How many standard deviations to either side hold this much: 1.96 for 95 %."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(wins: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval for a proportion; right also near 0 and 1 and for few games."""
    if games == 0:
        return Interval(0.0, 1.0)
    z2, rate = quantile(confidence) ** 2, wins / games
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    spread = rate * (1 - rate) / games + z2 / (4 * games * games)
    half = math.sqrt(z2 * spread) / (1 + z2 / games)
    # Exactly 0 and 1 at the ends, where rounding would leave a tiny chance and a huge Elo.
    low = max(middle - half, 0.0) if wins > 0 else 0.0
    return Interval(low, min(middle + half, 1.0) if wins < games else 1.0)


def student(degrees: int, confidence: float = CONFIDENCE) -> float:
    """Student's quantile for a mean of ``degrees + 1`` values: 2.262 for ten of them and 95 %."""
    if degrees < 1:
        return math.inf
    chance = (1 + confidence) / 2
    if degrees == 1:
        return math.tan(math.pi * (chance - 0.5))
    if degrees == 2:
        return (2 * chance - 1) / math.sqrt(2 * chance * (1 - chance))
    # Abramowitz and Stegun 26.7.5: off by less than 0.5 % from 3 degrees on
    z, d = NormalDist().inv_cdf(chance), degrees
    z3, z5, z7, z9 = z**3, z**5, z**7, z**9
    return (
        z
        + (z3 + z) / (4 * d)
        + (5 * z5 + 16 * z3 + 3 * z) / (96 * d**2)
        + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * d**3)
        + (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * d**4)
    )


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval for the mean; without bounds for a single value."""
    if len(values) < 2:
        return Interval(-math.inf, math.inf)
    half = student(len(values) - 1, confidence) * stdev(values) / math.sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def elo(rate: float) -> float:
    """The Elo difference that makes one expect this score; infinite at 0 and 1."""
    if rate <= 0 or rate >= 1:
        return math.inf if rate >= 1 else -math.inf
    return ELO_SCALE * math.log(rate / (1 - rate))


def expected_score(difference: float) -> float:
    """The score to expect at an Elo difference; the inverse of ``elo``."""
    return 1 / (1 + math.exp(-difference / ELO_SCALE))


def elo_interval(wins: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval as Elo differences."""
    return Interval(*map(elo, wilson(wins, games, confidence)))


@dataclass(frozen=True)
class Score:
    """Games of one player against another."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points a game; one half before the first."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> Interval:
        return wilson(self.points, self.games)

    @property
    def elo(self) -> float:
        return elo(self.rate)

    @property
    def elo_interval(self) -> Interval:
        return elo_interval(self.points, self.games)


# --- stopping when it is decided -------------------------------------------------------


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test: is the first player ``elo0`` stronger, or ``elo1``?

    After every game the log-likelihood ratio of the two hypotheses is compared with two
    bounds; beyond one of them the test is decided with about these rates of error.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often ``elo1`` may be accepted though ``elo0`` is true."""
    beta: float = 0.05
    """How often ``elo0`` may be accepted though ``elo1`` is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError("a sequential test needs two Elo differences, the smaller one first")

    @property
    def bounds(self) -> Interval:
        """Where the test ends: ``elo0`` is accepted below, ``elo1`` above."""
        low = math.log(self.beta / (1 - self.alpha))
        return Interval(low, math.log((1 - self.beta) / self.alpha))

    def ratio(self, score: Score) -> float:
        """The log-likelihood ratio of ``elo1`` to ``elo0``."""
        p0, p1 = expected_score(self.elo0), expected_score(self.elo1)
        lost = score.games - score.points
        return score.points * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))

    def verdict(self, score: Score) -> float | None:
        """The accepted Elo difference, or None as long as it is open."""
        ratio, bounds = self.ratio(score), self.bounds
        if bounds.low < ratio < bounds.high:
            return None
        return self.elo0 if ratio <= bounds.low else self.elo1
