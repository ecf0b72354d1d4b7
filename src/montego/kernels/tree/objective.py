"""Selection that takes no largest score: Objective Monte Carlo and what it was compared with.

OMC draws a child by the chance that it reaches the objective (O4), progressive pruning samples
equally and shuts what is surely worse (O2), simulated annealing tries moves at random (O3).
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import unit
from montego.kernels.tree.children import best_value, deviation, is_shut, rave_mean
from montego.kernels.tree.formulas import objective_urgency
from montego.kernels.tree.tree import NONE, SHUT


@leaf
def _draw(N, W, node, count):
    """One of the first children in proportion to ``W.weight``; NONE if no weight is above 0."""
    total = 0.0
    for i in range(count):
        total += W.weight[U(i)]
    at = unit(W) * total
    first, chosen = np.int64(N[U(node)].first_child), np.int64(NONE)
    for i in range(count):
        if W.weight[U(i)] > 0.0:
            chosen = first + i
            at -= W.weight[U(i)]
            if at < 0.0:
                break
    return chosen


@leaf
def objective_shift(R, depth):
    """What is added to Obj at this depth: the shift where the opponent moves, else nothing.

    In the paper's example the program is ahead, and a higher Obj makes it look more often at the
    moves by which the opponent might come back: so it is the opponent's objective that shifts.
    """
    return R.objective_shift if depth % 2 == 1 else 0.0


@leaf
def _distance(N, child, objective):
    """From a visited child's mean to the objective, in deviations of that mean."""
    node = N[U(child)]
    return (objective - node.value) * math.sqrt(node.visits) / deviation(N, child)


@leaf
def urgency(N, child, objective):
    """O4: how probable it is that a child is worth the objective; sigma is that of its mean.

    A child without visits may be worth anything: its sigma is infinite.
    """
    node = N[U(child)]
    if is_shut(N, child):
        return 0.0
    if node.visits == 0:
        return 1.0
    return objective_urgency(objective, node.value, deviation(N, child) / math.sqrt(node.visits))


@kernel
def nearest_child(N, node, open_children, objective):
    """The visited child that all urgency goes to as an objective gets out of reach."""
    nearest, least = np.int64(NONE), np.inf
    first = np.int64(N[U(node)].first_child)
    for child in range(first, first + min(np.int64(N[U(node)].children), open_children)):
        if N[U(child)].visits > 0 and not is_shut(N, child):
            away = _distance(N, child, objective)
            if away < least:
                nearest, least = child, away
    return nearest


@kernel
def draw_by_objective(R, N, W, node, open_children):
    """O4: draw a child in proportion to its urgency."""
    objective = best_value(N, node, open_children) + objective_shift(R, W.depth)
    first = np.int64(N[U(node)].first_child)
    count = min(np.int64(N[U(node)].children), open_children)
    for i in range(count):
        W.weight[U(i)] = urgency(N, first + i, objective)
    drawn = _draw(N, W, node, count)
    return drawn if drawn != NONE else nearest_child(N, node, open_children, objective)


@leaf
def _bound(R, N, child, side):
    """V + side * sigma * A / sqrt(n) (O2)."""
    node = N[U(child)]
    width = R.confidence * deviation(N, child) / math.sqrt(node.visits)
    return node.value + side * width


@kernel
def prune_and_share(R, N, node, open_children):
    """O2: shut the children that are surely worse; of the others, the least visited.

    *Surely*: the upper bound is below the lower bound of the best sibling, which is the one with
    the highest value; both need visits enough for their intervals to be trusted.
    """
    best, highest = np.int64(NONE), -np.inf
    least, fewest = np.int64(NONE), 1 << 30
    first = np.int64(N[U(node)].first_child)
    end = first + min(np.int64(N[U(node)].children), open_children)
    for child in range(first, end):
        if not is_shut(N, child):
            visits, value = N[U(child)].visits, N[U(child)].value
            if visits < fewest:
                least, fewest = child, visits
            if visits >= R.enough_to_prune and value > highest:
                best, highest = child, value
    if best != NONE:
        lower = _bound(R, N, best, -1.0)
        for child in range(first, end):
            trusted = N[U(child)].visits >= R.enough_to_prune
            if trusted and child != least and _bound(R, N, child, 1.0) < lower:
                N[U(child)].flags |= SHUT
    return least


@leaf
def _has_evaluation(R, N, child):
    return N[U(child)].visits > 0 or (R.rave != 0 and N[U(child)].rave_visits > 0)


@leaf
def _evaluation(R, N, child):
    """O3: what a move is worth so far: by all moves as first where they are counted, else by the
    games that began with it; the pass has only those."""
    if R.rave != 0 and N[U(child)].rave_visits > 0:
        return rave_mean(N, child)
    return N[U(child)].value


@kernel
def anneal(R, N, W, node, open_children):
    """O3: a random move, kept if it is the best, else with probability e^(-difference / T).

    A move that is not kept is followed by another random one.  So each is played in proportion
    to the probability that it is kept; they are drawn like that.  One without an evaluation is
    kept: nothing speaks against it.
    """
    first = np.int64(N[U(node)].first_child)
    count = min(np.int64(N[U(node)].children), open_children)
    best = -np.inf
    for child in range(first, first + count):
        if _has_evaluation(R, N, child) and not is_shut(N, child):
            best = max(best, _evaluation(R, N, child))
    temperature = max(R.temperature * math.exp(-N[U(node)].visits / R.cooling), 1e-9)
    for i in range(count):
        weight = 0.0 if is_shut(N, first + i) else 1.0
        if weight > 0.0 and _has_evaluation(R, N, first + i):
            weight = math.exp((_evaluation(R, N, first + i) - best) / temperature)
        W.weight[U(i)] = weight
    return _draw(N, W, node, count)
