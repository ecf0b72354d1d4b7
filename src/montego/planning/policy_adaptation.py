"""Nested rollout policy adaptation, NRPA (Rosin 2011), for one player.

Like nested search, but each level learns a policy for its playouts from its best sequence: a weight
for every action, by its ``code``.  A search of level n calls level n − 1 a number of times, each
time with a copy of its policy, and then adapts its policy to the best sequence.

It is repeated until the budget is spent, and the best sequence of all is the answer.  A problem may
have a compiled search of its own: ``adaptation(state, level, iterations, alpha, rng)`` returns a
whole search, see compiled_adaptation.py.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from montego.planning.budget import Found, Hook, Meter, SpentError
from montego.planning.checks import not_negative, whole
from montego.planning.depth_first import recursion_errors_at
from montego.planning.errors import ProblemError
from montego.planning.nested_search import Sequence, found_by, moved, single_player_rules
from montego.planning.problem import ProblemRules, State

Policy = dict[Hashable, float]
"""Weights by code; an action is drawn in proportion to e^weight."""
LARGEST_WEIGHT = 500.0
"""Up to here, the exponentials of some hundred weights can be added without overflow."""


@dataclass
class Played(Sequence):
    """A sequence with the choices at every step, from which a policy learns."""

    choices: list[tuple[list[Hashable], int]] = field(default_factory=list)


class PolicyAdaptation:
    """NRPA on one problem."""

    def __init__(
        self,
        rules: ProblemRules,
        meter: Meter,
        rng: Random,
        iterations: int,
        alpha: float,
        goal: float,
    ) -> None:
        self.rules, self.meter, self.rng = rules, meter, rng
        self.iterations, self.alpha, self.goal = iterations, alpha, goal
        self.best = Played()

    def run(self, state: State, level: int) -> None:
        """A whole search, compiled if the problem supports it."""
        make = getattr(self.rules.problem, "adaptation", None)
        compiled = make and make(state, level, self.iterations, self.alpha, self.rng)
        if compiled:
            self.run_compiled(compiled)
        else:
            self.search(state, level, {})

    def run_compiled(self, compiled: Any) -> None:
        """Advance a compiled search in portions until it is done."""
        planned, made = 1, 1
        while made == planned:
            planned = self.meter.portion()
            made = compiled.advance(planned, self.goal)
            self.meter.evaluations += made
            self.note(Played(*compiled.best()))
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
        """A playout by a policy."""
        self.meter.evaluate()
        rules, played, discount = self.rules, Played(0.0), 1.0
        while not rules.is_terminal(state):
            if len(played.actions) >= rules.longest:
                raise ProblemError(f"no end after {rules.longest:,} actions", state)
            actions = rules.actions(state)
            codes = [rules.code(state, action) for action in actions]
            weights = odds(policy, codes)
            chosen = self.rng.choices(range(len(actions)), weights)[0]
            after = moved(rules, state, actions[chosen])
            played.total += discount * rules.stepped(state, actions[chosen], after)
            discount *= rules.discount
            played.actions.append(actions[chosen])
            played.choices.append((codes, chosen))
            state = after
        played.total += discount * rules.reward(state)
        self.note(played)
        return played

    def note(self, played: Played) -> None:
        """Keep the best sequence of all; the last one of equals, as at every level."""
        if played.total >= self.best.total:
            self.best = played
            self.meter.best = played.total
            if played.total >= self.goal:
                raise SpentError


def odds(policy: Policy, codes: list[Hashable]) -> list[float]:
    """e^weight of every code, scaled down if the largest would overflow."""
    weights = [policy.get(code, 0.0) for code in codes]
    most = max(weights)
    if most > LARGEST_WEIGHT:
        weights = [weight - most for weight in weights]
    return [math.exp(weight) for weight in weights]


def adapt(policy: Policy, best: Played, alpha: float) -> None:
    """Make the best sequence more likely: a step up the gradient of its log-likelihood."""
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
    rules, meter = single_player_rules(problem, level, goal), Meter(evaluations, seconds, progress)
    whole("iterations", iterations)
    not_negative("alpha", alpha)
    search = PolicyAdaptation(rules, meter, Random(seed), iterations, alpha, goal)
    with meter, recursion_errors_at(state):
        while True:
            search.run(state, level)
            if not meter.has_limit or rules.is_terminal(state):
                break
    return found_by(search.best, meter, goal)
