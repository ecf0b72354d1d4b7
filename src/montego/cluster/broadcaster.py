"""A machine that sends all its games to all others, and plays theirs again in its tree (T23).

Algorithm 8 of the thesis: every machine has the whole tree.  A message holds the games since the
message before, so a message that is lost is missed for good, unlike those of the slow tree.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from montego.cluster.crowd import InCrowd
from montego.go import BLACK, Position
from montego.kernels.tree.replay import GAME, replay
from montego.kernels.tree.tree import ONE, ROOT
from montego.mcts.avoid import Avoid
from montego.mcts.recipes import Recipe


class Games(NamedTuple):
    """Simulated games, and the moves of all of them."""

    games: NDArray[np.void]
    moves: NDArray[np.int16]


class Broadcaster(InCrowd):
    """A tree of everybody's games."""

    own_visits: int = 0
    """Simulations of this machine in the latest search."""

    def __init__(
        self, recipe: Recipe, threads: int = 1, memory_mb: int = 512, seed: int = 0
    ) -> None:
        super().__init__(recipe, threads, memory_mb, seed)
        self._board = Position.start().board_copy()
        nothing = np.zeros(0, dtype=GAME), np.zeros(1, dtype=np.int16)
        replay.prepare(*self._arguments(), *nothing)  # not within the first move

    def _arguments(self) -> tuple[Any, ...]:
        space = self.workspaces[0]
        return (
            self._board[0], self._strategy, self.tree, self.pool, self._policy, space.tables,
            space.work,
        )  # fmt: skip

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self._games: list[tuple[int, int, float]] = []  # length, depth, result
        self._moves: list[NDArray[np.int16]] = []
        self.own_visits = 0

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """One simulation after the other, each written down."""
        assert self._position is not None
        sign = -1 if self._position.to_play == BLACK else 1  # the root is seen by who moved there
        work, root = self.workspaces[0].work, self.pool[ROOT : ROOT + 1]
        for _ in range(batch):
            before = int(root["total"][0])
            super().simulate(1)
            result = sign * (int(root["total"][0]) - before) / ONE
            length = int(work["length"])
            self._games.append((length, int(work["depth"]), result))
            self._moves.append(work["sequence"][:length].copy())
        self.own_visits += batch

    def tell(self) -> Games:
        """The games since this was called before."""
        games = np.zeros(len(self._games), dtype=GAME)
        for i, name in enumerate(("length", "depth", "result")):
            games[name] = [game[i] for game in self._games]
        games["first"] = np.cumsum(games["length"]) - games["length"]
        moves = np.concatenate([*self._moves, np.zeros(1, dtype=np.int16)])
        self._games, self._moves = [], []
        return Games(games, moves)

    def hear(self, sender: int, told: Games) -> None:
        """Play the games of another machine again."""
        replay(*self._arguments(), told.games, told.moves)

    def take_in(self) -> None:
        """Everything is in the tree as soon as it is heard."""
