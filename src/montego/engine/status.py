"""Which stones live and whose every point is.

Whoever owns a chain's points when the game has been played out owns the chain.  Playouts give a
first guess, in half of which either player begins.  About most chains they agree; they lose large
territories, though, and cannot leave a seki alone.  Where they are in doubt searches look, again
one with either player to begin.  They play with as much komi as the board seems to be worth:
so the smallest gain wins, and the smallest loss loses.

A seki is what neither may touch: chains that live in the searches, side by side, and that
playouts take now and then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from montego.go import BLACK, EMPTY, WHITE, Position
from montego.go.points import all_points, is_on_board, row_and_column
from montego.kernels.board.board import STRIDE
from montego.mcts.found import Budget
from montego.mcts.playouts import KINDS, simulate
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

PLAYOUT = KINDS["mogo"]
PLAYOUTS = 250
"""For the first guess."""
SIMULATIONS = 4_000
"""Of both searches together."""
STEPS = (0.25, 0.75)
"""They are run in parts: if everything is clear after one, the next is not needed."""
FEWEST = 100
"""With fewer simulations of either, for want of time, the first guess has to do."""
DECIDED = 0.25
"""Part of the board that has to be clear to playouts before the rest is worth a search."""
MEMORY_MB = 32
CERTAIN = 0.6
"""Ownership from which a chain or a point counts as decided: 80 % of the playouts."""
SIGN = {BLACK: 1, WHITE: -1}

Life = Literal["alive", "dead", "seki"]


@dataclass(frozen=True)
class Status:
    """A position, and whose its points are."""

    position: Position
    ownership: NDArray[np.float64]
    """By row from the top and column: +1 always Black's at the end, -1 always White's."""
    guess: NDArray[np.float64] | None = None
    """The same by playouts alone, which leave no seki alone."""
    certain: float = 0.0
    """How surely a chain has to be the enemy's to be dead, 0: rather than not."""

    def of_chain(self, chain: frozenset[int]) -> Life:
        """Whether a chain lives."""
        if self._is_dead(chain):
            return "dead"
        in_seki = self.is_restless(chain) and any(
            self.is_restless(other) and not self._is_dead(other) for other in self._rivals(chain)
        )
        return "seki" if in_seki else "alive"

    def _is_dead(self, chain: frozenset[int]) -> bool:
        """Whether the enemy gets it, and the area it stands in: a stone that can be taken at the
        edge of its own territory is no dead one."""
        if self._held(chain, self.ownership) >= -self.certain:
            return False
        color = self.position.color_at(next(iter(chain)))
        return self._mean(self._area_round(chain), self.ownership) * SIGN[color] < 0

    def _area_round(self, chain: frozenset[int]) -> set[int]:
        """What is empty round a chain, once it and all that goes with it has been taken off."""
        area, todo = set(chain), list(chain)
        while todo:
            for point in neighbours(todo.pop(), self.position.size):
                if point not in area and point in self._given_up:
                    area.add(point)
                    todo.append(point)
        return area

    @cached_property
    def _given_up(self) -> set[int]:
        """The empty points, and the stones of either colour that the enemy gets."""
        position = self.position
        lost = (c for c in chains(position) if self._held(c, self.ownership) < -self.certain)
        empty = {p for p in all_points(position.size) if position.color_at(p) == EMPTY}
        return empty.union(*lost)

    def _held(self, chain: frozenset[int], ownership: NDArray[np.float64]) -> float:
        """How surely a chain's points stay its own, -1 to 1."""
        return self._mean(chain, ownership) * SIGN[self.position.color_at(next(iter(chain)))]

    @staticmethod
    def _mean(points: Collection[int], ownership: NDArray[np.float64]) -> float:
        places = [row_and_column(point) for point in points]
        return sum(float(ownership[row - 1, column - 1]) for row, column in places) / len(points)

    def is_clear(self, chain: frozenset[int]) -> bool:
        """Whether its fate is certain."""
        return abs(self._held(chain, self.ownership)) >= CERTAIN

    def is_restless(self, chain: frozenset[int]) -> bool:
        """Whether some playouts take it and some do not."""
        return self.guess is not None and abs(self._held(chain, self.guess)) < CERTAIN

    def _rivals(self, chain: frozenset[int]) -> list[frozenset[int]]:
        """The enemy chains that have a liberty in common with a chain."""
        position, color = self.position, self.position.color_at(next(iter(chain)))
        shared = liberties(position, chain)
        beside = {p for point in shared for p in neighbours(point, position.size)}
        enemies = {p for p in beside if position.color_at(p) == BLACK + WHITE - color}
        return list({chain_at(position, p) for p in enemies})

    def chains(self, life: Life) -> list[frozenset[int]]:
        """All chains with this fate, row by row from the top."""
        return [chain for chain in chains(self.position) if self.of_chain(chain) == life]

    def dead(self, color: int | None = None) -> list[int]:
        """The dead stones, of one colour or of both."""
        dead = sorted(point for chain in self.chains("dead") for point in chain)
        return [p for p in dead if color in (None, self.position.color_at(p))]

    def cleared(self) -> Position:
        """The position with the dead stones taken off, as a new game."""
        return _without(self.position, set(self.dead()))

    def likely(self) -> Position:
        """The position without what is rather dead than alive; but where chains of both colours
        that share liberties are in doubt, as in a seki, they stand."""
        doubtful = {
            chain
            for chain in chains(self.position)
            if self._held(chain, self.ownership) < 0
            and not any(map(self.is_restless, self._rivals(chain)))
        }
        return _without(self.position, set(self.dead()).union(*doubtful))

    def secure_score(self, color: int, certain: float = CERTAIN) -> float:
        """The score seen by this colour if all that is not certain goes to the opponent."""
        mine = int(np.count_nonzero(self.ownership * SIGN[color] >= certain))
        komi = self.position.komi * SIGN[color]
        return 2 * mine - self.ownership.size - komi


def judge(
    position: Position,
    seed: int = 0,
    simulations: int = SIMULATIONS,
    seconds: float | None = None,
) -> Status:
    """Whose every point is, as if no pass had been played; within these seconds, about."""
    guess = _by_playouts(position, seed)
    rough = Status(position, guess, guess, CERTAIN)
    if np.mean(np.abs(guess) >= CERTAIN) < DECIDED:
        return rough
    if not any(map(rough.is_restless, chains(position))):
        return Status(position, guess, guess)
    komi = rough.likely().score() + position.komi
    halves = [_Half(position.with_komi(komi).with_to_play(color), seed) for color in (BLACK, WHITE)]
    for part in STEPS:
        for half in halves:
            half.go_on(int(part * simulations / 2), None if seconds is None else part * seconds / 2)
        if min(half.simulations for half in halves) < FEWEST:
            return rough
        searched = (halves[0].ownership + halves[1].ownership) / 2
        status = Status(position, np.where(np.abs(guess) >= CERTAIN, guess, searched), guess)
        if all(map(status.is_clear, chains(position))):
            break
    return status


class _Half:
    """A search of a position with one player to begin."""

    def __init__(self, position: Position, seed: int) -> None:
        self._search = LocalSearch(RECIPES["classic"], memory_mb=MEMORY_MB, seed=seed)
        self._position = position
        self.simulations = 0
        self.ownership = np.zeros((position.size, position.size))

    def go_on(self, simulations: int, seconds: float | None) -> None:
        """Search on in the same tree; the owners are those of the latest playouts."""
        found = self._search.run(self._position, Budget(max(simulations, 1), seconds))
        self.simulations += found.simulations
        self.ownership = found.ownership


def _by_playouts(position: Position, seed: int) -> NDArray[np.float64]:
    """Whose the points are at the end of playouts, half of them with either player to begin."""
    halves = [
        simulate(position.with_to_play(color), PLAYOUT, PLAYOUTS // 2, seed + color).ownership
        for color in (BLACK, WHITE)
    ]
    return (halves[0] + halves[1]) / 2


def _without(position: Position, stones: set[int]) -> Position:
    """The position without some stones, as a new game."""
    black, white = (
        [p for p in position.stones(color) if p not in stones] for color in (BLACK, WHITE)
    )
    return Position.set_up(position.size, black, white, position.to_play, position.rules)


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
