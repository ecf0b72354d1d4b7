"""One tree, and many who simulate for it, in virtual time.

``LeafSearch`` plays a game on every machine from each leaf (T20).  ``DelayedSearch`` is the tree
of many threads (T21), or of a client with many servers (T22): the results of all but one of the
simulations that are under way are missing when the next one begins.  A budget of n simulations is
the time that one machine takes for n; so all of them do n each.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from montego.cluster.crowd import InCrowd
from montego.go import Position
from montego.kernels.tree.delayed import WAITING, end_waiting, search_delayed, search_leaves
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import Simulate


class LeafSearch(InCrowd):
    """As many games from every leaf as there are machines (T20)."""

    def __init__(self, recipe: Recipe, machines: int, memory_mb: int = 512, seed: int = 0) -> None:
        super().__init__(recipe, 1, memory_mb, seed)
        self.crowd = machines
        self._board = Position.start().board_copy()
        self._prepare()

    def _prepare(self) -> None:
        """Compile, and not within the first move."""
        search_leaves.prepare(*self.arguments(), 1)

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        self.tree["goal"] = self.tree["taken"] + batch
        search_leaves(*self.arguments(), self.crowd)
        self.tree["taken"] = self.tree["goal"]


class DelayedSearch(LeafSearch):
    """As many simulations under way as there are threads or servers (T21, T22)."""

    def __init__(self, recipe: Recipe, machines: int, memory_mb: int = 512, seed: int = 0) -> None:
        self._waiting = np.zeros(machines - 1, dtype=WAITING)
        super().__init__(recipe, machines, memory_mb, seed)

    def _prepare(self) -> None:
        search_delayed.prepare(*self.arguments(), self._waiting)
        end_waiting.prepare(*self._end_arguments())

    def _end_arguments(self) -> tuple[Any, ...]:
        board, strategy, tree, pool, policy, _, work = self.arguments()
        return board, strategy, tree, pool, policy, work, self._waiting, int(self.tree["taken"])

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self._waiting["is_there"] = 0

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        self.tree["goal"] = self.tree["taken"] + batch * self.crowd
        search_delayed(*self.arguments(), self._waiting)
        self.tree["taken"] = self.tree["goal"]

    def drive(
        self,
        simulate: Simulate,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        begin: float,
    ) -> int:
        """At the end the results that are under way are waited for."""
        done = super().drive(simulate, budget, progress, interval, begin)
        end_waiting(*self._end_arguments())
        return done
