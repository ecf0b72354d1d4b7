"""Problems: what the user writes, and how the searches see it.

A problem is any object with four methods (see Problem).  More is optional:

* ``player(state)``: 0 or 1; makes it a game for two.  Player 0 wants a high reward, 1 a low one.
* ``apply`` may return Chance or Sampled in place of a state: then nature moves next.
* ``step(state, action, after)``: a reward (or, negative, a cost) on the way.
* ``discount``: what a reward is worth one step later, 1 unless told.
* ``bounds``: the lowest and the highest total reward.  Checked; and proofs are quicker with them.
* ``longest``: more actions than this in a row are a mistake (10,000 unless told).
* ``key(state)``: equal keys are the same state; without it the state itself, if it has a hash.
* ``heuristic(state)``: the value where a depth is reached; the order in which widening opens.
* ``playout(state, dice)``: the total reward and the actions of a game to the end.
* ``sample_action(state, dice)``: one action of a set too large to list; replaces ``actions``.
* ``code(state, action)``: what actions of different states have in common (for NRPA and RAVE).

Rewards are always those of player 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from montego.planning.errors import ProblemError

State = Any
Action = Any


class Problem(Protocol):
    """What a user writes, and nothing more."""

    def actions(self, state: State) -> Sequence[Action]:
        """What can be done there; not asked in terminal states."""

    def apply(self, state: State, action: Action) -> State:
        """The state after an action; the old one stays as it is."""

    def is_terminal(self, state: State) -> bool:
        """Whether it is over."""

    def reward(self, state: State) -> float:
        """What a terminal state is worth to player 0."""


@dataclass(frozen=True)
class Chance:
    """Nature moves next: states and their probabilities."""

    outcomes: tuple[tuple[float, State], ...]

    def __init__(self, outcomes: Sequence[tuple[float, State]]) -> None:
        object.__setattr__(self, "outcomes", tuple(outcomes))
        total = math.fsum(p for p, _ in self.outcomes)
        if not math.isclose(total, 1.0, rel_tol=1e-9) or any(p < 0 for p, _ in self.outcomes):
            raise ProblemError(f"probabilities that add up to {total:g}", self.outcomes)

    def draw(self, dice: Random) -> State:
        """One of the states."""
        place = dice.random()
        for probability, state in self.outcomes:
            place -= probability
            if place < 0:
                return state
        return self.outcomes[-1][1]


@dataclass(frozen=True)
class Sampled:
    """Nature moves next, and all that is known of her is how to ask."""

    draw: Callable[[Random], State]


class Rules:
    """A user's problem with every answer checked and every option in place."""

    def __init__(self, problem: Any) -> None:
        for name in ("apply", "is_terminal", "reward"):
            if not callable(getattr(problem, name, None)):
                raise ProblemError(f"a problem needs a method {name}", problem)
        self.problem = problem
        self.apply: Callable[[State, Action], State] = problem.apply
        self.is_terminal: Callable[[State], bool] = problem.is_terminal
        self.player: Callable[[State], int] = getattr(problem, "player", lambda state: 0)
        self.is_game = hasattr(problem, "player")
        self.discount: float = getattr(problem, "discount", 1.0)
        self.bounds: tuple[float, float] | None = getattr(problem, "bounds", None)
        if not 0 < self.discount <= 1:
            raise ProblemError(
                f"the discount {self.discount} is not above 0 and at most 1", problem
            )
        self.longest: int = getattr(problem, "longest", 10_000)
        self.heuristic: Callable[[State], float] | None = getattr(problem, "heuristic", None)
        self.step: Callable[[State, Action, State], float] | None = getattr(problem, "step", None)
        self.sample_action = getattr(problem, "sample_action", None)
        if self.sample_action is None and not callable(getattr(problem, "actions", None)):
            raise ProblemError("a problem needs a method actions", problem)
        self.key: Callable[[State], Hashable] = getattr(problem, "key", lambda state: state)
        self._playout = getattr(problem, "playout", None)

    def actions(self, state: State) -> Sequence[Action]:
        """All actions of a state that is not terminal: at least one."""
        actions = self.problem.actions(state)
        if not isinstance(actions, (list, tuple, range)):
            actions = list(actions)
        if not actions:
            raise ProblemError("no actions in a state that is not terminal", state)
        return actions  # type: ignore[no-any-return]

    def reward(self, state: State) -> float:
        """The reward of a terminal state, a number within the bounds."""
        return self.checked(self.problem.reward(state), state)

    def checked(self, reward: float, state: State) -> float:
        """A total reward, or an error that names the state."""
        if not isinstance(reward, (int, float)):
            try:
                reward = float(reward)
            except (TypeError, ValueError):
                raise ProblemError(f"the reward {reward!r} is not a number", state) from None
        if not math.isfinite(reward):
            raise ProblemError(f"the reward is {reward}", state)
        if self.bounds and self.step is None and not self.bounds[0] <= reward <= self.bounds[1]:
            low, high = self.bounds
            raise ProblemError(f"the reward {reward:g} is not within {low:g} and {high:g}", state)
        return reward

    def stepped(self, state: State, action: Action, after: State) -> float:
        """The reward on the way."""
        if self.step is None:
            return 0.0
        reward = self.step(state, action, after)
        if not math.isfinite(reward):
            raise ProblemError(f"the reward of the action {action!r} is {reward}", state)
        return reward

    def code(self, state: State, action: Action) -> Hashable:
        """What an action is called in statistics that many states share."""
        code = getattr(self.problem, "code", None)
        return action if code is None else code(state, action)  # type: ignore[no-any-return]

    def hashable(self, state: State) -> Hashable:
        """The key of a state; an error that says what is missing if it has none."""
        key = self.key(state)
        try:
            hash(key)
        except TypeError:
            raise ProblemError("this needs a method key: the state has no hash", state) from None
        return key

    def next(self, state: State, action: Action, dice: Random) -> State:
        """The state after an action, and after nature's move."""
        after = self.apply(state, action)
        for _ in range(self.longest):
            if not isinstance(after, (Chance, Sampled)):
                return after
            after = after.draw(dice)
        raise ProblemError(f"nature moves more than {self.longest} times", state)

    def sampled_or_any(self, state: State, dice: Random) -> Action:
        """An action at random."""
        if self.sample_action is not None:
            return self.sample_action(state, dice)
        actions = self.actions(state)
        return actions[int(dice.random() * len(actions))]

    def playout(self, state: State, dice: Random) -> tuple[float, list[Action]]:
        """Random actions to the end, or the user's own: the total reward and the actions."""
        if self._playout is not None:
            reward, played = self._playout(state, dice)
            return self.checked(reward, state), list(played)
        total, worth, played = 0.0, 1.0, []
        while not self.is_terminal(state):
            if len(played) >= self.longest:
                raise ProblemError(f"no end after {self.longest:,} actions", state)
            action = self.sampled_or_any(state, dice)
            after = self.next(state, action, dice)
            if self.step is not None:
                total += worth * self.stepped(state, action, after)
                worth *= self.discount
            elif self.discount != 1.0:
                worth *= self.discount
            played.append(action)
            state = after
        return total + worth * self.reward(state), played


def rules_of(problem: Any) -> Rules:
    """A problem, checked; one that is checked already as it is."""
    return problem if isinstance(problem, Rules) else Rules(problem)
