"""What the children of a node say together, for selection and backup alike."""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.jit import U, leaf
from montego.kernels.tree.tree import NONE, ONE, SHUT

ALL = np.int64(1 << 20)  # more children than a node can have


@leaf
def rave_mean(N, child):
    node = N[U(child)]
    return node.rave_total / (node.rave_visits * np.float64(ONE))


@leaf
def deviation(N, child):
    """Standard deviation of one result of a child; 1 while it is not known."""
    node = N[U(child)]
    n = node.visits
    if n < 2:
        return 1.0
    v = node.total / (n * np.float64(ONE))
    return math.sqrt(max(node.squares / np.float64(n) - v * v, 1e-4))


@leaf
def is_shut(N, child):
    return (N[U(child)].flags & SHUT) != 0


@leaf
def best_value(N, node, open_children):
    """The value of the best visited child that is not shut; below -1 if there is none."""
    best = -2.0
    child = np.int64(N[U(node)].first_child)
    while child != NONE and open_children > 0:
        if N[U(child)].visits > 0 and not is_shut(N, child):
            best = max(best, N[U(child)].value)
        open_children -= 1
        child = np.int64(N[U(child)].sibling)
    return best
