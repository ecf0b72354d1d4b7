"""Playouts: games played to the end by a policy, and what becomes of the board.

A playout ends after two passes, or when it has become three times as long as the board has
points.  The score is Black's area minus White's, without komi: at the end of a playout every
empty point that counts is an eye, so its four neighbours tell whose it is.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board import MAX_AREA, PASS, pass_turn, play, play_light
from montego.kernels.cascade import cascade_move
from montego.kernels.choice import random_move
from montego.kernels.heuristic import best_of_move
from montego.kernels.jit import U, entry, kernel, leaf
from montego.kernels.policy import MANGO, MOGO, UNIFORM
from montego.kernels.shape import BLACK, EMPTY, WHITE, is_surrounded
from montego.kernels.urgency import urgent_move, value_all, value_changes

LONGEST = 3  # times the area of the board


@leaf
def _limit(B):
    """The number of moves at which a playout from here is broken off."""
    return B.moves + LONGEST * B.size * B.size


@leaf
def _owner(B, p):
    """+1 for a black stone or eye, -1 for a white one, 0 for a point that is nobody's."""
    color = B.color[U(p)]
    shape = np.int64(B.shape[U(p)])
    black = (color == BLACK) | ((color == EMPTY) & is_surrounded(shape, BLACK))
    white = (color == WHITE) | ((color == EMPTY) & is_surrounded(shape, WHITE))
    return np.int64(black) - np.int64(white)


@kernel
def final_score(B):
    """Black's area minus White's at the end of a playout."""
    score = np.int64(B.on_board[U(BLACK)]) - np.int64(B.on_board[U(WHITE)])
    for i in range(B.empties):
        score += _owner(B, np.int64(B.empty[U(i)]))
    return score


@kernel
def _finish_uniform(B, dice):
    limit = _limit(B)
    while B.passes < 2 and B.moves < limit:
        p = random_move(B, np.int64(B.to_play), dice)
        if p == PASS:
            pass_turn(B)
        else:
            play_light(B, p)


@kernel
def _finish_mango(B, P, T, W, dice):
    limit = _limit(B)
    value_all(B, T, W)
    while B.passes < 2 and B.moves < limit:
        p = urgent_move(B, P, W, dice)
        empties = np.int64(B.empties)
        play(B, p)
        if p != PASS:
            value_changes(B, T, W, p, empties)


@kernel
def _finish_mogo(B, P, T, W, dice):
    limit = _limit(B)
    while B.passes < 2 and B.moves < limit:
        play(B, cascade_move(B, P, T, W, dice))


@kernel
def _finish_orego(B, P, T, dice):
    """First-n: the best of all moves for the first n; best-of-n for the rest."""
    limit = _limit(B)
    heavy_until = B.moves + P.first
    while B.passes < 2 and B.moves < limit:
        count = MAX_AREA if B.moves < heavy_until else P.best_of
        play(B, best_of_move(B, P, T, count, dice))


@kernel
def finish(B, P, T, W, dice):
    """Play a game to its end.  Returns the score."""
    if P.kind == UNIFORM:
        _finish_uniform(B, dice)
    elif P.kind == MANGO:
        _finish_mango(B, P, T, W, dice)
    elif P.kind == MOGO:
        _finish_mogo(B, P, T, W, dice)
    else:
        _finish_orego(B, P, T, dice)
    return final_score(B)


@entry
def choose_move(B, P, T, W, dice):
    """The move that a playout by this policy would play next, PASS included."""
    if P.kind == UNIFORM:
        return random_move(B, np.int64(B.to_play), dice)
    if P.kind == MANGO:
        value_all(B, T, W)
        return urgent_move(B, P, W, dice)
    if P.kind == MOGO:
        return cascade_move(B, P, T, W, dice)
    return best_of_move(B, P, T, MAX_AREA if P.first > 0 else P.best_of, dice)


@entry
def sample(start, boards, P, T, W, dice, komi, count, totals, ownership):
    """Play ``count`` playouts from ``start[0]`` and add up what they bring.

    ``totals``: black wins, white wins, draws, sum and sum of squares of the scores (komi
    included, Black's view), moves.  ``ownership`` (all points, or empty): owners summed up.
    """
    for _ in range(count):
        boards[0] = start[0]
        B = boards[0]
        score = finish(B, P, T, W, dice) - komi
        totals[U(0)] += score > 0
        totals[U(1)] += score < 0
        totals[U(2)] += score == 0
        totals[U(3)] += score
        totals[U(4)] += score * score
        totals[U(5)] += B.moves - start[0].moves
        for p in range(ownership.size):
            ownership[U(p)] += _owner(B, p)
