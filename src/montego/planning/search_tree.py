"""The tree of Monte-Carlo tree search: its nodes and edges, and how it grows.

A node is a state, an edge is an action at it, and an outcome is where an action leads.  Without
chance an edge has one outcome; where nature moves, it has one for every state seen so far.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from random import Random

from montego.planning.bandits import Arm
from montego.planning.checks import not_negative
from montego.planning.problem import Action, Chance, ProblemRules, Sampled, State, check_hashes


@dataclass(frozen=True)
class Widening:
    """Progressive widening: ceil(c n^power) actions are open after n visits."""

    c: float = 1.0
    power: float = 0.5

    def __post_init__(self) -> None:
        not_negative("c of a widening", self.c)
        not_negative("power of a widening", self.power)

    def open(self, n: int) -> int:
        return max(1, math.ceil(self.c * math.pow(n, self.power)))


class Outcome:
    """The node that an action led to, the reward of the step, and how often it was reached."""

    __slots__ = ("n", "node", "step")

    def __init__(self, node: Node, step: float) -> None:
        self.node, self.step, self.n = node, step, 0


class Edge(Arm):
    """An action at a node."""

    __slots__ = ("action", "code", "high", "low", "nature", "outcome", "outcomes")

    def __init__(self, action: Action, code: Hashable, low: float, high: float) -> None:
        super().__init__()
        self.action, self.code = action, code
        self.outcome: Outcome | None = None
        """The only outcome, without chance."""
        self.nature: Chance | Sampled | None = None
        self.outcomes: dict[Hashable, Outcome] = {}
        """The outcomes seen so far, where nature moves."""
        self.low, self.high = low, high
        """Proven bounds of the value."""


class Node:
    """A state in the tree."""

    __slots__ = ("edges", "high", "is_terminal", "low", "n", "played", "rest", "sign", "state")

    def __init__(self, state: State, is_terminal: bool, sign: int, low: float, high: float) -> None:
        self.state, self.is_terminal, self.sign = state, is_terminal, sign
        self.n = 0
        self.edges: list[Edge] = []
        self.rest: list[Action] | None = None
        """Actions that are not open yet, the next one last; None before they are listed."""
        self.played = 0.0
        """The total reward of its first playout."""
        self.low, self.high = low, high
        """Proven bounds of the value."""

    @property
    def is_proved(self) -> bool:
        return self.low == self.high


class SearchTree:
    """All nodes from the root on; with transpositions, equal states share a node."""

    def __init__(
        self,
        rules: ProblemRules,
        state: State,
        rng: Random,
        widening: Widening | None = None,
        transpositions: bool = False,
        has_codes: bool = False,
    ) -> None:
        self.rules, self.rng, self.widening, self.has_codes = rules, rng, widening, has_codes
        self.table: dict[Hashable, Node] | None = {} if transpositions else None
        """The transposition table."""
        plain = rules.bounds is not None and rules.step is None and rules.discount == 1.0
        self.low, self.high = rules.bounds if plain and rules.bounds else (-math.inf, math.inf)
        self.has_chance = False
        self.count = 0
        """Nodes."""
        self.root = self._make(state)

    def open(self, node: Node) -> None:
        """List the actions of a node; open as many as widening allows."""
        rules = self.rules
        if rules.sample_action is not None:
            widening = self.widening or Widening()
            if len(node.edges) < widening.open(node.n):
                action = rules.sample_action(node.state, self.rng)
                check_hashes([action], node.state)
                self._add(node, action)
            return
        if node.rest is None:
            node.rest = self._ordered(node)
        wanted = len(node.edges) + len(node.rest)
        if self.widening is not None:
            wanted = min(wanted, self.widening.open(node.n))
        while len(node.edges) < wanted:
            self._add(node, node.rest.pop())

    def _ordered(self, node: Node) -> list[Action]:
        """The actions of a state, best last; by the heuristic if widening opens them in order."""
        actions = list(self.rules.actions(node.state))
        if node is self.root:
            check_hashes(actions, node.state)
        if self.widening is not None and self.rules.heuristic is not None:
            after = [self.rules.next(node.state, action, self.rng) for action in actions]
            values = [node.sign * self.rules.guess(state) for state in after]
            order = sorted(range(len(actions)), key=values.__getitem__)
            return [actions[i] for i in order]
        actions.reverse()
        return actions

    def _add(self, node: Node, action: Action) -> None:
        code = self.rules.code(node.state, action) if self.has_codes else None
        node.edges.append(Edge(action, code, self.low, self.high))

    def follow(self, node: Node, edge: Edge) -> tuple[Outcome, bool]:
        """An outcome of an action, drawn if nature moves, and whether its node is new."""
        if edge.outcome is not None:
            return edge.outcome, False
        if edge.nature is None:
            after = self.rules.apply(node.state, edge.action)
            if not isinstance(after, (Chance, Sampled)):
                edge.outcome, is_new = self._reach(node, edge, after)
                return edge.outcome, is_new
            edge.nature, self.has_chance = after, True
        state = self.rules.settled(edge.nature, node.state, self.rng)
        key = self.rules.hashable(state)
        is_new = False
        if key not in edge.outcomes:
            edge.outcomes[key], is_new = self._reach(node, edge, state)
        outcome = edge.outcomes[key]
        outcome.n += 1
        return outcome, is_new

    def _reach(self, node: Node, edge: Edge, state: State) -> tuple[Outcome, bool]:
        """A new outcome of an action, and whether its node is new."""
        after, is_new = self._find(state)
        return Outcome(after, self.rules.stepped(node.state, edge.action, state)), is_new

    def _find(self, state: State) -> tuple[Node, bool]:
        """The node of a state, and whether it is new."""
        if self.table is None:
            return self._make(state), True
        key = self.rules.hashable(state)
        node = self.table.get(key)
        if node is not None:
            return node, False
        self.table[key] = node = self._make(state)
        return node, True

    def _make(self, state: State) -> Node:
        self.count += 1
        sign = 1 if self.rules.player(state) == 0 else -1
        if self.rules.is_terminal(state):
            reward = self.rules.reward(state)
            return Node(state, True, sign, reward, reward)
        return Node(state, False, sign, self.low, self.high)
