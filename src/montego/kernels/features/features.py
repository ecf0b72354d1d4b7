"""Features of a move, and its strength by learned weights (T12b, and Coulom's model).

A move takes part in a competition with all other moves of its position as a team of
features, one of each group.  The strength of a team is the product of the strengths gamma of
its members (Bradley and Terry, generalised by Coulom 2007).  The groups: what it captures,
what it saves, whether it is a self-atari, what it puts in atari, which chain of two liberties
it defends, its line, how near the last two moves are, its 3x3 shape, and the largest known
pattern round it; and two that all moves share, how full the board is and whether a ko stands.
Where two liberties are left, a ladder is read: out of it or into it makes all the difference.

Members of a team also work together, for better or worse: each but the large pattern has a
short vector of factors, and the strength is multiplied by e^(v.v') for every pair of them
(latent factor ranking; Wistuba and Schmidt-Thieme 2013).
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.board.board import (
    DOWN,
    LEFT,
    NOWHERE,
    PASS,
    RIGHT,
    STRIDE,
    UP,
    in_atari,
)
from montego.kernels.board.liberties import is_single
from montego.kernels.board.shape import opponent, seen_by
from montego.kernels.board.tactics import chains_round, liberties_reached, two_liberties
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.classes import (
    AT_LAST,
    ATARI,
    ATTACKERS,
    CANNOT_SAVE,
    CAPTURE,
    DEFENCE,
    FARTHEST,
    FILLS_SAFE,
    GROUPS,
    HIGHEST_LINE,
    KO,
    LADDER,
    LAST_CHAIN,
    LINE,
    LOST_STONE,
    LOST_STONES,
    MORE_INTO_LADDER,
    NEAR_BEFORE,
    NEAR_LAST,
    NO_WAY_OUT,
    NONE_OF_IT,
    OF_MORE,
    OF_ONE,
    OF_TWO_OR_THREE,
    ONE_INTO_LADDER,
    SAVE,
    SAVES,
    SELF_ATARI,
    SIZES,
    STAGE,
    START,
    STONE,
    STONES,
    STRENGTHENS_SAFE,
    TO_ONE,
    TO_THREE,
    TO_TWO,
    TO_TWO_IN_LADDER,
    WAY_OUT,
    WAY_TO_THREE,
)  # fmt: skip
from montego.kernels.features.patterns import NO_PATTERN, largest_pattern
from montego.kernels.features.tables import FACTORS
from montego.kernels.reading.escape import is_lost_at_once
from montego.kernels.reading.reading import is_caught_after, is_caught_after_pass

READ = 200  # moves that are tried to read a ladder


@leaf
def line_of(B, p):
    """The line of a point, 1 at the edge."""
    row, column, size = p // STRIDE, p % STRIDE, np.int64(B.size)
    return min(min(row, column), min(size + 1 - row, size + 1 - column))


@leaf
def _distance(p, q):
    """dx + dy + max(dx, dy), which keeps straight and diagonal steps apart (T12b)."""
    rows, columns = abs(p // STRIDE - q // STRIDE), abs(p % STRIDE - q % STRIDE)
    return rows + columns + max(rows, columns)


@leaf
def _nearness(p, move):
    return 0 if move == PASS else min(_distance(p, move), FARTHEST) - 1


@kernel
def saves_a_neighbour(B, root, color):
    """Whether a chain of this colour next to an enemy chain is in atari."""
    stone = root
    while True:
        for q in (stone + UP, stone + LEFT, stone + RIGHT, stone + DOWN):
            if B.color[U(q)] == color and in_atari(B, q):
                return True
        stone = np.int64(B.next_stone[U(stone)])
        if stone == root:
            return False


@leaf
def _capture_kind(B, T, X, root, color):
    """The class of a capture, by the chain in atari that it takes."""
    if B.last != PASS and B.root[U(B.last)] == root:
        return LAST_CHAIN
    if saves_a_neighbour(B, root, color):
        return ATTACKERS
    is_lost = is_caught_after_pass(B, T, X, root, READ)
    if B.stones[U(root)] == 1:
        return LOST_STONE if is_lost else STONE
    return LOST_STONES if is_lost else STONES


@kernel
def _capture_class(B, T, X, p, color):
    best = NONE_OF_IT
    for root in chains_round(B, p, opponent(color)):
        if root != NOWHERE and is_single(B.liberties[U(root)]):
            best = max(best, _capture_kind(B, T, X, root, color))
    return best


@leaf
def _touches_last(B, root, color):
    """Whether the last move stands next to this own chain."""
    last = np.int64(B.last)
    if last == PASS:
        return False
    up, left, right, down = chains_round(B, last, color)
    return (root == up) | (root == left) | (root == right) | (root == down)


@leaf
def _save_class(reached, is_lost):
    """What becomes of own stones in atari: by the liberties they reach, and whether in a ladder."""
    if reached >= 3:
        return TO_THREE
    if reached <= 1:
        return TO_ONE
    return TO_TWO_IN_LADDER if is_lost else TO_TWO


@leaf
def _defence_class(B, T, X, root, reached, is_lost):
    """What a move does for an own chain of two liberties: is it threatened, does it get away?"""
    if is_caught_after_pass(B, T, X, root, READ):
        return CANNOT_SAVE if is_lost or reached <= 1 else SAVES
    return STRENGTHENS_SAFE if reached >= 3 else FILLS_SAFE


@kernel
def _own_classes(B, T, X, p, color, reached, is_lost):
    """What a move does for own chains in atari, and for those with two liberties."""
    save = defence = NONE_OF_IT
    for root in chains_round(B, p, color):
        if root == NOWHERE:
            continue
        at_last = AT_LAST if _touches_last(B, root, color) else 0
        if is_single(B.liberties[U(root)]):
            save = max(save, _save_class(reached, is_lost) + at_last)
        elif two_liberties(B, root)[0] == 2:
            defence = max(defence, _defence_class(B, T, X, root, reached, is_lost) + at_last)
    return save, defence


@leaf
def _way_out(B, T, X, p, other, root, enemy):
    """What an enemy chain with the liberties p and another can still do after a move at p."""
    reached = liberties_reached(B, other, enemy, p, 3)
    if reached >= 3:
        return WAY_TO_THREE
    if reached <= 1 and is_lost_at_once(B, p, other, root):
        return NO_WAY_OUT
    if is_caught_after(B, T, X, p, root, READ):
        return LADDER if reached == 2 else NO_WAY_OUT
    return WAY_OUT


@leaf
def without_last(kind):
    """A class of SAVE, ATARI or DEFENCE, whether the last move is concerned or not."""
    return kind - AT_LAST if kind > AT_LAST else kind


@kernel
def _atari_class(B, T, X, p, color):
    """What a move puts in atari: by what becomes of the chain, the worst for it first."""
    best = NONE_OF_IT
    enemy = opponent(color)
    for root in chains_round(B, p, enemy):
        if root == NOWHERE:
            continue
        liberties, a, b = two_liberties(B, root)
        if liberties == 2:
            is_last = B.last != PASS and B.root[U(B.last)] == root
            kind = _way_out(B, T, X, p, b if a == p else a, root, enemy)
            if best == NONE_OF_IT or kind < without_last(best):
                best = kind + (AT_LAST if is_last else 0)
    return best


@leaf
def _stones_after(B, p, color):
    stones = 1
    for root in chains_round(B, p, color):
        if root != NOWHERE:
            stones += B.stones[U(root)]
    return stones


@leaf
def _self_atari_class(B, p, color, reached, is_lost):
    if reached >= 2 and not is_lost:
        return NONE_OF_IT
    stones = _stones_after(B, p, color)
    if reached >= 2:
        return ONE_INTO_LADDER if stones == 1 else MORE_INTO_LADDER
    if stones == 1:
        return OF_ONE
    return OF_TWO_OR_THREE if stones <= 3 else OF_MORE


@kernel
def small_features(B, T, W, p, color):
    """Write the features of a move that are no shapes into ``W.features``."""
    X = W.reading
    reached = liberties_reached(B, p, color, NOWHERE, 3)
    is_lost = reached == 2 and is_caught_after(B, T, X, p, p, READ)
    save, defence = _own_classes(B, T, X, p, color, reached, is_lost)
    stage = SIZES[STAGE] * np.int64(B.empties) // (B.size * B.size)
    W.features[U(CAPTURE)] = START[CAPTURE] + _capture_class(B, T, X, p, color)
    W.features[U(SAVE)] = START[SAVE] + save
    W.features[U(SELF_ATARI)] = START[SELF_ATARI] + _self_atari_class(B, p, color, reached, is_lost)
    W.features[U(ATARI)] = START[ATARI] + _atari_class(B, T, X, p, color)
    W.features[U(DEFENCE)] = START[DEFENCE] + defence
    W.features[U(LINE)] = START[LINE] + min(line_of(B, p), HIGHEST_LINE) - 1
    W.features[U(NEAR_LAST)] = START[NEAR_LAST] + _nearness(p, np.int64(B.last))
    W.features[U(NEAR_BEFORE)] = START[NEAR_BEFORE] + _nearness(p, np.int64(B.before_last))
    W.features[U(STAGE)] = START[STAGE] + min(stage, SIZES[STAGE] - 1)
    W.features[U(KO)] = START[KO] + (B.ko != NOWHERE)


@kernel
def shape_strength(B, T, p, color):
    """The strength of the shapes round a point: 3x3, and the largest pattern that is known."""
    square = np.float64(T.shape_gamma[U(seen_by(np.int64(B.shape[U(p)]), color))])
    place, _ = largest_pattern(B, T, p, color)
    return square if place == NO_PATTERN else square * T.pattern_gamma[U(place)]


@leaf
def _sum_of_pairs(T, W, shape):
    """v.v' for every pair of a team, summed: half of (square of the sum - sum of the squares)."""
    pairs = np.float32(0.0)
    for c in range(FACTORS):
        v = T.shape_factor[U(T.shape_number[U(shape)] * FACTORS + c)]
        total, squares = v, v * v
        for i in range(GROUPS):
            v = T.factor[U(W.features[U(i)] * FACTORS + c)]
            total += v
            squares += v * v
        pairs += total * total - squares
    return 0.5 * np.float64(pairs)


@kernel
def strength(B, T, W, p, color):
    """The strength of a move: the product over its features, and over their pairs."""
    small_features(B, T, W, p, color)
    product = np.float64(1.0)
    for i in range(GROUPS):
        product *= T.gamma[U(W.features[U(i)])]
    shape = seen_by(np.int64(B.shape[U(p)]), color)
    return product * shape_strength(B, T, p, color) * math.exp(_sum_of_pairs(T, W, shape))


@entry
def describe_move(B, T, W, p, color, numbers, gammas):
    """Write down what ``strength`` multiplies.

    Numbers: the feature of each group, the 3x3 shape, the levels of the largest known pattern.
    Gammas: one for each of these, and that of all pairs.
    """
    small_features(B, T, W, p, color)
    for i in range(GROUPS):
        numbers[U(i)] = W.features[U(i)]
        gammas[U(i)] = T.gamma[U(W.features[U(i)])]
    shape = seen_by(np.int64(B.shape[U(p)]), color)
    place, levels = largest_pattern(B, T, p, color)
    numbers[U(GROUPS)], numbers[U(GROUPS + 1)] = shape, levels
    gammas[U(GROUPS)] = T.shape_gamma[U(shape)]
    gammas[U(GROUPS + 1)] = 1.0 if place == NO_PATTERN else T.pattern_gamma[U(place)]
    gammas[U(GROUPS + 2)] = math.exp(_sum_of_pairs(T, W, shape))
