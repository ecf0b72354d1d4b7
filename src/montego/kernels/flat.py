"""A bandit over the moves of one position: UCB1 above, playouts below (T4, T5)."""

from __future__ import annotations

import numpy as np

from montego.kernels.board import is_playable, play
from montego.kernels.formulas import ucb1
from montego.kernels.jit import U, entry, kernel
from montego.kernels.playout import finish
from montego.kernels.shape import BLACK

EXPLORATION = 0.7  # of UCB1, for results in [-1, 1]


@entry
def playable_mask(B, points, playable):
    """Which of these points a playout would play."""
    for i in range(points.size):
        playable[U(i)] = is_playable(B, points[U(i)], B.to_play)


@kernel
def _pick(visits, sums, total):
    """The next arm: one never tried, or the best by UCB1."""
    best, best_value = 0, -np.inf
    for arm in range(visits.size):
        if visits[U(arm)] == 0:
            return arm
        mean = sums[U(arm)] / visits[U(arm)]
        value = ucb1(mean, visits[U(arm)], np.log(total), EXPLORATION)
        if value > best_value:
            best, best_value = arm, value
    return best


@entry
def flat_batch(start, boards, P, T, W, komi, moves, visits, sums, count):
    """Play ``count`` simulations and add them to the arms."""
    side = 1.0 if start[0].to_play == BLACK else -1.0
    for _ in range(count):
        arm = _pick(visits, sums, visits.sum())
        boards[0] = start[0]
        play(boards[0], moves[U(arm)])
        W.length = 0
        score = finish(boards[0], P, T, W) - komi
        visits[U(arm)] += 1
        sums[U(arm)] += side * np.sign(score)
