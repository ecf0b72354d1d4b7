"""Our own playout: rules that read a little before they answer the last move.

MoGo's cascade (T13) goes on, with what the strongest classic programs found worth knowing:

* atari: take the chain of the last move, or save own chains that it put in atari;
* race: chains with two liberties at the last move, attacked where they cannot get away,
  defended while they still can;
* hole: the vital point of a hole of three to six points (nakade, T15);
* reply: what answered the last move in a game that was won;
* fill board (T14);
* local: a 3x3 pattern round the last move or the one before;
* anywhere: a chain in atari elsewhere;
* a random move.

Each rule is asked with a probability of its own, and a self-atari that serves no purpose is
refused nearly always.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board import (
    DOWN,
    LEFT,
    NOWHERE,
    PASS,
    RIGHT,
    UP,
    in_atari,
    last_liberty,
)
from montego.kernels.cascade import add_patterns, capture_move, fill_board_move, saving_move
from montego.kernels.choice import any_move, may_play, one_of
from montego.kernels.jit import U, kernel, leaf
from montego.kernels.nakade import hole_move
from montego.kernels.policy import LARGEST_HOLE
from montego.kernels.reply import last_good_reply
from montego.kernels.rng import unit
from montego.kernels.shape import opponent, seen_by
from montego.kernels.tactics import chains_round, is_self_atari, liberties_reached, two_liberties

TRIES = 8  # random moves that may be refused in a row
SAFE = 3  # liberties that are enough to get away


@leaf
def _happens(W, probability):
    return probability > 0.0 and (probability >= 1.0 or unit(W) < probability)


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


# --- atari -----------------------------------------------------------------------------


@leaf
def _taking_move(B, color):
    """Take the chain of the last move if it is in atari."""
    last = np.int64(B.last)
    if B.color[U(last)] == opponent(color) and in_atari(B, last):
        p = last_liberty(B, last)
        if may_play(B, p, color):
            return p
    return PASS


# --- races -----------------------------------------------------------------------------


@leaf
def _is_sound(B, p, color):
    """Whether a move is neither suicide nor self-atari."""
    return liberties_reached(B, p, color, NOWHERE, 2) == 2


@kernel
def _add_attacks(B, W, root, color, count):
    """Candidates against an enemy chain with two liberties: the one that leaves it less."""
    liberties, a, b = two_liberties(B, root)
    if liberties != 2:
        return count
    enemy = opponent(color)
    after_a = liberties_reached(B, b, enemy, a, SAFE)  # it answers a move at a with b
    after_b = liberties_reached(B, a, enemy, b, SAFE)
    if after_a < SAFE and after_a <= after_b and _is_sound(B, a, color):
        count = _list_once(B, W, a, color, count)
    if after_b < SAFE and after_b <= after_a and _is_sound(B, b, color):
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
    threat_a = liberties_reached(B, b, color, a, SAFE) < SAFE and _is_sound(B, a, enemy)
    threat_b = liberties_reached(B, a, color, b, SAFE) < SAFE and _is_sound(B, b, enemy)
    if not (threat_a or threat_b):
        return count
    if liberties_reached(B, a, color, NOWHERE, SAFE) >= SAFE:
        count = _list_once(B, W, a, color, count)
    if liberties_reached(B, b, color, NOWHERE, SAFE) >= SAFE:
        count = _list_once(B, W, b, color, count)
    return _add_captures(B, W, root, color, count)


@leaf
def _race_move(B, W, color):
    """A move in the fight round the last move, where chains have two liberties."""
    last = np.int64(B.last)
    count = 0
    if B.color[U(last)] == opponent(color):
        count = _add_attacks(B, W, np.int64(B.root[U(last)]), color, count)
    up, left, right, down = chains_round(B, last, color)
    for root in (up, left, right, down):
        if root != NOWHERE:
            count = _add_defences(B, W, root, color, count)
    return one_of(W, count)


# --- patterns --------------------------------------------------------------------------


@leaf
def _drop_vetoed(B, P, W, color, count):
    """Leave only the candidates that are not refused."""
    kept = 0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if not _is_vetoed(B, W, P.veto, p, color):
            W.candidates[U(kept)] = p
            kept += 1
    return kept


@leaf
def _is_vetoed(B, W, often, p, color):
    """Whether a move is refused because it is a self-atari."""
    return is_self_atari(B, p, color) and unit(W) < often


@leaf
def _local_move(B, P, T, W, color):
    """A 3x3 pattern round the last move, or round the move before it."""
    count = add_patterns(B, T, W, np.int64(B.last), color, 0)
    if B.before_last != PASS and _happens(W, P.local_before):
        count = add_patterns(B, T, W, np.int64(B.before_last), color, count)
    return one_of(W, _drop_vetoed(B, P, W, color, count))


@leaf
def _is_poor(B, P, T, W, p, color):
    """Whether a random move is refused for its shape: the weaker, the more often."""
    gamma = T.shape_gamma[U(seen_by(np.int64(B.shape[U(p)]), color))]
    return gamma < P.poor and unit(W) * P.poor > gamma


@leaf
def _random_move(B, P, T, W, color):
    """A random move that is not refused; after a few tries, whatever comes."""
    p = any_move(B, W, color)
    for _ in range(TRIES):
        if p == PASS or not (
            _is_poor(B, P, T, W, p, color) or _is_vetoed(B, W, P.veto_random, p, color)
        ):
            break
        p = any_move(B, W, color)
    return p


@kernel
def expert_move(B, P, T, W):
    """The first rule that is asked and has a move plays it; PASS if nothing is left."""
    color = np.int64(B.to_play)
    p = PASS
    if B.last != PASS:
        if _happens(W, P.atari):
            p = _taking_move(B, color)
            if p == PASS:
                p = saving_move(B, W, color)
        if p == PASS and _happens(W, P.race):
            p = _race_move(B, W, color)
        if p == PASS and _happens(W, P.hole):
            p = hole_move(B, W, color, LARGEST_HOLE)
        if p == PASS and _happens(W, P.reply):
            p = last_good_reply(B, W, color)
    if p == PASS:
        p = fill_board_move(B, W, P.fill_tries)
    if p == PASS and B.last != PASS and _happens(W, P.local):
        p = _local_move(B, P, T, W, color)
    if p == PASS and _happens(W, P.anywhere):
        p = capture_move(B, W, color)
    if p == PASS:
        p = _random_move(B, P, T, W, color)
    return p
