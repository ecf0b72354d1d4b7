"""MoGo's playout: rules in order, the first that has a move plays it (T13).

Save stones that the last move put in atari; the middle of three points (nakade, T15); a
point in the open (fill board, T14); a 3x3 pattern round the last move, or the approach
move it needs (T16); a capture anywhere; a random move.  Each rule can be switched off.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board import (
    DIRECTIONS,
    DOWN,
    LEFT,
    NOWHERE,
    PASS,
    RIGHT,
    UP,
    in_atari,
    is_playable,
    last_liberty,
)
from montego.kernels.choice import random_move
from montego.kernels.jit import U, kernel, leaf
from montego.kernels.liberties import is_single, single_point
from montego.kernels.rng import below, unit
from montego.kernels.shape import EMPTY, empty_neighbours, opponent, seen_by, touches
from montego.kernels.tactics import (
    chains_round,
    drop_stale_ataris,
    is_new,
    is_self_atari,
    liberties_after,
    next_round,
)

TRIES = 4  # random moves that may be refused in a row


@kernel
def _may_play(B, p, color):
    """``is_playable`` as a call: a copy of it in every rule would double the compilation."""
    return is_playable(B, p, color)


@kernel
def _random_move(B, W, color):
    return random_move(B, W, color)


@leaf
def _one_of(W, count):
    """One of the first ``count`` candidates, each with the same chance; PASS if there is none."""
    return np.int64(W.candidates[U(below(W, count))]) if count > 0 else PASS


# --- take ------------------------------------------------------------------------------


@leaf
def _taking_move(B, color):
    """Take the chain of the last move if it is in atari."""
    last = np.int64(B.last)
    if B.color[U(last)] == opponent(color) and in_atari(B, last):
        p = last_liberty(B, last)
        if _may_play(B, p, color):
            return p
    return PASS


# --- save ------------------------------------------------------------------------------


@kernel
def _add_candidate(B, W, p, color, count):
    """List a playable point once."""
    if _may_play(B, p, color) and is_new(B, p):
        W.candidates[U(count)] = p
        count += 1
    return count


@kernel
def _add_rescues(B, W, root, color, count):
    """Candidates that bring a chain out of atari: an extension, or taking an attacker."""
    extension = last_liberty(B, root)
    if not is_self_atari(B, extension, color):
        count = _add_candidate(B, W, extension, color, count)
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == opponent(color) and in_atari(B, q):
                p = last_liberty(B, q)
                if p != extension:
                    count = _add_candidate(B, W, p, color, count)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return count


@leaf
def _saving_move(B, W, color):
    """Save stones that the last move put in atari, if possible."""
    up, left, right, down = chains_round(B, np.int64(B.last), color)
    count = 0
    for root in (up, left, right, down):
        if is_single(B.liberties[U(root)]):
            if count == 0:
                next_round(B)
            count = _add_rescues(B, W, root, color, count)
    return _one_of(W, count)


# --- nakade ----------------------------------------------------------------------------


@kernel
def middle_of_three(B, p, color):
    """T15: the middle of three connected empty points that hold p and that only enemy stones
    enclose; PASS if p is in no such hole."""
    first = second = third = np.int64(p)
    found, looked_at, middle = 1, 0, PASS
    while looked_at < found:
        q = first if looked_at == 0 else (second if looked_at == 1 else third)
        looked_at += 1
        if touches(np.int64(B.shape[U(q)]), color):
            return PASS
        neighbours = 0
        for r in (q + UP, q + LEFT, q + RIGHT, q + DOWN):
            if B.color[U(r)] != EMPTY:
                continue
            neighbours += 1
            if r in (first, second, third):
                continue
            if found == 3:
                return PASS
            second, third = (r, third) if found == 1 else (second, r)
            found += 1
        if neighbours == 2:
            middle = q
    return middle if found == 3 else PASS


@leaf
def _nakade_move(B, color):
    """The middle of three in a hole next to the last move."""
    last = np.int64(B.last)
    for k in range(8):
        p = last + DIRECTIONS[k]
        shape = np.int64(B.shape[U(p)])
        if B.color[U(p)] == EMPTY and not touches(shape, color) and empty_neighbours(shape) < 3:
            middle = middle_of_three(B, p, color)
            if middle != PASS and _may_play(B, middle, color):
                return middle
    return PASS


# --- fill board ------------------------------------------------------------------------


@leaf
def _fill_board_move(B, W, tries):
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
def _is_vetoed(B, P, W, p, color):
    """Whether a move is refused because it is a self-atari."""
    return P.veto > 0.0 and unit(W) < P.veto and is_self_atari(B, p, color)


@kernel
def _add_patterns(B, P, T, W, centre, color, count):
    """Candidates: the points round a move that match a 3x3 pattern."""
    for k in range(8):
        p = centre + DIRECTIONS[k]
        if B.color[U(p)] == EMPTY:
            shape = seen_by(np.int64(B.shape[U(p)]), color)
            is_match = T.matches[U(shape)] != 0 and _may_play(B, p, color)
            if is_match and not _is_vetoed(B, P, W, p, color):
                W.candidates[U(count)] = p
                count += 1
    return count


@leaf
def _pattern_move(B, P, T, W, color):
    """A 3x3 pattern round the last move, or, if wanted, round the move before it."""
    count = _add_patterns(B, P, T, W, np.int64(B.last), color, 0)
    if P.patterns_before and B.before_last != PASS:
        count = _add_patterns(B, P, T, W, np.int64(B.before_last), color, count)
    return _one_of(W, count)


@leaf
def _unvetoed_random_move(B, P, W, color):
    """A random move that is not refused; after a few tries, whatever comes."""
    p = _random_move(B, W, color)
    for _ in range(TRIES):
        if p == PASS or not _is_vetoed(B, P, W, p, color):
            break
        p = _random_move(B, W, color)
    return p


@kernel
def approach_move(B, p, color):
    """T16: what to play before the self-atari p: the liberty that it would be left with, if an
    own chain stands there that p does not touch.  PASS if there is no such connection."""
    if not is_self_atari(B, p, color):
        return PASS
    connection = single_point(liberties_after(B, p, color))
    if B.color[U(connection)] != EMPTY or not _may_play(B, connection, color):
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
            return connection
    return p


# --- capture ---------------------------------------------------------------------------


@leaf
def _capture_move(B, W, color):
    """Take a chain in atari anywhere; each of them with the same chance."""
    drop_stale_ataris(B)
    count = 0
    for i in range(B.ataris):
        root = B.atari[U(i)]
        if B.color[U(root)] != color:
            p = last_liberty(B, root)
            if _may_play(B, p, color):
                W.candidates[U(count)] = p
                count += 1
    return _one_of(W, count)


@kernel
def cascade_move(B, P, T, W):
    """The move of MoGo's cascade for the player to move; PASS if nothing is left."""
    color = np.int64(B.to_play)
    has_last = B.last != PASS
    p = PASS
    if P.take and has_last:
        p = _taking_move(B, color)
    if p == PASS and P.save and has_last:
        p = _saving_move(B, W, color)
    if p == PASS and P.nakade and has_last:
        p = _nakade_move(B, color)
    if p == PASS:
        p = _fill_board_move(B, W, P.fill_tries)
    if p == PASS and P.patterns and has_last:
        p = _approached(B, P, W, _pattern_move(B, P, T, W, color), color)
    if p == PASS and P.capture:
        p = _capture_move(B, W, color)
    if p == PASS:
        p = _unvetoed_random_move(B, P, W, color)
    return p
