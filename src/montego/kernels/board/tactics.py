"""What a move would do to the chains round it: captures, rescues, self-atari.

The liberties of the chain that a move *would* make are known without playing it.  Packed
pseudo-liberties add up: those of the own chains round the point, less the point itself,
plus the empty neighbours, plus what captured stones leave behind.  The word of that sum
tells suicide (zero), self-atari (single) and the liberty that remains.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import (
    DOWN,
    LEFT,
    NOWHERE,
    RIGHT,
    UP,
    chain_if,
    chain_size,
    in_atari,
    liberty_if_empty,
)
from montego.kernels.board.liberties import is_single, liberty
from montego.kernels.board.shape import EMPTY, empty_neighbours, opponent
from montego.kernels.compiler.jit import U, kernel, leaf

MAX_ROUND = 255  # marks are bytes


@leaf
def chains_round(B, p, color):
    """The roots of the different chains of this colour next to p; NOWHERE fills up to four."""
    up, left = chain_if(B, p + UP, color), chain_if(B, p + LEFT, color)
    right, down = chain_if(B, p + RIGHT, color), chain_if(B, p + DOWN, color)
    if left == up:
        left = NOWHERE
    if (right == up) | (right == left):
        right = NOWHERE
    if (down == up) | (down == left) | (down == right):
        down = NOWHERE
    return up, left, right, down


@leaf
def touches_chain(B, p, stone):
    """Whether a point is next to the chain of a stone."""
    root = B.root[U(stone)]
    return (
        (B.root[U(p + UP)] == root)
        | (B.root[U(p + LEFT)] == root)
        | (B.root[U(p + RIGHT)] == root)
        | (B.root[U(p + DOWN)] == root)
    )


@leaf
def _stones_in_atari(B, root):
    return np.int64(B.stones[U(root)]) if is_single(B.liberties[U(root)]) else 0


@leaf
def stones_in_atari_round(B, p, color):
    """How many stones of this colour have the empty point p as their last liberty."""
    up, left, right, down = chains_round(B, p, color)
    return (
        _stones_in_atari(B, up)
        + _stones_in_atari(B, left)
        + _stones_in_atari(B, right)
        + _stones_in_atari(B, down)
    )


@leaf
def stones_captured(B, p, color):
    """How many enemy stones a move at the empty point p takes."""
    return stones_in_atari_round(B, p, opponent(color))


@leaf
def stones_saved(B, p, color):
    """How many own stones a move at p brings out of atari: none if it ends in atari itself."""
    threatened = stones_in_atari_round(B, p, color)
    if threatened == 0 or is_self_atari(B, p, color):
        return 0
    return threatened


@leaf
def _liberties_of(B, root):
    return B.liberties[U(root)] if root != NOWHERE else 0


@leaf
def _is_one_of(root, a, b, c, d):
    return (root != NOWHERE) & ((root == a) | (root == b) | (root == c) | (root == d))


@kernel
def _left_behind(B, captured, p, a, b, c, d):
    """Liberties that a captured chain leaves to the stone p and to the chains a, b, c, d."""
    word = 0
    stone = captured
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if q == p or _is_one_of(np.int64(B.root[U(q)]), a, b, c, d):
                word += liberty(stone)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == captured:
            return word


@leaf
def _left_if_captured(B, root, p, a, b, c, d):
    if is_single(B.liberties[U(root)]):
        return _left_behind(B, root, p, a, b, c, d)
    return 0


@kernel
def liberties_after(B, p, color):
    """Packed liberties of the chain that a stone of this colour on p would belong to."""
    a, b, c, d = chains_round(B, p, color)
    word = _liberties_of(B, a) + _liberties_of(B, b) + _liberties_of(B, c) + _liberties_of(B, d)
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.color[U(q)] == color:
            word -= liberty(p)
        word += liberty_if_empty(B, q)
    e, f, g, h = chains_round(B, p, opponent(color))
    word += _left_if_captured(B, e, p, a, b, c, d)
    word += _left_if_captured(B, f, p, a, b, c, d)
    word += _left_if_captured(B, g, p, a, b, c, d)
    word += _left_if_captured(B, h, p, a, b, c, d)
    return word


@leaf
def is_self_atari(B, p, color):
    """Whether the chain of a legal move at p would be left with a single liberty."""
    if empty_neighbours(np.int64(B.shape[U(p)])) > 1:
        return False
    return is_single(liberties_after(B, p, color))


# --- exact counts ----------------------------------------------------------------------


@leaf
def next_round(B):
    """Begin a new round of marking: nothing is marked."""
    B.round += 1
    if B.round > MAX_ROUND:
        B.mark[:] = 0
        B.round = 1


@leaf
def is_new(B, p):
    """Mark a point; whether it was not marked in this round before."""
    new = B.mark[U(p)] != B.round
    B.mark[U(p)] = B.round
    return new


@kernel
def two_liberties(B, stone):
    """How many liberties a chain has, 3 for more than two, and the first two of them."""
    a = b = np.int64(NOWHERE)
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            if B.color[U(q)] == EMPTY and q != a and q != b:
                if a == NOWHERE:
                    a = q
                elif b == NOWHERE:
                    b = q
                else:
                    return 3, a, b
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return (a != NOWHERE) + (b != NOWHERE), a, b


@kernel
def new_liberties(B, stone, enough):
    """Liberties of a chain that are not marked yet; they are marked, up to ``enough``."""
    count = 0
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            if B.color[U(q)] == EMPTY and is_new(B, q):
                count += 1
        current = np.int64(B.next_stone[U(current)])
        if current == stone or count >= enough:
            return count


@kernel
def count_liberties(B, stone, enough):
    """The exact number of liberties of a chain; counting stops at ``enough``."""
    next_round(B)
    return min(new_liberties(B, stone, enough), enough)


@kernel
def liberties_reached(B, p, color, blocked, enough):
    """Liberties of the chain that a stone on p would make if ``blocked`` were not empty.

    What it captures counts as liberties, stone by stone; counting stops at ``enough``.
    """
    next_round(B)
    is_new(B, p)
    is_new(B, blocked)
    count = 0
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.color[U(q)] == EMPTY:
            count += is_new(B, q)
        elif B.color[U(q)] == color:
            count += new_liberties(B, np.int64(B.root[U(q)]), enough - count)
        elif B.color[U(q)] == opponent(color) and in_atari(B, q):
            count += chain_size(B, q)
        if count >= enough:
            return enough
    return count


# --- chains in atari -------------------------------------------------------------------


@kernel
def drop_stale_ataris(B):
    """Leave in the list of chains in atari only those that still are."""
    kept = 0
    for i in range(B.ataris):
        root = B.atari[U(i)]
        if B.root[U(root)] == root and in_atari(B, root):
            B.atari[U(kept)] = root
            kept += 1
        else:
            B.listed[U(root)] = 0
    B.ataris = kept
