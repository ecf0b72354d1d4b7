"""Reading: can a chain be caught, whatever its owner plays?

The attacker may go on as long as the chain has at most ``limit`` liberties when it is his turn.

* With a limit of 2 that is a ladder: every move of the attacker is an atari.  The owner of a chain
  in atari can only extend it or take a chain next to it that is in atari itself, so the reader is
  exact: it tries all that both can do, edges, snapbacks and captured attackers included.
* With 3 or 4 it is a small fight: the attacker takes liberties or plays where two of them meet
  (a net); the owner extends, jumps, takes, puts attackers in atari, or passes.  Other moves may
  exist, so that a verdict of this kind is a good guess, not a proof.

Ko is read against the attacker: he never takes one, and he loses where he would have to retake one
at once.  A reader that runs out of moves to try (``most``) says UNKNOWN.

Boards are copied only where somebody has a second choice, which in most ladders is nowhere.  The
choices wait on a stack: a verdict goes back to the last one of the player whom it does not please.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from montego.kernels.board.board import (
    BOARD,
    DOWN,
    LEFT,
    NOWHERE,
    PASS,
    POINTS,
    RIGHT,
    UP,
    in_atari,
    last_liberty,
    pass_turn,
    play_light,
)
from montego.kernels.board.playable import is_legal
from montego.kernels.board.shape import EMPTY, opponent
from montego.kernels.board.tactics import (
    is_new,
    new_liberties,
    next_round,
    touches_chain,
    two_liberties,
)
from montego.kernels.compiler.address import call_reader
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.reading.escape import after_atari, walks_away, walks_away_after

UNKNOWN, SAFE, CAUGHT = range(3)
OPEN = -1  # no verdict yet
AS_IT_STANDS = -1  # in place of a move that is played before a ladder is read

LADDER_LIBERTIES = 2  # liberties that a chain in a ladder has at most
MOST_LIBERTIES = 4  # the largest limit
CHOICES = 64  # that may wait at a time
OPTIONS = 32  # of one choice
LONGEST_LINE = 400  # moves from the position that is read
SHALLOW = 6  # moves that are read first in a fight

READING = np.dtype(
    [
        ("boards", BOARD, CHOICES),  # the one read, those where a choice waits, the current one
        ("options", np.int16, CHOICES * OPTIONS),  # that are left, the next one last
        ("count", np.int32, CHOICES),
        ("line", np.int16, LONGEST_LINE),  # moves played up to the verdict
        ("length", np.int32),
        ("first", np.int32),  # number of the first move
        ("nodes", np.int32),  # moves tried
        ("deepest", np.int32),  # no line goes beyond this length,
        ("is_cut", np.int32),  # and whether one would have
        ("passed_key", np.uint64),  # of a position,
        ("passed", np.int8, POINTS),  # and its verdicts on ladders after a pass, by root
    ],
    align=True,
)
"""Scratch space of a reader."""


# --- options ---------------------------------------------------------------------------


@leaf
def _add(X, top, count, p):
    """Add an option, unless there are too many."""
    if count < OPTIONS:
        X.options[U(top * OPTIONS + count)] = p
        count += 1
    return count


@kernel
def _add_if_legal(B, X, top, count, p, color):
    """Add an option once, if it may be played; marks what it has seen."""
    if B.color[U(p)] == EMPTY and is_new(B, p) and is_legal(B, p, color):
        count = _add(X, top, count, p)
    return count


@kernel
def _add_liberties(B, X, top, count, stone, color):
    """Options of a player: the liberties of a chain."""
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            count = _add_if_legal(B, X, top, count, q, color)
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return count


@kernel
def _add_captures(B, X, top, count, stone, color):
    """Options of a chain's owner: to take a chain next to it."""
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            if B.color[U(q)] == opponent(color) and in_atari(B, q):
                count = _add_if_legal(B, X, top, count, last_liberty(B, q), color)
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return count


@kernel
def _add_threats(B, X, top, count, stone, color):
    """Options of a chain's owner: to put chains next to it in atari."""
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            if B.color[U(q)] == opponent(color):
                liberties, a, b = two_liberties(B, q)
                if liberties == 2:
                    count = _add_if_legal(B, X, top, count, a, color)
                    count = _add_if_legal(B, X, top, count, b, color)
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return count


@kernel
def _meets_liberties(B, p, stone, least):
    """Whether an empty point is no liberty of a chain, but the neighbour of so many of them."""
    if B.color[U(p)] != EMPTY or touches_chain(B, p, stone):
        return False
    count = 0
    for q in (p + UP, p + LEFT, p + RIGHT, p + DOWN):
        count += B.color[U(q)] == EMPTY and touches_chain(B, q, stone)
    return count >= least


@kernel
def _add_beyond(B, X, top, count, stone, color, least):
    """Options: points beyond the liberties of a chain, where so many of them meet."""
    current = stone
    while True:
        for q in (current + UP, current + LEFT, current + RIGHT, current + DOWN):
            if B.color[U(q)] == EMPTY:
                for r in (q + UP, q + LEFT, q + RIGHT, q + DOWN):
                    if _meets_liberties(B, r, stone, least):
                        count = _add_if_legal(B, X, top, count, r, color)
        current = np.int64(B.next_stone[U(current)])
        if current == stone:
            return count


# --- the attacker's turn ---------------------------------------------------------------


@kernel
def _add_ataris(B, X, top, count, a, b, root, attacker, limit):
    """Options against a chain with two liberties: those that it cannot just walk away from."""
    after_a, after_b = after_atari(B, a, b, root, limit), after_atari(B, b, a, root, limit)
    if after_a < after_b:  # the better one last
        a, b, after_a, after_b = b, a, after_b, after_a
    next_round(B)
    if after_a <= limit:
        count = _add_if_legal(B, X, top, count, a, attacker)
    if after_b <= limit:
        count = _add_if_legal(B, X, top, count, b, attacker)
    return count


@leaf
def _has_more_than(B, stone, limit):
    next_round(B)
    return new_liberties(B, stone, limit + 1) > limit


@kernel
def _list_attacks(B, X, top, stone, limit):
    """The attacker's options, or a verdict."""
    attacker = np.int64(B.to_play)
    if in_atari(B, stone):
        return SAFE if last_liberty(B, stone) == B.ko else CAUGHT
    if limit > LADDER_LIBERTIES and _has_more_than(B, stone, limit):
        return SAFE
    liberties, a, b = two_liberties(B, stone)
    if liberties > LADDER_LIBERTIES and limit == LADDER_LIBERTIES:
        return SAFE
    count = 0
    next_round(B)
    if limit > LADDER_LIBERTIES:
        count = _add_beyond(B, X, top, count, stone, attacker, 2)
    if liberties == 2:
        count = _add_ataris(B, X, top, count, a, b, np.int64(B.root[U(stone)]), attacker, limit)
    else:
        count = _add_liberties(B, X, top, count, stone, attacker)
    X.count[U(top)] = count
    return OPEN if count > 0 else SAFE


# --- the owner's turn ------------------------------------------------------------------


@kernel
def _list_defences(B, X, top, stone, limit):
    """The owner's options, or a verdict."""
    owner = np.int64(B.to_play)
    if B.ko != NOWHERE and B.moves > X.first:
        return SAFE  # the attacker has taken a ko
    is_urgent = in_atari(B, stone)
    if limit == LADDER_LIBERTIES and not is_urgent:
        return SAFE  # that was no atari
    count = 0
    next_round(B)
    if not is_urgent:
        count = _add(X, top, count, PASS)
        count = _add_beyond(B, X, top, count, stone, owner, 1)
        count = _add_threats(B, X, top, count, stone, owner)
    count = _add_liberties(B, X, top, count, stone, owner)
    count = _add_captures(B, X, top, count, stone, owner)
    X.count[U(top)] = count
    if count == OPTIONS:
        return SAFE  # too many to say otherwise
    return OPEN if count > 0 else CAUGHT


# --- reading ---------------------------------------------------------------------------


@kernel
def _play(B, p):
    if p == PASS:
        pass_turn(B)
    else:
        play_light(B, p)


@leaf
def _try_next(X, top):
    """Play the next option of a choice, on a copy of its board if others are left.  Returns where
    that board is."""
    X.count[U(top)] -= 1
    left = np.int64(X.count[U(top)])
    p = np.int64(X.options[U(top * OPTIONS + left)])
    if left > 0:
        X.boards[U(top + 1)] = X.boards[U(top)]
        top += 1
    B = X.boards[U(top)]
    X.line[U(B.moves - X.first)] = p
    _play(B, p)
    return top


@leaf
def _turn_back(X, top, player):
    """The last choice of a player that has options left, or -1."""
    top -= 1
    while top >= 0 and X.boards[U(top)].to_play != player:
        top -= 1
    return top


@leaf
def _look(B, X, top, stone, limit, attacker):
    """The options of the player to move, or a verdict; a line that is too long counts as safe."""
    X.length = B.moves - X.first
    if X.length >= X.deepest:
        X.is_cut = 1
        return SAFE
    if B.to_play == attacker:
        return _list_attacks(B, X, top, stone, limit)
    return _list_defences(B, X, top, stone, limit)


@kernel
def _read(X, stone, limit, most):
    """Read the chain of a stone on the first board of X, which is spoilt."""
    first = X.boards[U(0)]
    attacker = opponent(np.int64(first.color[U(stone)]))
    X.first, X.is_cut = first.moves, 0
    top = 0
    while True:
        verdict = _look(X.boards[U(top)], X, top, stone, limit, attacker)
        if verdict != OPEN:
            unhappy = attacker if verdict == SAFE else opponent(attacker)
            top = _turn_back(X, top, unhappy)
            if top < 0:
                return UNKNOWN if verdict == SAFE and X.is_cut else verdict
        if X.nodes >= most or top + 1 >= CHOICES:
            return UNKNOWN
        X.nodes += 1
        top = _try_next(X, top)


@leaf
def _is_safe(B, p, stone):
    """Whether no ladder has to be read after a move at p, a pass, or nothing: it is the attacker's
    turn then, and the chain walks away from any atari."""
    if p == (PASS if B.to_play == B.color[U(stone)] else AS_IT_STANDS):
        return walks_away(B, stone, LADDER_LIBERTIES)
    return p == stone and walks_away_after(B, p, np.int64(B.to_play), LADDER_LIBERTIES)


@entry
def _read_ladder(B, X, p, stone, most):
    """The verdict on a ladder after a legal move at p, a pass, or nothing."""
    if _is_safe(B, p, stone):
        return SAFE
    X.boards[U(0)] = B
    if p != AS_IT_STANDS:
        _play(X.boards[U(0)], p)
    X.nodes, X.deepest = 0, LONGEST_LINE
    return _read(X, stone, LADDER_LIBERTIES, most)


@cache
def reader_address() -> int:
    """Where the compiled reader of ladders is; tables carry it."""
    return int(_read_ladder.address(BOARD, READING, int, int, int))


@leaf
def is_caught_after(B, T, X, p, stone, most):
    """Whether a chain is caught in a ladder after a legal move at p, a pass, or nothing."""
    return call_reader(T.reader, B, X, np.int64(p), np.int64(stone), np.int64(most)) == CAUGHT


@leaf
def is_caught_after_pass(B, T, X, root, most):
    """The same after a pass; read once for each chain of a position."""
    key = B.key ^ U(B.to_play)
    if X.passed_key != key:
        X.passed_key = key
        X.passed[:] = OPEN
    if X.passed[U(root)] == OPEN:
        X.passed[U(root)] = is_caught_after(B, T, X, PASS, root, most)
    return X.passed[U(root)] != 0


@kernel
def read_chain(B, X, stone, limit, most):
    """Whether the chain of a stone can be caught: SAFE, CAUGHT or UNKNOWN.

    ``X.line`` is what led to the verdict.  Fights are read deeper and deeper, because a wrong start
    may be refuted late.
    """
    X.nodes, X.deepest = 0, LONGEST_LINE if limit == LADDER_LIBERTIES else SHALLOW
    while True:
        X.boards[U(0)] = B
        verdict = _read(X, stone, limit, most)
        if verdict != UNKNOWN or not X.is_cut or X.nodes >= most or X.deepest >= LONGEST_LINE:
            return verdict
        X.deepest = min(2 * X.deepest, LONGEST_LINE)


@entry
def read_position(B, X, stone, limit, most):
    """``read_chain`` for Python."""
    return read_chain(B, X, stone, limit, most)
