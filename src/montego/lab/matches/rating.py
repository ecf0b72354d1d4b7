"""Many players on one scale: Bradley–Terry ratings by maximum likelihood.

Every player i has a strength r_i, and beats player j with the chance 1 / (1 + e^(r_j - r_i)).
The likelihood of all results is concave in the strengths; Newton's method finds its top, and
the curvature there tells how sure it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from montego.lab.base.errors import LabError
from montego.lab.base.statistics import CONFIDENCE, ELO_SCALE, Interval, quantile

MOST_STEPS = 200
LONGEST_STEP = 2.0
"""Of a strength in one step: far from the top the curvature promises too much."""
NEAR_ENOUGH = 1e-10

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A player on the scale, in Elo points."""

    name: str
    elo: float
    interval: Interval
    games: int
    points: float


def rate(
    points: Mapping[tuple[str, str], float],
    zero: str | None = None,
    prior: float = 1.0,
    confidence: float = CONFIDENCE,
) -> list[Rating]:
    """Ratings from ``points[winner, loser]``, best first; a draw is half a point to each.

    ``zero`` is the player at 0, and intervals are of the difference to it; without one it is
    the mean of all.  ``prior`` drawn games are added to every pair that has met: without
    them a player that has won every game would have no rating.
    """
    names = list(dict.fromkeys(name for pair in points for name in pair))
    if zero is not None and zero not in names:
        raise LabError(f"{zero!r} has not played: {', '.join(names)} have")
    won = np.zeros((len(names), len(names)))
    for (winner, loser), number in points.items():
        won[names.index(winner), names.index(loser)] += number
    _refuse_unconnected(names, won + won.T > 0)
    strengths, covariance = bradley_terry(won + prior / 2 * (won + won.T > 0))
    at = np.eye(len(names))[names.index(zero)] if zero else np.full(len(names), 1 / len(names))
    spread = np.eye(len(names)) - at  # row i: the difference of player i to the zero
    deviations = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", spread, covariance, spread), 0))
    return sorted(
        (
            Rating(name, elo, Interval(elo - half, elo + half), int(games), float(own))
            for name, elo, half, games, own in zip(
                names,
                (ELO_SCALE * (strengths - at @ strengths)).tolist(),
                (ELO_SCALE * quantile(confidence) * deviations).tolist(),
                (won + won.T).sum(axis=1),
                won.sum(axis=1),
                strict=True,
            )
        ),
        key=lambda rating: -rating.elo,
    )


def bradley_terry(won: Floats) -> tuple[Floats, Floats]:
    """Strengths (natural units, mean 0) and their covariance from points won, row against column.

    Every player has to have won against and lost to others, if only in part of a game.
    """
    played = won + won.T
    strengths = np.zeros(len(won))
    for _ in range(MOST_STEPS):
        chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = (won - played * chance).sum(axis=1)
        information = played * chance * chance.T
        # The sum of all strengths is free: the matrix has no inverse, but a pseudo-inverse.
        laplacian = np.diag(information.sum(axis=1)) - information
        covariance: Floats = np.linalg.pinv(laplacian, hermitian=True).astype(np.float64)
        step = covariance @ slope
        longest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, LONGEST_STEP / max(longest, NEAR_ENOUGH))
        if longest < NEAR_ENOUGH:
            return strengths, covariance
    raise LabError("the ratings have no maximum: somebody has won, or lost, every game")


def _refuse_unconnected(names: list[str], met: NDArray[np.bool_]) -> None:
    """Ratings compare only players whom a chain of games connects."""
    reached = np.arange(len(names)) == 0
    for _ in names:
        reached = reached | met[reached].any(axis=0)
    if not reached.all():
        stranger = names[int(np.argmin(reached))]
        raise LabError(f"no games connect {names[0]!r} and {stranger!r}")
