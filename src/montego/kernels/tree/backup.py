"""The way back from a leaf: visits and results (P5), values (O5, minimax), RAVE (T7)."""

from __future__ import annotations

import numpy as np

from montego.kernels.board.board import PASS
from montego.kernels.compiler.address import call_valuer
from montego.kernels.compiler.atomic import atomic_add
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.tree.children import ALL, best_value
from montego.kernels.tree.locks import lock_children, unlock_children
from montego.kernels.tree.objective import nearest_child, objective_shift, urgency
from montego.kernels.tree.strategy import AVERAGE, MINIMAX, OWN
from montego.kernels.tree.tree import NONE, ONE, is_expanded

# Both are ours, untuned.
BUSY = 128  # visits from which threads spare each other's cache lines
BUSY_EVERY = 8  # there, RAVE counts one simulation of so many, with that weight


@leaf
def set_value(R, N, node, depth):
    """The value of a node after a result: its mean (P5), or what its children say (O5, minimax)."""
    if R.backup == AVERAGE or not is_expanded(N, node):
        N[U(node)].value = N[U(node)].total / (N[U(node)].visits * np.float64(ONE))
    else:
        N[U(node)].value = -value_of_children(R, N, node, depth)


@kernel
def value_of_children(R, N, node, depth):
    """The value of a position to its mover: the best child's, the OMC average (O5), or what a
    rule of the user's own says.

    The objective is that of the selection, shift included.  Where no child comes near it, all
    urgencies are 0 to the last digit; then the child counts that they tend to.
    """
    if R.backup == OWN:
        return call_valuer(R.valuer, R, N, node)
    best = best_value(N, node, ALL)
    if best < -1.0:
        return -N[U(node)].value
    if R.backup == MINIMAX:
        return best
    objective = best + objective_shift(R, depth)
    weights = values = 0.0
    child = np.int64(N[U(node)].first_child)
    while child != NONE:
        n = N[U(child)].visits
        if n > 0:
            weight = urgency(N, child, objective) * n
            weights += weight
            values += weight * N[U(child)].value
        child = np.int64(N[U(child)].sibling)
    if weights == 0.0:
        return N[U(nearest_child(N, node, ALL, objective))].value
    return values / weights


@leaf
def back_up(R, N, W, result, root_is_black):
    """Add Black's result to every node of the path, seen by the player who moved there."""
    given_back = np.int64(R.virtual_loss * ONE)
    square = np.float32(result * result)
    for depth in range(W.depth, -1, -1):
        node = np.int64(W.path[U(depth)])
        moved_by_black = (depth % 2 == 1) == root_is_black
        seen = result if moved_by_black else -result
        change = np.int64(seen * ONE)
        parent = np.int64(NONE)
        if depth > 0:
            change += given_back
            parent = np.int64(W.path[U(depth - 1)])
        lock_children(R, N, parent)  # from the root down: nobody waits in a circle
        lock_children(R, N, node)
        atomic_add(N[U(node)], "total", change)
        N[U(node)].squares += square
        set_value(R, N, node, depth)
        unlock_children(R, N, node)
        unlock_children(R, N, parent)


@kernel
def update_rave(R, N, W, result, root_is_black, turn):
    """All moves as first (T7): every child whose move its player was the first to make below.

    ``W.first`` tells when a point was first played.  Early moves may count more: up to
    1 + decay times, falling to once at the end of the playout.  No child is skipped: adding
    nothing costs less than a branch that is guessed wrong.

    Threads that share a tree meet at its busy nodes, and every line of the cache that one of
    them writes is lost to the others.  There one simulation in eight is counted, eight times.
    """
    length = np.int64(W.length)
    W.first[:] = -1
    for i in range(length - 1, W.depth - 1, -1):
        W.first[U(W.sequence[U(i)])] = i
    for depth in range(W.depth, -1, -1):
        if depth < length:
            W.first[U(W.sequence[U(depth)])] = depth
        W.first[U(PASS)] = -1
        node = np.int64(W.path[U(depth)])
        times = 1
        if R.virtual_loss > 0.0 and N[U(node)].visits > BUSY:
            if turn % BUSY_EVERY != 0:
                continue
            times = BUSY_EVERY
        first_child = np.int64(N[U(node)].first_child)
        mover_is_black = (depth % 2 == 0) == root_is_black
        gain = np.int64((result if mover_is_black else -result) * ONE)
        slope = R.rave_decay / np.float64(max(length - depth, 1))
        lock_children(R, N, node)
        for child in range(first_child, first_child + N[U(node)].children):
            at = np.int64(W.first[U(N[U(child)].move)])
            first_to_play = (at >= depth) & (((at ^ depth) & 1) == 0)
            weight = first_to_play * times * (1 + np.int64(slope * (length - at)))
            N[U(child)].rave_visits += weight
            N[U(child)].rave_total += weight * gain
        unlock_children(R, N, node)
