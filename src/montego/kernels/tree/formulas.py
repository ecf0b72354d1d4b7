"""The formulas of the papers, each once, for every room that needs them.

v is a mean result in [-1, 1], n the visits of a child, n_p those of its parent, h its
heuristic value.
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.jit import leaf

UNVISITED = 100.0  # M of P7: in place of the square root for a child without visits
INFINITE = 1e6  # the square root of T7 for a child without visits


@leaf
def ucb1(v, n, log_n_p, c):
    """UCB1 (1.1), UCT (P1): v + c * sqrt(ln n_p / n)."""
    return v + c * math.sqrt(log_n_p / n)


@leaf
def ucb_alpha(v, n, log_n_p, alpha):
    """UCB with alpha (1.2): v + alpha * sqrt(ln n_p / n)."""
    return v + alpha * math.sqrt(log_n_p / n)


@leaf
def ucb_tuned(v, variance, n, log_n_p, c):
    """UCB1-tuned: exploration by the variance seen, at most 1/4 for rewards in [0, 1].

    Our results lie in [-1, 1]: variances are four times those of rewards in [0, 1].
    """
    bound = variance / 4 + math.sqrt(2 * log_n_p / n)
    return v + c * math.sqrt(log_n_p / n * min(1.0, 4 * bound))


@leaf
def progressive_bias(h, n):
    """f(n) = H / (n + 1) (P7)."""
    return h / (n + 1)


@leaf
def with_prior(v, n, q, n_prior):
    """(v n + n_prior Q) / (n + n_prior) (P11)."""
    return (v * n + n_prior * q) / (n + n_prior)


@leaf
def unpruned(n_p, k_init, a, b):
    """How many children are open (P8): k of them once n_p > A * B^(k - k_init)."""
    if n_p <= a:
        return k_init
    return k_init + np.int64(math.ceil(math.log(n_p / a) / math.log(b))) - 1


@leaf
def rate(v):
    """A mean result in [-1, 1] as a success rate in [0, 1], as the thesis has it (T7, T12)."""
    return 0.5 + 0.5 * v


@leaf
def rave_beta(n, n_rave, c1):
    """beta = r / (r + n + c1 n r) (T7, T12; (4.2))."""
    return n_rave / (n_rave + n + c1 * n * n_rave)


@leaf
def mogo_gamma(n_rave, c2):
    """gamma = c2 / r (T12; (4.3)); c2 before the first RAVE simulation."""
    return c2 / max(n_rave, 1.0)


@leaf
def mogo_weight(n, gamma, c):
    """The weight of H in MoGo's formula (T12; (4.1)): gamma + C / log(2 + n)."""
    return gamma + c / math.log(2.0 + n)


@leaf
def puct_bonus(h, n, root_n_p, c):
    """c H sqrt(n_p) / (n + 1) (PUCT), where H is the probability of a move."""
    return c * h * root_n_p / (n + 1.0)


@leaf
def objective_urgency(objective, v, deviation):
    """erfc((Obj - V) / (sqrt(2) sigma)) (O4); computed, where the paper of 2006 has a table."""
    return math.erfc((objective - v) / (1.4142135623730951 * deviation))


@leaf
def threshold_ascent(s_i, n_i, alpha):
    """h(s_i, n_i) of threshold ascent (T40), alpha = ln(2 n k / delta).

    s_i of the s best rewards came from the arm's n_i pulls.
    """
    return (s_i + alpha + math.sqrt(2 * s_i * alpha + alpha * alpha)) / n_i
