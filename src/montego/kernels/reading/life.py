"""Life: which chains can never be taken, and which live if their owner answers.

Benson's theorem.  A region is what is left of the board without a player's stones, in connected
pieces.  It is *vital* to a chain if all its empty points are liberties of that chain.  Chains with
fewer than two vital regions are dropped, then the regions that touch a dropped chain, and so on:
what remains lives, even if its owner never answers.

The reader asks whether a chain gets there though the enemy moves first: whatever he plays near
it, some answer leads to Benson's life, at once or after further attacks, up to a depth.  So it sees
eyes that hang together by a diagonal or a bamboo joint, corners of eyes that need no stone yet, and
false eyes.  It proves life; what it cannot prove may still live, by a seki or by a fight.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import (
    BOARD,
    DIRECTIONS,
    DOWN,
    LEFT,
    MAX_AREA,
    PASS,
    POINTS,
    RIGHT,
    STRIDE,
    UP,
    pass_turn,
    play_light,
)
from montego.kernels.board.playable import is_legal
from montego.kernels.board.shape import BORDER, EMPTY, opponent
from montego.kernels.board.tactics import is_new, next_round, touches_chain
from montego.kernels.compiler.jit import U, entry, kernel, leaf

MOST_PLIES = 8
MOST_OPTIONS = 64
NO_CHAIN = -1
TOUCHING = 4  # chains at a point, at most
LIVES, DIES, OPEN = 1, 0, -1

LIFE = np.dtype(
    [
        ("region", np.int16, POINTS),  # of every point, 1 the first; 0 for own stones
        ("waiting", np.int16, MAX_AREA),  # points that a region has still to grow from
        ("regions", np.int32),
        ("healthy", np.uint8, MAX_AREA + 1),  # whether a region still counts
        ("vital_to", np.int16, (MAX_AREA + 1) * TOUCHING),  # roots of chains, NO_CHAIN after them
        ("vital", np.int16, POINTS),  # regions that are vital to a chain, at its root
        ("alive", np.uint8, POINTS),  # whether a chain still counts, at its root
        ("boards", BOARD, MOST_PLIES + 1),
        ("options", np.int16, MOST_PLIES * MOST_OPTIONS),
        ("count", np.int32, MOST_PLIES),
        ("nodes", np.int32),
    ],
    align=True,
)
"""Scratch space of both."""


# --- regions ---------------------------------------------------------------------------


@leaf
def _joins(B, L, p, color):
    """Whether a point belongs to a region that has not reached it yet."""
    return B.color[U(p)] != BORDER and B.color[U(p)] != color and L.region[U(p)] == 0


@kernel
def _grow_region(B, L, first, color, number):
    L.region[U(first)] = number
    L.waiting[U(0)] = first
    count = 1
    while count > 0:
        count -= 1
        p = np.int64(L.waiting[U(count)])
        for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
            if _joins(B, L, q, color):
                L.region[U(q)] = number
                L.waiting[U(count)] = q
                count += 1


@kernel
def _find_regions(B, L, color):
    L.region[:] = 0
    L.regions = 0
    for row in range(1, B.size + 1):
        for p in range(STRIDE * row + 1, STRIDE * row + 1 + B.size):
            if _joins(B, L, p, color):
                L.regions += 1
                _grow_region(B, L, p, color, L.regions)


@leaf
def _start_vital(B, L, p, color, region):
    """The first empty point of a region: the chains that it touches."""
    count = 0
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        root = B.root[U(q)]
        if B.color[U(q)] == color and root not in (
            L.vital_to[U(region * TOUCHING)],
            L.vital_to[U(region * TOUCHING + 1)],
            L.vital_to[U(region * TOUCHING + 2)],
        ):
            L.vital_to[U(region * TOUCHING + count)] = root
            count += 1


@leaf
def _keep_vital(B, L, p, region):
    """Another empty point of a region: chains that it does not touch are out."""
    for k in range(region * TOUCHING, region * TOUCHING + TOUCHING):
        if L.vital_to[U(k)] != NO_CHAIN and not touches_chain(B, p, L.vital_to[U(k)]):
            L.vital_to[U(k)] = NO_CHAIN


@kernel
def _find_vital(B, L, color):
    """To which chains every region is vital."""
    L.vital_to[:] = NO_CHAIN
    L.healthy[:] = 0  # until its first empty point is met
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        region = np.int64(L.region[U(p)])
        if L.healthy[U(region)]:
            _keep_vital(B, L, p, region)
        else:
            L.healthy[U(region)] = 1
            _start_vital(B, L, p, color, region)


# --- Benson ----------------------------------------------------------------------------


@kernel
def _count_vital(L):
    L.vital[:] = 0
    for region in range(1, L.regions + 1):
        if L.healthy[U(region)]:
            for k in range(region * TOUCHING, region * TOUCHING + TOUCHING):
                if L.vital_to[U(k)] != NO_CHAIN:
                    L.vital[U(L.vital_to[U(k)])] += 1


@kernel
def _drop_chains(B, L, color):
    """Drop chains without two vital regions, and the regions that they touch."""
    dropped = False
    for row in range(1, B.size + 1):
        for p in range(STRIDE * row + 1, STRIDE * row + 1 + B.size):
            root = np.int64(B.root[U(p)])
            if B.color[U(p)] == color and (not L.alive[U(root)] or L.vital[U(root)] < 2):
                dropped |= L.alive[U(root)] != 0
                L.alive[U(root)] = 0
                for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
                    L.healthy[U(L.region[U(q)])] = 0
    return dropped


@kernel
def find_living(B, L, color):
    """Set ``L.alive`` at the roots of a player's chains that nobody can ever take."""
    _find_regions(B, L, color)
    _find_vital(B, L, color)
    L.alive[:] = 1
    while True:
        _count_vital(L)
        if not _drop_chains(B, L, color):
            return


@entry
def living_stones(B, L, color, out):
    """Mark the stones of a player that nobody can ever take."""
    find_living(B, L, color)
    for p in range(POINTS):
        out[U(p)] = B.color[U(p)] == color and L.alive[U(B.root[U(p)])] != 0


# --- the reader ------------------------------------------------------------------------


@kernel
def _add(B, L, ply, p):
    count = np.int64(L.count[U(ply)])
    if (
        B.color[U(p)] == EMPTY
        and count < MOST_OPTIONS
        and is_new(B, p)
        and is_legal(B, p, np.int64(B.to_play))
    ):
        L.options[U(ply * MOST_OPTIONS + count)] = p
        L.count[U(ply)] = count + 1


@kernel
def _add_round_chain(B, L, ply, stone):
    """The empty points next to a chain, corner to corner included."""
    current = stone
    while True:
        for k in range(8):
            _add(B, L, ply, current + DIRECTIONS[k])
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return


@kernel
def _list_options(B, L, ply, stone):
    """What may matter to the life of a chain: the surroundings of it and of its friends."""
    color = B.color[U(stone)]
    L.count[U(ply)] = 0
    next_round(B)
    _add_round_chain(B, L, ply, stone)
    i = 0
    while i < L.count[U(ply)]:  # friends that stand at what has been found are found as well
        p = np.int64(L.options[U(ply * MOST_OPTIONS + i)])
        for k in range(8):
            q = p + DIRECTIONS[k]
            if B.color[U(q)] == color and is_new(B, np.int64(B.root[U(q)])):
                _add_round_chain(B, L, ply, np.int64(B.root[U(q)]))
        i += 1


@kernel
def _look(B, L, ply, stone, color, deepest):
    """Whether a chain lives here, or OPEN with the options of who is to move."""
    if B.color[U(stone)] != color:
        return DIES
    if B.to_play == color:
        _list_options(B, L, ply, stone)
        if L.count[U(ply)] < MOST_OPTIONS:
            L.options[U(ply * MOST_OPTIONS + L.count[U(ply)])] = PASS
            L.count[U(ply)] += 1
        return OPEN
    find_living(B, L, color)
    if L.alive[U(B.root[U(stone)])]:
        return LIVES
    if ply >= deepest:
        return DIES
    _list_options(B, L, ply, stone)
    return OPEN if 0 < L.count[U(ply)] < MOST_OPTIONS else DIES


@kernel
def _try_next(L, ply):
    """Play the next option on a copy of the board."""
    L.count[U(ply)] -= 1
    p = np.int64(L.options[U(ply * MOST_OPTIONS + L.count[U(ply)])])
    L.boards[U(ply + 1)] = L.boards[U(ply)]
    if p == PASS:
        pass_turn(L.boards[U(ply + 1)])
    else:
        play_light(L.boards[U(ply + 1)], p)
    L.nodes += 1


@leaf
def _decides(B, color, verdict):
    """Whether a verdict pleases who is to move, so that nothing else has to be tried."""
    return (B.to_play == color) == (verdict == LIVES)


@kernel
def _lives_within(L, stone, deepest, most):
    """Whether a chain lives after at most so many moves; OPEN if there were too many to try."""
    color = np.int64(L.boards[U(0)].color[U(stone)])
    ply = 0
    while True:
        verdict = _look(L.boards[U(ply)], L, ply, stone, color, deepest)
        while verdict != OPEN:
            ply -= 1
            if ply < 0:
                return verdict
            if not _decides(L.boards[U(ply)], color, verdict) and L.count[U(ply)] > 0:
                verdict = OPEN
        if L.nodes >= most:
            return OPEN
        _try_next(L, ply)
        ply += 1


@entry
def read_life(B, L, stone, most):
    """Whether a chain lives though the enemy moves first: read deeper and deeper."""
    L.boards[U(0)] = B
    first = L.boards[U(0)]
    if first.to_play == first.color[U(stone)]:
        first.to_play = opponent(np.int64(first.to_play))
    L.nodes = 0
    for deepest in range(0, MOST_PLIES + 1, 2):
        verdict = _lives_within(L, stone, deepest, most)
        if verdict != DIES:
            return verdict
    return DIES
