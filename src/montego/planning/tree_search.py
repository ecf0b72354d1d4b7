"""Monte-Carlo tree search for any problem (T6, Algorithm 5).

Every playout descends through the tree by a bandit over the actions of each node, adds one node,
plays to the end at random, and backs the total reward up along the path.

* Any bandit of bandits.py selects; Rave also counts actions that were played later (AMAF).
* Progressive widening: of a large or infinite set of actions, ceil(c n^a) are open after n visits.
* A solver: every node has proven bounds of its value (score-bounded search, Cazenave and Saffidine
  2010).  Proved actions are not played again, and a proved root ends the search.
* Transpositions: equal states share a node.
* Two backups: the value of an action is the mean of its playouts, or the value of the best action
  of the nodes behind it (MaxUCT, Keller and Helmert 2013), which forgets the cost of exploration.

For one player without chance, the answer is the best line that was played.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from montego.planning.bandits import Bandit, Rave, RewardRange, bandit_of
from montego.planning.budget import Found, Hook, Meter
from montego.planning.errors import CycleError, PlanningError
from montego.planning.problem import Action, ProblemRules, State, rules_of
from montego.planning.search_tree import Edge, Node, Outcome, SearchTree, Widening

Path = list[tuple[Node, Edge, float]]
"""From the root: node, edge, and the reward of the step."""
BACKUPS = ("mean", "best")


@dataclass(frozen=True)
class MctsSettings:
    """How the tree is searched; see ``mcts``."""

    bandit: Bandit
    widening: Widening | None
    solver: bool
    transpositions: bool
    backup: str

    def __post_init__(self) -> None:
        if self.backup not in BACKUPS:
            raise PlanningError(f"backups are {', '.join(BACKUPS)}, not {self.backup!r}")


class Mcts:
    """A search that grows its tree by one playout at a time."""

    def __init__(
        self, rules: ProblemRules, state: State, settings: MctsSettings, rng: Random
    ) -> None:
        self.rules, self.settings, self.rng = rules, settings, rng
        self.bandit, self.solver = settings.bandit, settings.solver
        self.scale = RewardRange(rules.bounds)
        self.has_rave = isinstance(self.bandit, Rave)
        self.tree = SearchTree(
            rules, state, rng, settings.widening, settings.transpositions, self.has_rave
        )
        self.best: tuple[float, list[Action]] | None = None

    # --- one playout -------------------------------------------------------------------

    def playout(self) -> float:
        """Selection, expansion, rollout, backup; returns the total reward."""
        path, node, is_new = self.descend()
        played: list[Action] = []
        if is_new and not node.is_terminal:
            node.played, played = self.rules.playout(node.state, self.rng)
        total = value = self.value(node)
        for above, edge, step in reversed(path):
            total = step + self.rules.discount * total
            self.scale.see(total)
            above.n += 1
            edge.add(above.sign * total, self.bandit.kept)
            if self.settings.backup == "best":
                edge.total = edge.n * above.sign * self.expected(edge)
            if self.solver:
                self.prove(above)
        if self.has_rave:
            self.update_rave(path, node, played, value)
        if node.is_terminal:
            node.n += 1
        self.remember(total, path, played)
        return total

    def descend(self) -> tuple[Path, Node, bool]:
        """The path from the root, its last node, and whether that is new.

        Chance may lead back to a node of the path.  The path ends there, with the current value of
        that node, since it might go round in circles.
        """
        node, path = self.tree.root, []
        on_path = {id(node)}
        while not node.is_terminal:
            edge = self.select(node)
            outcome, is_new = self.tree.follow(node, edge)
            path.append((node, edge, outcome.step))
            node = outcome.node
            if is_new:
                return path, node, True
            if id(node) in on_path:
                if not self.tree.has_chance:
                    raise CycleError("a cycle: the state leads back to itself", node.state)
                break
            on_path.add(id(node))
        return path, node, False

    def select(self, node: Node) -> Edge:
        """The bandit's choice among the open actions that are not settled."""
        self.tree.open(node)
        edges = (
            [edge for edge in node.edges if self.is_open(node, edge)] if self.solver else node.edges
        )
        edges = edges or node.edges
        return edges[self.bandit.choose(edges, self.scale, self.rng, node.sign)]

    def is_open(self, node: Node, edge: Edge) -> bool:
        """Whether an action could still change the bounds of its node."""
        if edge.low == edge.high:
            return False
        return edge.high > node.low if node.sign > 0 else edge.low < node.high

    # --- backup ------------------------------------------------------------------------

    def prove(self, node: Node) -> None:
        """Update the bounds of a node from those of its actions."""
        for edge in node.edges:
            if edge.outcome is not None:
                after, step = edge.outcome.node, edge.outcome.step
                edge.low = step + self.rules.discount * after.low
                edge.high = step + self.rules.discount * after.high
        is_complete = node.rest is not None and not node.rest
        lows, highs = [e.low for e in node.edges], [e.high for e in node.edges]
        if not is_complete:
            lows.append(self.tree.low)
            highs.append(self.tree.high)
        better = max if node.sign > 0 else min
        node.low, node.high = better(lows), better(highs)

    def expected(self, edge: Edge) -> float:
        """The mean of the outcomes of an action, each valued by its best action."""
        if edge.outcome is not None:
            return self.outcome_value(edge.outcome)
        return sum(one.n * self.outcome_value(one) for one in edge.outcomes.values()) / edge.n

    def outcome_value(self, outcome: Outcome) -> float:
        """The reward of the step plus the discounted value of the node."""
        return outcome.step + self.rules.discount * self.value(outcome.node)

    def value(self, node: Node) -> float:
        """The current value of a node: that of its best action, or of its first playout."""
        if node.is_terminal:
            return node.low
        tried = [edge.mean for edge in node.edges if edge.n]
        return node.sign * max(tried) if tried else node.played

    def update_rave(self, path: Path, leaf: Node, played: list[Action], value: float) -> None:
        """All moves as first: count every later action of the same player, once a node."""
        later: dict[int, set[Hashable]] = {1: set(), -1: set()}
        state = leaf.state
        sign = leaf.sign
        for action in played:
            later[sign].add(self.rules.code(state, action))
            if self.rules.is_game:
                state = self.rules.next(state, action, self.rng)
                sign = 1 if self.rules.player(state) == 0 else -1
        for node, edge, step in reversed(path):
            value = step + self.rules.discount * value
            later[node.sign].add(edge.code)
            for other in node.edges:
                if other.code in later[node.sign]:
                    other.rave_n += 1
                    other.rave_total += node.sign * value

    def remember(self, total: float, path: Path, played: list[Action]) -> None:
        """Keep the best line of a single player."""
        if not self.rules.is_game and (self.best is None or total > self.best[0]):
            self.best = total, [edge.action for _, edge, _ in path] + played

    # --- the answer --------------------------------------------------------------------

    def decision(self) -> Edge | None:
        """The action to play: proved best, else visited most."""
        root = self.tree.root
        edges = [edge for edge in root.edges if edge.n]
        if not edges:
            return None
        if self.solver and root.is_proved:
            return max(edges, key=lambda e: (e.low if root.sign > 0 else -e.high, e.n))
        lost = self.tree.low if root.sign > 0 else self.tree.high
        alive = [e for e in edges if not (e.low == e.high == lost)] or edges
        return max(alive, key=lambda e: (e.n, e.mean))

    def principal_variation(self) -> Iterator[Action]:
        """The most visited line."""
        edge, node = self.decision(), self.tree.root
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
    settings = MctsSettings(bandit_of(bandit), widening, solver, transpositions, backup)
    if isinstance(settings.bandit, Rave) and rules.sample_action is not None:
        raise PlanningError("RAVE needs actions that can be listed")
    search = Mcts(rules, state, settings, Random(seed))
    with meter:
        while not (solver and search.tree.root.is_proved):
            meter.evaluate()
            search.playout()
            meter.best = search.best[0] if search.best else None
    return answer(search, meter)


def answer(search: Mcts, meter: Meter) -> Found:
    """The result of a search."""
    edge, root = search.decision(), search.tree.root
    found = Found(None, math.nan, evaluations=meter.evaluations, nodes=search.tree.count)
    found.seconds, found.stopped = meter.seconds, meter.stopped
    found.is_proved = search.solver and root.is_proved
    found.actions = {e.action: (root.sign * e.mean, float(e.n)) for e in root.edges if e.n}
    if edge is None:
        found.action = search.rules.random_action(root.state, search.rng)
    elif search.best is not None and not search.tree.has_chance:
        found.value, found.sequence = search.best
        found.action = found.sequence[0]
    else:
        found.action, found.sequence = edge.action, list(search.principal_variation())
        found.value = root.low if found.is_proved else root.sign * edge.mean
    return found
