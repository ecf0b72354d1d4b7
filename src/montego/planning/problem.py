"""Problems: what the user writes, and how the searches see it.

A problem is any object with four methods (see Problem).  These are optional:

* ``player(state)``: 0 or 1; makes it a two-player game.  Player 0 wants a high reward, 1 a low one.
* ``apply`` may return Chance or Sampled instead of a state: then nature moves next.
* ``step(state, action, after)``: the reward of a step (or, negative, its cost).
* ``discount``: the discount factor of a step, 1 by default.
* ``bounds``: the lowest and the highest total reward.  They are checked, and speed up proofs.
* ``longest``: more actions than this in a row are an error, 10,000 by default.
* ``key(state)``: equal keys mean the same state; by default the state itself, if it is hashable.
* ``heuristic(state)``: the value at the depth limit; also the order of progressive widening.
* ``playout(state, rng)``: the total reward and the actions of a rollout to the end.
* ``sample_action(state, rng)``: one action of a set too large to list; replaces ``actions``.
* ``code(state, action)``: the name of an action shared by different states (for NRPA and RAVE).

Rewards are always those of player 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Protocol

from montego.planning.checks import listed, real
from montego.planning.errors import ProblemError, named

State = Any
Action = Any
OPTIONAL = (
    "actions", "code", "heuristic", "key", "player", "playout", "sample_action", "step",
)  # fmt: skip
"""Methods that a problem may have."""


class Problem(Protocol):
    """What a user has to write."""

    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions; not called in terminal states."""

    def apply(self, state: State, action: Action) -> State:
        """The state after an action; the old one is not changed."""

    def is_terminal(self, state: State) -> bool:
        """Whether the state is terminal."""

    def reward(self, state: State) -> float:
        """The reward of a terminal state for player 0."""


@dataclass(frozen=True)
class Chance:
    """A chance node: states and their probabilities."""

    outcomes: tuple[tuple[float, State], ...]

    def __init__(self, outcomes: Sequence[tuple[float, State]]) -> None:
        pairs = listed(outcomes, lambda why: ProblemError(f"outcomes are {why}", outcomes))
        try:
            known = tuple((real(probability), state) for probability, state in pairs)
        except (TypeError, ValueError):
            raise ProblemError("outcomes are pairs of a probability and a state", pairs) from None
        if not all(number is not None and 0 <= number <= 1 + 1e-9 for number, _ in known):
            raise ProblemError("probabilities are numbers from 0 to 1", pairs)
        object.__setattr__(self, "outcomes", known)
        total = math.fsum(probability for probability, _ in self.outcomes)
        if not math.isclose(total, 1.0, rel_tol=1e-9):
            raise ProblemError(f"the probabilities add up to {total:g}", self.outcomes)

    def draw(self, rng: Random) -> State:
        """One of the states."""
        place = rng.random()
        for probability, state in self.outcomes:
            place -= probability
            if place < 0:
                return state
        return self.outcomes[-1][1]


@dataclass(frozen=True)
class Sampled:
    """A chance node whose outcomes can only be sampled."""

    draw: Callable[[Random], State]

    def __post_init__(self) -> None:
        if not callable(self.draw):
            raise ProblemError("nature's move is drawn by a function, not", self.draw)


class ProblemRules:
    """The rules of a problem: every answer is checked, and every option has its default."""

    def __init__(self, problem: Any) -> None:
        for name in ("apply", "is_terminal", "reward"):
            if not callable(getattr(problem, name, None)):
                raise ProblemError(f"a problem needs a method {name}", problem)
        for name in OPTIONAL:
            answer = getattr(problem, name, None)
            if answer is not None and not callable(answer):
                raise ProblemError(f"{name} is a method, not {named(answer)}", problem)
        self.problem = problem
        self.apply: Callable[[State, Action], State] = problem.apply
        self.is_terminal: Callable[[State], bool] = problem.is_terminal
        self._player = getattr(problem, "player", None)
        self.is_game = self._player is not None
        discount = getattr(problem, "discount", 1.0)
        self.discount = real(discount) or 0.0
        if not 0 < self.discount <= 1:
            raise ProblemError(f"the discount {discount!r} is not above 0 and at most 1", problem)
        self.bounds = bounds_of(problem)
        self.longest: int = getattr(problem, "longest", 10_000)
        if not isinstance(self.longest, int) or self.longest < 1:
            raise ProblemError(f"longest is a number of actions, not {self.longest!r}", problem)
        self.heuristic: Callable[[State], float] | None = getattr(problem, "heuristic", None)
        self.step: Callable[[State, Action, State], float] | None = getattr(problem, "step", None)
        self.sample_action = getattr(problem, "sample_action", None)
        if self.sample_action is None and getattr(problem, "actions", None) is None:
            raise ProblemError("a problem needs a method actions", problem)
        self.key: Callable[[State], Hashable] = getattr(problem, "key", None) or (lambda one: one)
        self._playout = getattr(problem, "playout", None)

    def player(self, state: State) -> int:
        """Whose turn it is."""
        if self._player is None:
            return 0
        player = self._player(state)
        if player != 0 and player != 1:
            raise ProblemError(f"the player is 0 or 1, not {named(player)}", state)
        return player  # type: ignore[no-any-return]

    def actions(self, state: State) -> Sequence[Action]:
        """All actions of a state that is not terminal: at least one."""
        if getattr(self.problem, "actions", None) is None:
            raise ProblemError("this search needs actions that can be listed", state)
        actions = self.problem.actions(state)
        if not isinstance(actions, (list, tuple, range)):
            actions = listed(actions, lambda why: ProblemError(f"the actions are {why}", state))
        if not actions:
            raise ProblemError("no actions in a state that is not terminal", state)
        return actions  # type: ignore[no-any-return]

    def reward(self, state: State) -> float:
        """The reward of a terminal state, a number within the bounds."""
        return self.checked(self.problem.reward(state), state)

    def checked(self, reward: float, state: State) -> float:
        """A total reward that is a number within the bounds, or an error that names the state."""
        number = self.finite(reward, "the reward", state)
        if self.bounds and self.step is None and not self.bounds[0] <= number <= self.bounds[1]:
            low, high = self.bounds
            raise ProblemError(f"the reward {number:g} is not within {low:g} and {high:g}", state)
        return number

    def finite(self, value: Any, name: str, state: State) -> float:
        """A finite number, or an error that names the state."""
        number = real(value)
        if number is None:
            raise ProblemError(f"{name} {named(value)} is not a number", state)
        if not math.isfinite(number):
            raise ProblemError(f"{name} is {number}", state)
        return number

    def guess(self, state: State) -> float:
        """The heuristic value of a state."""
        assert self.heuristic is not None
        return self.finite(self.heuristic(state), "the heuristic", state)

    def stepped(self, state: State, action: Action, after: State) -> float:
        """The reward of a step."""
        if self.step is None:
            return 0.0
        reward = self.step(state, action, after)
        if type(reward) is float and math.isfinite(reward):
            return reward
        return self.finite(reward, f"the reward of the action {named(action)}", state)

    def code(self, state: State, action: Action) -> Hashable:
        """The name of an action in statistics that states share."""
        code = getattr(self.problem, "code", None)
        found = action if code is None else code(state, action)
        try:
            hash(found)
        except TypeError:
            raise ProblemError(f"the code {named(found)} is not hashable", state) from None
        return found  # type: ignore[no-any-return]

    def hashable(self, state: State) -> Hashable:
        """The key of a state, or an error if it is not hashable."""
        key = self.key(state)
        try:
            hash(key)
        except TypeError:
            raise ProblemError("a method key is needed: not hashable", state) from None
        return key

    def next(self, state: State, action: Action, rng: Random) -> State:
        """The state after an action and nature's moves."""
        return self.settled(self.apply(state, action), state, rng)

    def settled(self, after: State, state: State, rng: Random) -> State:
        """A state after nature's moves, if there are any."""
        for _ in range(self.longest):
            if not isinstance(after, (Chance, Sampled)):
                return after
            after = after.draw(rng)
        raise ProblemError(f"nature moves more than {self.longest:,} times after", state)

    def random_action(self, state: State, rng: Random) -> Action:
        """A random action."""
        if self.sample_action is not None:
            return self.sample_action(state, rng)
        actions = self.actions(state)
        return actions[int(rng.random() * len(actions))]

    def playout(self, state: State, rng: Random) -> tuple[float, list[Action]]:
        """A random playout, or the user's own: the total reward and the actions."""
        if self._playout is not None:
            answer = self._playout(state, rng)
            if not isinstance(answer, tuple) or len(answer) != 2:
                message = f"a playout is a reward and actions, not {named(answer)}"
                raise ProblemError(message, state)
            reward, actions = answer
            return self.checked(reward, state), self.played(actions, state)
        total, worth = 0.0, 1.0
        played: list[Action] = []
        while not self.is_terminal(state):
            if len(played) >= self.longest:
                raise ProblemError(f"no end after {self.longest:,} actions", state)
            action = self.random_action(state, rng)
            after = self.next(state, action, rng)
            if self.step is not None:
                total += worth * self.stepped(state, action, after)
                worth *= self.discount
            elif self.discount != 1.0:
                worth *= self.discount
            played.append(action)
            state = after
        return total + worth * self.reward(state), played

    def played(self, actions: Any, state: State) -> list[Action]:
        """The actions of a user's own playout."""
        if not isinstance(actions, Iterable):
            raise ProblemError(f"the actions of a playout are not a list: {named(actions)}", state)
        played: list[Action] = list(islice(actions, self.longest + 1))
        if len(played) > self.longest:
            raise ProblemError(f"no end after {self.longest:,} actions", state)
        return played


def check_hashes(actions: Sequence[Action], state: State) -> None:
    """Results list actions as keys: each has to be hashable."""
    try:
        for action in actions:
            hash(action)
    except TypeError:
        raise ProblemError(f"the action {named(action)} is not hashable", state) from None


def bounds_of(problem: Any) -> tuple[float, float] | None:
    """The lowest and the highest total reward, if the problem has bounds."""
    bounds = getattr(problem, "bounds", None)
    if bounds is None:
        return None
    numbers = [real(number) for number in bounds] if isinstance(bounds, (tuple, list)) else []
    if len(numbers) == 2:
        low, high = numbers
        if low is not None and high is not None and -math.inf < low <= high < math.inf:
            return low, high
    raise ProblemError(f"bounds are a lowest and a highest number, not {bounds!r}", problem)


def rules_of(problem: Any) -> ProblemRules:
    """The rules of a problem; rules are returned as they are."""
    return problem if isinstance(problem, ProblemRules) else ProblemRules(problem)
