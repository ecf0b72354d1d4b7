"""Selection: which child of a node is simulated next.

Most rules of the papers give every child a number and take the largest; three do not:
Objective Monte Carlo draws (O4), progressive pruning samples equally (O2), simulated
annealing tries moves at random (O3).  Progressive unpruning (P8) goes with any of them:
it shortens the list of children, which is ordered by H.  A rule of the user's own is called by
its address (see own).
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.address import call_selector
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.compiler.rng import unit
from montego.kernels.tree.formulas import (
    INFINITE,
    UNVISITED,
    mogo_gamma,
    mogo_weight,
    objective_urgency,
    progressive_bias,
    puct_bonus,
    rate,
    rave_beta,
    ucb1,
    ucb_alpha,
    ucb_tuned,
    unpruned,
    with_prior,
)
from montego.kernels.tree.strategy import (
    ALPHA,
    ANNEALING,
    BIAS,
    MIXED,
    MOGO_RAVE,
    OMC,
    ORDERED,
    OWN,
    PRIOR,
    PRUNING,
    PUCT,
    RAVE,
    TUNED,
    UCT,
)
from montego.kernels.tree.tree import NONE, ONE, SHUT

ALL = np.int64(1 << 20)  # more children than a node can have


@leaf
def _rave_mean(N, child):
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
def _unvisited_score(R, N, child, kind):
    """The score of a child without visits, for rules of the UCB family."""
    node = N[U(child)]
    if kind == BIAS:  # P7: in the order of H
        return R.c * UNVISITED + R.bias_scale * node.h
    if kind == ORDERED:  # H4
        return 1.0 + R.bias_scale * node.h
    return R.first_play


@leaf
def _ucb_score(R, N, child, log_n_p, kind):
    """UCT (P1), UCB with alpha and UCB1-tuned (T5), progressive bias (P7), move ordering (H4)."""
    node = N[U(child)]
    n, v = node.visits, node.value
    if n == 0:
        return _unvisited_score(R, N, child, kind)
    if kind == ALPHA:
        return ucb_alpha(v, n, log_n_p, R.alpha)
    if kind == TUNED:
        d = deviation(N, child)
        return ucb_tuned(v, d * d, n, log_n_p, R.c)
    score = ucb1(v, n, log_n_p, R.c)
    if kind == BIAS:
        score += progressive_bias(R.bias_scale * node.h, n)
    return score


@leaf
def _prior_score(R, N, child, log_n_p):
    """P11."""
    node = N[U(child)]
    n, n_prior = np.float64(node.visits), R.n_prior
    blended = with_prior(node.value, n, node.q, n_prior)
    return ucb1(blended, n + n_prior, log_n_p, R.c)


@leaf
def _rave_score(R, N, child, log_n_p, kind):
    """T7: (1 - beta) x + beta R + alpha sqrt(ln n / n_j); T12 adds (gamma + C / log(2 + n_j)) H.

    x and R are rates in [0, 1].  Printed, x has no weight: then a move with RAVE counts would be
    worth more than one without, and the more so the better the position.  The text tells of a
    weight that goes to 1; Gelly and Silver, whom it follows, have 1 - beta.  The other reading is
    1 - beta - gamma (``less_gamma``).
    """
    node = N[U(child)]
    n, r = np.float64(node.visits), np.float64(node.rave_visits)
    beta = rave_beta(n, r, R.rave_bias) if r > 0 else 0.0
    gamma = mogo_gamma(r, R.gamma) if kind == MOGO_RAVE else 0.0
    x = rate(node.value) if n > 0 else R.first_play
    score = (1.0 - beta - gamma * R.less_gamma) * x
    if r > 0:
        score += beta * rate(_rave_mean(N, child))
    if R.c > 0:
        score += R.c * math.sqrt(log_n_p / n) if n > 0 else INFINITE
    if kind == MOGO_RAVE:
        score += mogo_weight(n, gamma, R.bias_c) * R.bias_scale * node.h
    return score


@leaf
def _mixed_score(R, N, child, log_n_p):
    """(1 - beta) v + beta R, where v holds the prior games (Gelly and Silver 2007).

    With beta by (4.2) both means become one fraction, and one division.
    """
    node = N[U(child)]
    r, n_prior = np.float64(node.rave_visits), np.float64(node.prior)
    n = node.visits + n_prior
    sum_v = node.value * node.visits + n_prior * node.q
    weight = 1.0 + r * R.rave_bias
    games = n * weight + r
    if games == 0.0:
        return R.first_play
    mixture = (sum_v * weight + node.rave_total * (1.0 / ONE)) / games
    if R.c > 0.0:
        mixture += R.c * math.sqrt(log_n_p / (n + 1.0))
    if R.puct > 0.0:
        mixture += puct_bonus(node.h, node.visits, math.exp(0.5 * log_n_p), R.puct)
    return mixture


@leaf
def _puct_score(R, N, child, log_n_p, untried):
    """v + c H sqrt(n_p) / (n + 1) (Rosin 2011; Silver et al. 2016)."""
    node = N[U(child)]
    v = node.value if node.visits > 0 else untried
    return v + puct_bonus(node.h, node.visits, math.exp(0.5 * log_n_p), R.puct)


@leaf
def score(R, N, child, log_n_p, untried, kind):
    """The score of a child by a rule that takes the largest.

    ``untried`` is what PUCT takes a child without visits for.
    """
    if kind == PUCT:
        return _puct_score(R, N, child, log_n_p, untried)
    if kind == MIXED:
        return _mixed_score(R, N, child, log_n_p)
    if kind in (RAVE, MOGO_RAVE):
        return _rave_score(R, N, child, log_n_p, kind)
    if kind == PRIOR:
        return _prior_score(R, N, child, log_n_p)
    return _ucb_score(R, N, child, log_n_p, kind)


@leaf
def _best_score(R, N, node, open_children, log_n_p, kind):
    """The child with the largest score.  ``kind`` is a constant: each gets a loop of its own,
    because in one loop for all of them every formula would be computed."""
    best, best_score = NONE, -np.inf
    untried = -N[U(node)].value - R.less_untried
    first = np.int64(N[U(node)].first_child)
    for child in range(first, first + min(np.int64(N[U(node)].children), open_children)):
        value = score(R, N, child, log_n_p, untried, kind)
        if value > best_score and (N[U(child)].flags & SHUT) == 0:
            best, best_score = child, value
    return best


@kernel
def _best_child(R, N, node, open_children, log_n_p):
    if R.selection == MIXED:
        return _best_score(R, N, node, open_children, log_n_p, MIXED)
    if R.selection == PUCT:
        return _best_score(R, N, node, open_children, log_n_p, PUCT)
    if R.selection == MOGO_RAVE:
        return _best_score(R, N, node, open_children, log_n_p, MOGO_RAVE)
    if R.selection == RAVE:
        return _best_score(R, N, node, open_children, log_n_p, RAVE)
    if R.selection == PRIOR:
        return _best_score(R, N, node, open_children, log_n_p, PRIOR)
    if R.selection == BIAS:
        return _best_score(R, N, node, open_children, log_n_p, BIAS)
    if R.selection == ORDERED:
        return _best_score(R, N, node, open_children, log_n_p, ORDERED)
    if R.selection == TUNED:
        return _best_score(R, N, node, open_children, log_n_p, TUNED)
    if R.selection == ALPHA:
        return _best_score(R, N, node, open_children, log_n_p, ALPHA)
    return _best_score(R, N, node, open_children, log_n_p, UCT)


# --- rules that do not take the largest ------------------------------------------------


@leaf
def _is_shut(N, child):
    return (N[U(child)].flags & SHUT) != 0


@leaf
def best_value(N, node, open_children):
    """The value of the best visited child that is not shut; below -1 if there is none."""
    best = -2.0
    child = np.int64(N[U(node)].first_child)
    while child != NONE and open_children > 0:
        if N[U(child)].visits > 0 and not _is_shut(N, child):
            best = max(best, N[U(child)].value)
        open_children -= 1
        child = np.int64(N[U(child)].sibling)
    return best


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
    if _is_shut(N, child):
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
        if N[U(child)].visits > 0 and not _is_shut(N, child):
            away = _distance(N, child, objective)
            if away < least:
                nearest, least = child, away
    return nearest


@kernel
def _draw_by_objective(R, N, W, node, open_children):
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
def _prune_and_share(R, N, node, open_children):
    """O2: shut the children that are surely worse; of the others, the least visited.

    *Surely*: the upper bound is below the lower bound of the best sibling, which is the one with
    the highest value; both need visits enough for their intervals to be trusted.
    """
    best, highest = np.int64(NONE), -np.inf
    least, fewest = np.int64(NONE), 1 << 30
    first = np.int64(N[U(node)].first_child)
    end = first + min(np.int64(N[U(node)].children), open_children)
    for child in range(first, end):
        if not _is_shut(N, child):
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
        return _rave_mean(N, child)
    return N[U(child)].value


@kernel
def _anneal(R, N, W, node, open_children):
    """O3: a random move, kept if it is the best, else with probability e^(-difference / T).

    A move that is not kept is followed by another random one.  So each is played in proportion
    to the probability that it is kept; they are drawn like that.  One without an evaluation is
    kept: nothing speaks against it.
    """
    first = np.int64(N[U(node)].first_child)
    count = min(np.int64(N[U(node)].children), open_children)
    best = -np.inf
    for child in range(first, first + count):
        if _has_evaluation(R, N, child) and not _is_shut(N, child):
            best = max(best, _evaluation(R, N, child))
    temperature = max(R.temperature * math.exp(-N[U(node)].visits / R.cooling), 1e-9)
    for i in range(count):
        weight = 0.0 if _is_shut(N, first + i) else 1.0
        if weight > 0.0 and _has_evaluation(R, N, first + i):
            weight = math.exp((_evaluation(R, N, first + i) - best) / temperature)
        W.weight[U(i)] = weight
    return _draw(N, W, node, count)


@leaf
def open_children(R, n_p):
    """How many children of a node with n_p visits are open."""
    if R.unpruning == 0:
        return ALL
    return unpruned(n_p, np.int64(R.k_init), R.unprune_a, R.unprune_b)


@kernel
def select_child(R, N, W, node):
    """The child of a complete node to be simulated next."""
    n_p = max(np.int64(N[U(node)].visits), 1)
    available = open_children(R, n_p)
    if R.selection == OMC:
        return _draw_by_objective(R, N, W, node, available)
    if R.selection == PRUNING:
        return _prune_and_share(R, N, node, available)
    if R.selection == ANNEALING:
        return _anneal(R, N, W, node, available)
    if R.selection == OWN:
        return call_selector(R.selector, R, N, node, available)
    return _best_child(R, N, node, available, math.log(n_p))
