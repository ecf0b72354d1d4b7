"""A player's rank from results against players of known rank: the IGS likelihood (T50).

Against an L dan who gives H stones, a player of rank B has to make up for A = L - H - B
ranks; every rank counts as a factor (3/4)² in the chance of a surprise.  The rank is the
B that makes all results together most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from montego.lab.base.statistics import CONFIDENCE, Interval, quantile

STEP = 0.001
MARGIN = 15.0
"""How far below and above the opponents a rank is looked for."""


class HandicapGame(NamedTuple):
    """A game of the player who is to be ranked."""

    opponent: float
    """In amateur dan; 1 kyu is 0 dan, 2 kyu is -1."""
    stones: int
    """Handicap stones that the player got."""
    won: bool


class Rank(NamedTuple):
    """In amateur dan, infinite if all games were won or lost; with its likelihood interval."""

    dan: float
    interval: Interval


def chance_to_lose(advantage: NDArray[np.float64]) -> NDArray[np.float64]:
    """By the opponent's effective advantage in ranks; one half at 0."""
    surprise = 0.75 ** (2 * np.abs(advantage)) / 2
    return np.where(advantage > 0, 1 - surprise, surprise)


def igs_rank(games: Sequence[HandicapGame], confidence: float = CONFIDENCE) -> Rank:
    """The most likely rank and the ranks whose likelihood is not much smaller."""
    if not games:
        raise ValueError("there is no rank without a game")
    levels = [game.opponent - game.stones for game in games]
    ranks = np.arange(min(levels) - MARGIN, max(levels) + MARGIN, STEP)
    likelihood = np.zeros(len(ranks))
    for game, level in zip(games, levels, strict=True):
        lost = chance_to_lose(level - ranks)
        likelihood += np.log(1 - lost if game.won else lost)
    inside = ranks[likelihood >= likelihood.max() - quantile(confidence) ** 2 / 2]
    low, high = float(inside[0]), float(inside[-1])
    dan = float(ranks[np.argmax(likelihood)])
    if all(game.won for game in games):
        dan = high = float("inf")
    if not any(game.won for game in games):
        dan = low = -float("inf")
    return Rank(dan, Interval(low, high))


TAIWAN_2008 = [
    HandicapGame(opponent, stones, won)
    for opponent, stones, won in (
        (5, 0, True), (5, 5, True), (6, 0, True), (6, 0, False), (5, 6, True), (5, 4, True),
        (5, 4, True), (5, 4, True), (5, 4, True), (6, 0, False), (6, 0, False), (6, 4, False),
        (6, 5, True), (6, 5, True), (10, 0, False), (10, 0, False), (10, 7, False), (3, 0, True),
        (6, 4, True), (6, 5, False), (6, 5, False), (4, 0, True), (3, 0, True), (2, 0, True),
    )
]  # fmt: skip
"""MoGo's 24 games of 2008 (Rimmel's thesis, tables A.3 and A.4); a 9 dan professional is 10 dan."""
