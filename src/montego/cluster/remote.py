"""Simulations that begin in one tree and are played out elsewhere: both ends, without the way.

The client has the tree and descends to leaves; a server plays games from there (T20, T22).  How
leaves and results travel is a matter of the method: over MPI (leaves) or Dask (servers).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from montego.cluster.crowd import InCrowd
from montego.go import Position
from montego.kernels.tree.delayed import WAITING, end_waiting
from montego.kernels.tree.remote import (
    begin_again,
    begin_simulations,
    play_simulations,
    take_back,
)
from montego.mcts.avoid import Avoid
from montego.mcts.balance import Balance
from montego.mcts.found import Found
from montego.mcts.playouts import Workspace
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

LEAVES = 16
"""Games that a server plays at a time."""
PATIENCE = 0.1
"""Seconds that the last results are waited for."""
Waiting = NDArray[np.void]
"""Simulations that have begun, a place each."""
NOBODY: Waiting = np.zeros(0, dtype=WAITING)


class Client(InCrowd):
    """A tree, and simulations under way."""

    def __init__(self, recipe: Recipe, memory_mb: int, seed: int) -> None:
        super().__init__(recipe, 1, memory_mb, seed)
        self._strategy["virtual_loss"] = 1.0  # leaves under way repel others
        self._board = Position.start().board_copy()
        self._prepare()

    def _prepare(self) -> None:
        """Compile, and not within the first move."""
        board, strategy, tree, pool, policy, tables, work = self.arguments()
        begin_simulations.prepare(*self.arguments(), NOBODY)
        play_simulations.prepare(board, strategy, policy, tables, work, 0.0, NOBODY)
        end_waiting.prepare(board, strategy, tree, pool, policy, work, NOBODY, 0)
        begin_again.prepare(strategy, pool, NOBODY)
        take_back.prepare(strategy, pool, NOBODY)

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self._before = self.root_visits

    def balance(self, balance: Balance) -> None:
        """Count with the real komi all the same: servers know no other."""

    def found(self, simulations: int, seconds: float) -> Found:
        """The state of the search; the simulations are those that there really were."""
        return LocalSearch.found(self, self.root_visits - self._before, seconds)

    def _begin(self, count: int = LEAVES) -> Waiting:
        waiting = np.zeros(count, dtype=WAITING)
        begin_simulations(*self.arguments(), waiting)
        return waiting

    def _begin_again(self, waiting: Waiting) -> None:
        begin_again(self._strategy, self.pool, waiting)

    def _take_back(self, waiting: Waiting) -> None:
        take_back(self._strategy, self.pool, waiting)

    def _play_here(self, waiting: Waiting) -> None:
        """Play the games in this process."""
        assert self._position is not None
        board, strategy, _, _, policy, tables, work = self.arguments()
        komi = float(self._position.komi)
        play_simulations(board, strategy, policy, tables, work, komi, waiting)

    def _learn(self, waiting: Waiting) -> None:
        board, strategy, tree, pool, policy, _, work = self.arguments()
        end_waiting(board, strategy, tree, pool, policy, work, waiting, int(tree["taken"]))
        tree["taken"] += len(waiting)


class Server:
    """Plays games by the playouts of a recipe."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.space = Workspace(seed, learned=recipe.learned)
        self.policy, self.strategy = recipe.playout.record(), recipe.record()

    def play(self, board: NDArray[np.void], komi: float, waiting: Waiting) -> None:
        """Play the game of every leaf."""
        self.space.set_size(int(board[0]["size"]))
        play_simulations(
            board[0], self.strategy, self.policy, self.space.tables, self.space.work, komi, waiting
        )
