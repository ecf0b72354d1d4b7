"""Selection: which child of a node is simulated next.

Most rules of the papers give every child a number and take the largest; three do not (O2 to O4,
see objective).  Progressive unpruning (P8) goes with any of them:
it shortens the list of children, which is ordered by H.  A rule of the user's own is called by
its address (see own).
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.address import call_selector
from montego.kernels.compiler.jit import U, kernel, leaf
from montego.kernels.tree.children import ALL, deviation, rave_mean
from montego.kernels.tree.formulas import (
    INFINITE,
    UNVISITED,
    mogo_gamma,
    mogo_weight,
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
from montego.kernels.tree.objective import anneal, draw_by_objective, prune_and_share
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
        score += beta * rate(rave_mean(N, child))
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
        return draw_by_objective(R, N, W, node, available)
    if R.selection == PRUNING:
        return prune_and_share(R, N, node, available)
    if R.selection == ANNEALING:
        return anneal(R, N, W, node, available)
    if R.selection == OWN:
        return call_selector(R.selector, R, N, node, available)
    return _best_child(R, N, node, available, math.log(n_p))
