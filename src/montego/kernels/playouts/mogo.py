"""MoGo's playout: rules in order, the first that has a move plays it (T13).

Save stones that the last move put in atari; the middle of three points (nakade, T15); a
point in the open (fill board, T14); a 3x3 pattern round the last move, or the approach
move it needs (T16); a capture anywhere; a random move.  Each rule can be switched off.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import (
    DOWN,
    LEFT,
    NOWHERE,
    PASS,
    RIGHT,
    UP,
    in_atari,
    last_liberty,
)
from montego.kernels.board.choice import any_move, may_play, one_of
from montego.kernels.board.liberties import is_single, single_point
from montego.kernels.board.shape import EMPTY, opponent
from montego.kernels.board.tactics import (
    chains_round,
    drop_stale_ataris,
    is_new,
    is_self_atari,
    liberties_after,
    next_round,
)
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import below, unit
from montego.kernels.playouts.policy import (
    APPROACHING,
    BY_CHANCE,
    CAPTURING,
    FILLING,
    MATCHING,
    NAKADE,
    SAVING,
)
from montego.kernels.playouts.surroundings import list_playable_patterns, look_round
from montego.kernels.reading.nakade import hole_move

MIDDLE_OF_THREE = 3  # T15: points of the only hole that MoGo knows


# --- save ------------------------------------------------------------------------------


@kernel
def add_candidate(B, W, p, color, count):
    """List a playable point once."""
    if may_play(B, p, color) and is_new(B, p):
        W.candidates[U(count)] = p
        count += 1
    return count


@kernel
def add_rescues(B, W, root, color, count):
    """Candidates that bring a chain out of atari: an extension, or taking an attacker."""
    extension = last_liberty(B, root)
    if not is_self_atari(B, extension, color):
        count = add_candidate(B, W, extension, color, count)
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == opponent(color) and in_atari(B, q):
                p = last_liberty(B, q)
                if p != extension:
                    count = add_candidate(B, W, p, color, count)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return count


@leaf
def saving_move(B, W, color):
    """Save stones that the last move put in atari, if possible."""
    up, left, right, down = chains_round(B, np.int64(B.last), color)
    count = 0
    for root in (up, left, right, down):
        if is_single(B.liberties[U(root)]):
            if count == 0:
                next_round(B)
            count = add_rescues(B, W, root, color, count)
    return one_of(W, count)


# --- fill board ------------------------------------------------------------------------


@leaf
def fill_board_move(B, W, tries):
    """T14, Algorithm 11: N times draw a location; play it if it and the 8 round it are empty.

    The empty points stand first in a drawing over the whole board, the others miss.
    """
    area = np.int64(B.size) * B.size
    for _ in range(tries):
        i = below(W, area)
        if i < B.empties:
            p = np.int64(B.empty[U(i)])
            if B.shape[U(p)] == 0:
                return p
    return PASS


# --- patterns and approach moves -------------------------------------------------------


@leaf
def _pattern_move(B, W, promises, color):
    """A 3x3 pattern round the last move."""
    return one_of(W, list_playable_patterns(B, W, np.int64(B.last), promises, color))


@kernel
def approach_move(B, p, color):
    """T16: what to play before the self-atari p: the liberty that it would be left with, if an
    own chain stands there that p does not touch.  PASS if there is no such connection."""
    if not is_self_atari(B, p, color):
        return PASS
    connection = single_point(liberties_after(B, p, color))
    if B.color[U(connection)] != EMPTY or not may_play(B, connection, color):
        return PASS
    a, b, c, d = chains_round(B, p, color)
    for root in chains_round(B, connection, color):
        if root != NOWHERE and root != a and root != b and root != c and root != d:
            return connection
    return PASS


@leaf
def _approached(B, P, W, p, color):
    """The pattern move p, or, half of the time, the approach move that it needs."""
    if p != PASS and P.approach > 0.0:
        connection = approach_move(B, p, color)
        if connection != PASS and unit(W) < P.approach:
            W.rule = APPROACHING
            return connection
    return p


# --- capture ---------------------------------------------------------------------------


@leaf
def capture_move(B, W, color):
    """Take a chain in atari anywhere; each of them with the same chance."""
    drop_stale_ataris(B)
    count = 0
    for i in range(B.ataris):
        root = B.atari[U(i)]
        if B.color[U(root)] != color:
            p = last_liberty(B, root)
            if may_play(B, p, color):
                W.candidates[U(count)] = p
                count += 1
    return one_of(W, count)


@kernel
def cascade_move(B, P, T, W):
    """The move of MoGo's cascade for the player to move; PASS if nothing is left."""
    color = np.int64(B.to_play)
    has_last = B.last != PASS
    promises = look_round(B, T, np.int64(B.last), color) if has_last else 0
    p = PASS
    if P.save and has_last:
        W.rule = SAVING
        p = saving_move(B, W, color)
    if p == PASS and P.nakade and has_last:
        W.rule = NAKADE
        p = hole_move(B, W, promises, color, MIDDLE_OF_THREE)
    if p == PASS:
        W.rule = FILLING
        p = fill_board_move(B, W, P.fill_tries)
    if p == PASS and P.patterns and has_last:
        W.rule = MATCHING
        p = _approached(B, P, W, _pattern_move(B, W, promises, color), color)
    if p == PASS and P.capture:
        W.rule = CAPTURING
        p = capture_move(B, W, color)
    if p == PASS:
        W.rule = BY_CHANCE
        p = any_move(B, W, color)
    return p
