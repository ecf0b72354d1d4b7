"""MoGo's knowledge of a move: rules and shapes, each an amount between 0 and 1 (T12, T12b).

Rules: captures, extensions out of a ladder, self-atari and ladders avoided, ataris that work,
ataris while a ko stands, the distance to the border (best on the third line) and to the last two
moves, and points that one owns about a third of the time at the end of the playouts.

Shapes, drawn for the player x who moves at *, o being the enemy:

    hane        connect     peep-connect   wall         bad kogeima   empty triangle   cut
    . *         o x         . o .          . . .        . . *         . x              x o
    x o         x *         x * x          x x *        . o .         x *              o *
                                           o o .        x . .         no o near

Territory line: the third line with nothing near.  Line of death: the first, likewise.  Threat:
any liberty of an enemy chain that has two.
"""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import DOWN, LEFT, NOWHERE, RIGHT, UP, chain_if
from montego.kernels.board.liberties import is_single
from montego.kernels.board.shape import ALL_LOW_BITS, BLACK, BORDER, EMPTY, opponent
from montego.kernels.board.tactics import chains_round
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.classes import (
    ATARI,
    CAPTURE,
    LADDER,
    NEAR_BEFORE,
    NEAR_LAST,
    NONE_OF_IT,
    ONE_INTO_LADDER,
    SAVE,
    SELF_ATARI,
    START,
    TO_TWO,
)  # fmt: skip
from montego.kernels.features.features import (
    line_of,
    saves_a_neighbour,
    shape_strength,
    small_features,
    without_last,
)
from montego.kernels.reading.selfatari import is_judged_bad

MOGO_TERMS = 21
(
    CAPTURES, TAKES_ATTACKERS, EXTENSION, INTO_LADDER, BAD_SELF_ATARI, ATARI_WORKS, ATARI_IN_KO,
    BORDER_DISTANCE, NEAR_THE_LAST, NEAR_THE_ONE_BEFORE, OWNED_BY_A_THIRD,
    TERRITORY_LINE, LINE_OF_DEATH, PEEP_CONNECT, HANE, THREAT, CONNECT, WALL, BAD_KOGEIMA,
    EMPTY_TRIANGLE, CUT,
) = range(MOGO_TERMS)  # fmt: skip

BEST_LINE = 3
NEAR = 6.0  # steps in which nearness falls to nothing
ENOUGH_PLAYOUTS = 25  # that owners have been noted of
THIRD, THIRD_WIDTH = 1.0 / 3.0, 1.0 / 6.0
AHEAD = (UP, UP, DOWN, DOWN, LEFT, RIGHT, LEFT, RIGHT)
ASIDE = (LEFT, RIGHT, LEFT, RIGHT, UP, UP, DOWN, DOWN)
"""The eight ways to look: a step, and a step to its side."""


# --- rules -----------------------------------------------------------------------------


@leaf
def _class(W, group):
    """The class of the move in a group of features."""
    return W.features[U(group)] - START[group]


@leaf
def _nearness(W, group):
    """1 beside a move, falling with the distance; 0 if there is none."""
    distance = _class(W, group) + 1  # 2 beside, 3 diagonal ...
    if distance < 2:
        return 0.0
    return max(0.0, 1.0 - (distance - 2) / NEAR)


@leaf
def _near_a_third(W, p, color):
    """How near to 1/3 the part of playouts is in which a point is the player's at the end."""
    if W.owned < ENOUGH_PLAYOUTS:
        return 0.0
    share = 0.5 + 0.5 * W.owners[U(p)] / W.owned  # Black's
    share = share if color == BLACK else 1.0 - share
    return max(0.0, 1.0 - abs(share - THIRD) / THIRD_WIDTH)


@leaf
def _takes_attackers(B, p, color):
    """Whether a chain that is captured at p has own stones in atari; the last move may be in it."""
    for root in chains_round(B, p, opponent(color)):
        is_taken = root != NOWHERE and is_single(B.liberties[U(root)])
        if is_taken and saves_a_neighbour(B, root, color):
            return True
    return False


@leaf
def _rules(B, T, W, p, color):
    """The rules, from the features of the move."""
    capture, save = _class(W, CAPTURE), _class(W, SAVE)
    self_atari, atari = _class(W, SELF_ATARI), _class(W, ATARI)
    W.terms[U(CAPTURES)] = capture != NONE_OF_IT
    W.terms[U(TAKES_ATTACKERS)] = capture != NONE_OF_IT and _takes_attackers(B, p, color)
    W.terms[U(EXTENSION)] = save != NONE_OF_IT and without_last(save) >= TO_TWO
    W.terms[U(INTO_LADDER)] = self_atari >= ONE_INTO_LADDER
    W.terms[U(BAD_SELF_ATARI)] = is_judged_bad(B, T, p, color)
    W.terms[U(ATARI_WORKS)] = atari != NONE_OF_IT and without_last(atari) <= LADDER
    W.terms[U(ATARI_IN_KO)] = atari != NONE_OF_IT and B.ko != NOWHERE
    W.terms[U(BORDER_DISTANCE)] = max(0.0, 1.0 - abs(line_of(B, p) - BEST_LINE) / BEST_LINE)
    W.terms[U(NEAR_THE_LAST)] = _nearness(W, NEAR_LAST)
    W.terms[U(NEAR_THE_ONE_BEFORE)] = _nearness(W, NEAR_BEFORE)
    W.terms[U(OWNED_BY_A_THIRD)] = _near_a_third(W, p, color)
    W.terms[U(THREAT)] = atari != NONE_OF_IT


# --- shapes ----------------------------------------------------------------------------


@leaf
def _is_hane(B, p, step, side, color):
    """Round an enemy stone ahead, from an own one at its side."""
    return (
        (B.color[U(p + step)] == opponent(color))
        & (B.color[U(p + step + side)] == color)
        & (B.color[U(p + side)] == EMPTY)
    )


@leaf
def _meet_at_corner(B, p, step, side, color):
    """Whether two chains of a colour meet at p only, because the other colour has their corner."""
    a, b = chain_if(B, p + step, color), chain_if(B, p + side, color)
    is_cut = B.color[U(p + step + side)] == opponent(color)
    return (a != NOWHERE) & (b != NOWHERE) & (a != b) & is_cut


@leaf
def _meet_across(B, p, step, side, color):
    """Whether p is all that parts two chains of a colour, and the other colour is beside it."""
    a, b = chain_if(B, p + step, color), chain_if(B, p - step, color)
    enemy = opponent(color)
    is_peeped = (B.color[U(p + side)] == enemy) | (B.color[U(p - side)] == enemy)
    return (a != NOWHERE) & (b != NOWHERE) & (a != b) & is_peeped


@leaf
def _is_wall(B, p, step, side, color):
    """Two own stones behind in a row, an enemy beside each of them, nothing round the third."""
    back = p - step
    if B.color[U(back)] != color or B.color[U(back - step)] != color:
        return False
    enemy = opponent(color)
    faces = (B.color[U(back + side)] == enemy) & (B.color[U(back - step + side)] == enemy)
    is_open = (B.color[U(p + step)] == EMPTY) & (B.color[U(p + side)] == EMPTY)
    return faces & is_open & (B.color[U(p - side)] == EMPTY)


@leaf
def _is_cut_kogeima(B, p, step, side, color):
    """A knight's move from an own stone that an enemy stone stands across."""
    near = B.color[U(p + step)]
    if near == BORDER or B.color[U(p + step + step + side)] != color:
        return False
    waist, enemy = B.color[U(p + step + side)], opponent(color)
    return ((near == enemy) & (waist == EMPTY)) | ((near == EMPTY) & (waist == enemy))


@leaf
def _is_triangle(B, p, step, side, color):
    """Three own stones of a square, the fourth point empty; p may be any of the three."""
    ahead, beside = B.color[U(p + step)], B.color[U(p + side)]
    corner = B.color[U(p + step + side)]
    return (ahead == color) & (
        ((beside == color) & (corner == EMPTY)) | ((beside == EMPTY) & (corner == color))
    )


@leaf
def _has_no_neighbour(B, p, color):
    return (
        (B.color[U(p + UP)] != color)
        & (B.color[U(p + LEFT)] != color)
        & (B.color[U(p + RIGHT)] != color)
        & (B.color[U(p + DOWN)] != color)
    )


@leaf
def _sees(shape, color):
    """Whether a stone of this colour is among the eight neighbours."""
    return ((shape >> (color - 1)) & ~(shape >> (2 - color)) & ALL_LOW_BITS) != 0


@kernel
def _one_way(B, W, p, step, side, color):
    """Note the shapes that are seen one way: ahead, and to one side."""
    enemy = opponent(color)
    W.terms[U(HANE)] += _is_hane(B, p, step, side, color)
    W.terms[U(CONNECT)] += _meet_at_corner(B, p, step, side, color)
    W.terms[U(PEEP_CONNECT)] += _meet_across(B, p, step, side, color)
    W.terms[U(WALL)] += _is_wall(B, p, step, side, color)
    W.terms[U(BAD_KOGEIMA)] += _is_cut_kogeima(B, p, step, side, color)
    W.terms[U(EMPTY_TRIANGLE)] += _is_triangle(B, p, step, side, color)
    W.terms[U(CUT)] += _meet_at_corner(B, p, step, side, enemy)
    W.terms[U(CUT)] += _meet_across(B, p, step, side, enemy)


@leaf
def _shapes(B, W, p, color):
    shape = np.int64(B.shape[U(p)])
    for way in range(8):  # by number: eight copies would take long to compile
        _one_way(B, W, p, AHEAD[way], ASIDE[way], color)
    has_enemy = _sees(shape, opponent(color))
    is_lonely = not has_enemy and not _sees(shape, color)
    line = line_of(B, p)
    W.terms[U(TERRITORY_LINE)] = is_lonely and line == BEST_LINE
    W.terms[U(LINE_OF_DEATH)] = is_lonely and line == 1
    if has_enemy:
        W.terms[U(EMPTY_TRIANGLE)] = 0.0
    if not _has_no_neighbour(B, p, color):
        W.terms[U(BAD_KOGEIMA)] = 0.0
    if W.terms[U(BAD_SELF_ATARI)] > 0.0:
        W.terms[U(CUT)] = 0.0


@kernel
def note_terms(B, T, W, p, color):
    """Write the amount of every term into ``W.terms``; the features of p stand in W."""
    W.terms[:] = 0.0
    _rules(B, T, W, p, color)
    _shapes(B, W, p, color)
    for k in range(MOGO_TERMS):
        W.terms[U(k)] = min(W.terms[U(k)], 1.0)


@kernel
def start_games(B, R, T, W, p, color):
    """Let the terms of a move bring won and lost games (prior, Q); H gets their sum."""
    note_terms(B, T, W, p, color)
    games, balance = 0.0, 0.0
    for k in range(MOGO_TERMS):
        number = R.terms[U(k)] * W.terms[U(k)]
        games += abs(number)
        balance += number
    W.prior[U(p)] = games
    W.q[U(p)] = balance / games if games > 0.0 else 0.0
    return balance


@entry
def describe_terms(B, T, W, p, color):
    """``note_terms`` for Python; returns the strength of the move's patterns."""
    small_features(B, T, W, p, color)
    note_terms(B, T, W, p, color)
    return shape_strength(B, T, p, color)
