"""The tree: nodes in one preallocated array, children as a list ordered by knowledge.

A node is 64 bytes, a line of the cache.  Its statistics are seen by the player who made the
move into it, so that a parent compares its children without turning signs.  Results are
kept as integers (``ONE`` is a win): sums are then exact, atomic, and independent of order.

Children are linked (``first_child``, ``sibling``) in the order of H, the best first: so
progressive unpruning (P8) is walking only the first k of them, and a node may get single
children (P3) before it gets all of them.  When it does they lie side by side, all of them,
and the loops that count for speed walk there without following the links.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.board import POINTS
from montego.kernels.compiler.aligned import CACHE_LINE, empty_aligned
from montego.kernels.compiler.atomic import atomic_add, atomic_claim
from montego.kernels.compiler.jit import U, entry, kernel, leaf

ONE = 1 << 24  # a result of +1 in the sums
NONE = 0  # no node: the root is never anybody's child
ROOT = 1

HISTORY = 128  # moves of the game before the root that are kept, see knowledge

EXPANDED, SHUT = 1, 2  # flags: all children are there; pruned

NODE = np.dtype(
    [
        ("total", np.int64),  # sum of results, for the player who moved here
        ("rave_total", np.int64),
        ("value", np.float64),  # as backed up; the mean for plain averages
        ("squares", np.float32),  # sum of the squares of the results
        ("visits", np.int32),
        ("rave_visits", np.int32),
        ("h", np.float32),  # heuristic value H of the move
        ("q", np.float32),  # prior estimate of the value
        ("prior", np.float32),  # what it is worth, in games
        ("first_child", np.int32),
        ("sibling", np.int32),
        ("move", np.int16),
        ("children", np.int16),  # how many, once they are complete
        ("busy", np.int8),  # claimed by the thread that makes the children
        ("flags", np.int8),
        ("lock", np.int8),  # of its children, see locks
        ("asked", np.int8),  # whether the network has judged its children, and what it said
    ],
    align=True,
)

TREE = np.dtype(
    [
        ("used", np.int64),  # nodes taken, NONE among them
        ("taken", np.int64),  # simulations that threads have taken on so far
        ("knowledge_calls", np.int64),
        ("network_calls", np.int64),
        ("apart", np.uint8, CACHE_LINE),  # threads write above and read below: no line is shared
        ("lock", np.int64),  # of the whole tree, see locks
        ("aside", np.uint8, CACHE_LINE),
        ("capacity", np.int64),
        ("goal", np.int64),  # how many simulations there are to be
        ("komi", np.float64),
        ("belief", np.float64),  # from 0 to 1: in the values of a network, see network
        ("allowed", np.uint8, POINTS),  # moves that superko leaves to the root
        ("avoided", np.int16, (3, POINTS)),  # until which depth, by colour and move
        ("history", np.int16, HISTORY),  # the last moves of the game, the latest first
    ],
    align=True,
)


def new_nodes(capacity: int) -> NDArray[np.void]:
    """Memory for nodes, each in a cache line of its own."""
    return empty_aligned(capacity, NODE)


@leaf
def is_expanded(N, node):
    return (N[U(node)].flags & EXPANDED) != 0


@leaf
def take_nodes(S, count):
    """Reserve nodes; NONE if the pool has not that many left."""
    if S.used + count > S.capacity:
        return NONE
    first = atomic_add(S, "used", count)
    if first + count > S.capacity:
        return NONE
    return first


@leaf
def claim(N, node):
    """Whether this thread may make the children of a node."""
    return atomic_claim(N[U(node)], "busy")


@leaf
def release(N, node):
    N[U(node)].busy = 0


@leaf
def reset_node(N, index, move):
    node = N[U(index)]
    node.total = 0
    node.squares = 0.0
    node.rave_total = 0
    node.value = 0.0
    node.visits = 0
    node.rave_visits = 0
    node.h = 0.0
    node.q = 0.0
    node.prior = 0.0
    node.first_child = NONE
    node.sibling = NONE
    node.move = move
    node.children = 0
    node.busy = 0
    node.flags = 0
    node.lock = 0
    node.asked = 0


@kernel
def find_child(N, node, move):
    """The child reached by a move, or NONE."""
    child = np.int64(N[U(node)].first_child)
    while child != NONE and N[U(child)].move != move:
        child = np.int64(N[U(child)].sibling)
    return child


@entry
def clear_tree(S, N):
    """An empty tree: a root without visits."""
    S.used = ROOT + 1
    S.capacity = N.size
    S.taken = 0
    S.knowledge_calls = 0
    S.network_calls = 0
    S.lock = 0
    N[U(NONE)].lock = 0
    reset_node(N, ROOT, 0)


@entry
def child_of_root(N, move):
    """The root's child reached by a move, or NONE."""
    return find_child(N, ROOT, move)


@kernel
def _copy_children(source, target, node, used):
    """Copy the children of ``target[node]`` (still numbered as in ``source``) behind ``used``."""
    child = np.int64(target[U(node)].first_child)
    before = NONE
    while child != NONE:
        target[U(used)] = source[U(child)]
        if before == NONE:
            target[U(node)].first_child = used
        else:
            target[U(before)].sibling = used
        before = used
        used += 1
        child = np.int64(source[U(child)].sibling)
    return used


@entry
def keep_subtree(S, source, target, root):
    """Copy the subtree of a node into another pool, as its root; the rest is forgotten."""
    target[U(NONE)].lock = 0
    target[U(ROOT)] = source[U(root)]
    target[U(ROOT)].sibling = NONE
    used = ROOT + 1
    node = ROOT
    while node < used:
        used = _copy_children(source, target, node, used)
        node += 1
    S.used = used


@entry
def root_children(N, moves, visits, values, priors, flags):
    """Write the statistics of the root's children into arrays.  Returns how many there are."""
    child = np.int64(N[U(ROOT)].first_child)
    count = 0
    while child != NONE:
        moves[U(count)] = N[U(child)].move
        visits[U(count)] = N[U(child)].visits
        values[U(count)] = N[U(child)].value if N[U(child)].visits > 0 else 0.0
        priors[U(count)] = N[U(child)].h
        flags[U(count)] = N[U(child)].flags
        count += 1
        child = np.int64(N[U(child)].sibling)
    return count


@entry
def principal_variation(N, move, line, visits):
    """The most visited moves from a move of the root on, and their visits.  Returns how many."""
    node = find_child(N, ROOT, move)
    length = 0
    while node != NONE and N[U(node)].visits > 0 and length < line.size:
        line[U(length)] = N[U(node)].move
        visits[U(length)] = N[U(node)].visits
        length += 1
        best, best_visits = NONE, 0
        child = np.int64(N[U(node)].first_child)
        while child != NONE:
            if N[U(child)].visits > best_visits:
                best, best_visits = child, N[U(child)].visits
            child = np.int64(N[U(child)].sibling)
        node = best
    return length
