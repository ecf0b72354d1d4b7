"""Nested Monte-Carlo search (T2, Algorithm 3), for one player.

A search of level n tries every action and continues each with a search of level n − 1; level 0 is a
random playout.  The best sequence found so far is remembered and followed, which the thesis (after
Cazenave 2009) reports to be a great improvement.

It is repeated until the budget is spent, and the best sequence of all is the answer.  A problem may
have a compiled search of its own (see compiled.py): ``nested(state, level, rng)`` for the lowest
``nested_levels`` returns the total reward, the actions, and the number of playouts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Any

from montego.planning.budget import Found, Hook, Meter, SpentError
from montego.planning.checks import real, whole
from montego.planning.depth_first import recursion_errors_at
from montego.planning.errors import PlanningError, ProblemError
from montego.planning.problem import Action, Chance, ProblemRules, Sampled, State, rules_of


@dataclass
class Sequence:
    """Actions and their total reward."""

    total: float = -math.inf
    actions: list[Action] = field(default_factory=list)


class Nested:
    """A nested search of one problem; keeps the best sequence from the start."""

    def __init__(self, rules: ProblemRules, meter: Meter, rng: Random, goal: float) -> None:
        self.rules, self.meter, self.rng, self.goal = rules, meter, rng, goal
        self.best = Sequence()
        self.compiled = getattr(rules.problem, "nested", None)
        self.compiled_levels = getattr(rules.problem, "nested_levels", 0)

    def search(
        self, state: State, level: int, before: float, discount: float, prefix: list[Action]
    ) -> Sequence:
        """A sequence from a state to the end; ``prefix`` led to it and earned ``before``."""
        if level == 0:
            self.meter.evaluate()
            total, actions = self.rules.playout(state, self.rng)
            return self.note(Sequence(before + discount * total, actions), prefix)
        if self.compiled is not None and prefix and level <= self.compiled_levels:
            total, actions, playouts = self.compiled(state, level, self.rng)
            self.meter.evaluate(playouts)
            return self.note(Sequence(before + discount * total, list(actions)), prefix)
        return self.steps(state, level, before, discount, prefix)

    def steps(
        self, state: State, level: int, before: float, discount: float, prefix: list[Action]
    ) -> Sequence:
        """Step by step: try all actions, follow the best sequence known."""
        rules, best = self.rules, Sequence()
        done: list[Action] = []
        while not rules.is_terminal(state):
            for action in rules.actions(state):
                after = moved(rules, state, action)
                earned = before + discount * rules.stepped(state, action, after)
                line = [*prefix, *done, action]
                found = self.search(after, level - 1, earned, discount * rules.discount, line)
                if found.total > best.total or not best.actions:
                    best = Sequence(found.total, [*done, action, *found.actions])
            if len(best.actions) <= len(done):
                raise ProblemError("the problem's own playout stopped before its end, at", state)
            action = best.actions[len(done)]
            after = moved(rules, state, action)
            before += discount * rules.stepped(state, action, after)
            discount *= rules.discount
            state = after
            done.append(action)
        if not done:
            self.meter.evaluate()
            return self.note(Sequence(before + discount * rules.reward(state)), prefix)
        return best

    def note(self, found: Sequence, prefix: list[Action]) -> Sequence:
        """Keep the best sequence of all."""
        if found.total > self.best.total:
            self.best = Sequence(found.total, [*prefix, *found.actions])
            self.meter.best = found.total
            if found.total >= self.goal:
                raise SpentError
        return found


def moved(rules: ProblemRules, state: State, action: Action) -> State:
    """The state after an action; raises a ProblemError at a chance node."""
    after = rules.apply(state, action)
    if isinstance(after, (Chance, Sampled)):
        raise ProblemError("a sequence cannot be planned where nature moves", state)
    return after


def single_player_rules(problem: Any, level: int, goal: float) -> ProblemRules:
    """The rules of a single-player problem; level and goal are checked."""
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
    """Nested Monte-Carlo search (T2): once, or repeatedly until the budget is spent.

    A total reward of ``goal`` ends it.
    """
    rules, meter = single_player_rules(problem, level, goal), Meter(evaluations, seconds, progress)
    search = Nested(rules, meter, Random(seed), goal)
    with meter, recursion_errors_at(state):
        while True:
            search.search(state, level, 0.0, 1.0, [])
            if not meter.has_limit or rules.is_terminal(state):
                break
    return found_by(search.best, meter, goal)


def found_by(best: Sequence, meter: Meter, goal: float) -> Found:
    """The result of a search for one best sequence."""
    stopped = "goal" if best.total >= goal else meter.stopped
    action = best.actions[0] if best.actions else None
    return Found(
        action, best.total if best.total > -math.inf else math.nan, best.actions,
        meter.evaluations, seconds=meter.seconds, stopped=stopped,
    )  # fmt: skip
