"""A look into the tree of a search: all moves of the root, and below them what is visited most.

Of every node the numbers that the formula of the recipe goes by, and the parts of its score; of
every point whose it is in the end, and how much depends on it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.go import BLACK, Position, vertex
from montego.go.colors import other_color
from montego.kernels.tree.formulas import unpruned
from montego.kernels.tree.owners import FEW
from montego.kernels.tree.tree import NONE, ONE, ROOT, SHUT
from montego.mcts.formula import Child, parts_of_score, plain
from montego.mcts.found import Found
from montego.mcts.playouts import as_grid
from montego.mcts.rules import RULES, name_of
from montego.mcts.search import LocalSearch
from montego.mcts.strategies import Unpruning
from montego.web.messages import Inside, TreeNode

SHOWN = 200
"""Nodes below the moves of the root."""
FEWEST = 2
"""Visits of a node that is worth showing there."""
OWN_RULE = "a rule of your own"
Node = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a node is in the tree."""

    parent: int
    number: int
    color: int
    """Who moves there."""
    is_open: bool


def look_inside(node: int, position: Position, search: LocalSearch, found: Found) -> Inside:
    """The tree as it is now."""
    places = _places(search, position.to_play)
    scored = [(place, *_numbers(search, place)) for place in places]
    names = list(dict.fromkeys(name for _, _, parts in scored for name in parts or {}))
    rule = name_of("selection", search.recipe.selection)
    return Inside(
        node=node, simulations=found.simulations, size=search.nodes,
        open=sum(place.is_open for place in places if place.parent == ROOT),
        formula=RULES["selection"][rule].formula if rule else OWN_RULE, terms=names,
        nodes=[_shown(*one, names, position.size) for one in scored],
        ownership=found.ownership.round(2).tolist(),
        criticality=criticality(search, position.size).round(3).tolist(),
    )  # fmt: skip


# --- which nodes -----------------------------------------------------------------------


def _places(search: LocalSearch, mover: int) -> list[Place]:
    """All moves of the root, and the most visited nodes below."""
    visits = search.pool["visits"]
    first = list(_children(search, ROOT, mover, 0))
    shown, waiting = list(first), list[tuple[int, int, Place]]()

    def grow(place: Place) -> None:
        for child in _children(search, place.number, other_color(place.color), FEWEST):
            heapq.heappush(waiting, (-int(visits[child.number]), child.number, child))

    for place in first:
        if visits[place.number] > FEWEST:
            grow(place)
    while waiting and len(shown) < len(first) + SHOWN:
        place = heapq.heappop(waiting)[2]
        shown.append(place)
        grow(place)
    return shown


def _children(search: LocalSearch, node: int, mover: int, fewest: int) -> Iterator[Place]:
    """Children with enough visits, in the order of H; P8: only the first of them are open."""
    numbers, left = _numbers_of_children(search, node), _how_many_open(search, node)
    enough = np.flatnonzero(search.pool["visits"][numbers] >= fewest)
    shut = search.pool["flags"][numbers] & SHUT
    for order in enough.tolist():
        yield Place(node, int(numbers[order]), mover, order < left and not shut[order])


def _numbers_of_children(search: LocalSearch, node: int) -> NDArray[np.int64]:
    """A complete node's lie side by side, the first ones of another are linked."""
    first, count = int(search.pool["first_child"][node]), int(search.pool["children"][node])
    if count:
        return np.arange(first, first + count)
    numbers = []
    while first != NONE:
        numbers.append(first)
        first = int(search.pool["sibling"][first])
    return np.array(numbers, dtype=np.int64)


def _how_many_open(search: LocalSearch, node: int) -> float:
    rule = search.recipe.open
    if not isinstance(rule, Unpruning):
        return math.inf
    visits = max(int(search.pool["visits"][node]), 1)
    return plain(unpruned, visits, rule.k_init, rule.unprune_a, rule.unprune_b)


# --- their numbers ---------------------------------------------------------------------


def _numbers(search: LocalSearch, place: Place) -> tuple[Node, dict[str, float] | None]:
    """A node's fields, and the parts of its score."""
    record = search.pool[place.number]
    node: Node = dict(zip(record.dtype.names, record.item(), strict=True))
    n, r = node["visits"], node["rave_visits"]
    node["rave"] = node["rave_total"] / ONE / r if r else 0.0
    value = node["value"] if n else 0.0
    variance = max(node["squares"] / n - (node["total"] / (n * ONE)) ** 2, 1e-4) if n > 1 else 1.0
    log_n_p = math.log(max(int(search.pool["visits"][place.parent]), 1))
    child = Child(
        n=n, v=value, log_n_p=log_n_p, h=node["h"], q=node["q"], prior=node["prior"], r=r,
        rave=node["rave"], variance=variance, node_v=-float(search.pool["value"][place.parent]),
    )  # fmt: skip
    return node, parts_of_score(search.recipe.selection, child)


def _rate(value: float) -> float:
    return round((value + 1) / 2, 4)


def _shown(
    place: Place, node: Node, parts: dict[str, float] | None, names: list[str], size: int
) -> TreeNode:
    return TreeNode(
        id=place.number,
        parent=None if place.parent == ROOT else place.parent,
        move=vertex(node["move"], size),
        color="black" if place.color == BLACK else "white",
        visits=node["visits"],
        win_rate=_rate(node["value"]) if node["visits"] else None,
        rave=_rate(node["rave"]) if node["rave_visits"] else None,
        rave_visits=node["rave_visits"],
        h=round(node["h"], 4),
        prior=_rate(node["q"]) if node["prior"] > 0 else None,
        prior_games=round(node["prior"], 2),
        is_open=place.is_open,
        score=None if parts is None else round(sum(parts.values()), 4),
        terms=[round(parts.get(name, 0.0), 4) for name in names] if parts else [],
    )


def criticality(search: LocalSearch, size: int) -> NDArray[np.float64]:
    """How much depends on every point, from -1 to 1, by the playouts of all threads.

    As in kernels/tree/owners.py, where a thread asks for what it has seen itself.
    """
    works = [space.work for space in search.workspaces]
    n = float(sum(int(work["owned"]) for work in works))
    if n == 0:
        return np.zeros((size, size))
    owners, together = (sum(work[name] for work in works) / n for name in ("owners", "winner_owns"))
    winners = sum(int(work["winners"]) for work in works) / n
    return as_grid(0.5 * (together - owners * winners) * n / (n + FEW), size)
