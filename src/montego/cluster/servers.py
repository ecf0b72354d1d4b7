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

from montego.cluster import wire
from montego.cluster.job import tell
from montego.cluster.remote import NOBODY, PATIENCE, Client, Server, Waiting
from montego.cluster.scheduler import LOCAL, check_installed, connected
from montego.kernels.board.board import BOARD
from montego.mcts.found import Budget, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import Simulate

SERVERS = "servers"
"""The method's name."""
MOST_SERVERS = 4096
AHEAD = 2
"""Batches under way for every server."""
_here = threading.local()


@dataclass(frozen=True)
class Servers:
    """The workers of a Dask scheduler as servers of simulations."""

    method: str = SERVERS
    servers: int = 2
    """How many there are if the scheduler is a local one."""
    scheduler: str = LOCAL

    def __post_init__(self) -> None:
        if not 1 <= self.servers <= MOST_SERVERS:
            raise ValueError(f"servers of a cluster has to be between 1 and {MOST_SERVERS}")

    def check(self, recipe: str = "") -> None:
        """Refuse, in one line, what cannot work here; raises ValueError."""
        check_installed()
        wire.check_known(recipe)

    def make(self, recipe: Recipe, threads: int, memory_mb: int, seed: int) -> ServerSearch:
        """The search; raises ValueError if there is no such scheduler."""
        return ServerSearch(self, recipe, memory_mb, seed)


class ServerSearch(Client):
    """The client of servers that come and go."""

    def __init__(self, servers: Servers, recipe: Recipe, memory_mb: int, seed: int) -> None:
        super().__init__(recipe, memory_mb, seed)
        self._told = wire.pack_recipe(recipe)
        self._under_way: dict[Any, Waiting] = {}
        self._seed = seed
        stack = ExitStack()
        self._client = stack.enter_context(connected(servers.scheduler, servers.servers))
        self.close = weakref.finalize(self, stack.close)
        self._client.run(serve, self._told, self._board.tobytes(), 0.0, NOBODY, 0)  # compiles there

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """So many simulations for every server and the client itself, more or less."""
        done = 0
        while done < batch:
            self._send()
            own = self._begin()
            self._play_here(own)
            self._learn(own)
            done += len(own)
            self._collect()

    @property
    def _servers(self) -> int:
        if self._client.status != "running":
            return 0
        try:
            return sum(self._client.nthreads().values())
        except (OSError, CancelledError):
            return 0

    def _send(self) -> None:
        servers = self._servers
        if not servers and self.crowd > 1:
            tell("no server is left; the search is alone now")
        self.crowd = servers + 1
        while len(self._under_way) < AHEAD * servers:
            waiting, board = self._begin(), self._board.tobytes()
            self._seed += 1
            komi = float(self._position.komi) if self._position is not None else 0.0
            asked = self._client.submit(
                serve, self._told, board, komi, waiting, self._seed, pure=False, retries=0
            )
            self._under_way[asked] = waiting

    def _collect(self) -> None:
        """Take what has come; what is lost is taken back."""
        for asked in [asked for asked in self._under_way if asked.status != "pending"]:
            waiting = self._under_way.pop(asked)
            try:
                self._learn(asked.result(timeout=PATIENCE).copy())
            except Exception:  # whatever happened to the server
                self._take_back(waiting)

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
            self._take_back(waiting)
        if self._client.status == "running":
            self._client.cancel(list(self._under_way))
        self._under_way = {}
        return done


# --- in the server's process -----------------------------------------------------------


def serve(told: dict[str, Any], board: bytes, komi: float, waiting: Waiting, seed: int) -> Waiting:
    """Play the games of some leaves; whoever plays is made once for each thread and recipe."""
    if getattr(_here, "told", None) != told:
        _here.told, _here.server = told, Server(wire.unpack_recipe(told), seed)
    waiting = waiting.copy()
    _here.server.play(np.frombuffer(bytearray(board), dtype=BOARD), komi, waiting)
    return waiting
