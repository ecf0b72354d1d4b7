"""The formula of a selection rule in its parts, for people: what a score is made of.

The search computes scores in kernels (kernels/tree/select.py); here the same numbers are put
together from the same formulas, each part by itself.  Rules that do not take the largest score
(O2, O3, O4), and those of the user's own, have no parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from montego.kernels.tree import formulas as f
from montego.mcts import strategies as s

MEAN, EXPLORATION, HELP, AMAF = "mean", "exploration", "bias", "RAVE"
"""The names of parts; they add up to the score."""
UNTRIED = "untried"
"""The score of a move without visits, where a rule has one."""


@dataclass(frozen=True)
class Child:
    """What a formula knows of a child; values are results in [-1, 1]."""

    n: int
    """Visits."""
    v: float
    log_n_p: float
    """The logarithm of its parent's visits."""
    h: float = 0.0
    q: float = 0.0
    prior: float = 0.0
    """Games that Q is worth."""
    r: int = 0
    """RAVE visits."""
    rave: float = 0.0
    variance: float = 1.0
    node_v: float = 0.0
    """The value of its parent, to who is to move there."""


Parts = dict[str, float]


def plain(formula: Any, *numbers: float) -> float:
    """A formula of the kernels, computed by Python."""
    return float(formula.__wrapped__(*numbers))


def parts_of_score(rule: s.Selection, child: Child) -> Parts | None:
    """The parts of a child's score by a rule; None where the rule goes by no score."""
    known = PARTS.get(type(rule))
    return None if known is None else known(rule, child)


def _explored(child: Child, formula: Any, c: float, *before: float) -> float:
    """What exploration adds to a mean of 0."""
    return plain(formula, 0.0, *before, child.n, child.log_n_p, c)


def _uct(rule: s.Uct, child: Child) -> Parts:
    if child.n == 0:
        return {UNTRIED: rule.first_play}
    return {MEAN: child.v, EXPLORATION: _explored(child, f.ucb1, rule.c)}


def _alpha(rule: s.UctAlpha, child: Child) -> Parts:
    if child.n == 0:
        return {UNTRIED: rule.first_play}
    return {MEAN: child.v, EXPLORATION: _explored(child, f.ucb_alpha, rule.alpha)}


def _tuned(rule: s.UctTuned, child: Child) -> Parts:
    if child.n == 0:
        return {UNTRIED: rule.first_play}
    return {MEAN: child.v, EXPLORATION: _explored(child, f.ucb_tuned, rule.c, child.variance)}


def _bias(rule: s.ProgressiveBias, child: Child) -> Parts:
    h = rule.bias_scale * child.h
    if child.n == 0:
        return {UNTRIED: rule.c * f.UNVISITED, HELP: h}
    return {
        MEAN: child.v,
        EXPLORATION: _explored(child, f.ucb1, rule.c),
        HELP: plain(f.progressive_bias, h, child.n),
    }


def _ordered(rule: s.MoveOrdering, child: Child) -> Parts:
    if child.n == 0:
        return {UNTRIED: 1.0, HELP: rule.bias_scale * child.h}
    return {MEAN: child.v, EXPLORATION: _explored(child, f.ucb1, rule.c)}


def _prior(rule: s.PriorKnowledge, child: Child) -> Parts:
    n = child.n + rule.n_prior
    return {
        MEAN: plain(f.with_prior, child.v, child.n, child.q, rule.n_prior),
        EXPLORATION: rule.c * math.sqrt(child.log_n_p / n),
    }


def _rave(rule: s.Rave | s.MogoRave, child: Child) -> Parts:
    beta = plain(f.rave_beta, child.n, child.r, rule.rave_bias) if child.r else 0.0
    x = plain(f.rate, child.v) if child.n else rule.first_play
    parts = {MEAN: (1 - beta) * x, AMAF: beta * plain(f.rate, child.rave) if child.r else 0.0}
    if rule.c > 0:
        unseen = f.INFINITE
        parts[EXPLORATION] = rule.c * math.sqrt(child.log_n_p / child.n) if child.n else unseen
    return parts


def _mogo(rule: s.MogoRave, child: Child) -> Parts:
    parts, gamma = _rave(rule, child), plain(f.mogo_gamma, child.r, rule.gamma)
    if rule.less_gamma:
        parts[MEAN] -= gamma * (plain(f.rate, child.v) if child.n else rule.first_play)
    weight = plain(f.mogo_weight, child.n, gamma, rule.bias_c)
    return parts | {HELP: weight * rule.bias_scale * child.h}


def _mixture(rule: s.RaveMixture, child: Child) -> Parts:
    n = child.n + child.prior
    if n + child.r == 0:
        return {UNTRIED: rule.first_play}
    beta = plain(f.rave_beta, n, child.r, rule.rave_bias) if child.r else 0.0
    mean = (child.v * child.n + child.prior * child.q) / n if n else 0.0
    parts = {MEAN: (1 - beta) * mean, AMAF: beta * child.rave}
    if rule.c > 0:
        parts[EXPLORATION] = rule.c * math.sqrt(child.log_n_p / (n + 1))
    return parts | ({HELP: _bonus(rule, child)} if rule.puct > 0 else {})


def _bonus(rule: s.RaveMixture | s.Puct, child: Child) -> float:
    return plain(f.puct_bonus, child.h, child.n, math.exp(child.log_n_p / 2), rule.puct)


def _puct(rule: s.Puct, child: Child) -> Parts:
    v = child.v if child.n else child.node_v - rule.less_untried
    return {MEAN: v, HELP: _bonus(rule, child)}


PARTS: dict[type[s.Selection], Callable[[Any, Child], Parts]] = {
    s.Uct: _uct,
    s.UctAlpha: _alpha,
    s.UctTuned: _tuned,
    s.ProgressiveBias: _bias,
    s.MoveOrdering: _ordered,
    s.PriorKnowledge: _prior,
    s.Rave: _rave,
    s.MogoRave: _mogo,
    s.RaveMixture: _mixture,
    s.Puct: _puct,
}
