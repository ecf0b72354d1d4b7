"""Nodes made by hand: a root whose children have had these results, and rules to try on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from montego.kernels.playouts.policy import WORK
from montego.kernels.tree.backup import value_of_children
from montego.kernels.tree.select import select_child
from montego.kernels.tree.tree import EXPANDED, NONE, ONE, ROOT, SHUT, TREE, clear_tree, new_nodes
from montego.mcts import node_knowledge, strategies
from montego.mcts.recipes import Recipe
from tests.kernels.exposed import exposed

select = exposed(select_child)
value_of = exposed(value_of_children)


@dataclass(frozen=True)
class Child:
    """A move: the results of its games, seen by who plays it."""

    results: tuple[float, ...] = ()
    as_first: tuple[float, ...] = ()
    """Of all games in which its player made it at any time."""
    q: float = 0.0
    is_shut: bool = False
    h: float = 0.0

    @property
    def n(self) -> int:
        return len(self.results)

    @property
    def mean(self) -> float:
        return sum(self.results) / self.n

    @property
    def sigma(self) -> float:
        """The standard deviation of one result; as long as that is unknown, 1."""
        if self.n < 2:
            return 1.0
        variance = sum((result - self.mean) ** 2 for result in self.results) / self.n
        return math.sqrt(max(variance, 1e-4))


def some_children(seed: int, count: int = 12, longest: int = 30) -> list[Child]:
    """Children with some results by scores; a few without any, one of them shut."""
    rng = Random(seed)
    found = []
    for i in range(count):
        games = 0 if i % 5 == 4 else rng.randint(1, longest)
        middle, width = rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.5)
        results = [max(-1.0, min(1.0, rng.gauss(middle, width))) for _ in range(games)]
        as_first = [rng.uniform(-1, 1) for _ in range(rng.randint(0, 5))]
        q, h = rng.uniform(-1, 1), rng.uniform(0, 40)
        found.append(Child(tuple(results), tuple(as_first), q, i == 6, h))
    return found


class Tree:
    """A node with these children, as kernels have it."""

    def __init__(self, children: Sequence[Child], selection: strategies.Selection) -> None:
        self.children = children
        self.nodes = new_nodes(len(children) + 2)
        clear_tree(np.zeros(1, dtype=TREE)[0], self.nodes)
        for i, child in enumerate(children):
            self._set(ROOT + 1 + i, child, is_last=i + 1 == len(children))
        root = self.nodes[ROOT]
        root["first_child"], root["children"] = ROOT + 1, len(children)
        root["flags"], root["visits"] = EXPANDED, sum(child.n for child in children)
        self.record = Recipe(
            "test", selection=selection, knowledge=node_knowledge.VirtualGames(),
            backup=strategies.ObjectiveBackup(),
        ).record()  # fmt: skip
        self.work: Any = np.zeros(1, dtype=WORK)[0]
        self.work["rng"] = 12345

    def _set(self, index: int, child: Child, is_last: bool) -> None:
        node = self.nodes[index]
        for name in node.dtype.names:
            node[name] = 0
        node["visits"], node["value"] = child.n, child.mean if child.n else 0.0
        node["total"] = round(sum(child.results) * ONE)
        node["squares"] = sum(result**2 for result in child.results)
        node["rave_visits"] = len(child.as_first)
        node["rave_total"] = round(sum(child.as_first) * ONE)
        node["q"], node["h"], node["flags"] = child.q, child.h, SHUT if child.is_shut else 0
        node["sibling"] = NONE if is_last else index + 1

    @property
    def n_p(self) -> int:
        return int(self.nodes[ROOT]["visits"])

    def chosen(self, depth: int = 0) -> int:
        """The place of the child that is selected there."""
        self.work["depth"] = depth
        return int(select(self.record, self.nodes, self.work, ROOT)) - ROOT - 1

    def shares(self, draws: int, depth: int = 0) -> list[int]:
        """How often every child is selected."""
        counts = [0] * len(self.children)
        for _ in range(draws):
            counts[self.chosen(depth)] += 1
        return counts

    def value(self, depth: int = 0) -> float:
        """What the children make the node worth to its mover."""
        return float(value_of(self.record, self.nodes, ROOT, depth))

    def shut(self) -> set[int]:
        """The places of the children that are shut."""
        return {i for i in range(len(self.children)) if self.nodes[ROOT + 1 + i]["flags"] & SHUT}
