"""Small problems for the tests: random game trees, walks, and ones with a mistake in them."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from montego.planning import Chance


class RandomTree:
    """A game tree whose shape, turns, steps and rewards follow from a seed; states are paths."""

    START: tuple[int, ...] = ()
    bounds = (-10.0, 10.0)

    def __init__(self, seed: int, depth: int = 4, width: int = 3, **options: Any) -> None:
        self.seed, self.depth, self.width = seed, depth, width
        self.merges = options.get("merges", False)
        self.chance = options.get("chance", False)
        if options.get("steps", False):
            self.step = lambda state, action, after: self.number("step", after, -2, 2)

    def number(self, kind: str, state: tuple[int, ...], low: int, high: int) -> int:
        return Random(f"{self.seed}{kind}{state}").randint(low, high)

    def key(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(state)) if self.merges else state

    def player(self, state: tuple[int, ...]) -> int:
        return self.number("player", self.key(state), 0, 1)

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return list(range(self.number("width", self.key(state), 1, self.width)))

    def apply(self, state: tuple[int, ...], action: int) -> Any:
        after = (*state, action)
        if self.chance and self.number("chance", after, 0, 2) == 0:
            return Chance([(0.25, (*after, 7)), (0.75, (*after, 8))])
        return after

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) >= self.depth or (
            len(state) > 1 and self.number("end", self.key(state), 0, 5) == 0
        )

    def reward(self, state: tuple[int, ...]) -> float:
        return float(self.number("reward", self.key(state), -9, 9))

    def heuristic(self, state: tuple[int, ...]) -> float:
        return float(self.number("guess", self.key(state), -9, 9))


class Alone(RandomTree):
    """The same for one player."""

    player = None  # type: ignore[assignment]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)

    def __getattribute__(self, name: str) -> Any:
        if name == "player":
            raise AttributeError(name)
        return super().__getattribute__(name)


class Word:
    """Letters a to d, ten of them; those that equal the secret ones count."""

    START = ""
    SECRET = "abcdabcdab"

    def actions(self, state: str) -> list[str]:
        return list("abcd")

    def apply(self, state: str, action: str) -> str:
        return state + action

    def is_terminal(self, state: str) -> bool:
        return len(state) == len(self.SECRET)

    def reward(self, state: str) -> float:
        return float(sum(a == b for a, b in zip(state, self.SECRET, strict=True)))

    def code(self, state: str, action: str) -> tuple[int, str]:
        return len(state), action


class Walk:
    """Left or right until 3 (reward 1) or −3 (0); the wind may turn a step round."""

    START = 0
    bounds = (0.0, 1.0)

    def __init__(self, wind: float = 0.2) -> None:
        self.wind = wind

    def actions(self, state: int) -> list[int]:
        return [-1, 1]

    def apply(self, state: int, action: int) -> Chance:
        return Chance([(1 - self.wind, state + action), (self.wind, state - action)])

    def is_terminal(self, state: int) -> bool:
        return abs(state) >= 3

    def reward(self, state: int) -> float:
        return 1.0 if state > 0 else 0.0


class Slope:
    """Four steps, each of any length up to 1; best at 0.3, 0.3, …: a set that cannot be listed."""

    START: tuple[float, ...] = ()

    def sample_action(self, state: tuple[float, ...], rng: Random) -> float:
        return rng.random()

    def apply(self, state: tuple[float, ...], action: float) -> tuple[float, ...]:
        return (*state, action)

    def is_terminal(self, state: tuple[float, ...]) -> bool:
        return len(state) == 2

    def reward(self, state: tuple[float, ...]) -> float:
        return -sum((x - 0.3) ** 2 for x in state)


class Circle(Walk):
    """Never ends: 0, 1, 2, 0, …"""

    def actions(self, state: int) -> list[int]:
        return [1]

    def apply(self, state: int, action: int) -> int:  # type: ignore[override]
        return (state + 1) % 3

    longest = 50


class DeadEnd(Walk):
    """A state without actions that is not terminal: 2."""

    def actions(self, state: int) -> list[int]:
        return [] if state == 2 else [1]

    def apply(self, state: int, action: int) -> int:  # type: ignore[override]
        return state + action


class Odd(DeadEnd):
    """A reward that is none."""

    def __init__(self, odd: Any) -> None:
        self.odd = odd

    def actions(self, state: int) -> list[int]:
        return [1]

    def reward(self, state: int) -> float:
        return self.odd  # type: ignore[no-any-return]


NOT_A_NUMBER = math.nan
