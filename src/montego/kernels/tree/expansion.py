"""Expansion: a node gets all its children at once, ordered by H, or one a simulation (P3)."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS
from montego.kernels.board.playable import is_playable
from montego.kernels.compiler.atomic import atomic_claim
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.tree.knowledge import know_moves
from montego.kernels.tree.network import ask_network, is_due, note_value
from montego.kernels.tree.strategy import MOGO_KNOWLEDGE, NOTHING
from montego.kernels.tree.tree import (
    EXPANDED,
    NONE,
    ONE,
    ROOT,
    find_child,
    reset_node,
    take_nodes,
)

PASS_BELOW = 0.6  # part of the board that is empty when passing becomes a candidate; ours, untuned


@leaf
def is_ripe(R, S, visits):
    """Whether a node of so many visits gets its children: four times as many are asked for with
    every quarter of the pool that is in use, so that a long search does not end with a full one."""
    quarters = min(S.used * 4 // S.capacity, 3)
    return visits >= R.expand_at << (2 * quarters)


@leaf
def is_avoided(B, S, W, move):
    """Whether the search was told to leave this move out, so near to the root."""
    return W.depth < S.avoided[U(B.to_play), U(move)]


@leaf
def _list_moves(B, S, W, is_root):
    """Candidates: what a playout might play, and a pass once the board has filled up."""
    count = 0
    color = np.int64(B.to_play)
    for i in range(B.empties):
        p = np.int64(B.empty[U(i)])
        is_allowed = (not is_root or S.allowed[U(p)] != 0) and not is_avoided(B, S, W, p)
        if is_allowed and is_playable(B, p, color):
            W.candidates[U(count)] = p
            count += 1
    is_late = B.passes > 0 or B.empties < PASS_BELOW * B.size * B.size
    if count == 0 or (is_late and not is_avoided(B, S, W, PASS)):
        W.candidates[U(count)] = PASS
        count += 1
    return count


@kernel
def _sort_by_h(W, count):
    """Order the candidates by H, the best first (Shell's sort)."""
    gap = 121
    while gap > 0:
        for i in range(gap, count):
            p = W.candidates[U(i)]
            j = i
            while j >= gap and W.h[U(W.candidates[U(j - gap)])] < W.h[U(p)]:
                W.candidates[U(j)] = W.candidates[U(j - gap)]
                j -= gap
            W.candidates[U(j)] = p
        gap //= 3


@leaf
def _set_prior(N, W, child, p):
    N[U(child)].h = W.h[U(p)]
    N[U(child)].q = W.q[U(p)]
    N[U(child)].prior = W.prior[U(p)]


@leaf
def _start_rave(N, W, child, p):
    """T12: what is known counts as so many simulations in which the move was played."""
    games = np.int64(W.prior[U(p)])
    N[U(child)].rave_visits = games
    N[U(child)].rave_total = np.int64(games * W.q[U(p)] * ONE)


@kernel
def expand(B, R, S, N, T, W, node):
    """Give a node all its children, ordered by H; whether there was room for them."""
    count = _list_moves(B, S, W, node == ROOT)
    if R.knowledge != NOTHING:
        know_moves(B, R, S, T, W, count)
        if is_due(R, N, node) and atomic_claim(N[U(node)], "asked"):
            ask_network(B, R, S, T, W, count)
            note_value(R, N, W, node)
        _sort_by_h(W, count)
    first = take_nodes(S, count)
    if first == NONE:
        return False
    for i in range(count):
        p, child = np.int64(W.candidates[U(i)]), first + i
        known = find_child(N, node, p)
        if known != NONE:
            N[U(child)] = N[U(known)]
            N[U(child)].lock = 0
        else:
            reset_node(N, child, p)
            if R.knowledge == MOGO_KNOWLEDGE:
                _start_rave(N, W, child, p)
        if R.knowledge != NOTHING:
            _set_prior(N, W, child, p)
        N[U(child)].sibling = child + 1 if i + 1 < count else NONE
    N[U(node)].first_child = first
    N[U(node)].children = count
    N[U(node)].flags |= EXPANDED
    return True


@leaf
def add_child(S, N, node, move):
    """P3: one node per simulated game."""
    child = take_nodes(S, 1)
    if child != NONE:
        reset_node(N, child, move)
        N[U(child)].sibling = N[U(node)].first_child
        N[U(node)].first_child = child
    return child
