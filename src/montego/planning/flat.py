"""Flat Monte Carlo (T4): playouts and no tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from montego.planning.bandits import Arm, Bandit, RewardRange, bandit_of
from montego.planning.budget import Found, Hook, Meter
from montego.planning.checks import real
from montego.planning.errors import PlanningError, named
from montego.planning.problem import State, check_hashes, rules_of


def flat_monte_carlo(
    problem: Any,
    state: State,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Hook | None = None,
    bandit: Bandit | str = "uniform",
) -> Found:
    """Playouts after every action, equally many or by a bandit; the best mean wins."""
    rules, meter = rules_of(problem), Meter(evaluations, seconds, progress)
    meter.need_limit("flat Monte Carlo")
    if rules.is_terminal(state):
        return Found(None, rules.reward(state), is_proved=True)
    bandit, rng, scale = bandit_of(bandit), Random(seed), RewardRange(rules.bounds)
    actions = list(rules.actions(state))
    check_hashes(actions, state)
    arms = [Arm() for _ in actions]
    sign = 1 if rules.player(state) == 0 else -1
    best_line: list[Any] = []
    with meter:
        while True:
            meter.evaluate()
            i = bandit.choose(arms, scale, rng, sign)
            after = rules.next(state, actions[i], rng)
            value, line = rules.playout(after, rng)
            value = rules.stepped(state, actions[i], after) + rules.discount * value
            scale.see(value)
            arms[i].add(sign * value, bandit.kept)
            if meter.best is None or sign * value > sign * meter.best:
                meter.best, best_line = value, [actions[i], *line]
    tried = [i for i, arm in enumerate(arms) if arm.n]
    chosen = max(tried, key=lambda i: arms[i].mean, default=0)
    return Found(
        actions[chosen], sign * arms[chosen].mean if tried else math.nan, best_line,
        meter.evaluations, seconds=meter.seconds, stopped=meter.stopped,
        actions={actions[i]: (sign * arms[i].mean, float(arms[i].n)) for i in tried},
    )  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float
    evaluations: int


def estimate(
    sample: Callable[[Random], float],
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Hook | None = None,
) -> Estimate:
    """The mean of a random variable, such as π by points in a circle (Algorithm 4)."""
    meter, rng, arm = Meter(evaluations, seconds, progress), Random(seed), Arm()
    meter.need_limit("an estimate")
    with meter:
        while True:
            meter.evaluate()
            drawn = sample(rng)
            number = real(drawn)
            if number is None or not math.isfinite(number):
                raise PlanningError(f"the sample {named(drawn)} is not a number")
            arm.add(number)
            meter.best = arm.mean
    if not arm.n:
        raise PlanningError("no sample within the budget")
    error = 1.96 * math.sqrt(arm.variance / arm.n)
    return Estimate(arm.mean, arm.mean - error, arm.mean + error, arm.n)
