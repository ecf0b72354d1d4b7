"""Expensive knowledge: a network is asked about the moves of nodes that have earned it (P2, P9).

A node begins with what is cheap, the learned strengths.  When its visits reach T the network is
asked, once, and its probabilities take the place of H: with the prior games that follow from them,
in the progressive bias (P7), in PUCT, and, where T is not above the visits at which a node gets
its children, for their order (P8).  One forward pass costs as much as a few simulations.

A network that has a value says who wins, too.  From then on a simulation through the node counts
(1 - lambda) for its playout and lambda for that value, of the last such node on its path (Silver et
al. 2016).  Late in a game playouts know better, and lambda falls to nothing (``S.belief``).  The
value lies in the node's field ``asked``, in steps of 1/62.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from montego.kernels.board.board import BOARD, MAX_SIZE, NOWHERE, PASS, STRIDE
from montego.kernels.board.shape import BLACK, EMPTY
from montego.kernels.compiler.address import call_knowledge, call_network, floats_at
from montego.kernels.compiler.atomic import atomic_add, atomic_claim
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.features.features import strength
from montego.kernels.features.planes import (
    HINT,
    HINT_ROOT,
    KO_POINT,
    LAST_MOVES,
    ONES,
    PLANES,
    RECENT,
    board_index,
    count_liberties,
    hint_of,
    ladder_plane,
    read_ladders,
    stone_plane,
)
from montego.kernels.features.tables import TABLES
from montego.kernels.net.forward import clear_planes, forward
from montego.kernels.net.layout import KOMI_AT, VALUE_AT, input_at, scratch_size
from montego.kernels.net.network import NETWORK
from montego.kernels.playouts.policy import WORK
from montego.kernels.tree.knowledge import recent_move
from montego.kernels.tree.strategy import LEARNED, STRATEGY
from montego.kernels.tree.tree import NONE, TREE

LOWEST_VALUE = 2  # of the field ``asked``; 1 is a node without a value
STEPS = 62.5  # of a value from 0 to 1


def scratch_of(width: int) -> int:
    """How many float32 of scratch space a network of this width needs on any board."""
    return scratch_size(PLANES, width, MAX_SIZE)


# --- planes ----------------------------------------------------------------------------


@leaf
def _input(B, p, plane):
    """Where a number of the input lies."""
    at = board_index(B, p)
    return input_at(at // B.size, at % B.size, plane)


@kernel
def write_planes(B, S, T, W, scratch, count):
    """Write what the network sees of B; ``W.h`` holds the probabilities of the candidates."""
    clear_planes(scratch, PLANES)
    count_liberties(B, W)
    read_ladders(B, T, W)
    color = np.int64(B.to_play)
    for row in range(1, B.size + 1):
        for p in range(row * STRIDE + 1, row * STRIDE + B.size + 1):
            scratch[U(_input(B, p, ONES))] = np.float32(1.0)
            if B.color[U(p)] != EMPTY:
                scratch[U(_input(B, p, stone_plane(B, W, p, color)))] = np.float32(1.0)
                if W.caught[U(B.root[U(p)])] != 0:
                    scratch[U(_input(B, p, ladder_plane(B, p, color)))] = np.float32(1.0)
    if B.ko != NOWHERE:
        scratch[U(_input(B, np.int64(B.ko), KO_POINT))] = np.float32(1.0)
    for k in range(RECENT):
        p = recent_move(S, W, k + 1)
        if p != PASS:
            scratch[U(_input(B, p, LAST_MOVES + k))] = np.float32(1.0)
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        hint = hint_of(W.h[U(p)])
        if p != PASS and hint > 0.0:
            scratch[U(_input(B, p, HINT))] = np.float32(hint)
            scratch[U(_input(B, p, HINT_ROOT))] = np.float32(math.sqrt(W.h[U(p)]))


# --- probabilities ---------------------------------------------------------------------


@kernel
def _know_cheaply(B, T, W, count):
    """The probabilities of learned strengths, where a node has other knowledge."""
    color, total = np.int64(B.to_play), 0.0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        W.h[U(p)] = strength(B, T, W, p, color) if p != PASS else 0.0
        total += W.h[U(p)]
    for i in range(count):
        W.h[U(W.candidates[U(i)])] /= max(total, 1e-30)


@kernel
def _take_logits(B, R, W, scratch, count):
    """The softmax of the candidates' logits, mixed with what was known before, as ``W.h``."""
    highest, total = -np.inf, 0.0
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            highest = max(highest, np.float64(scratch[U(board_index(B, p))]))
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            W.weight[U(i)] = math.exp(scratch[U(board_index(B, p))] - highest)
            total += W.weight[U(i)]
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            guess = W.weight[U(i)] / total
            W.h[U(p)] += R.network_share * (guess - W.h[U(p)])


@leaf
def _add_won(W, p, games):
    """Add games that a move has won before the first one is played; fewer than none are taken."""
    before = W.prior[U(p)]
    W.prior[U(p)] = max(before + games, 1e-3)
    W.q[U(p)] = (before * W.q[U(p)] + games) / W.prior[U(p)]


@kernel
def _exchange_games(W, count, games):
    """Add so many won games for a move that is certain, for all candidates; others by sqrt(p)."""
    for i in range(count):
        p = np.int64(W.candidates[U(i)])
        if p != PASS:
            _add_won(W, p, games * math.sqrt(W.h[U(p)]))


@entry
def _ask(B, R, S, T, W, count):
    """Put the network's H of the first candidates, and the games that they have won by it, in the
    place of what learned strengths say; games from elsewhere, such as a book's, stay."""
    if R.knowledge == LEARNED:
        _exchange_games(W, count, -R.learned_games)
    else:
        _know_cheaply(B, T, W, count)
    scratch = floats_at(W.network, W.network_size)
    write_planes(B, S, T, W, scratch, count)
    given = S.komi + W.extra_komi
    scratch[U(KOMI_AT)] = np.float32(given if B.to_play == BLACK else -given)
    call_network(R.network_code, R.network, scratch, np.int64(B.size))
    _take_logits(B, R, W, scratch, count)
    _exchange_games(W, count, R.network_games)
    atomic_add(S, "network_calls", 1)
    return count


@cache
def asker_address() -> int:
    """Where this code is: what the record of a strategy has to hold."""
    return int(_ask.address(BOARD, STRATEGY, TREE, TABLES, WORK, int))


@cache
def network_code_address() -> int:
    """Where the code of the forward pass is."""
    return int(forward.address(NETWORK, (np.dtype(np.float32),), int))


# --- values ----------------------------------------------------------------------------


@leaf
def note_value(R, N, W, node):
    """Keep the value that the network has just found, for who is to move at a node."""
    if R.network_value > 0.0:
        value = np.float64(floats_at(W.network, W.network_size)[U(VALUE_AT)])
        N[U(node)].asked = LOWEST_VALUE + np.int64((value + 1.0) * STEPS + 0.5)


@leaf
def value_of(N, node):
    """What the network has said of a node."""
    return (N[U(node)].asked - LOWEST_VALUE) / STEPS - 1.0


@leaf
def believed(R, S, N, W, result, root_is_black):
    """Black's result of a playout together with what the network says of the last node on its
    path that it was asked about.  Where the game was over nothing is left to be believed."""
    part = R.network_value * S.belief
    if part == 0.0 or W.length == W.depth:
        return result
    depth = np.int64(W.depth)
    while depth >= 0 and N[U(W.path[U(depth)])].asked < LOWEST_VALUE:
        depth -= 1
    if depth < 0:
        return result
    value = value_of(N, np.int64(W.path[U(depth)]))
    black_moves = (depth % 2 == 0) == root_is_black
    return result + part * ((value if black_moves else -value) - result)


# --- nodes -----------------------------------------------------------------------------


@leaf
def ask_network(B, R, S, T, W, count):
    """Let the network judge the first candidates, whose H is that of cheap knowledge."""
    call_knowledge(R.asker, B, R, S, T, W, np.int64(count))


@leaf
def is_due(R, N, node):
    """Whether a node has earned the network, and has not been given it."""
    known = N[U(node)]
    return R.network != 0 and known.visits >= R.network_at and known.asked == 0


@kernel
def judge_children(B, R, S, N, T, W, node):
    """Ask the network about the children that a node has; one thread does."""
    if not atomic_claim(N[U(node)], "asked"):
        return
    count, child = 0, np.int64(N[U(node)].first_child)
    while child != NONE:
        p = np.int64(N[U(child)].move)
        W.candidates[U(count)] = p
        W.h[U(p)], W.q[U(p)] = N[U(child)].h, N[U(child)].q
        W.prior[U(p)] = N[U(child)].prior
        count += 1
        child = np.int64(N[U(child)].sibling)
    ask_network(B, R, S, T, W, count)
    note_value(R, N, W, node)
    child = np.int64(N[U(node)].first_child)
    while child != NONE:
        p = np.int64(N[U(child)].move)
        if p != PASS:
            N[U(child)].h, N[U(child)].q = W.h[U(p)], W.q[U(p)]
            N[U(child)].prior = W.prior[U(p)]
        child = np.int64(N[U(child)].sibling)
