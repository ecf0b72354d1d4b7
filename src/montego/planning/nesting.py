"""Nested Monte Carlo (T2, Algorithm 3) and nested rollout policy adaptation, for one player.

A search of level n tries every action with a search of level n − 1 behind it; level 0 is a
random playout.  The best sequence found so far is remembered and followed, which the thesis
(after Cazenave 2009) reports to be a great improvement.

Nested rollout policy adaptation (Rosin 2011) learns instead, at every level, a policy for its
playouts from the best sequence: weights of actions by their ``code``.

Both are repeated until their budget is spent, and the best sequence of all is the answer.
A problem may bring compiled searches of its own (see compiled.py): ``nested(state, level, dice)``
for the lowest ``nested_levels`` returns a total, the actions, and how many playouts that took;
``adaptation(state, level, iterations, alpha, dice)`` is a whole policy adaptation, see Wheels.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from montego.planning.budget import Found, Hook, Meter, SpentError
from montego.planning.checking import real, whole
from montego.planning.depth_first import deep_enough
from montego.planning.errors import PlanningError, ProblemError
from montego.planning.problem import Action, Chance, Rules, Sampled, State, rules_of


@dataclass
class Sequence:
    """Actions and the total reward that they bring."""

    total: float = -math.inf
    actions: list[Action] = field(default_factory=list)


class Nested:
    """A nested search of one problem; keeps the best sequence from the start."""

    def __init__(self, rules: Rules, meter: Meter, dice: Random, goal: float) -> None:
        self.rules, self.meter, self.dice, self.goal = rules, meter, dice, goal
        self.best = Sequence()
        self.compiled = getattr(rules.problem, "nested", None)
        self.compiled_levels = getattr(rules.problem, "nested_levels", 0)

    def search(
        self, state: State, level: int, before: float, worth: float, prefix: list[Action]
    ) -> Sequence:
        """A sequence from a state to the end; ``before`` is what was won up to it."""
        if level == 0:
            self.meter.evaluate()
            total, actions = self.rules.playout(state, self.dice)
            return self.note(Sequence(before + worth * total, actions), prefix)
        if self.compiled is not None and prefix and level <= self.compiled_levels:
            total, actions, playouts = self.compiled(state, level, self.dice)
            self.meter.evaluate(playouts)
            return self.note(Sequence(before + worth * total, list(actions)), prefix)
        return self.steps(state, level, before, worth, prefix)

    def steps(
        self, state: State, level: int, before: float, worth: float, prefix: list[Action]
    ) -> Sequence:
        """Action by action: try all, follow the best sequence known."""
        rules, best = self.rules, Sequence()
        done: list[Action] = []
        while not rules.is_terminal(state):
            for action in rules.actions(state):
                after = moved(rules, state, action)
                won = before + worth * rules.stepped(state, action, after)
                line = [*prefix, *done, action]
                found = self.search(after, level - 1, won, worth * rules.discount, line)
                if found.total > best.total or not best.actions:
                    best = Sequence(found.total, [*done, action, *found.actions])
            if len(best.actions) <= len(done):
                raise ProblemError("the problem's own playout stopped before its end, at", state)
            action = best.actions[len(done)]
            after = moved(rules, state, action)
            before += worth * rules.stepped(state, action, after)
            worth *= rules.discount
            state = after
            done.append(action)
        if not done:
            self.meter.evaluate()
            return self.note(Sequence(before + worth * rules.reward(state)), prefix)
        return best

    def note(self, found: Sequence, prefix: list[Action]) -> Sequence:
        """Remember the best sequence of all."""
        if found.total > self.best.total:
            self.best = Sequence(found.total, [*prefix, *found.actions])
            self.meter.best = found.total
            if found.total >= self.goal:
                raise SpentError
        return found


def moved(rules: Rules, state: State, action: Action) -> State:
    """The state after an action; nature has no say here."""
    after = rules.apply(state, action)
    if isinstance(after, (Chance, Sampled)):
        raise ProblemError("a sequence cannot be planned where nature moves", state)
    return after


def alone(problem: Any, level: int, goal: float) -> Rules:
    """The rules of a problem for one player; a level and a goal that make sense."""
    rules = rules_of(problem)
    if rules.is_game:
        raise PlanningError("nested search is for one player; this problem has two")
    whole("a level", level)
    if (number := real(goal)) is None or math.isnan(number):
        raise PlanningError(f"a goal is a number, not {goal!r}")
    return rules


def nested(
    problem: Any,
    state: State,
    level: int = 2,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Hook | None = None,
    goal: float = math.inf,
) -> Found:
    """Nested Monte-Carlo search (T2): once, or as long as the budget lasts.

    A total of ``goal`` ends it.
    """
    rules, meter = alone(problem, level, goal), Meter(evaluations, seconds, progress)
    search = Nested(rules, meter, Random(seed), goal)
    with meter, deep_enough(state):
        while True:
            search.search(state, level, 0.0, 1.0, [])
            if not meter.has_limit or rules.is_terminal(state):
                break
    return found_by(search.best, meter, goal)


def found_by(best: Sequence, meter: Meter, goal: float) -> Found:
    """The answer of a search for one best sequence."""
    stopped = "goal" if best.total >= goal else meter.stopped
    action = best.actions[0] if best.actions else None
    return Found(
        action, best.total if best.total > -math.inf else math.nan, best.actions,
        meter.evaluations, seconds=meter.seconds, stopped=stopped,
    )  # fmt: skip


# --- policy adaptation -----------------------------------------------------------------

Policy = dict[Hashable, float]
LARGEST_WEIGHT = 500.0
"""The exponentials of some hundred of them can be added."""


@dataclass
class Played(Sequence):
    """A sequence with what was possible at every step, so that a policy can learn from it."""

    choices: list[tuple[list[Hashable], int]] = field(default_factory=list)


class Adaptation:
    """Nested rollout policy adaptation of one problem."""

    def __init__(
        self,
        rules: Rules,
        meter: Meter,
        dice: Random,
        iterations: int,
        alpha: float,
        goal: float,
    ) -> None:
        self.rules, self.meter, self.dice = rules, meter, dice
        self.iterations, self.alpha, self.goal = iterations, alpha, goal
        self.best = Played()

    def run(self, state: State, level: int) -> None:
        """A whole search, compiled if the problem can."""
        compiled = getattr(self.rules.problem, "adaptation", None)
        wheels = compiled and compiled(state, level, self.iterations, self.alpha, self.dice)
        if wheels:
            self.watch(wheels)
        else:
            self.search(state, level, {})

    def watch(self, wheels: Any) -> None:
        """Let a compiled search work for moments until it is done."""
        planned, made = 1, 1
        while made == planned:
            planned = self.meter.portion()
            made = wheels.advance(planned, self.goal)
            self.meter.evaluations += made
            self.note(Played(*wheels.best()))
            self.meter.look()

    def search(self, state: State, level: int, policy: Policy) -> Played:
        if level == 0:
            return self.playout(state, policy)
        best = Played()
        for _ in range(self.iterations):
            found = self.search(state, level - 1, dict(policy))
            if found.total >= best.total:
                best = found
            adapt(policy, best, self.alpha)
        return best

    def playout(self, state: State, policy: Policy) -> Played:
        """Actions drawn in proportion to e^weight."""
        self.meter.evaluate()
        rules, played, worth = self.rules, Played(0.0), 1.0
        while not rules.is_terminal(state):
            if len(played.actions) >= rules.longest:
                raise ProblemError(f"no end after {rules.longest:,} actions", state)
            actions = rules.actions(state)
            codes = [rules.code(state, action) for action in actions]
            weights = odds(policy, codes)
            chosen = self.dice.choices(range(len(actions)), weights)[0]
            after = moved(rules, state, actions[chosen])
            played.total += worth * rules.stepped(state, actions[chosen], after)
            worth *= rules.discount
            played.actions.append(actions[chosen])
            played.choices.append((codes, chosen))
            state = after
        played.total += worth * rules.reward(state)
        self.note(played)
        return played

    def note(self, played: Played) -> None:
        """Remember the best sequence of all; of equals the last, as every level does."""
        if played.total >= self.best.total:
            self.best = played
            self.meter.best = played.total
            if played.total >= self.goal:
                raise SpentError


def odds(policy: Policy, codes: list[Hashable]) -> list[float]:
    """e^weight of every code; where that would be too large, of all of them by the largest."""
    weights = [policy.get(code, 0.0) for code in codes]
    most = max(weights)
    if most > LARGEST_WEIGHT:
        weights = [weight - most for weight in weights]
    return [math.exp(weight) for weight in weights]


def adapt(policy: Policy, best: Played, alpha: float) -> None:
    """Make the best sequence more likely."""
    change: Policy = {}
    for codes, chosen in best.choices:
        weights = odds(policy, codes)
        total = sum(weights)
        change[codes[chosen]] = change.get(codes[chosen], 0.0) + alpha
        for code, weight in zip(codes, weights, strict=True):
            change[code] = change.get(code, 0.0) - alpha * weight / total
    for code, difference in change.items():
        policy[code] = policy.get(code, 0.0) + difference


def nrpa(
    problem: Any,
    state: State,
    level: int = 2,
    *,
    iterations: int = 100,
    alpha: float = 1.0,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Hook | None = None,
    goal: float = math.inf,
) -> Found:
    """Nested rollout policy adaptation: ``iterations`` to the power of ``level`` playouts a run."""
    rules, meter = alone(problem, level, goal), Meter(evaluations, seconds, progress)
    whole("iterations", iterations)
    if (number := real(alpha)) is None or not 0 <= number < math.inf:
        raise PlanningError(f"alpha is a number that is not negative, not {alpha!r}")
    search = Adaptation(rules, meter, Random(seed), iterations, alpha, goal)
    with meter, deep_enough(state):
        while True:
            search.run(state, level)
            if not meter.has_limit or rules.is_terminal(state):
                break
    return found_by(search.best, meter, goal)
