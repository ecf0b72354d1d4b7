"""Playouts: games played to the end by a policy, and what becomes of the board.

A playout ends after two passes, or when it has become three times as long as the board has
points.  The score is Black's area minus White's, without komi: at the end of a playout every
empty point that counts is an eye, so its four neighbours tell whose it is.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from montego.kernels.board.board import BOARD, MAX_AREA, PASS, play
from montego.kernels.board.choice import random_move
from montego.kernels.board.shape import BLACK, EMPTY, WHITE, is_surrounded
from montego.kernels.compiler.address import call_playout
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.tables import TABLES
from montego.kernels.playouts.expert import expert_move
from montego.kernels.playouts.mango import urgent_move, value_all, value_changes
from montego.kernels.playouts.mogo import cascade_move
from montego.kernels.playouts.orego import best_of_move
from montego.kernels.playouts.policy import (
    EXPERT,
    MANGO,
    MOGO,
    POLICY,
    UNIFORM,
    WORK,
    note_move,
)
from montego.kernels.playouts.uniform import finish_uniform

LONGEST = 3  # times the area of the board


@leaf
def owner(B, p):
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
        score += owner(B, np.int64(B.empty[U(i)]))
    return score


# --- compiled once, called by address --------------------------------------------------


@entry
def _play_out(B, P, T, W, only_choose):
    """Play a game to its end and return the score, or only choose the next move, and return it.

    One function does both, for it is the largest to compile.  Uniform playouts keep less of
    the board up to date, Mango's keep urgencies, Orego's compare all moves for the first n.
    """
    limit = B.moves + LONGEST * B.size * B.size
    compare_all_until = B.moves + P.first
    if P.kind == UNIFORM:
        if only_choose:
            return random_move(B, W, np.int64(B.to_play))
        finish_uniform(B, W, limit)
    elif P.kind == MANGO:
        value_all(B, T, W)
    while only_choose or (B.passes < 2 and B.moves < limit):
        if P.kind == MANGO:
            p = urgent_move(B, P, W)
        elif P.kind == MOGO:
            p = cascade_move(B, P, T, W)
        elif P.kind == EXPERT:
            p = expert_move(B, P, T, W)
        else:
            p = best_of_move(B, P, T, W, MAX_AREA if B.moves < compare_all_until else P.best_of)
        if only_choose:
            return p
        note_move(W, p)
        empties = np.int64(B.empties)
        play(B, p)
        if P.kind == MANGO and p != PASS:
            value_changes(B, T, W, p, empties)
    return final_score(B)


@cache
def playout_address() -> int:
    """Where the playouts' compiled code is: what a policy's record has to hold."""
    return _play_out.address(BOARD, POLICY, TABLES, WORK, int)


@leaf
def finish(B, P, T, W):
    """Play a game to its end.  Returns the score."""
    return call_playout(P.playout, B, P, T, W, 0)


@leaf
def choose_move(B, P, T, W):
    """The move that a playout by this policy would play next, PASS included."""
    return call_playout(P.playout, B, P, T, W, 1)


# --- many of them ----------------------------------------------------------------------


@entry
def draw_moves(B, P, T, W, moves):
    """Fill ``moves`` with independent draws of the next move."""
    for i in range(moves.size):
        W.board[U(0)] = B
        moves[U(i)] = choose_move(W.board[U(0)], P, T, W)


@entry
def sample(B, P, T, W, komi, count, totals, ownership):
    """Play ``count`` playouts from B and add up what they bring.

    ``totals``: black wins, white wins, draws, sum and sum of squares of the scores (komi
    included, Black's view), moves.  ``ownership`` (all points, or empty): owners summed up.
    """
    for _ in range(count):
        W.board[U(0)] = B
        end = W.board[U(0)]
        W.length = 0
        score = finish(end, P, T, W) - komi
        totals[U(0)] += score > 0
        totals[U(1)] += score < 0
        totals[U(2)] += score == 0
        totals[U(3)] += score
        totals[U(4)] += score * score
        totals[U(5)] += end.moves - B.moves
        for p in range(ownership.size):
            ownership[U(p)] += owner(end, p)
