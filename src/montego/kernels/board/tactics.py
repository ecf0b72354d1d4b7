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
from montego.kernels.board.liberties import is_single, liberty, pseudo_liberties, single_point
from montego.kernels.board.shape import (
    EMPTY,
    empty_neighbours,
    has_empty_neighbour,
    opponent,
)
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
def is_one_of(root, a, b, c, d):
    """Whether a chain is one of four, of which some may be NOWHERE."""
    return (root != NOWHERE) & ((root == a) | (root == b) | (root == c) | (root == d))


@kernel
def _left_behind(B, captured, p, a, b, c, d):
    """Liberties that a captured chain leaves to the stone p and to the chains a, b, c, d."""
    word = 0
    stone = captured
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if q == p or is_one_of(np.int64(B.root[U(q)]), a, b, c, d):
                word += liberty(stone)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == captured:
            return word


@leaf
def _left_if_captured(B, root, p, a, b, c, d):
    if is_single(B.liberties[U(root)]):
        return _left_behind(B, root, p, a, b, c, d)
    return 0


@leaf
def liberties_without_captures(B, p, color, own):
    """Packed liberties of the chain that a stone on p would belong to if it captured nothing."""
    a, b, c, d = own
    word = _liberties_of(B, a) + _liberties_of(B, b) + _liberties_of(B, c) + _liberties_of(B, d)
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.color[U(q)] == color:
            word -= liberty(p)
        word += liberty_if_empty(B, q)
    return word


@leaf
def _liberties_by_captures(B, p, color, own):
    """Packed liberties that a stone on p would gain by what it captures."""
    a, b, c, d = own
    e, f, g, h = chains_round(B, p, opponent(color))
    return (
        _left_if_captured(B, e, p, a, b, c, d)
        + _left_if_captured(B, f, p, a, b, c, d)
        + _left_if_captured(B, g, p, a, b, c, d)
        + _left_if_captured(B, h, p, a, b, c, d)
    )


@kernel
def liberties_after(B, p, color):
    """Packed liberties of the chain that a stone of this colour on p would belong to."""
    own = chains_round(B, p, color)
    word = liberties_without_captures(B, p, color, own)
    return word + _liberties_by_captures(B, p, color, own)


@kernel
def _is_left_with_one(B, p, color):
    """Whether a stone on p would belong to a chain with a single liberty.

    Captures only add liberties: they are looked for where there are not two already.
    """
    own = chains_round(B, p, color)
    word = liberties_without_captures(B, p, color, own)
    return is_single(word) and is_single(word + _liberties_by_captures(B, p, color, own))


@leaf
def is_self_atari(B, p, color):
    """Whether the chain of a legal move at p would be left with a single liberty."""
    if empty_neighbours(np.int64(B.shape[U(p)])) > 1:
        return False
    return _is_left_with_one(B, p, color)


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


@leaf
def first_liberty(B, stone):
    """A liberty of a chain, which has to have one: the first on a walk along its ring."""
    while not has_empty_neighbour(np.int64(B.shape[U(stone)])):
        stone = np.int64(B.next_stone[U(stone)])
    for q in (stone + UP, stone + LEFT, stone + RIGHT):
        if B.color[U(q)] == EMPTY:
            return q
    return stone + DOWN


@leaf
def _touching_stones(B, p, root):
    """How many stones of a chain are next to a point."""
    return (
        np.int64(B.root[U(p + UP)] == root)
        + (B.root[U(p + LEFT)] == root)
        + (B.root[U(p + RIGHT)] == root)
        + (B.root[U(p + DOWN)] == root)
    )


@kernel
def two_liberties(B, stone):
    """How many liberties a chain has, 3 for more than two, and where they are if two.

    Without one liberty, a chain of two has a single one: nothing has to be counted.  A liberty has
    four neighbours at most.
    """
    root = np.int64(B.root[U(stone)])
    word = B.liberties[U(root)]
    if word == 0:
        return 0, NOWHERE, NOWHERE
    if pseudo_liberties(word) > 8:
        return 3, NOWHERE, NOWHERE
    a = first_liberty(B, stone)
    rest = word - liberty(a) * _touching_stones(B, a, root)
    if rest == 0:
        return 1, a, NOWHERE
    if is_single(rest):
        return 2, a, single_point(rest)
    return 3, a, NOWHERE


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
def liberties_added(B, p, color, blocked, known, enough):
    """The same as ``liberties_reached``, but without the liberties of the chain ``known``."""
    next_round(B)
    is_new(B, p)
    is_new(B, blocked)
    count = 0
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        if B.color[U(q)] == EMPTY:
            count += is_new(B, q)
        elif B.color[U(q)] == color and B.root[U(q)] != known:
            count += new_liberties(B, np.int64(B.root[U(q)]), enough - count)
        elif B.color[U(q)] == opponent(color) and in_atari(B, q):
            count += chain_size(B, q)
        if count >= enough:
            return enough
    return count


@leaf
def liberties_reached(B, p, color, blocked, enough):
    """Liberties of the chain that a stone on p would make if ``blocked`` were not empty.

    What it captures counts as liberties, stone by stone; counting stops at ``enough``.
    """
    return liberties_added(B, p, color, blocked, NOWHERE, enough)


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
