"""Before a ladder is read: chains that walk away from it, and chains that are lost at once.

What is said here the reader (see reading) would say too, but it would copy the board and play.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DOWN, LEFT, NOWHERE, RIGHT, UP, in_atari
from montego.kernels.board.liberties import is_single, liberty, single_point
from montego.kernels.board.shape import EMPTY, opponent
from montego.kernels.board.tactics import (
    chains_round,
    is_new,
    is_one_of,
    liberties_without_captures,
    new_liberties,
    next_round,
    stones_captured,
    stones_in_atari_round,
    two_liberties,
)
from montego.kernels.compiler.jit import U, kernel, leaf


@kernel
def _reach(B, p, color, blocked, taken, known, enough):
    """Liberties, up to ``enough``, of the chain that a stone on p would make without captures, if
    two points were taken; the four chains ``known`` have no others."""
    a, b, c, d = known
    next_round(B)
    is_new(B, p)
    is_new(B, blocked)
    is_new(B, taken)
    count = 0
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if count < enough:
            root = np.int64(B.root[U(q)])
            if B.color[U(q)] == EMPTY:
                count += is_new(B, q)
            elif B.color[U(q)] == color and not is_one_of(root, a, b, c, d):
                count += new_liberties(B, root, enough - count)
    return min(count, enough)


@leaf
def _after_atari(B, a, b, color, taken, known, limit):
    """What the chains ``known``, with the liberties a and b, reach at b after an atari at a, up to
    one more than the limit; 0 if that atari takes stones, so that one has to look."""
    if stones_in_atari_round(B, a, color) > 0:
        return 0
    return _reach(B, b, color, a, taken, known, limit + 1)


@leaf
def after_atari(B, a, b, root, limit):
    """The same for a chain of two liberties."""
    known = (root, NOWHERE, NOWHERE, NOWHERE)
    return _after_atari(B, a, b, np.int64(B.color[U(root)]), NOWHERE, known, limit)


@kernel
def walks_away(B, stone, limit):
    """Whether a chain of two liberties gets beyond the limit after an atari on either side."""
    liberties, a, b = two_liberties(B, stone)
    if liberties != 2:
        return False
    root = np.int64(B.root[U(stone)])
    return min(after_atari(B, a, b, root, limit), after_atari(B, b, a, root, limit)) > limit


# --- after a move of its owner ---------------------------------------------------------


@kernel
def _liberty_after(B, p, own):
    """A liberty of the chain that p makes of own chains; NOWHERE if it has none."""
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.color[U(q)] == EMPTY:
            return q
    for root in own:
        stone = root
        while root != NOWHERE:
            for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
                if B.color[U(q)] == EMPTY and q != p:
                    return q
            stone = np.int64(B.next_stone[U(stone)])
            if stone == root:
                break
    return np.int64(NOWHERE)


@leaf
def _stones_at(B, x, p, own):
    """How many stones of the chain that p makes of own chains are next to a point."""
    a, b, c, d = own
    count = 0
    for q in (x + UP, x + LEFT, x + RIGHT, x + DOWN):
        count += (q == p) | is_one_of(np.int64(B.root[U(q)]), a, b, c, d)
    return count


@kernel
def walks_away_after(B, p, color, limit):
    """Whether a move at p, which takes nothing, makes a chain of two liberties that gets beyond
    the limit after an atari on either side."""
    own = chains_round(B, p, color)
    a = _liberty_after(B, p, own)
    if a == NOWHERE or stones_captured(B, p, color) > 0:
        return False
    rest = liberties_without_captures(B, p, color, own) - liberty(a) * _stones_at(B, a, p, own)
    if rest == 0 or not is_single(rest):
        return False
    b = single_point(rest)
    if _after_atari(B, a, b, color, p, own, limit) <= limit:
        return False
    return _after_atari(B, b, a, color, p, own, limit) > limit


# --- after a move of its enemy ---------------------------------------------------------


@kernel
def is_lost_at_once(B, p, other, root):
    """Whether a chain with the liberties p and another, at which it reaches one liberty at most,
    is lost after an atari at p because nobody takes anything."""
    owner = np.int64(B.color[U(root)])
    attacker = opponent(owner)
    if stones_captured(B, p, attacker) + stones_captured(B, other, owner) > 0:
        return False
    a, b, c, d = attackers = chains_round(B, p, attacker)
    if is_single(liberties_without_captures(B, p, attacker, attackers)):
        return False
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            merges = is_one_of(np.int64(B.root[U(q)]), a, b, c, d)
            if B.color[U(q)] == attacker and in_atari(B, q) and not merges:
                return False
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return True
