"""What a network sees of a position: planes of numbers, one for every point of the board.

    0 to 3     own stones with one, two, three, more liberties
    4 to 7     the same of the opponent's
    8 to 11    the last four moves, the latest first
    12         the point that may not be retaken now (ko)
    13         ones: where the board is
    14, 15     the hint of learned strengths: 1 + ln(p) / 10, and sqrt(p), where p is the
               probability that they give to a move; 0 where a playout would not play
    16, 17     own stones and the opponent's that are caught in a ladder: chains of two liberties
               if they are attacked now, those in atari although they may run

The hints are the cheap knowledge that a node has anyway: the network begins where it ends.  What a
ladder leads to lies far from where it begins, out of sight of a small network: it is read.
Everything is seen by the player to move.  Examples for learning are written in bytes, from which
the planes are made when they are needed.
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.board.board import NOWHERE, PASS, STRIDE, play
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import BLACK, EMPTY, WHITE
from montego.kernels.board.tactics import chains_round
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.counting import set_turn
from montego.kernels.features.features import READ, strength
from montego.kernels.reading.reading import (
    AS_IT_STANDS,
    LADDER_LIBERTIES,
    is_caught_after,
    is_caught_after_pass,
)

LIBERTY_CLASSES = 4
RECENT = 4
OWN, OPPONENTS = 0, LIBERTY_CLASSES
LAST_MOVES = OPPONENTS + LIBERTY_CLASSES
KO_POINT = LAST_MOVES + RECENT
ONES = KO_POINT + 1
HINT, HINT_ROOT = ONES + 1, ONES + 2
LADDERS = HINT_ROOT + 1
PLANES = LADDERS + 2
PLANES_WITHOUT_LADDERS = LADDERS

FREE_CODE, KO_CODE = 0, 2 * LIBERTY_CLASSES + 1  # between them stones: 1 + their plane
CAUGHT_CODE = KO_CODE  # is added to the code of a stone that is caught in a ladder
HINT_RANGE = 10.0  # e^-10 and less is no hint
HINT_STEPS = 255.0  # a hint as a byte
TARGET, NUMBER, NOTES = RECENT, RECENT + 1, RECENT + 2  # of an example, after its recent moves
NO_MOVE = -1  # in place of a recent move that was a pass, or before the game


@leaf
def _count_at(W, chains):
    for root in chains:
        W.liberties[U(root)] += 1  # NOWHERE is counted too, and means nothing


@kernel
def count_liberties(B, W):
    """The liberties of every chain, at its root in ``W.liberties``."""
    W.liberties[:] = 0
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        _count_at(W, chains_round(B, p, BLACK))
        _count_at(W, chains_round(B, p, WHITE))


@leaf
def stone_plane(B, W, p, color):
    """The plane of a stone, once liberties have been counted."""
    liberties = np.int64(W.liberties[U(B.root[U(p)])])
    side = OWN if B.color[U(p)] == color else OPPONENTS
    return side + min(liberties, LIBERTY_CLASSES) - 1


@leaf
def _is_caught(B, T, X, root, liberties):
    """Whether a chain is caught; in atari it moves first, else the attacker does."""
    is_own = B.color[U(root)] == B.to_play
    if is_own == (liberties == 1):
        return is_caught_after(B, T, X, AS_IT_STANDS, root, READ)
    return is_caught_after_pass(B, T, X, root, READ)


@kernel
def read_ladders(B, T, W):
    """Whether every chain is caught in a ladder, at its root in ``W.caught``; once liberties have
    been counted."""
    for row in range(1, B.size + 1):
        for p in range(row * STRIDE + 1, row * STRIDE + B.size + 1):
            if B.color[U(p)] != EMPTY and B.root[U(p)] == p:
                liberties = np.int64(W.liberties[U(p)])
                is_weak = liberties <= LADDER_LIBERTIES
                W.caught[U(p)] = is_weak and _is_caught(B, T, W.reading, p, liberties)


@leaf
def ladder_plane(B, p, color):
    """The plane of a stone that is caught in a ladder."""
    return LADDERS if B.color[U(p)] == color else LADDERS + 1


@leaf
def board_index(B, p):
    """A point's number on its own board, row by row."""
    return (p // STRIDE - 1) * B.size + p % STRIDE - 1


@leaf
def hint_of(probability):
    """How much learned strengths speak for a move of this probability, from 0 to 1."""
    if probability <= 0.0:
        return 0.0
    return max(0.0, 1.0 + math.log(probability) / HINT_RANGE)


# --- examples --------------------------------------------------------------------------


@leaf
def _code(B, W, p, color):
    if B.color[U(p)] != EMPTY:
        caught = CAUGHT_CODE if W.caught[U(B.root[U(p)])] != 0 else 0
        return 1 + stone_plane(B, W, p, color) + caught
    return KO_CODE if p == B.ko and p != NOWHERE else FREE_CODE


@kernel
def write_codes(B, T, W, codes, first):
    """What is on every point."""
    count_liberties(B, W)
    read_ladders(B, T, W)
    color = np.int64(B.to_play)
    for row in range(1, B.size + 1):
        for column in range(1, B.size + 1):
            p = row * STRIDE + column
            codes[U(first + board_index(B, p))] = _code(B, W, p, color)


@kernel
def write_hints(B, T, W, hints, first, played):
    """Hints for all candidates; whether the move played is one, and not the only one."""
    color, count, total, is_there = np.int64(B.to_play), 0, 0.0, False
    hints[first : first + B.size * B.size] = 0
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            W.candidates[U(count)] = p
            W.h[U(p)] = strength(B, T, W, p, color)
            total += W.h[U(p)]
            is_there |= p == played
            count += 1
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        hint = hint_of(W.h[U(p)] / total)
        hints[U(first + board_index(B, p))] = np.uint8(HINT_STEPS * hint + 0.5)
    return is_there and count > 1


@leaf
def _write_notes(B, W, notes, first, number, played):
    """The last moves of the game, kept in ``W.sequence``, NO_MOVE where there is none; the move
    played, and its number."""
    for k in range(RECENT):
        back = number - 1 - k
        p = np.int64(W.sequence[U(back)]) if back >= 0 else PASS
        notes[U(first + k)] = board_index(B, p) if p != PASS else NO_MOVE
    notes[U(first + TARGET)], notes[U(first + NUMBER)] = board_index(B, played), number


@entry
def write_examples(B, T, W, colors, points, codes, hints, notes):
    """Write an example for every move of games that begin at B; returns how many there are.

    A colour of 0 begins a new game.  Passes, and moves that no playout would play, are no
    examples.  Each has a code and a hint for every point, and NOTES notes.
    """
    start, B = B, W.board[U(0)]
    W.board[U(0)] = start
    area, count, number = np.int64(start.size * start.size), 0, 0
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            W.board[U(0)] = start
            number = 0
            continue
        set_turn(B, color)
        if p != PASS and write_hints(B, T, W, hints, count * area, p):
            write_codes(B, T, W, codes, count * area)
            _write_notes(B, W, notes, count * NOTES, number, p)
            count += 1
        W.sequence[U(number)] = p
        play(B, p)
        number += 1
    return count
