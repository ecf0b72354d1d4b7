"""A search that thinks of nothing: deterministic, instant, with the interface of the real one.

It plays the first legal points in a fixed order and gives them plausible figures; at the end
of the game it passes.  What it is to find can be told in advance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from montego.engine.engine import Engine
from montego.go import BLACK, PASS, Position, parse_move
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Candidate, Found

SHOWN = 5
"""How many candidates it gives."""


class FakeSearch:
    """Finds what it was told to find, else the first legal points."""

    def __init__(self, recipe: Any = None, *more: int) -> None:
        self.recipe = recipe
        self.script: list[str] = []
        """Moves to find next."""
        self.value = 0.2
        self.simulations = 1000
        self.ownership: float | np.ndarray[Any, Any] = 0.0
        """Everywhere the same, or point by point."""
        self.reports = 3
        """After so many reports it stops by itself."""
        self.budgets: list[Budget] = []
        self.positions: list[Position] = []
        self.avoided: list[Avoid] = []

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Callable[[Found], bool] | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        self.budgets.append(budget)
        self.positions.append(position)
        self.avoided = list(avoided)
        found = self._found(position)
        for _ in range(self.reports if progress else 0):
            if progress is not None and not progress(found):
                break
        return found

    def clear(self) -> None:
        self.positions.clear()

    def _found(self, position: Position) -> Found:
        moves = [*position.legal()[:SHOWN], PASS]
        if self.script:
            first = parse_move(self.script.pop(0), position.size)
            moves = [first, *(move for move in moves if move != first)]
        visits = [self.simulations // 2 ** (i + 1) for i in range(len(moves))]
        candidates = tuple(
            Candidate(move, count, self.value - 0.1 * i, 1.0 + i, (move,), i < 3, 3.0 - i)
            for i, (move, count) in enumerate(zip(moves, visits, strict=True))
        )
        ownership = np.zeros((position.size, position.size)) + self.ownership
        return Found(
            moves[0], self.value, visits[0], self.simulations, 0.01,
            candidates, (moves[0],), ownership, 3.0,
        )  # fmt: skip


def fake_engine(size: int = 9, script: str = "", **told: Any) -> tuple[Engine, FakeSearch]:
    """An engine with a fake search; further words are the fake's attributes."""
    made: list[FakeSearch] = []

    def make(recipe: Any, *more: int) -> FakeSearch:
        search = FakeSearch(recipe)
        search.script = script.split()
        for name, value in told.items():
            setattr(search, name, value)
        made.append(search)
        return search

    return Engine(size=size, make_search=make), made[0]


def play_all(engine: Engine, moves: Iterable[str]) -> None:
    """Play moves, in turn."""
    for move in moves:
        engine.play(move)


def all_of(color: int, size: int) -> np.ndarray[Any, Any]:
    """An ownership that gives everything to one colour."""
    return np.full((size, size), 1.0 if color == BLACK else -1.0)
