"""Learning strengths from games: one pass over many of them (T12b).

In every position of a game the move played has won against all other moves.  The
likelihood of that, p(move) = gamma(move) / sum of all gammas, is concave in the logarithms
w of the strengths; Coulom (2007) climbs it by minorization-maximization, we by stochastic
gradients with a step for each feature of its own (AdaGrad), which is as good and reads
every position only once or twice:

    dw = (1 for the move played, 0 for others) - p

and likewise for the factors by which features work together.
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.board.board import MAX_AREA, PASS, play
from montego.kernels.board.playable import is_playable
from montego.kernels.board.shape import seen_by
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.classes import FEATURES, GROUPS
from montego.kernels.features.counting import set_turn
from montego.kernels.features.features import small_features
from montego.kernels.features.patterns import (
    NO_PATTERN,
    largest_pattern,
    pattern_code,
    sums_of_square,
    with_ring,
)
from montego.kernels.features.tables import (
    FACTORS,
    FREE,
    LEVELS,
    PATTERNS,
    SHAPES,
    UNEQUAL_SHAPES,
)  # fmt: skip

NO_FEATURE = -1
MEMBERS = GROUPS + 2  # features of a move, shapes included
FACTORED = GROUPS + 1  # those that have factors: all but the large pattern
FACTOR_RATE = 0.5  # how much shorter the steps of factors are
STAGES, STAGE_MOVES = 16, 20  # of a game; the last has no end
RANKS = MAX_AREA + 1  # a move may be beaten by all others
NEGLIGIBLE = 1e-4  # errors that are not worth a step
FIRST_PATTERN = FEATURES + UNEQUAL_SHAPES  # in the vector of weights: features, shapes, patterns
WEIGHTS = FIRST_PATTERN + PATTERNS

LEARNER = np.dtype(
    [
        ("shape_index", np.int32, SHAPES),  # the weight of each 3x3 shape
        # logarithms of strengths, factors of features and shapes; squared gradients of both
        ("weights", np.float64, WEIGHTS),
        ("steps", np.float64, WEIGHTS),
        ("factors", np.float64, FIRST_PATTERN * FACTORS),
        ("factor_steps", np.float64, FIRST_PATTERN * FACTORS),
        # of one position: every move's team and its odds
        ("teams", np.int64, RANKS * MEMBERS),
        ("odds", np.float64, RANKS),
        # by stage of the game: how often the move played was guessed first, second ...
        ("ranks", np.int64, STAGES * RANKS),
    ],
    align=True,
)
"""What is learned, and the scratch space for it."""


@entry
def list_patterns(B, T, W, colors, points, codes):
    """Write the codes of all patterns round every move played, LEVELS for each move.

    A colour of 0 begins a new game from B; what has no patterns gets FREE.
    """
    start, B = B, W.board[U(0)]
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        sums = sums_of_square(B, T, p, color)
        for level in range(LEVELS):
            code = FREE
            if color != 0 and p != PASS:
                sums = with_ring(B, T, p, color, level, sums)
                code = pattern_code(sums, level)
            codes[U(LEVELS * i + level)] = code
        if color == 0:
            W.board[U(0)] = start
        else:
            set_turn(B, color)
            play(B, p)


@leaf
def _list_team(B, T, W, V, first, p, color):
    """Write the features of a move, as indices into the vector of weights, from ``first`` on."""
    small_features(B, T, W, p, color)
    for k in range(GROUPS):
        V.teams[U(first + k)] = W.features[U(k)]
    V.teams[U(first + GROUPS)] = V.shape_index[U(seen_by(np.int64(B.shape[U(p)]), color))]
    place, _ = largest_pattern(B, T, p, color)
    V.teams[U(first + GROUPS + 1)] = NO_FEATURE if place == NO_PATTERN else FIRST_PATTERN + place


@leaf
def _linear_sum(V, first):
    total = 0.0
    for k in range(first, first + MEMBERS):
        if V.teams[U(k)] != NO_FEATURE:
            total += V.weights[U(V.teams[U(k)])]
    return total


@leaf
def _sum_of_factors(V, first, c):
    """The sum over a team of one factor, and of its squares."""
    total = squares = 0.0
    for k in range(first, first + FACTORED):
        v = V.factors[U(V.teams[U(k)] * FACTORS + c)]
        total += v
        squares += v * v
    return total, squares


@leaf
def _sum_of_pairs(V, first):
    """The products of all pairs: half of (square of the sum - sum of the squares)."""
    pairs = 0.0
    for c in range(FACTORS):
        total, squares = _sum_of_factors(V, first, c)
        pairs += 0.5 * (total * total - squares)
    return pairs


@leaf
def _move_weight(weights, steps, f, slope, error, rate, decay):
    """One step of a weight along its gradient; the longer its way so far, the shorter."""
    gradient = slope - decay * weights[U(f)] * abs(error)
    steps[U(f)] += gradient * gradient
    weights[U(f)] += rate * gradient / math.sqrt(steps[U(f)] + 1.0)


@kernel
def _step(V, first, error, rate, decay):
    """Move the weights and factors of a team along the gradient."""
    for k in range(first, first + MEMBERS):
        if V.teams[U(k)] != NO_FEATURE:
            _move_weight(V.weights, V.steps, V.teams[U(k)], error, error, rate, decay)
    for c in range(FACTORS):
        total, _ = _sum_of_factors(V, first, c)
        for k in range(first, first + FACTORED):
            f = V.teams[U(k)] * FACTORS + c
            slope = error * (total - V.factors[U(f)])
            _move_weight(V.factors, V.factor_steps, f, slope, error, FACTOR_RATE * rate, decay)


@leaf
def _compete(B, T, W, V, played, color):
    """List the teams of all moves, their odds, and where the move played stands among them."""
    count, winner = 0, -1
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            first = count * MEMBERS
            _list_team(B, T, W, V, first, p, color)
            V.odds[U(count)] = math.exp(_linear_sum(V, first) + _sum_of_pairs(V, first))
            if p == played:
                winner = count
            count += 1
    return count, winner


@leaf
def _note_rank(V, count, winner, number):
    """Note how many moves are stronger than the one played; of equal ones, those listed before.

    Ranks are counted by the stage of the game, STAGE_MOVES moves each.
    """
    rank = min(number // STAGE_MOVES, STAGES - 1) * RANKS
    for i in range(count):
        is_equal = V.odds[U(i)] == V.odds[U(winner)]
        rank += (V.odds[U(i)] > V.odds[U(winner)]) | (is_equal & (i < winner))
    V.ranks[U(rank)] += 1


@leaf
def _learn_move(V, count, winner, rate, decay):
    """Learn from one competition.  Returns the log probability of the move played."""
    total = 0.0
    for k in range(count):
        total += V.odds[U(k)]
    for k in range(count):
        error = (k == winner) - V.odds[U(k)] / total
        if rate > 0.0 and abs(error) > NEGLIGIBLE:
            _step(V, k * MEMBERS, error, rate, decay)
    return math.log(V.odds[U(winner)] / total)


@entry
def learn_games(B, T, W, V, colors, points, rate, decay):
    """One pass over games that begin at B.  With a rate of 0 nothing is learned, only the ranks
    of the moves played are counted.  Returns the sum of their log probabilities."""
    start, B = B, W.board[U(0)]
    likelihood, number = 0.0, 0
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            W.board[U(0)] = start
            number = 0
            continue
        set_turn(B, color)
        count, winner = _compete(B, T, W, V, p, color)
        if winner >= 0 and count > 1:
            _note_rank(V, count, winner, number)
            likelihood += _learn_move(V, count, winner, rate, decay)
        play(B, p)
        number += 1
    return likelihood
