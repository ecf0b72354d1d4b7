"""Which stones live and whose every point is, judged by many playouts.

A playout plays the position out until nothing is left to play; whoever owns a chain's
points at the end of nearly all of them owns the chain.  Either player begins in half of the
playouts: in a seki whoever moves first loses it, so the halves disagree.  What playouts do not
agree about is called seki: at the end of a game it mostly is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from montego.go import BLACK, EMPTY, WHITE, Position
from montego.go.points import all_points, is_on_board, row_and_column
from montego.kernels.board import STRIDE
from montego.mcts.playouts import KINDS, simulate

PLAYOUT = KINDS["mogo"]
PLAYOUTS = 500
CERTAIN = 0.6
"""Ownership from which a chain or a point counts as decided: 80 % of the playouts."""
SIGN = {BLACK: 1, WHITE: -1}

Life = Literal["alive", "dead", "seki"]


@dataclass(frozen=True)
class Status:
    """A position, and what playouts say of its points."""

    position: Position
    ownership: NDArray[np.float64]
    """By row from the top and column: +1 always Black's at the end, -1 always White's."""

    def of_point(self, point: int) -> float:
        """How surely a point is Black's (+1) or White's (-1)."""
        row, column = row_and_column(point)
        return float(self.ownership[row - 1, column - 1])

    def of_chain(self, chain: frozenset[int]) -> Life:
        """Whether a chain lives."""
        stone = next(iter(chain))
        mean = sum(map(self.of_point, chain)) / len(chain)
        own = mean * SIGN[self.position.color_at(stone)]
        return "alive" if own >= CERTAIN else "dead" if own <= -CERTAIN else "seki"

    def chains(self, life: Life) -> list[frozenset[int]]:
        """All chains with this fate, row by row from the top."""
        return [chain for chain in chains(self.position) if self.of_chain(chain) == life]

    def dead(self, color: int | None = None) -> list[int]:
        """The dead stones, of one colour or of both."""
        dead = sorted(point for chain in self.chains("dead") for point in chain)
        return [p for p in dead if color in (None, self.position.color_at(p))]

    def cleared(self) -> Position:
        """The position with the dead stones taken off, as a new game."""
        dead = set(self.dead())
        black, white = (
            [p for p in self.position.stones(color) if p not in dead] for color in (BLACK, WHITE)
        )
        position = self.position
        return Position.set_up(position.size, black, white, position.to_play, position.rules)

    def secure_score(self, color: int) -> float:
        """The score seen by this colour if all that is not certain goes to the opponent."""
        mine = int(np.count_nonzero(self.ownership * SIGN[color] >= CERTAIN))
        komi = self.position.komi * SIGN[color]
        return 2 * mine - self.ownership.size - komi


def judge(position: Position, playouts: int = PLAYOUTS, seed: int = 0) -> Status:
    """Play the position out many times, as if no pass had been played."""
    halves = [
        simulate(position.with_to_play(color), PLAYOUT, max(playouts // 2, 1), seed + color)
        for color in (BLACK, WHITE)
    ]
    return Status(position, (halves[0].ownership + halves[1].ownership) / 2)


def chains(position: Position) -> list[frozenset[int]]:
    """All chains on the board, row by row from the top."""
    found, seen = [], set[int]()
    for point in all_points(position.size):
        if point not in seen and position.color_at(point) != EMPTY:
            found.append(chain_at(position, point))
            seen |= found[-1]
    return found


def chain_at(position: Position, point: int) -> frozenset[int]:
    """The chain of a stone."""
    color, chain, todo = position.color_at(point), {point}, [point]
    while todo:
        for beside in neighbours(todo.pop(), position.size):
            if beside not in chain and position.color_at(beside) == color:
                chain.add(beside)
                todo.append(beside)
    return frozenset(chain)


def liberties(position: Position, chain: frozenset[int]) -> set[int]:
    """The empty points beside a chain."""
    beside = {p for stone in chain for p in neighbours(stone, position.size)}
    return {p for p in beside if position.color_at(p) == EMPTY}


def neighbours(point: int, size: int) -> Iterator[int]:
    """The points beside a point."""
    for step in (-STRIDE, -1, 1, STRIDE):
        if is_on_board(point + step, size):
            yield point + step
