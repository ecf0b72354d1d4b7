"""Our own playout: rules that read a little before they answer the last move.

MoGo's cascade (T13) goes on, with what the strongest classic programs found worth knowing:

* atari: take the chain of the last move, or save own chains that it put in atari;
* race: chains with two liberties at the last move, attacked where they cannot get away,
  defended while they still can;
* victim: an own chain that is being closed in attacks a neighbour (semeai);
* eye: the corner that keeps an own eye real;
* hole: the vital point of a hole of three to six points (nakade, T15);
* reply: what answered the last move in a game that was won;
* fill board (T14);
* local: a 3x3 pattern round the last move or the one before, by its learned strength if
  asked; in place of a self-atari, the approach move that it needs (T16);
* anywhere: a chain in atari elsewhere;
* a random move.

Each rule is asked with a probability of its own, and a self-atari that serves no purpose is
refused nearly always.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS, in_atari, last_liberty
from montego.kernels.board.choice import may_play, one_of, put_aside
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import opponent, seen_by
from montego.kernels.board.tactics import is_self_atari
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import below, unit
from montego.kernels.features.tables import HOLES
from montego.kernels.playouts.eyes import eye_move
from montego.kernels.playouts.mogo import (
    approach_move,
    capture_move,
    fill_board_move,
    saving_move,
)
from montego.kernels.playouts.policy import (
    APPROACHING,
    ATTACKING,
    BY_CHANCE,
    CAPTURING,
    FILLING,
    KEEPING_EYE,
    LARGEST_HOLE,
    MATCHING,
    NAKADE,
    RACING,
    REPLYING,
    SAVING,
    TAKING,
)
from montego.kernels.playouts.race import race_move, victim_move
from montego.kernels.playouts.reply import last_good_reply
from montego.kernels.playouts.surroundings import list_patterns, look_round
from montego.kernels.reading.nakade import hole_move
from montego.kernels.reading.selfatari import is_judged_bad

NEVER_MIND, NOT_NOW, NOT_AT_ALL = range(3)  # refusals


@leaf
def _happens(W, probability):
    return probability > 0.0 and (probability >= 1.0 or unit(W) < probability)


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


# --- patterns --------------------------------------------------------------------------


@leaf
def _drop_vetoed(B, P, T, W, color, count):
    """Leave only the playable candidates that are not refused, or what they need first (T16)."""
    kept = 0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if not may_play(B, p, color):
            p = PASS
        elif _is_vetoed(B, P, T, W, P.veto, p, color):
            p = approach_move(B, p, color) if _happens(W, P.approach) else PASS
        if p != PASS:
            W.candidates[U(kept)] = p
            kept += 1
    return kept


@leaf
def _is_vetoed(B, P, T, W, often, p, color):
    """Whether a move is refused because it is a self-atari, one without a purpose if judged."""
    if not is_self_atari(B, p, color) or unit(W) >= often:
        return False
    return P.judged == 0 or is_judged_bad(B, T, p, color)


@leaf
def _by_strength(B, T, W, color, count):
    """One of the candidates, in proportion to the strengths of their shapes."""
    total = 0.0
    for i in range(count):
        shape = seen_by(np.int64(B.shape[U(W.candidates[U(i)])]), color)
        W.weight[U(i)] = T.shape_gamma[U(shape)]
        total += W.weight[U(i)]
    at = unit(W) * total
    for i in range(count):
        at -= W.weight[U(i)]
        if at < 0.0:
            return np.int64(W.candidates[U(i)])
    return one_of(W, count)


@leaf
def _local_move(B, P, T, W, promises, color):
    """A 3x3 pattern round the last move, or round the move before it."""
    count = list_patterns(W, np.int64(B.last), promises, 0)
    if B.before_last != PASS and _happens(W, P.local_before):
        before = np.int64(B.before_last)
        count = list_patterns(W, before, look_round(B, T, before, color), count)
    count = _drop_vetoed(B, P, T, W, color, count)
    p = _by_strength(B, T, W, color, count) if P.weighted else one_of(W, count)
    if P.approach > 0.0 and T.matches[U(seen_by(np.int64(B.shape[U(p)]), color))] == 0:
        W.rule = APPROACHING
    return p


@kernel
def _refusal(B, P, T, W, p, color):
    """Whether a random move is refused: for its shape, or as a self-atari."""
    if _is_vetoed(B, P, T, W, P.veto_random, p, color):
        return NOT_AT_ALL if P.judged else NOT_NOW
    return NOT_NOW if _is_poor(B, P, T, W, p, color) else NEVER_MIND


@leaf
def _is_poor(B, P, T, W, p, color):
    """Whether a random move is refused for its shape: the weaker, the more often."""
    gamma = T.shape_gamma[U(seen_by(np.int64(B.shape[U(p)]), color))]
    return gamma < P.poor and unit(W) * P.poor > gamma


@kernel
def _random_move(B, P, T, W, color):
    """A random move that is not refused; then what was refused for its shape, or else PASS.

    So a seki is left alone: its last points are self-ataris for both.
    """
    spare = PASS
    n = np.int64(B.empties)
    while n > 0:
        i = below(W, n)
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            refusal = _refusal(B, P, T, W, p, color)
            if refusal == NEVER_MIND:
                return p
            if refusal == NOT_NOW:
                spare = p
        n -= 1
        put_aside(B, i, n)
    return spare


@kernel
def expert_move(B, P, T, W):
    """The first rule that is asked and has a move plays it; PASS if nothing is left."""
    color = np.int64(B.to_play)
    p, promises = PASS, 0
    if B.last != PASS:
        if _happens(W, P.atari):
            W.rule = TAKING
            p = _taking_move(B, color)
            if p == PASS:
                W.rule = SAVING
                p = saving_move(B, W, color)
        if p == PASS and _happens(W, P.race):
            W.rule = RACING
            p = race_move(B, W, color)
        if p == PASS and _happens(W, P.victim):
            W.rule = ATTACKING
            p = victim_move(B, W, color)
        if p == PASS and _happens(W, P.eye):
            W.rule = KEEPING_EYE
            p = eye_move(B, W, color)
        if p == PASS:
            promises = look_round(B, T, np.int64(B.last), color)
        if p == PASS and _happens(W, P.hole) and promises & HOLES:
            W.rule = NAKADE
            p = hole_move(B, W, promises, color, LARGEST_HOLE)
        if p == PASS and _happens(W, P.reply):
            W.rule = REPLYING
            p = last_good_reply(B, W, color)
    if p == PASS:
        W.rule = FILLING
        p = fill_board_move(B, W, P.fill_tries)
    if p == PASS and B.last != PASS and _happens(W, P.local):
        W.rule = MATCHING
        p = _local_move(B, P, T, W, promises, color)
    if p == PASS and _happens(W, P.anywhere):
        W.rule = CAPTURING
        p = capture_move(B, W, color)
    if p == PASS:
        W.rule = BY_CHANCE
        p = _random_move(B, P, T, W, color)
    return p
