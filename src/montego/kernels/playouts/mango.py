"""Mango's playout: every move is drawn in proportion to its urgency (P4).

    urgency = (50,000 * stones captured + 5,000 * stones saved + 3x3 value) * near
    near = 20 next to the last move, 1 elsewhere

The 3x3 values of both players are kept for every point and changed only round the stones
that come and go; blocks of 16 points have their sums, so a draw reads a few of those and
one block.  Captures, rescues and the neighbourhood of the last move are few: they enter as
*specials*, amounts on top of the values.  A move that proves illegal is refused and the
draw repeated without it.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DIRECTIONS, DOWN, LEFT, PASS, RIGHT, UP
from montego.kernels.board.liberties import single_point
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import BLACK, EMPTY, WHITE, seen_by
from montego.kernels.board.tactics import drop_stale_ataris, is_self_atari
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import below
from montego.kernels.playouts.policy import (
    BLOCK_BITS,
    BY_NEARNESS,
    BY_SHAPE,
    CAPTURING,
    SAVING,
)

# --- the 3x3 values of all points ------------------------------------------------------


@leaf
def _set_urgency(W, color, p, urgency):
    change = urgency - W.urgency[U(color), U(p)]
    W.urgency[U(color), U(p)] = urgency
    W.block[U(color), U(p >> BLOCK_BITS)] += change
    W.total[U(color)] += change


@leaf
def _value_point(B, T, W, p):
    """Set the values of an empty point for both players."""
    shape = np.int64(B.shape[U(p)])
    _set_urgency(W, BLACK, p, np.int64(T.urgency[U(shape)]))
    _set_urgency(W, WHITE, p, np.int64(T.urgency[U(seen_by(shape, WHITE))]))


@leaf
def _value_round(B, T, W, p):
    """Set the values of the empty points round p."""
    for k in range(8):
        q = p + DIRECTIONS[k]
        if B.color[U(q)] == EMPTY:
            _value_point(B, T, W, q)


@kernel
def value_all(B, T, W):
    """Set the values of the whole board."""
    W.urgency[:] = 0
    W.block[:] = 0
    W.total[:] = 0
    for i in range(B.empties):
        _value_point(B, T, W, np.int64(B.empty[U(i)]))


@kernel
def value_changes(B, T, W, p, empties_before):
    """Update the values after the stone p: captured stones end the list of empty points."""
    _set_urgency(W, BLACK, p, 0)
    _set_urgency(W, WHITE, p, 0)
    _value_round(B, T, W, p)
    for i in range(empties_before - 1, np.int64(B.empties)):
        stone = np.int64(B.empty[U(i)])
        _value_point(B, T, W, stone)
        _value_round(B, T, W, stone)


# --- specials --------------------------------------------------------------------------


@leaf
def _is_near(p, last):
    """Whether p is at Manhattan distance 1 from the last move."""
    return (last != PASS) & (
        (p == last + UP) | (p == last + LEFT) | (p == last + RIGHT) | (p == last + DOWN)
    )


@leaf
def _add_special(W, p, amount, rule):
    W.special_rule[U(W.specials)] = rule
    W.special_point[U(W.specials)] = p
    W.special_urgency[U(W.specials)] = amount
    W.specials += 1
    return amount


@leaf
def capture_value(B, P, root, p, color):
    """What the chain in atari adds to the urgency of its last liberty p."""
    stones = np.int64(B.stones[U(root)])
    if B.color[U(root)] != color:
        return P.capture_value * stones
    return 0 if is_self_atari(B, p, color) else P.save_value * stones


@leaf
def _gather_specials(B, P, W, color):
    """List captures, rescues and the points next to the last move.  Returns their sum."""
    W.specials = 0
    total = np.int64(0)
    last = np.int64(B.last)
    drop_stale_ataris(B)
    for i in range(B.ataris):
        root = np.int64(B.atari[U(i)])
        p = single_point(B.liberties[U(root)])
        if W.urgency[U(color), U(p)] > 0:
            factor = P.near_factor if _is_near(p, last) else 1
            amount = capture_value(B, P, root, p, color) * factor
            rule = CAPTURING if B.color[U(root)] != color else SAVING
            total += _add_special(W, p, amount, rule)
    if last != PASS:
        for p in (last + UP, last + LEFT, last + RIGHT, last + DOWN):
            value = np.int64(W.urgency[U(color), U(p)])
            if value > 0:
                total += _add_special(W, p, value * (P.near_factor - 1), BY_NEARNESS)
    return total


# --- the draw --------------------------------------------------------------------------


@leaf
def _locate_value(W, color, at):
    """The point in whose share of the values ``at`` lies."""
    block = 0
    while at >= W.block[U(color), U(block)]:
        at -= W.block[U(color), U(block)]
        block += 1
    p = block << BLOCK_BITS
    while at >= W.urgency[U(color), U(p)]:
        at -= W.urgency[U(color), U(p)]
        p += 1
    return p


@leaf
def _locate(W, color, at):
    """The point in whose share ``at`` lies: specials first, then the values."""
    for i in range(W.specials):
        at -= W.special_urgency[U(i)]
        if at < 0:
            W.rule = W.special_rule[U(i)]
            return np.int64(W.special_point[U(i)])
    W.rule = BY_SHAPE
    return _locate_value(W, color, at)


@leaf
def _refuse(W, color, p, refusals):
    """Take a point out of the draw, to be restored later.  Returns its former share."""
    share = np.int64(W.urgency[U(color), U(p)])
    W.refused[U(refusals)] = p
    W.refused_urgency[U(refusals)] = share
    _set_urgency(W, color, p, 0)
    for i in range(W.specials):
        if W.special_point[U(i)] == p:
            share += W.special_urgency[U(i)]
            W.special_urgency[U(i)] = 0
    return share


@kernel
def urgent_move(B, P, W):
    """A move for the player to move, drawn by urgency; PASS if there is none."""
    color = np.int64(B.to_play)
    total = _gather_specials(B, P, W, color) + W.total[U(color)]
    chosen, refusals = PASS, 0
    while chosen == PASS and total > 0:
        p = _locate(W, color, below(W, total))
        if is_playable(B, p, color):
            chosen = p
        else:
            total -= _refuse(W, color, p, refusals)
            refusals += 1
    for i in range(refusals):
        _set_urgency(W, color, np.int64(W.refused[U(i)]), np.int64(W.refused_urgency[U(i)]))
    return chosen
