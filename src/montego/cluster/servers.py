"""One tree, and servers that play its games (T22; Kato and Takeuchi 2008), on Dask's workers.

The client descends to some leaves, sends them to a server and descends again, without waiting:
always there are two batches for every server.  It plays games itself meanwhile.  Servers may come
and go at any time; one that is slow or dies costs its simulations, which are taken back, and
nothing else.  Without any server left the client goes on alone.
"""

from __future__ import annotations

import threading
import time
import weakref
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.cluster import wire
from montego.cluster.crowd import InCrowd
from montego.cluster.scheduler import LOCAL, check_installed, connected
from montego.go import Position
from montego.kernels.board.board import BOARD
from montego.kernels.tree.delayed import WAITING, end_waiting
from montego.kernels.tree.remote import begin_simulations, play_simulations, take_back
from montego.mcts.avoid import Avoid
from montego.mcts.playouts import Workspace
from montego.mcts.recipes import Recipe
from montego.mcts.search import Budget, Found, LocalSearch, Progress, Simulate

SERVERS = "servers"
"""The method's name."""
LEAVES = 16
"""Games that a server plays at a time."""
AHEAD = 2
"""Batches under way for every server."""
PATIENCE = 0.1
"""Seconds that the last results are waited for."""
NOBODY: NDArray[np.void] = np.zeros(0, dtype=WAITING)
_here = threading.local()


@dataclass(frozen=True)
class Servers:
    """The workers of a Dask scheduler as servers of simulations."""

    method: str = SERVERS
    servers: int = 2
    """How many there are if the scheduler is a local one."""
    scheduler: str = LOCAL

    def check(self, recipe: str = "") -> None:
        """Refuse, in one line, what cannot work here; raises ValueError."""
        check_installed()
        wire.check_known(recipe)

    def make(self, recipe: Recipe, threads: int, memory_mb: int, seed: int) -> ServerSearch:
        """The search; raises ValueError if there is no such scheduler."""
        return ServerSearch(self, recipe, memory_mb, seed)


class ServerSearch(InCrowd):
    """The client: a tree, and simulations under way."""

    def __init__(self, servers: Servers, recipe: Recipe, memory_mb: int, seed: int) -> None:
        super().__init__(recipe, 1, memory_mb, seed)
        self._told = wire.pack_recipe(recipe)
        self._strategy["virtual_loss"] = 1.0  # leaves under way repel others
        self._under_way: dict[Any, NDArray[np.void]] = {}
        self._seed = seed
        self._board = Position.start().board_copy()
        self._prepare()
        stack = ExitStack()
        self._client = stack.enter_context(connected(servers.scheduler, servers.servers))
        self.close = weakref.finalize(self, stack.close)
        self._client.run(serve, self._told, self._board.tobytes(), 0.0, NOBODY, 0)  # compiles there

    def _prepare(self) -> None:
        """Compile, and not within the first move."""
        board, strategy, tree, pool, policy, tables, work = self._arguments()
        begin_simulations.prepare(*self._arguments(), NOBODY)
        play_simulations.prepare(board, strategy, policy, tables, work, 0.0, NOBODY)
        end_waiting.prepare(board, strategy, tree, pool, policy, work, NOBODY, 0)
        take_back.prepare(strategy, pool, NOBODY)

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self._before = self.root_visits

    def found(self, simulations: int, seconds: float) -> Found:
        """The state of the search; the simulations are those that there really were."""
        return LocalSearch.found(self, self.root_visits - self._before, seconds)

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """So many simulations for every server and the client itself, more or less."""
        done = 0
        while done < batch:
            self._send()
            done += self._play_here()
            self._collect()

    @property
    def _servers(self) -> int:
        if self._client.status != "running":
            return 0
        try:
            return sum(self._client.nthreads().values())
        except (OSError, CancelledError):
            return 0

    def _arguments(self) -> tuple[Any, ...]:
        space = self.workspaces[0]
        return (
            self._board[0], self._strategy, self.tree, self.pool, self._policy, space.tables,
            space.work,
        )  # fmt: skip

    def _begin(self) -> NDArray[np.void]:
        waiting = np.zeros(LEAVES, dtype=WAITING)
        begin_simulations(*self._arguments(), waiting)
        return waiting

    def _send(self) -> None:
        servers = self._servers
        self.crowd = servers + 1
        while len(self._under_way) < AHEAD * servers:
            waiting, board = self._begin(), self._board.tobytes()
            self._seed += 1
            komi = float(self._position.komi) if self._position is not None else 0.0
            asked = self._client.submit(
                serve, self._told, board, komi, waiting, self._seed, pure=False, retries=0
            )
            self._under_way[asked] = waiting

    def _play_here(self) -> int:
        waiting = self._begin()
        board, strategy, _, _, policy, tables, work = self._arguments()
        assert self._position is not None
        komi = float(self._position.komi)
        play_simulations(board, strategy, policy, tables, work, komi, waiting)
        self._learn(waiting)
        return len(waiting)

    def _learn(self, waiting: NDArray[np.void]) -> None:
        board, strategy, tree, pool, policy, _, work = self._arguments()
        end_waiting(board, strategy, tree, pool, policy, work, waiting, int(tree["taken"]))
        tree["taken"] += len(waiting)

    def _collect(self) -> None:
        """Take what has come; what is lost is taken back."""
        for asked in [asked for asked in self._under_way if asked.status != "pending"]:
            waiting = self._under_way.pop(asked)
            try:
                self._learn(asked.result(timeout=PATIENCE).copy())
            except Exception:  # whatever happened to the server
                take_back(self._strategy, self.pool, waiting)

    def drive(
        self,
        simulate: Simulate,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        begin: float,
    ) -> int:
        """At the end the last results are waited for, a little."""
        done = super().drive(simulate, budget, progress, interval, begin)
        deadline = time.perf_counter() + PATIENCE
        while self._under_way and time.perf_counter() < deadline:
            time.sleep(0.005)
            self._collect()
        for waiting in self._under_way.values():
            take_back(self._strategy, self.pool, waiting)
        if self._client.status == "running":
            self._client.cancel(list(self._under_way))
        self._under_way = {}
        return done


# --- in the server's process -----------------------------------------------------------


class Server:
    """Plays games by the playouts of a recipe."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.space = Workspace(seed, learned=recipe.learned)
        self.policy, self.strategy = recipe.playout.record(), recipe.record()

    def play(self, board: NDArray[np.void], komi: float, waiting: NDArray[np.void]) -> None:
        """Play the game of every leaf."""
        self.space.set_size(int(board[0]["size"]))
        play_simulations(
            board[0], self.strategy, self.policy, self.space.tables, self.space.work, komi, waiting
        )


def serve(
    told: dict[str, Any], board: bytes, komi: float, waiting: NDArray[np.void], seed: int
) -> NDArray[np.void]:
    """Play the games of some leaves; whoever plays is made once for each thread and recipe."""
    if getattr(_here, "told", None) != told:
        _here.told, _here.server = told, Server(wire.unpack_recipe(told), seed)
    waiting = waiting.copy()
    _here.server.play(np.frombuffer(bytearray(board), dtype=BOARD), komi, waiting)
    return waiting
