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
from montego.kernels.features.counting import set_turn
from montego.kernels.features.features import small_features
from montego.kernels.features.patterns import (
    NO_PATTERN,
    NO_SUMS,
    largest_pattern,
    pattern_code,
    with_ring,
)
from montego.kernels.features.tables import FACTORS, FREE, GROUPS, LEVELS

NO_FEATURE = -1
MEMBERS = GROUPS + 2  # features of a move, shapes included
FACTORED = GROUPS + 1  # those that have factors: all but the large pattern
FACTOR_RATE = 0.5  # how much shorter the steps of factors are
STAGES, STAGE_MOVES = 16, 20  # of a game; the last has no end
RANKS = MAX_AREA + 1  # a move may be beaten by all others
NEGLIGIBLE = 1e-4  # errors that are not worth a step


@entry
def list_patterns(start, boards, colors, points, T, codes):
    """Write the codes of all patterns round every move played, LEVELS for each move.

    A colour of 0 begins a new game; what has no patterns gets FREE.
    """
    B = boards[0]
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        sums = NO_SUMS
        for level in range(LEVELS):
            code = FREE
            if color != 0 and p != PASS:
                sums = with_ring(B, T, p, color, level, sums)
                code = pattern_code(sums, level)
            codes[U(LEVELS * i + level)] = code
        if color == 0:
            boards[0] = start[0]
        else:
            set_turn(B, color)
            play(B, p)


@leaf
def _list_team(B, T, W, shape_index, first_pattern, teams, first, p, color):
    """Write the features of a move, as indices into the vector of weights, from ``first`` on."""
    small_features(B, T, W.reading, p, color, W.features)
    for k in range(GROUPS):
        teams[U(first + k)] = W.features[U(k)]
    teams[U(first + GROUPS)] = shape_index[U(seen_by(np.int64(B.shape[U(p)]), color))]
    place, _ = largest_pattern(B, T, p, color)
    teams[U(first + GROUPS + 1)] = NO_FEATURE if place == NO_PATTERN else first_pattern + place


@leaf
def _linear_sum(weights, teams, first):
    total = 0.0
    for k in range(first, first + MEMBERS):
        if teams[U(k)] != NO_FEATURE:
            total += weights[U(teams[U(k)])]
    return total


@leaf
def _sum_of_factors(factors, teams, first, c):
    """The sum over a team of one factor, and of its squares."""
    total = squares = 0.0
    for k in range(first, first + FACTORED):
        v = factors[U(teams[U(k)] * FACTORS + c)]
        total += v
        squares += v * v
    return total, squares


@leaf
def _sum_of_pairs(factors, teams, first):
    """The products of all pairs: half of (square of the sum - sum of the squares)."""
    pairs = 0.0
    for c in range(FACTORS):
        total, squares = _sum_of_factors(factors, teams, first, c)
        pairs += 0.5 * (total * total - squares)
    return pairs


@leaf
def _move_weight(weights, steps, f, slope, error, rate, decay):
    """One step of a weight along its gradient; the longer its way so far, the shorter."""
    gradient = slope - decay * weights[U(f)] * abs(error)
    steps[U(f)] += gradient * gradient
    weights[U(f)] += rate * gradient / math.sqrt(steps[U(f)] + 1.0)


@kernel
def _step(weights, steps, factors, factor_steps, teams, first, error, rate, decay):
    """Move the weights and factors of a team along the gradient."""
    for k in range(first, first + MEMBERS):
        if teams[U(k)] != NO_FEATURE:
            _move_weight(weights, steps, teams[U(k)], error, error, rate, decay)
    for c in range(FACTORS):
        total, _ = _sum_of_factors(factors, teams, first, c)
        for k in range(first, first + FACTORED):
            f = teams[U(k)] * FACTORS + c
            slope = error * (total - factors[U(f)])
            _move_weight(factors, factor_steps, f, slope, error, FACTOR_RATE * rate, decay)


@leaf
def _compete(B, T, W, shape_index, first_pattern, weights, factors, teams, odds, played, color):
    """List the teams of all moves, their odds, and where the move played stands among them."""
    count, winner = 0, -1
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        if is_playable(B, p, color):
            first = count * MEMBERS
            _list_team(B, T, W, shape_index, first_pattern, teams, first, p, color)
            total = _linear_sum(weights, teams, first) + _sum_of_pairs(factors, teams, first)
            odds[U(count)] = math.exp(total)
            if p == played:
                winner = count
            count += 1
    return count, winner


@leaf
def _note_rank(odds, count, winner, ranks, number):
    """Note how many moves are stronger than the one played; of equal ones, those listed before.

    Ranks are counted by the stage of the game, STAGE_MOVES moves each.
    """
    rank = min(number // STAGE_MOVES, STAGES - 1) * RANKS
    for i in range(count):
        is_equal = odds[U(i)] == odds[U(winner)]
        rank += (odds[U(i)] > odds[U(winner)]) | (is_equal & (i < winner))
    ranks[U(rank)] += 1


@entry
def learn_games(
    start, boards, colors, points, T, W, shape_index, first_pattern, weights, steps, factors,
    factor_steps, teams, odds, ranks, rate, decay,
):  # fmt: skip
    """One pass over games.  With a rate of 0 nothing is learned, only the ranks of the moves
    played are counted.  Returns the sum of their log probabilities."""
    B = boards[0]
    likelihood, number = 0.0, 0
    for i in range(colors.size):
        color, p = np.int64(colors[U(i)]), np.int64(points[U(i)])
        if color == 0:
            boards[0] = start[0]
            number = 0
            continue
        set_turn(B, color)
        count, winner = _compete(
            B, T, W, shape_index, first_pattern, weights, factors, teams, odds, p, color
        )
        if winner >= 0 and count > 1:
            total = 0.0
            for k in range(count):
                total += odds[U(k)]
            likelihood += math.log(odds[U(winner)] / total)
            _note_rank(odds, count, winner, ranks, number)
            for k in range(count):
                error = (k == winner) - odds[U(k)] / total
                if rate > 0.0 and abs(error) > NEGLIGIBLE:
                    _step(
                        weights,
                        steps,
                        factors,
                        factor_steps,
                        teams,
                        k * MEMBERS,
                        error,
                        rate,
                        decay,
                    )
        play(B, p)
        number += 1
    return likelihood
