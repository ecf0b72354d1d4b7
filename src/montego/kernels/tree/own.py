"""Rules of the user's own: a function of named numbers, compiled into the loop that needs it.

A call of every child by an address would cost more than most formulas.  So the loop over the
children is compiled with the user's function inside, once for every function, and the search calls
the loop: once a node.  Which numbers a function is given is told by the names of its arguments; the
others are not computed.

Values are those of results in [-1, 1], seen by the player to move at the node whose children are
compared.  Numbers are floats, counts too.
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.diagnosis import Role
from montego.kernels.compiler.jit import U, leaf
from montego.kernels.compiler.own_entry import OwnEntry
from montego.kernels.tree.children import ALL, best_value, deviation
from montego.kernels.tree.strategy import STRATEGY
from montego.kernels.tree.tree import NODE, NONE, ONE, SHUT

WHERE = "N, node, child, n_p, log_n_p, best"
"""What the functions below are given: a node, one of its children, the visits of the node and their
logarithm, the value of its best child."""


# --- the numbers of a child ------------------------------------------------------------


@leaf
def _value(N, node, child, n_p, log_n_p, best):
    return N[U(child)].value


@leaf
def _visits(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(child)].visits)


@leaf
def _deviation(N, node, child, n_p, log_n_p, best):
    return deviation(N, child)


@leaf
def _variance(N, node, child, n_p, log_n_p, best):
    d = deviation(N, child)
    return d * d


@leaf
def _h(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(child)].h)


@leaf
def _place(N, node, child, n_p, log_n_p, best):
    return np.float64(child - N[U(node)].first_child)


@leaf
def _prior_value(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(child)].q)


@leaf
def _prior_games(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(child)].prior)


@leaf
def _rave_value(N, node, child, n_p, log_n_p, best):
    return N[U(child)].rave_total / (max(np.float64(N[U(child)].rave_visits), 1.0) * ONE)


@leaf
def _rave_visits(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(child)].rave_visits)


@leaf
def _rave_sum(N, node, child, n_p, log_n_p, best):
    return N[U(child)].rave_total * (1.0 / ONE)


@leaf
def _best_value(N, node, child, n_p, log_n_p, best):
    return best


@leaf
def _children(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(node)].children)


@leaf
def _parent_value(N, node, child, n_p, log_n_p, best):
    return -N[U(node)].value


@leaf
def _parent_visits(N, node, child, n_p, log_n_p, best):
    return np.float64(n_p)


@leaf
def _log_parent_visits(N, node, child, n_p, log_n_p, best):
    return log_n_p


CHILD = {
    "value": _value,
    "visits": _visits,
    "deviation": _deviation,
    "variance": _variance,
    "h": _h,
    "place": _place,
    "prior_value": _prior_value,
    "prior_games": _prior_games,
    "rave_value": _rave_value,
    "rave_visits": _rave_visits,
    "rave_sum": _rave_sum,
    "best_value": _best_value,
    "children": _children,
    "parent_value": _parent_value,
    "parent_visits": _parent_visits,
    "log_parent_visits": _log_parent_visits,
}
"""What a function that is asked about every child may be given, by name."""


# --- the numbers of a node -------------------------------------------------------------


@leaf
def _mean(N, node, child, n_p, log_n_p, best):
    return -(N[U(node)].total / (N[U(node)].visits * np.float64(ONE)))


@leaf
def _own_deviation(N, node, child, n_p, log_n_p, best):
    return deviation(N, node)


@leaf
def _most_visited(N, node):
    first = np.int64(N[U(node)].first_child)
    most = first
    for child in range(first, first + N[U(node)].children):
        if N[U(child)].visits > N[U(most)].visits and (N[U(child)].flags & SHUT) == 0:
            most = child
    return most


@leaf
def _robust_value(N, node, child, n_p, log_n_p, best):
    return N[U(_most_visited(N, node))].value


@leaf
def _robust_visits(N, node, child, n_p, log_n_p, best):
    return np.float64(N[U(_most_visited(N, node))].visits)


NODE_NUMBERS = {
    "mean": _mean,
    "visits": _parent_visits,
    "deviation": _own_deviation,
    "best_value": _best_value,
    "robust_value": _robust_value,
    "robust_visits": _robust_visits,
    "children": _children,
}
"""What a function that is asked about a node as a whole may be given, by name."""


# --- the loops -------------------------------------------------------------------------


def asking(function, names, known, parameters):
    """A user's function with its role, and a kernel that calls it with numbers by name.

    A name is that of a known number or of a parameter, whose value is in a field of the record.
    """
    rule = leaf(function)
    values = [name for name in names if name not in known]
    words = [
        f"{name}({WHERE})" if name in known else f"R.{parameters}[{values.index(name)}]"
        for name in names
    ]
    ask = eval(f"lambda R, {WHERE}: rule({', '.join(words)})", {**known, "rule": rule})
    role = Role("rule", tuple(names), (float,) * len(names), "number")
    return leaf(ask), (rule, role)


def selector(function, names, has_first_play):
    """The address of a loop that takes the child of the largest number.

    Not a number loses against every number; without any other the node remains a leaf.
    """
    score, own = asking(function, names, CHILD, "selector_numbers")
    wants_best = "best_value" in names

    def select_own(R, N, node, open_children):
        n_p = max(np.int64(N[U(node)].visits), 1)
        log_n_p = math.log(n_p)
        best = best_value(N, node, open_children) if wants_best else 0.0
        chosen, most = NONE, -np.inf
        first = np.int64(N[U(node)].first_child)
        for child in range(first, first + min(np.int64(N[U(node)].children), open_children)):
            if has_first_play and N[U(child)].visits == 0:
                number = R.first_play
            else:
                number = np.float64(score(R, N, node, child, n_p, log_n_p, best))
            if number > most and (N[U(child)].flags & SHUT) == 0:
                chosen, most = child, number
        return chosen

    entry = OwnEntry(select_own, f"select_{function.__name__}", [own])
    return entry.address(STRATEGY, (NODE,), int, int)


@leaf
def _within(N, node, number):
    """A value in [-1, 1]; in place of what is not a number, the mean of the results."""
    if not abs(number) < np.inf:
        return -(N[U(node)].total / (N[U(node)].visits * np.float64(ONE)))
    return max(-1.0, min(1.0, number))


def valuer(function, names):
    """The address of a function of a node that returns its value to the player to move."""
    value, own = asking(function, names, NODE_NUMBERS, "valuer_numbers")
    wants_best = "best_value" in names

    def value_own(R, N, node):
        best = best_value(N, node, ALL) if wants_best else 0.0
        if best < -1.0:  # no child has been visited
            return _within(N, node, np.nan)
        n_p = np.int64(N[U(node)].visits)
        return _within(N, node, np.float64(value(R, N, node, node, n_p, 0.0, best)))

    return OwnEntry(value_own, f"value_{function.__name__}", [own]).address(STRATEGY, (NODE,), int)


def weigher(function, names):
    """The address of a function of a node that returns the mean of its visited children's values,
    each with the weight that the user's function gives it."""
    weight, own = asking(function, names, CHILD, "valuer_numbers")
    wants_best = "best_value" in names

    def weigh_own(R, N, node):
        n_p = max(np.int64(N[U(node)].visits), 1)
        log_n_p = math.log(n_p)
        best = best_value(N, node, ALL) if wants_best else 0.0
        weights = values = 0.0
        first = np.int64(N[U(node)].first_child)
        for child in range(first, first + N[U(node)].children):
            if N[U(child)].visits > 0 and (N[U(child)].flags & SHUT) == 0:
                number = np.float64(weight(R, N, node, child, n_p, log_n_p, best))
                weights += number
                values += number * N[U(child)].value
        return _within(N, node, values / weights)

    return OwnEntry(weigh_own, f"weigh_{function.__name__}", [own]).address(STRATEGY, (NODE,), int)
