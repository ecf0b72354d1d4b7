"""Self-atari, judged: most are a gift, some are the only move.

A move that leaves its chain with a single liberty invites the enemy to take it there.  That may be
what one wants:

* the exchange is fair: the move takes nearly as many stones as it offers;
* snapback: the chain that takes the stone is left with one liberty itself;
* inside a small eye space of a chain without other liberties: what takes is taken;
* throw-in: of one or two stones, where the point becomes a false eye;
* nakade: up to six stones fill an eye space so that the hole they leave is a single eye
  (three or more: their shape is dead; two or three: they stand where two eyes would be made).

All other self-ataris are bad, and so is suicide.  The exact test for a self-atari comes first and
ends nearly all questions.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from montego.kernels.board.board import (
    BOARD,
    DOWN,
    LEFT,
    NOWHERE,
    RIGHT,
    UP,
    in_atari,
)
from montego.kernels.board.liberties import is_single, single_point
from montego.kernels.board.shape import (
    BORDER,
    EMPTY,
    count_low_bits,
    empty_neighbours,
    is_eye,
    opponent,
)
from montego.kernels.board.tactics import (
    chains_round,
    is_new,
    liberties_after,
    next_round,
    stones_captured,
)
from montego.kernels.compiler.address import call_judge
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.reading.nakade import has_vital_point

LARGEST_NAKADE = 6  # stones
LARGEST_THROW_IN = 2
SEVERAL = -1  # chains
FEW = 2  # liberties outside with which an enclosed fight can be won
FAIR = 1  # stones that one may offer more than one takes


# --- small questions -------------------------------------------------------------------


@leaf
def _count_round(B, p, color):
    """Neighbours of a point that have this colour."""
    return (
        np.int64(B.color[U(p + UP)] == color)
        + (B.color[U(p + LEFT)] == color)
        + (B.color[U(p + RIGHT)] == color)
        + (B.color[U(p + DOWN)] == color)
    )


@leaf
def _is_beside(p, q):
    return (q == p + UP) | (q == p + LEFT) | (q == p + RIGHT) | (q == p + DOWN)


@leaf
def _is_among(root, chains):
    a, b, c, d = chains
    return (root == a) | (root == b) | (root == c) | (root == d)


@kernel
def _has_friend_at(B, e, own, color):
    """Whether another own chain stands at the liberty that is left."""
    friends = 0
    for root in chains_round(B, e, color):
        friends += root != NOWHERE and not _is_among(root, own)
    return friends > 0


@kernel
def _has_only(B, root, p, e):
    """Whether a chain has no liberties but these two points."""
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == EMPTY and q != p and q != e:
                return False
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return True


@kernel
def _is_short(B, root, p, e, most):
    """Whether a chain has at most so many liberties besides two points, and no eye among them."""
    color = np.int64(B.color[U(root)])
    next_round(B)
    is_new(B, p)
    is_new(B, e)
    count = 0
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == EMPTY and is_new(B, q):
                count += 1
                if count > most or is_eye(np.int64(B.shape[U(q)]), color):
                    return False
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return True


# --- snapback, capture from inside -----------------------------------------------------


@kernel
def is_snapback(B, p, e, color):
    """Whether the enemy, who takes the lone stone p at its liberty e, can be taken back at p, and
    with him more than that stone."""
    enemy = opponent(color)
    for root in chains_round(B, e, color):
        if root != NOWHERE and in_atari(B, root):
            return False  # he would take more, and have more liberties
    for q in (e + UP, e + LEFT, e + RIGHT, e + DOWN):
        if B.color[U(q)] == EMPTY and q != p:
            return False
    stones = 0
    for root in chains_round(B, e, enemy):
        if root != NOWHERE:
            stones += 1
            if not _has_only(B, root, p, e):
                return False
    return stones > 0


@kernel
def _look_round(B, stone, p, e, enemy, seen, are_short):
    """What is known of the enemies round a chain, after one more of its points: the only chain
    seen so far, or SEVERAL, and whether all are short of liberties."""
    for root in chains_round(B, stone, enemy):
        if root != NOWHERE and root != seen:
            seen = root if seen == NOWHERE else SEVERAL
            are_short = are_short and _is_short(B, root, p, e, FEW)
    return seen, are_short


@kernel
def _surroundings(B, p, e, own, color):
    """Whether the enemies round the chain that p makes are a single chain, and whether they are
    all short of liberties."""
    enemy = opponent(color)
    seen, are_short = _look_round(B, p, p, e, enemy, NOWHERE, True)
    seen, are_short = _look_round(B, e, p, e, enemy, seen, are_short)
    for chain in own:
        if chain != NOWHERE:
            stone = chain
            while True:
                seen, are_short = _look_round(B, stone, p, e, enemy, seen, are_short)
                stone = np.int64(B.next_stone[U(stone)])
                if stone == chain:
                    break
    return seen != SEVERAL, are_short


# --- throw-in --------------------------------------------------------------------------


@leaf
def _becomes_false(B, p, color):
    """Whether p cannot be a real eye of the enemy: two own stones stand diagonally, or one at the
    edge.  A corner is no place to throw in."""
    diagonal = np.int64(B.shape[U(p)]) >> 8
    borders = count_low_bits(diagonal & (diagonal >> 1) & 0x55)
    friends = count_low_bits((diagonal >> (color - 1)) & ~(diagonal >> (2 - color)) & 0x55)
    return borders < 3 and friends + (borders > 0) >= 2


@leaf
def _is_wall(B, q, enemy):
    return (B.color[U(q)] == enemy) | (B.color[U(q)] == BORDER)


@leaf
def _is_corridor(B, e, step, enemy):
    """Whether the enemy, or the edge, is on both sides of e for somebody who comes this way."""
    side = LEFT if (step == UP) | (step == DOWN) else UP
    return _is_wall(B, e + side, enemy) and _is_wall(B, e - side, enemy)


@kernel
def _is_throw_in(B, p, e, own, stones, color):
    """Whether one or two stones make an eye false, and can only be taken from one side."""
    enemy = opponent(color)
    if not _becomes_false(B, p, color):
        return False
    if stones == 2 and _count_round(B, e, EMPTY) <= 1 and not _has_friend_at(B, e, own, color):
        return True
    for step in (UP, LEFT, RIGHT, DOWN):
        from_point = e - step
        is_ours = from_point == p or (
            B.color[U(from_point)] == color and _is_among(np.int64(B.root[U(from_point)]), own)
        )
        if is_ours and _is_corridor(B, e, step, enemy):
            return True
    return False


@leaf
def _threatens_to_connect(B, own, has_friend):
    """Whether a stone that is in atari anyway has a friend at its next liberty."""
    a, b, c, d = own
    return has_friend and (
        (a != NOWHERE and in_atari(B, a))
        | (b != NOWHERE and in_atari(B, b))
        | (c != NOWHERE and in_atari(B, c))
        | (d != NOWHERE and in_atari(B, d))
    )


# --- nakade ----------------------------------------------------------------------------


@kernel
def _measure(B, p, own, color):
    """Pairs of neighbours among the stones of the chain that p makes, and the most that one has."""
    most = _count_round(B, p, color)
    ends = most
    for chain in own:
        if chain != NOWHERE:
            stone = chain
            while True:
                beside = _count_round(B, stone, color) + _is_beside(stone, p)
                ends += beside
                most = max(most, beside)
                stone = np.int64(B.next_stone[U(stone)])
                if stone == chain:
                    break
    return ends // 2, most


@kernel
def _parts_eyes(B, p, e, pairs, stones, color):
    """Whether an enemy stone at p would make two eyes of the place of two or three stones."""
    return pairs - _count_round(B, p, color) + _count_round(B, e, color) < stones - 1


@leaf
def _is_dead_shape(B, p, e, pairs, most, stones, color):
    """Whether stones leave a hole of which the enemy makes one eye at best; three of them if their
    hole has four points, in a square."""
    if stones == 3:
        return pairs + _count_round(B, e, color) + _is_beside(e, p) == 4
    return (stones == 4 and pairs == 4) or has_vital_point(stones, pairs, most)


# --- the judgement ---------------------------------------------------------------------


@leaf
def _stones_of(B, own):
    a, b, c, d = own
    return (
        1
        + (np.int64(B.stones[U(a)]) if a != NOWHERE else 0)
        + (np.int64(B.stones[U(b)]) if b != NOWHERE else 0)
        + (np.int64(B.stones[U(c)]) if c != NOWHERE else 0)
        + (np.int64(B.stones[U(d)]) if d != NOWHERE else 0)
    )


@kernel
def _has_purpose(B, p, e, color):
    """Whether a self-atari at p, with e as the last liberty, is more than a gift."""
    own = chains_round(B, p, color)
    stones = _stones_of(B, own)
    taken = stones_captured(B, p, color)
    if taken > 0:
        return stones <= taken + FAIR
    if stones > LARGEST_NAKADE:
        return False
    if stones == 1 and is_snapback(B, p, e, color):
        return True
    if stones <= LARGEST_THROW_IN and _is_throw_in(B, p, e, own, stones, color):
        return True
    has_friend = _has_friend_at(B, e, own, color)
    if has_friend or _count_round(B, e, EMPTY) - _is_beside(e, p) > 0:
        return stones == LARGEST_THROW_IN and _threatens_to_connect(B, own, has_friend)
    is_one, are_short = _surroundings(B, p, e, own, color)
    if stones <= 3 and are_short:
        return True
    pairs, most = _measure(B, p, own, color)
    if stones in (2, 3) and _parts_eyes(B, p, e, pairs, stones, color):
        return True
    return (
        stones > 2 and (is_one or are_short) and _is_dead_shape(B, p, e, pairs, most, stones, color)
    )


@kernel
def is_bad_self_atari(B, p, color):
    """Whether a stone at the empty point p would be suicide or a self-atari without a purpose."""
    if empty_neighbours(np.int64(B.shape[U(p)])) > 1:
        return False
    word = liberties_after(B, p, color)
    if word == 0:
        return True
    return is_single(word) and not _has_purpose(B, p, single_point(word), color)


@entry
def judge_self_atari(B, p, color):
    """``is_bad_self_atari`` as a number, for Python and for those who call it by its address."""
    return np.int64(is_bad_self_atari(B, p, color))


@cache
def judge_address() -> int:
    """Where the compiled judge is; tables carry it."""
    return int(judge_self_atari.address(BOARD, int, int))


@leaf
def is_judged_bad(B, T, p, color):
    """``is_bad_self_atari``, called by its address."""
    return call_judge(T.judge, B, np.int64(p), np.int64(color)) != 0
