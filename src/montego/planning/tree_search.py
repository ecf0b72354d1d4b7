"""Monte-Carlo tree search for any problem (T6, Algorithm 5).

Every playout descends through the tree, at each state by a bandit over its actions; adds one
state; plays to the end at random; and the total reward is counted on every action of the path.

* Any bandit of bandits.py decides; Rave also counts actions that were played later.
* Progressive widening: of a large or infinite set of actions ceil(c n^a) are open after n visits.
* A solver: every state has proven bounds of its value (score-bounded search, Cazenave and
  Saffidine 2010).  What is proved is not played again, and a root that is proved ends the search.
* States that are the same share their part of the tree, if ``transpositions`` says so.
* Two backups: an action is worth the mean of its playouts, or what the best action of every state
  behind it is worth (MaxUCT, Keller and Helmert 2013): that forgets what exploration cost.

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
from montego.planning.checking import real
from montego.planning.errors import CycleError, PlanningError
from montego.planning.problem import (
    Action,
    Chance,
    Rules,
    Sampled,
    State,
    check_hashes,
    rules_of,
)


@dataclass(frozen=True)
class Widening:
    """ceil(c n^power) actions are open after n visits."""

    c: float = 1.0
    power: float = 0.5

    def __post_init__(self) -> None:
        for number in (self.c, self.power):
            if not 0 <= (-1 if (known := real(number)) is None else known) < math.inf:
                raise PlanningError(f"a widening has numbers that are not negative, not {number!r}")

    def open(self, n: int) -> int:
        return max(1, math.ceil(self.c * math.pow(n, self.power)))


class Outcome:
    """What nature did after an action: where it led, the reward on the way, how often."""

    __slots__ = ("n", "node", "step")

    def __init__(self, node: Node, step: float) -> None:
        self.node, self.step, self.n = node, step, 0


class Edge(Arm):
    """An action at a state."""

    __slots__ = ("action", "code", "high", "low", "nature", "outcome", "outcomes")

    def __init__(self, action: Action, code: Hashable, low: float, high: float) -> None:
        super().__init__()
        self.action, self.code = action, code
        self.outcome: Outcome | None = None
        """Without nature there is one."""
        self.nature: Chance | Sampled | None = None
        self.outcomes: dict[Hashable, Outcome] = {}
        """Where nature moves: what she has done so far."""
        self.low, self.high = low, high


class Node:
    """A state of the tree."""

    __slots__ = ("edges", "high", "is_terminal", "low", "n", "played", "rest", "sign", "state")

    def __init__(self, state: State, is_terminal: bool, sign: int, low: float, high: float) -> None:
        self.state, self.is_terminal, self.sign = state, is_terminal, sign
        self.n = 0
        self.edges: list[Edge] = []
        self.rest: list[Action] | None = None
        """Actions that are not open yet, the next one last; None before they are listed."""
        self.played = 0.0
        """The total of its first playout."""
        self.low, self.high = low, high

    @property
    def is_proved(self) -> bool:
        return self.low == self.high


Path = list[tuple[Node, Edge, float]]


BACKUPS = ("mean", "best")


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
        backup: str = "mean",
    ) -> None:
        if backup not in BACKUPS:
            raise PlanningError(f"backups are {', '.join(BACKUPS)}, not {backup!r}")
        self.rules, self.bandit, self.dice = rules, bandit, dice
        self.widening, self.solver, self.backup = widening, solver, backup
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
        played: list[Action] = []
        if fresh and not node.is_terminal:
            node.played, played = self.rules.playout(node.state, self.dice)
        total = value = self.value(node)
        for above, edge, step in reversed(path):
            total = step + self.rules.discount * total
            self.scale.see(total)
            above.n += 1
            edge.add(above.sign * total, self.bandit.kept)
            if self.backup == "best":
                edge.total = edge.n * above.sign * self.expected(edge)
            if self.solver:
                self.prove(above)
        if isinstance(self.bandit, Rave):
            self.count_all(path, node, played, value)
        if node.is_terminal:
            node.n += 1
        self.remember(total, path, played)
        return total

    def descend(self) -> tuple[Path, Node, bool]:
        """The way down, where it ends, and whether that is new.

        Chance may lead back to a state of the way: it ends there, with what that state is thought
        to be worth, or we might go round in circles.
        """
        node, path = self.root, []
        on_path = {id(node)}
        while not node.is_terminal:
            edge = self.select(node)
            outcome, is_new = self.follow(node, edge)
            path.append((node, edge, outcome.step))
            node = outcome.node
            if is_new:
                return path, node, True
            if id(node) in on_path:
                if not self.has_chance:
                    raise CycleError("a cycle: the state leads back to itself", node.state)
                break
            on_path.add(id(node))
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
                action = rules.sample_action(node.state, self.dice)
                check_hashes([action], node.state)
                self.add(node, action)
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
        if node is self.root:
            check_hashes(actions, node.state)
        if self.widening is not None and self.rules.heuristic is not None:
            after = [self.rules.next(node.state, action, self.dice) for action in actions]
            values = [node.sign * self.rules.guess(state) for state in after]
            order = sorted(range(len(actions)), key=values.__getitem__)
            return [actions[i] for i in order]
        actions.reverse()
        return actions

    def add(self, node: Node, action: Action) -> None:
        code = self.rules.code(node.state, action) if isinstance(self.bandit, Rave) else None
        node.edges.append(Edge(action, code, self.low, self.high))

    def follow(self, node: Node, edge: Edge) -> tuple[Outcome, bool]:
        """What comes of an action, and whether the state behind it is new."""
        if edge.outcome is not None:
            return edge.outcome, False
        if edge.nature is None:
            after = self.rules.apply(node.state, edge.action)
            if not isinstance(after, (Chance, Sampled)):
                edge.outcome, is_new = self.reach(node, edge, after)
                return edge.outcome, is_new
            edge.nature, self.has_chance = after, True
        state = self.rules.settled(edge.nature, node.state, self.dice)
        key = self.rules.hashable(state)
        is_new = False
        if key not in edge.outcomes:
            edge.outcomes[key], is_new = self.reach(node, edge, state)
        outcome = edge.outcomes[key]
        outcome.n += 1
        return outcome, is_new

    def reach(self, node: Node, edge: Edge, state: State) -> tuple[Outcome, bool]:
        """A state for the first time behind an action."""
        after, is_new = self.find(state)
        return Outcome(after, self.rules.stepped(node.state, edge.action, state)), is_new

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
            if edge.outcome is not None:
                after, step = edge.outcome.node, edge.outcome.step
                edge.low = step + self.rules.discount * after.low
                edge.high = step + self.rules.discount * after.high
        is_whole = node.rest is not None and not node.rest
        lows, highs = [e.low for e in node.edges], [e.high for e in node.edges]
        if not is_whole:
            lows.append(self.low)
            highs.append(self.high)
        better = max if node.sign > 0 else min
        node.low, node.high = better(lows), better(highs)

    def expected(self, edge: Edge) -> float:
        """What the best actions of the states behind an action are worth, by what nature does."""
        if edge.outcome is not None:
            return self.worth(edge.outcome)
        return sum(one.n * self.worth(one) for one in edge.outcomes.values()) / edge.n

    def worth(self, outcome: Outcome) -> float:
        """The reward on the way, and then what the state behind it is worth."""
        return outcome.step + self.rules.discount * self.value(outcome.node)

    def value(self, node: Node) -> float:
        """What a state is worth, as far as we know: by its best action that was tried."""
        if node.is_terminal:
            return node.low
        tried = [edge.mean for edge in node.edges if edge.n]
        return node.sign * max(tried) if tried else node.played

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
            if edge.outcome is None:
                return
            node = edge.outcome.node
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
    backup: str = "mean",
) -> Found:
    """Monte-Carlo tree search; an evaluation is a playout."""
    rules, meter = rules_of(problem), Meter(evaluations, seconds, progress)
    meter.need_limit("Monte-Carlo tree search")
    if rules.is_terminal(state):
        return Found(None, rules.reward(state), is_proved=True)
    if isinstance(bandit_of(bandit), Rave) and rules.sample_action is not None:
        raise PlanningError("RAVE needs actions that can be listed")
    tree = Mcts(
        rules, state, bandit_of(bandit), Random(seed), widening, solver, transpositions, backup
    )
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
