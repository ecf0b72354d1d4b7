"""Knowledge of a node's moves, computed once for all of them (P9, P11).

For every candidate move p it gives H (``W.h[p]``), and a prior estimate Q of its value
(``W.q[p]``) worth so many games (``W.prior[p]``).  Five bodies of knowledge:

* Mango's (P9): H = (C + P) * sum over all moves played of (2 d_k)^(-alpha_k), where C is the
  capture value of its playouts, P the chance that the move of the pattern is played, d_k the
  distance to the k-th last move and alpha_k = 1.25 + k / 2; before the first move H = C + P;
* virtual games: each piece of knowledge adds won or lost games to a move before the first
  one is played (capture, rescue, pattern, nearness to the last move, self-atari, first line);
* learned strengths (features/features.py): H is the probability of the move, and won games come
  with it, more of them for a critical point (owners.py);
* MoGo's (T12): H is the probability of the move's patterns and what rules and shapes add
  (features/mogo_terms.py); these also are games that it has won or lost before, with which its
  RAVE counts begin;
* Orego's heuristics (H1-H3), for the order in which moves are tried (H4).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from montego.kernels.board.board import BOARD, PASS, STRIDE
from montego.kernels.board.shape import BLACK, EMPTY, WHITE, seen_by
from montego.kernels.board.tactics import is_self_atari, stones_captured, stones_saved
from montego.kernels.compiler.address import call_knowledge
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.compiler.rng import below
from montego.kernels.features.classes import MORE_INTO_LADDER, SELF_ATARI, START
from montego.kernels.features.features import (
    READ,
    line_of,
    shape_strength,
    small_features,
    strength,
)
from montego.kernels.features.mogo_terms import start_games
from montego.kernels.features.patterns import chance_place
from montego.kernels.features.tables import TABLES
from montego.kernels.playouts.orego import heuristic_value
from montego.kernels.playouts.policy import WORK
from montego.kernels.reading.reading import is_caught_after
from montego.kernels.tree.owners import criticality
from montego.kernels.tree.strategy import (
    LEARNED,
    MANGO_KNOWLEDGE,
    MOGO_KNOWLEDGE,
    OREGO_KNOWLEDGE,
    STRATEGY,
    VIRTUAL_GAMES,
)
from montego.kernels.tree.tree import HISTORY, TREE

RUNS_INTO_LADDER = START[SELF_ATARI] + MORE_INTO_LADDER
LONG_LADDER = 10  # moves; those of a shorter one are searched soon, and may be played for a purpose
LOWEST = -16.0  # no H is lower: a move without a fight is still a move
NEGLIGIBLE = 1e-8  # part of a sum that a float32 does not keep
SLOPE = math.sqrt(0.5)  # of (2 d_k)^(-alpha_k) by k, where d_k = 1


@leaf
def _squared_distance(p, q):
    rows = p // STRIDE - q // STRIDE
    columns = p % STRIDE - q % STRIDE
    return np.float64(rows * rows + columns * columns)


@leaf
def recent_move(S, W, k):
    """The k-th last move (k from 1), from the path of the search and the game before it."""
    back = np.int64(W.length) - k
    if back >= 0:
        return np.int64(W.sequence[U(back)])
    return np.int64(S.history[U(-1 - back)])


@leaf
def _proximity(S, W, p):
    """Sum of (2 d_k)^(-alpha_k) over the moves played (P9); 1 if there are none.

    A point is at 1 or more from every stone, so that the terms from the k-th on are at most
    2^(-alpha_k) / (1 - SLOPE) together; where that is negligible the sum is complete, at the
    latest 128 moves back: 19x19 has no distance above 26, and 2^(-65) is nothing beside 52^(-1.75).
    A point whose stone was captured is at 0 from a move: it counts as at 1.
    """
    total, k, rest = 0.0, 1, 2.0**-1.75 / (1.0 - SLOPE)
    while k <= W.length + HISTORY and rest > NEGLIGIBLE * total:
        move = recent_move(S, W, k)
        if move != PASS:
            d_2 = max(_squared_distance(p, move), 1.0)
            total += (4.0 * d_2) ** -(0.625 + 0.25 * k)
        rest *= SLOPE
        k += 1
    return total if total > 0.0 else 1.0


@leaf
def _capture_part(B, R, p, color):
    return R.capture_value * stones_captured(B, p, color)


@leaf
def _save_part(B, R, p, color):
    return R.save_value * stones_saved(B, p, color)


@leaf
def _pattern_part(B, R, T, p, color):
    return R.pattern_value * np.float64(T.chance[U(chance_place(B, T, p, color))])


@leaf
def _mango_h(B, R, S, T, W, p, color):
    """P9."""
    captures = _capture_part(B, R, p, color) + _save_part(B, R, p, color)
    return (captures + _pattern_part(B, R, T, p, color)) * _proximity(S, W, p)


@entry
def describe_mango(B, R, S, T, W, p, color, parts):
    """P9: captures, rescues and the pattern of a move, and the factor for its nearness."""
    parts[U(0)] = _capture_part(B, R, p, color)
    parts[U(1)] = _save_part(B, R, p, color)
    parts[U(2)] = _pattern_part(B, R, T, p, color)
    parts[U(3)] = _proximity(S, W, p)


@leaf
def _shuffle(W, count):
    """Candidates in random order: sorted by H, equal ones are not in that of the board."""
    for i in range(count - 1, 0, -1):
        j = below(W, i + 1)
        W.candidates[U(i)], W.candidates[U(j)] = W.candidates[U(j)], W.candidates[U(i)]


@leaf
def _add_games(W, p, games, value):
    W.prior[U(p)] += games
    W.q[U(p)] += games * value


@leaf
def _is_lonely(B, p):
    """Whether no stone stands within two points, along the lines."""
    for step in (-STRIDE, -1, 1, STRIDE):
        near, far = B.color[U(p + step)], B.color[U(p + 2 * step if p + 2 * step >= 0 else p)]
        if near in (BLACK, WHITE) or (near == EMPTY and far in (BLACK, WHITE)):
            return False
    return True


@leaf
def _nearness_games(R, S, W, p):
    """Games for being one, two or three points away from the last move."""
    last = recent_move(S, W, 1)
    if last == PASS:
        return 0.0
    rows, columns = abs(p // STRIDE - last // STRIDE), abs(p % STRIDE - last % STRIDE)
    distance = rows + columns + max(rows, columns)  # 2 beside, 3 diagonal, 4 one apart ...
    if distance <= 3:
        return R.near_1
    if distance <= 5:
        return R.near_2
    return R.near_3 if distance <= 7 else 0.0


@leaf
def _virtual_games(B, R, S, T, W, p, color):
    """Prior games of a move; Q is their mean result."""
    _add_games(W, p, R.even, 0.0)
    _add_games(W, p, _nearness_games(R, S, W, p), 1.0)
    captured, saved = stones_captured(B, p, color), stones_saved(B, p, color)
    if captured > 0:
        _add_games(W, p, R.capture_games * (2.0 if captured > 1 else 1.0), 1.0)
    if saved > 0:
        _add_games(W, p, R.save_games * (2.0 if saved > 1 else 1.0), 1.0)
    if T.matches[U(seen_by(np.int64(B.shape[U(p)]), color))]:
        _add_games(W, p, R.pattern_games, 1.0)
    if is_self_atari(B, p, color):
        _add_games(W, p, R.self_atari_games, -1.0)
    line = line_of(B, p)
    if line <= 3 and _is_lonely(B, p):
        if line < 3:
            _add_games(W, p, R.edge_games, -1.0)
        else:
            _add_games(W, p, R.edge_games, 1.0)
    if W.prior[U(p)] > 0:
        W.q[U(p)] /= W.prior[U(p)]


@leaf
def _runs_far(B, R, T, W, p):
    """Whether a move whose features are known runs into a long ladder with several stones."""
    if R.ladder_games == 0.0 or W.features[U(SELF_ATARI)] != RUNS_INTO_LADDER:
        return False
    X = W.reading
    return is_caught_after(B, T, X, p, p, READ) and X.length >= LONG_LADDER


@kernel
def _learned_games(B, R, T, W, count):
    """Prior games by the probability p that the learned model gives to a move: sqrt(p) wins.

    Stones that run into a long ladder have lost games: playouts do not see its end, nor does the
    tree.
    """
    color = np.int64(B.to_play)
    total = 0.0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        W.h[U(p)] = strength(B, T, W, p, color) if p != PASS else 0.0
        W.weight[U(i)] = p != PASS and _runs_far(B, R, T, W, p)
        total += W.h[U(p)]
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            W.h[U(p)] /= total
            won = R.learned_games * math.sqrt(W.h[U(p)])
            won += R.critical_games * max(criticality(W, p), 0.0)
            lost = R.ladder_games * W.weight[U(i)]
            W.prior[U(p)] = R.even + won + lost
            W.q[U(p)] = (won - lost) / (R.even + won + lost)


@kernel
def _mogo_games(B, R, T, W, count):
    """T12: H by the probability of patterns, and by the terms, which are prior games too.

    What a move does (capture, save ...) is told by the terms alone: learned features would count
    it twice.
    """
    color = np.int64(B.to_play)
    total = 0.0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            small_features(B, T, W, p, color)
            W.h[U(p)] = shape_strength(B, T, p, color)
            total += W.h[U(p)]
            W.weight[U(i)] = start_games(B, R, T, W, p, color)
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            W.h[U(p)] = R.pattern_value * W.h[U(p)] / total + R.rule_value * W.weight[U(i)]


@leaf
def _hope_of_passing(count):
    """To pass is hardly ever good, but the fewer moves are left, the rather: in seki no other
    move is, and the search has to find out before the games that those begin with are lost."""
    return -min(0.9, 0.05 * count)


@entry
def _know_moves(B, R, S, T, W, count):
    """``know_moves``, compiled by itself."""
    color = np.int64(B.to_play)
    S.knowledge_calls += 1
    if R.knowledge == MANGO_KNOWLEDGE:
        _shuffle(W, count)  # P8: which of them are open is left to chance
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        W.h[U(p)] = 0.0
        W.q[U(p)] = 0.0
        W.prior[U(p)] = 0.0
        if p == PASS:
            W.prior[U(p)] = R.even
            W.q[U(p)] = 1.0 if B.passes > 0 else _hope_of_passing(count)
            continue
        if R.knowledge == MANGO_KNOWLEDGE:
            W.h[U(p)] = _mango_h(B, R, S, T, W, p, color)
        elif R.knowledge == VIRTUAL_GAMES:
            _virtual_games(B, R, S, T, W, p, color)
            W.h[U(p)] = W.q[U(p)] * W.prior[U(p)]
        elif R.knowledge == OREGO_KNOWLEDGE:
            W.h[U(p)] = max(heuristic_value(B, T, R.heuristic, 0, p, color), LOWEST)
    if R.knowledge == LEARNED:
        _learned_games(B, R, T, W, count)
    if R.knowledge == MOGO_KNOWLEDGE:
        _mogo_games(B, R, T, W, count)
    return count


@cache
def knowledge_address() -> int:
    """Where this code is: what the record of a strategy has to hold."""
    return int(_know_moves.address(BOARD, STRATEGY, TREE, TABLES, WORK, int))


@leaf
def know_moves(B, R, S, T, W, count):
    """Fill in H, Q and the prior games of the first ``count`` candidates."""
    call_knowledge(R.knower, B, R, S, T, W, np.int64(count))
