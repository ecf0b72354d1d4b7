"""Races: fights between chains of few liberties round the last move (semeai).

Chains of two liberties are attacked where they cannot get away and defended while they still
can; and an own chain that is being closed in looks for an enemy next to it that dies first.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import (
    DOWN,
    LEFT,
    NOWHERE,
    RIGHT,
    UP,
    in_atari,
    last_liberty,
)
from montego.kernels.board.choice import may_play, one_of
from montego.kernels.board.shape import opponent
from montego.kernels.board.tactics import (
    chains_round,
    count_liberties,
    liberties_added,
    liberties_reached,
    two_liberties,
)
from montego.kernels.compiler.jit import U, kernel, leaf

FREE_LIBERTIES = 3  # liberties that are enough to get away
HURRIED = 4  # liberties of a chain that still has to look for a victim


@kernel
def _list_once(B, W, p, color, count):
    """List a playable point that is not listed yet."""
    for i in range(count):
        if W.candidates[U(i)] == p:
            return count
    if may_play(B, p, color):
        W.candidates[U(count)] = p
        count += 1
    return count


@leaf
def _is_sound(B, p, color):
    """Whether a move is neither suicide nor self-atari."""
    return liberties_reached(B, p, color, NOWHERE, 2) == 2


@leaf
def _added(B, p, color, other, root):
    """Liberties that a chain with the liberties p and another one would have, without the other,
    after a stone on p."""
    return liberties_added(B, p, color, other, root, FREE_LIBERTIES)


@kernel
def _add_attacks(B, W, root, color, count):
    """Candidates against an enemy chain with two liberties: the one that leaves it less."""
    liberties, a, b = two_liberties(B, root)
    if liberties != 2:
        return count
    enemy = opponent(color)
    after_a = _added(B, b, enemy, a, root)  # it answers a move at a with b
    after_b = _added(B, a, enemy, b, root)
    if after_a < FREE_LIBERTIES and after_a <= after_b and _is_sound(B, a, color):
        count = _list_once(B, W, a, color, count)
    if after_b < FREE_LIBERTIES and after_b <= after_a and _is_sound(B, b, color):
        count = _list_once(B, W, b, color, count)
    return count


@kernel
def _add_captures(B, W, root, color, count):
    """Candidates that take an enemy chain next to an own one."""
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == opponent(color) and in_atari(B, q):
                count = _list_once(B, W, last_liberty(B, q), color, count)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return count


@kernel
def _add_defences(B, W, root, color, count):
    """Candidates for an own chain with two liberties, if an attack would leave it less than
    it needs: extensions that reach enough, and taking a neighbour."""
    liberties, a, b = two_liberties(B, root)
    if liberties != 2:
        return count
    enemy = opponent(color)
    after_a = _added(B, b, color, a, root)  # it answers an attack at a with b
    after_b = _added(B, a, color, b, root)
    threat_a = after_a < FREE_LIBERTIES and _is_sound(B, a, enemy)
    threat_b = after_b < FREE_LIBERTIES and _is_sound(B, b, enemy)
    if not (threat_a or threat_b):
        return count
    if after_b + 1 >= FREE_LIBERTIES:  # with b
        count = _list_once(B, W, a, color, count)
    if after_a + 1 >= FREE_LIBERTIES:
        count = _list_once(B, W, b, color, count)
    return _add_captures(B, W, root, color, count)


@kernel
def _add_victims(B, W, root, color, count):
    """Candidates against enemies of two liberties next to an own chain that has few itself."""
    if count_liberties(B, root, HURRIED + 1) > HURRIED:
        return count
    victim = NOWHERE
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == opponent(color) and B.root[U(q)] != victim:
                victim = np.int64(B.root[U(q)])
                count = _add_attacks(B, W, victim, color, count)
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root or count > 0:
            return count


@kernel
def race_move(B, W, color):
    """A move in the fight round the last move, where chains have two liberties."""
    last = np.int64(B.last)
    count = 0
    if B.color[U(last)] == opponent(color):
        count = _add_attacks(B, W, np.int64(B.root[U(last)]), color, count)
    for root in chains_round(B, last, color):
        if root != NOWHERE:
            count = _add_defences(B, W, root, color, count)
    return one_of(W, count)


@kernel
def victim_move(B, W, color):
    """Attack a neighbour of an own chain that the last move took a liberty from."""
    count = 0
    for root in chains_round(B, np.int64(B.last), color):
        if root != NOWHERE and count == 0:
            count = _add_victims(B, W, root, color, count)
    return one_of(W, count)
