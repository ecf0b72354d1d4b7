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
from montego.kernels.features.patterns import NO_PATTERN, largest_pattern
from montego.kernels.features.tables import (
    ATARI,
    CAPTURE,
    DEFENCE,
    FACTORS,
    GROUPS,
    KO,
    LINE,
    NEAR_BEFORE,
    NEAR_LAST,
    SAVE,
    SELF_ATARI,
    STAGE,
)
from montego.kernels.reading.reading import is_caught_after

FARTHEST = 17
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
def _saves_a_neighbour(B, root, color):
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
def _capture_kind(B, T, R, root, color):
    """What a chain in atari is: a stone or more of them, lost anyway or not (1 to 4); one that
    threatens own stones (5); that of the last move (6)."""
    if B.last != PASS and B.root[U(B.last)] == root:
        return 6
    if _saves_a_neighbour(B, root, color):
        return 5
    gets_away = not is_caught_after(B, T, R, PASS, root, READ)
    return (1 if B.stones[U(root)] == 1 else 3) + gets_away


@kernel
def _capture_class(B, T, R, p, color):
    best = 0
    for root in chains_round(B, p, opponent(color)):
        if root != NOWHERE and is_single(B.liberties[U(root)]):
            best = max(best, _capture_kind(B, T, R, root, color))
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
        return 4
    if reached <= 1:
        return 1
    return 2 if is_lost else 3


@leaf
def _defence_class(B, T, R, root, reached, is_lost):
    """What a move does for an own chain of two liberties: is it threatened, does it get away?"""
    if is_caught_after(B, T, R, PASS, root, READ):
        return 3 if is_lost or reached <= 1 else 4
    return 2 if reached >= 3 else 1


@kernel
def _own_classes(B, T, R, p, color, reached, is_lost):
    """What a move does for own chains in atari, and for those with two liberties."""
    save = defence = 0
    for root in chains_round(B, p, color):
        if root == NOWHERE:
            continue
        at_last = 4 if _touches_last(B, root, color) else 0
        if is_single(B.liberties[U(root)]):
            save = max(save, _save_class(reached, is_lost) + at_last)
        elif two_liberties(B, root)[0] == 2:
            defence = max(defence, _defence_class(B, T, R, root, reached, is_lost) + at_last)
    return save, defence


@leaf
def _way_out(B, T, R, p, other, root, enemy):
    """What an enemy chain with the liberties p and another can still do after a move at p."""
    reached = liberties_reached(B, other, enemy, p, 3)
    if reached >= 3:
        return 4
    if is_caught_after(B, T, R, p, root, READ):
        return 2 if reached == 2 else 1
    return 3


@kernel
def _atari_class(B, T, R, p, color):
    """What a move puts in atari: by what becomes of the chain, the worst for it first."""
    best = 0
    enemy = opponent(color)
    for root in chains_round(B, p, enemy):
        if root == NOWHERE:
            continue
        liberties, a, b = two_liberties(B, root)
        if liberties == 2:
            is_last = B.last != PASS and B.root[U(B.last)] == root
            kind = _way_out(B, T, R, p, b if a == p else a, root, enemy) + (4 if is_last else 0)
            if best == 0 or (kind - 1) % 4 < (best - 1) % 4:
                best = kind
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
        return 0
    stones = _stones_after(B, p, color)
    if reached >= 2:
        return 4 if stones == 1 else 5
    return 1 if stones == 1 else (2 if stones <= 3 else 3)


@kernel
def small_features(B, T, R, p, color, features):
    """Write down the features of a move that are no shapes; R is scratch space for reading."""
    reached = liberties_reached(B, p, color, NOWHERE, 3)
    is_lost = reached == 2 and is_caught_after(B, T, R, p, p, READ)
    save, defence = _own_classes(B, T, R, p, color, reached, is_lost)
    features[U(0)] = CAPTURE + _capture_class(B, T, R, p, color)
    features[U(1)] = SAVE + save
    features[U(2)] = SELF_ATARI + _self_atari_class(B, p, color, reached, is_lost)
    features[U(3)] = ATARI + _atari_class(B, T, R, p, color)
    features[U(4)] = DEFENCE + defence
    features[U(5)] = LINE + min(line_of(B, p), 6) - 1
    features[U(6)] = NEAR_LAST + _nearness(p, np.int64(B.last))
    features[U(7)] = NEAR_BEFORE + _nearness(p, np.int64(B.before_last))
    features[U(8)] = STAGE + min(8 * np.int64(B.empties) // (B.size * B.size), 7)
    features[U(9)] = KO + (B.ko != NOWHERE)


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
    small_features(B, T, W.reading, p, color, W.features)
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
    small_features(B, T, W.reading, p, color, W.features)
    for i in range(GROUPS):
        numbers[U(i)] = W.features[U(i)]
        gammas[U(i)] = T.gamma[U(W.features[U(i)])]
    shape = seen_by(np.int64(B.shape[U(p)]), color)
    place, levels = largest_pattern(B, T, p, color)
    numbers[U(GROUPS)], numbers[U(GROUPS + 1)] = shape, levels
    gammas[U(GROUPS)] = T.shape_gamma[U(shape)]
    gammas[U(GROUPS + 1)] = 1.0 if place == NO_PATTERN else T.pattern_gamma[U(place)]
    gammas[U(GROUPS + 2)] = math.exp(_sum_of_pairs(T, W, shape))
