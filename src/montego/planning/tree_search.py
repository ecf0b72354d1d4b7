"""Monte-Carlo tree search for any problem (T6, Algorithm 5).

Every playout descends through the tree, at each state by a bandit over its actions; adds one
state; plays to the end at random; and the total reward is counted on every action of the path.

* Any bandit of bandits.py decides; Rave also counts actions that were played later.
* Progressive widening: of a large or infinite set of actions ceil(c n^a) are open after n visits.
* A solver: every state has proven bounds of its value (score-bounded search, Cazenave and
  Saffidine 2010).  What is proved is not played again, and a root that is proved ends the search.
* States that are the same share their part of the tree, if ``transpositions`` says so.

For one player without chance, the answer is the best line that was played.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from montego.planning.bandits import Arm, Bandit, Rave, Scale, bandit_of
from montego.planning.budget import Found, Hook, Meter
from montego.planning.errors import CycleError, PlanningError
from montego.planning.problem import Action, Chance, Rules, Sampled, State, rules_of


@dataclass(frozen=True)
class Widening:
    """ceil(c n^power) actions are open after n visits."""

    c: float = 1.0
    power: float = 0.5

    def open(self, n: int) -> int:
        return max(1, math.ceil(self.c * math.pow(n, self.power)))


class Edge(Arm):
    """An action at a state."""

    __slots__ = ("action", "child", "children", "code", "high", "low", "step")

    def __init__(self, action: Action, code: Hashable, low: float, high: float) -> None:
        super().__init__()
        self.action, self.code = action, code
        self.child: Node | None = None
        self.children: dict[Hashable, Node] | None = None
        """Where nature moves: what she has done so far."""
        self.step = 0.0
        self.low, self.high = low, high


class Node:
    """A state of the tree."""

    __slots__ = ("edges", "high", "is_terminal", "low", "n", "rest", "sign", "state")

    def __init__(self, state: State, is_terminal: bool, sign: int, low: float, high: float) -> None:
        self.state, self.is_terminal, self.sign = state, is_terminal, sign
        self.n = 0
        self.edges: list[Edge] = []
        self.rest: list[Action] | None = None
        """Actions that are not open yet, the next one last; None before they are listed."""
        self.low, self.high = low, high

    @property
    def is_proved(self) -> bool:
        return self.low == self.high


Path = list[tuple[Node, Edge, float]]


class Mcts:
    """A tree that can be grown by one playout after the other."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        bandit: Bandit,
        dice: Random,
        widening: Widening | None,
        solver: bool,
        transpositions: bool,
    ) -> None:
        self.rules, self.bandit, self.dice = rules, bandit, dice
        self.widening, self.solver = widening, solver
        self.scale = Scale(rules.bounds)
        self.nodes: dict[Hashable, Node] | None = {} if transpositions else None
        plain = rules.bounds is not None and rules.step is None and rules.discount == 1.0
        self.low, self.high = rules.bounds if plain and rules.bounds else (-math.inf, math.inf)
        self.has_chance = False
        self.count = 0
        self.root = self.make(state)
        self.best: tuple[float, list[Action]] | None = None

    # --- one playout -------------------------------------------------------------------

    def grow(self) -> float:
        """Descent, playout, growth; returns the total reward."""
        path, node, fresh = self.descend()
        if node.is_terminal:
            value, played = node.low, list[Action]()
        else:
            value, played = self.rules.playout(node.state, self.dice)
        total = value
        for above, edge, step in reversed(path):
            total = step + self.rules.discount * total
            self.scale.see(total)
            above.n += 1
            edge.add(above.sign * total, self.bandit.kept)
            if self.solver:
                self.prove(above)
        if isinstance(self.bandit, Rave):
            self.count_all(path, node, played, value)
        if not fresh:
            node.n += 1
        self.remember(total, path, played)
        return total

    def descend(self) -> tuple[Path, Node, bool]:
        node, path = self.root, []
        on_path = {id(node)}
        while not node.is_terminal:
            edge = self.select(node)
            child, step, is_new = self.follow(node, edge)
            path.append((node, edge, step))
            if is_new:
                return path, child, True
            is_back = self.nodes is not None and not self.has_chance and id(child) in on_path
            if is_back or len(path) > self.rules.longest:
                raise CycleError("a cycle: the state leads back to itself", child.state)
            on_path.add(id(child))
            node = child
        return path, node, False

    def select(self, node: Node) -> Edge:
        """The bandit's action among those that are open and not settled."""
        self.open(node)
        edges = (
            [edge for edge in node.edges if self.is_open(node, edge)] if self.solver else node.edges
        )
        edges = edges or node.edges
        return edges[self.bandit.choose(edges, self.scale, self.dice, node.sign)]

    def is_open(self, node: Node, edge: Edge) -> bool:
        """Whether an action could still change what is known."""
        if edge.low == edge.high:
            return False
        return edge.high > node.low if node.sign > 0 else edge.low < node.high

    def open(self, node: Node) -> None:
        """List the actions; open as many as widening allows."""
        rules = self.rules
        if rules.sample_action is not None:
            widening = self.widening or Widening()
            if len(node.edges) < widening.open(node.n):
                self.add(node, rules.sample_action(node.state, self.dice))
            return
        if node.rest is None:
            node.rest = self.ordered(node)
        wanted = len(node.edges) + len(node.rest)
        if self.widening is not None:
            wanted = min(wanted, self.widening.open(node.n))
        while len(node.edges) < wanted:
            self.add(node, node.rest.pop())

    def ordered(self, node: Node) -> list[Action]:
        """The actions of a state, best last; by the heuristic where not all are opened at once."""
        actions = list(self.rules.actions(node.state))
        heuristic = self.rules.heuristic
        if self.widening is not None and heuristic is not None:
            after = [self.rules.next(node.state, action, self.dice) for action in actions]
            values = [node.sign * heuristic(state) for state in after]
            order = sorted(range(len(actions)), key=values.__getitem__)
            return [actions[i] for i in order]
        actions.reverse()
        return actions

    def add(self, node: Node, action: Action) -> None:
        code = self.rules.code(node.state, action) if isinstance(self.bandit, Rave) else None
        node.edges.append(Edge(action, code, self.low, self.high))

    def follow(self, node: Node, edge: Edge) -> tuple[Node, float, bool]:
        """The state behind an action, the reward on the way, and whether it is new."""
        if edge.child is not None:
            return edge.child, edge.step, False
        rules = self.rules
        after = rules.apply(node.state, edge.action)
        if not isinstance(after, (Chance, Sampled)):
            edge.child, is_new = self.find(after)
            edge.step = rules.stepped(node.state, edge.action, after)
            return edge.child, edge.step, is_new
        self.has_chance = True
        state = after.draw(self.dice)
        while isinstance(state, (Chance, Sampled)):
            state = state.draw(self.dice)
        if edge.children is None:
            edge.children = {}
        key = rules.hashable(state)
        child, is_new = edge.children.get(key), False
        if child is None:
            child, is_new = self.find(state)
            edge.children[key] = child
        return child, rules.stepped(node.state, edge.action, child.state), is_new

    def find(self, state: State) -> tuple[Node, bool]:
        """The node of a state, and whether it was made for it."""
        if self.nodes is None:
            return self.make(state), True
        key = self.rules.hashable(state)
        node = self.nodes.get(key)
        if node is not None:
            return node, False
        self.nodes[key] = node = self.make(state)
        return node, True

    def make(self, state: State) -> Node:
        self.count += 1
        sign = 1 if self.rules.player(state) == 0 else -1
        if self.rules.is_terminal(state):
            reward = self.rules.reward(state)
            return Node(state, True, sign, reward, reward)
        return Node(state, False, sign, self.low, self.high)

    # --- what a playout tells ----------------------------------------------------------

    def prove(self, node: Node) -> None:
        """The bounds of a state from those of its actions."""
        for edge in node.edges:
            if edge.child is not None:
                edge.low = edge.step + self.rules.discount * edge.child.low
                edge.high = edge.step + self.rules.discount * edge.child.high
        is_whole = node.rest is not None and not node.rest
        lows, highs = [e.low for e in node.edges], [e.high for e in node.edges]
        if not is_whole:
            lows.append(self.low)
            highs.append(self.high)
        better = max if node.sign > 0 else min
        node.low, node.high = better(lows), better(highs)

    def count_all(self, path: Path, leaf: Node, played: list[Action], value: float) -> None:
        """All moves as first: count every later action of the same player, once a state."""
        later: dict[int, set[Hashable]] = {1: set(), -1: set()}
        state = leaf.state
        sign = leaf.sign
        for action in played:
            later[sign].add(self.rules.code(state, action))
            if self.rules.is_game:
                state = self.rules.next(state, action, self.dice)
                sign = 1 if self.rules.player(state) == 0 else -1
        for node, edge, step in reversed(path):
            value = step + self.rules.discount * value
            later[node.sign].add(edge.code)
            for other in node.edges:
                if other.code in later[node.sign]:
                    other.rave_n += 1
                    other.rave_total += node.sign * value

    def remember(self, total: float, path: Path, played: list[Action]) -> None:
        """The best line of a single player."""
        if not self.rules.is_game and (self.best is None or total > self.best[0]):
            self.best = total, [edge.action for _, edge, _ in path] + played

    # --- the answer --------------------------------------------------------------------

    def decision(self) -> Edge | None:
        """The action to play: proved best, else visited most."""
        edges = [edge for edge in self.root.edges if edge.n]
        if not edges:
            return None
        sign = self.root.sign
        if self.solver and self.root.is_proved:
            return max(edges, key=lambda e: (e.low if sign > 0 else -e.high, e.n))
        lost = self.low if sign > 0 else self.high
        alive = [e for e in edges if not (e.low == e.high == lost)] or edges
        return max(alive, key=lambda e: (e.n, e.mean))

    def line(self) -> Iterator[Action]:
        """The line that is expected."""
        edge, node = self.decision(), self.root
        seen = set()
        while edge is not None and id(node) not in seen:
            seen.add(id(node))
            yield edge.action
            if edge.child is None:
                return
            node = edge.child
            edges = [e for e in node.edges if e.n]
            edge = max(edges, key=lambda e: e.n) if edges else None


def mcts(
    problem: Any,
    state: State,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Hook | None = None,
    bandit: Bandit | str = "ucb-alpha",
    widening: Widening | None = None,
    solver: bool = True,
    transpositions: bool = False,
) -> Found:
    """Monte-Carlo tree search; an evaluation is a playout."""
    rules, meter = rules_of(problem), Meter(evaluations, seconds, progress)
    meter.need_limit("Monte-Carlo tree search")
    if rules.is_terminal(state):
        return Found(None, rules.reward(state), is_proved=True)
    if isinstance(bandit_of(bandit), Rave) and rules.sample_action is not None:
        raise PlanningError("RAVE needs actions that can be listed")
    tree = Mcts(
        rules, state, bandit_of(bandit), Random(seed), widening, solver, transpositions
    )  # fmt: skip
    with meter:
        while not (solver and tree.root.is_proved):
            meter.evaluate()
            tree.grow()
            meter.best = tree.best[0] if tree.best else None
    return answer(tree, meter)


def answer(tree: Mcts, meter: Meter) -> Found:
    """What the tree says."""
    edge, root = tree.decision(), tree.root
    found = Found(None, math.nan, evaluations=meter.evaluations, nodes=tree.count)
    found.seconds, found.stopped = meter.seconds, meter.stopped
    found.is_proved = tree.solver and root.is_proved
    found.actions = {e.action: (root.sign * e.mean, float(e.n)) for e in root.edges if e.n}
    if edge is None:
        found.action = tree.rules.sampled_or_any(root.state, tree.dice)
    elif tree.best is not None and not tree.has_chance:
        found.value, found.sequence = tree.best
        found.action = found.sequence[0]
    else:
        found.action, found.sequence = edge.action, list(tree.line())
        found.value = root.low if found.is_proved else root.sign * edge.mean
    return found
