"""Minimax (T1, Algorithm 1) and alpha-beta (T1, Algorithm 2).

Minimax visits the whole tree and serves as a reference.  Alpha-beta prunes what cannot change the
result, has a transposition table and, if the problem has a heuristic, uses iterative deepening:
depth 1, then 2, …, each time trying the best action of the last iteration first.  So it is anytime.

Both follow ``player`` for turns, average over chance nodes, and add the rewards of steps.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from montego.planning.budget import Found, Hook, Meter, SpentError
from montego.planning.checks import whole
from montego.planning.errors import CycleError, PlanningError, ProblemError
from montego.planning.problem import Action, Chance, ProblemRules, Sampled, State, rules_of

EXACT, AT_LEAST, AT_MOST = range(3)
TO_THE_END = 1 << 30
"""No depth limit: the search ends in terminal states."""


class Entry(NamedTuple):
    """An entry of the transposition table: a value or a bound, and the depth of its search."""

    depth: int
    kind: int
    value: float
    action: Action


class Tree:
    """What minimax and alpha-beta share: leaves, chance nodes, the current path, the horizon."""

    def __init__(self, rules: ProblemRules, meter: Meter) -> None:
        self.rules, self.meter = rules, meter
        self.path: set[Hashable] = set()
        self.horizon = 0
        """How many lines ended at the depth limit."""

    def leaf(self, state: State, depth: int) -> float | None:
        """The value of a terminal state or at the depth limit, None elsewhere."""
        self.meter.visit()
        if self.rules.is_terminal(state):
            self.meter.evaluate()
            return self.rules.reward(state)
        if depth > 0:
            return None
        self.horizon += 1
        self.meter.evaluate()
        return self.rules.checked(self.rules.guess(state), state)

    def enter(self, state: State) -> Hashable:
        """Put a state on the path; the same one twice is a cycle."""
        key = self.rules.hashable(state)
        if key in self.path:
            raise CycleError("a cycle: the state leads back to itself", state)
        self.path.add(key)
        return key

    def outcomes(self, state: State, action: Action) -> Iterator[tuple[float, float, State]]:
        """The outcomes of an action: probability, reward of the step, state."""
        after = self.rules.apply(state, action)
        for probability, one in unfolded(after, state):
            yield probability, self.rules.stepped(state, action, one), one


def unfolded(after: State, state: State) -> Iterator[tuple[float, State]]:
    """The states after nature's moves, with their probabilities."""
    waiting = [(1.0, after)]
    while waiting:
        probability, one = waiting.pop()
        if isinstance(one, Sampled):
            raise ProblemError("this search needs probabilities (Chance, not Sampled)", state)
        if isinstance(one, Chance):
            waiting += [(probability * p, next_one) for p, next_one in reversed(one.outcomes)]
        else:
            yield probability, one


class Minimax(Tree):
    """Plain minimax with a depth limit."""

    def value(self, state: State, depth: int) -> tuple[float, list[Action]]:
        """The value of a state and its principal variation."""
        leaf = self.leaf(state, depth)
        if leaf is not None:
            return leaf, []
        key = self.enter(state)
        sign = 1 if self.rules.player(state) == 0 else -1
        best, line = -math.inf, []
        for action in self.rules.actions(state):
            value, rest = self.after(state, action, depth)
            if sign * value > best:
                best, line = sign * value, [action, *rest]
        self.path.discard(key)
        return sign * best, line

    def after(self, state: State, action: Action, depth: int) -> tuple[float, list[Action]]:
        total, line = 0.0, []
        for probability, step, after in self.outcomes(state, action):
            value, rest = self.value(after, depth - 1)
            total += probability * (step + self.rules.discount * value)
            line = rest if probability == 1.0 else []
        return total, line


@dataclass
class Root:
    """The best action at the root so far."""

    action: Action = None
    value: float = math.nan


class AlphaBeta(Tree):
    """Alpha-beta pruning with a transposition table."""

    def __init__(self, rules: ProblemRules, meter: Meter, remember: bool) -> None:
        super().__init__(rules, meter)
        self.table: dict[Hashable, Entry] | None = {} if remember else None
        self.root = Root()

    def value(
        self, state: State, depth: int, alpha: float, beta: float, root: Root | None = None
    ) -> float:
        """The value of a state if it is between alpha and beta; otherwise a bound."""
        leaf = self.leaf(state, depth)
        if leaf is not None:
            return leaf
        key = self.enter(state)
        entry = self.table.get(key) if self.table is not None else None
        if (
            entry is not None
            and root is None
            and entry.depth >= depth
            and settles(entry, alpha, beta)
        ):
            self.path.discard(key)
            return entry.value
        low, high, horizon = alpha, beta, self.horizon
        is_max = self.rules.player(state) == 0
        best, chosen = (-math.inf if is_max else math.inf), None
        for action in self.ordered(state, entry):
            value = self.after(state, action, depth, alpha, beta)
            if chosen is None or (value > best if is_max else value < best):
                best, chosen = value, action
                if root is not None:
                    root.action, root.value = action, value
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        self.path.discard(key)
        if self.table is not None:
            deep = TO_THE_END if self.horizon == horizon else depth
            kind = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
            self.table[key] = Entry(deep, kind, best, chosen)
        return best

    def ordered(self, state: State, entry: Entry | None) -> Iterator[Action]:
        """All actions, the one in the transposition table first."""
        actions = self.rules.actions(state)
        if entry is None:
            yield from actions
            return
        yield entry.action
        yield from (action for action in actions if action != entry.action)

    def after(self, state: State, action: Action, depth: int, alpha: float, beta: float) -> float:
        total, discount = 0.0, self.rules.discount
        for probability, step, after in self.outcomes(state, action):
            if probability == 1.0:
                low, high = (alpha - step) / discount, (beta - step) / discount
            else:
                low, high = -math.inf, math.inf  # a mean is exact only if all values are
            total += probability * (step + discount * self.value(after, depth - 1, low, high))
        return total

    def line(self, state: State) -> list[Action]:
        """The principal variation, as far as the transposition table goes."""
        line: list[Action] = []
        seen: set[Hashable] = set()
        while self.table is not None and not self.rules.is_terminal(state):
            key = self.rules.hashable(state)
            entry = self.table.get(key)
            if entry is None or key in seen:
                break
            seen.add(key)
            line.append(entry.action)
            state = self.rules.apply(state, entry.action)
            if isinstance(state, Chance):
                break
        return line


def settles(entry: Entry, alpha: float, beta: float) -> bool:
    """Whether an entry settles the value for this window."""
    if entry.kind == EXACT:
        return True
    return entry.value >= beta if entry.kind == AT_LEAST else entry.value <= alpha


def minimax(
    problem: Any,
    state: State,
    *,
    depth: int | None = None,
    evaluations: int | None = None,
    seconds: float | None = None,
    progress: Hook | None = None,
) -> Found:
    """The exact value by a search of the whole tree (T1); not anytime."""
    rules, meter = rules_of(problem), Meter(evaluations, seconds, progress)
    tree = Minimax(rules, meter)
    check_depth(rules, depth)
    value, line = math.nan, list[Action]()
    with meter, recursion_errors_at(state):
        value, line = tree.value(state, TO_THE_END if depth is None else depth)
    if meter.stopped != "complete":
        raise PlanningError(
            f"minimax was stopped ({meter.stopped}): it has no answer before its end"
        )
    return Found(
        line[0] if line else None, value, line, meter.evaluations, meter.nodes, meter.seconds,
        is_proved=tree.horizon == 0, depth=depth,
    )  # fmt: skip


def alpha_beta(
    problem: Any,
    state: State,
    *,
    depth: int | None = None,
    evaluations: int | None = None,
    seconds: float | None = None,
    progress: Hook | None = None,
    table: bool = True,
    deepen: bool | None = None,
    seed: int | None = None,
) -> Found:
    """The value of minimax from fewer nodes (T1).

    ``depth`` needs a heuristic; with a heuristic and without a depth, the search deepens until its
    budget is spent or the problem is solved.  A ``seed`` shuffles the actions at the root, so that
    equally good ones are chosen at random.
    """
    rules, meter = rules_of(problem), Meter(evaluations, seconds, progress)
    check_depth(rules, depth)
    if seed is not None:
        rules = shuffled_at(rules, state, Random(seed))
    tree = AlphaBeta(rules, meter, table)
    found = Found(None, math.nan)
    with meter, recursion_errors_at(state):
        for limit in depths(rules, depth, deepen):
            tree.horizon, root = 0, Root()
            try:
                value = tree.value(state, limit, *window(rules), root)
            except (SpentError, KeyboardInterrupt):
                if found.action is None:
                    found.action, found.value = root.action, root.value
                raise
            found.action, found.value = root.action, value
            found.sequence, found.is_proved = tree.line(state), tree.horizon == 0
            found.depth = None if limit == TO_THE_END else limit
            meter.best = value
            if found.is_proved:
                break
    if found.action is None and not rules.is_terminal(state):
        found.action = rules.actions(state)[0]
    found.evaluations, found.nodes = meter.evaluations, meter.nodes
    found.seconds, found.stopped = meter.seconds, meter.stopped
    return found


def check_depth(rules: ProblemRules, depth: int | None) -> None:
    """Raises a PlanningError unless the problem can be searched to this depth."""
    if depth is not None:
        whole("a depth", depth)
    if depth is not None and rules.heuristic is None:
        raise PlanningError("a depth needs a problem with a heuristic")
    if rules.sample_action is not None:
        raise PlanningError("this search needs a list of actions: the problem can only sample them")


def depths(rules: ProblemRules, depth: int | None, deepen: bool | None) -> Iterator[int]:
    """The depth limits of iterative deepening."""
    last = TO_THE_END if depth is None else depth
    if deepen if deepen is not None else rules.heuristic is not None:
        if rules.heuristic is None:
            raise PlanningError("deepening needs a problem with a heuristic")
        yield from range(1, min(last, rules.longest))
    yield last


def window(rules: ProblemRules) -> tuple[float, float]:
    """The initial alpha-beta window: the bounds of the value."""
    if rules.bounds is not None and rules.step is None and rules.discount == 1.0:
        return rules.bounds
    return -math.inf, math.inf


class recursion_errors_at:  # noqa: N801 - used as a context manager
    """Turns an overflow of Python's stack into a ProblemError."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: object, at: object) -> None:
        if kind is not None and issubclass(kind, RecursionError):
            raise ProblemError("no end after hundreds of actions from", self.state)


def shuffled_at(rules: ProblemRules, state: State, rng: Random) -> ProblemRules:
    """The same rules, with the actions of one state shuffled."""
    root = rules.hashable(state)
    before = rules.actions

    def actions(one: State) -> list[Action]:
        listed = list(before(one))
        if rules.hashable(one) == root:
            rng.shuffle(listed)
        return listed

    rules = ProblemRules(rules.problem)
    rules.actions = actions  # type: ignore[method-assign, assignment]
    return rules
