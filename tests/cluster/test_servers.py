"""One tree and servers that come and go (T22)."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import pytest

from montego.cluster.machine import Machine
from montego.cluster.remote import LEAVES, Server
from montego.cluster.servers import Servers, ServerSearch, serve
from montego.cluster.settings import take_cluster
from montego.cluster.wire import pack_recipe
from montego.go import Position
from montego.kernels.tree.delayed import WAITING
from montego.kernels.tree.remote import begin_simulations, take_back
from montego.kernels.tree.tree import ROOT
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install 'montego[cluster]'"
)
START = Position.start(7)
LONG = 120.0
"""Seconds that a busy machine may take for anything."""


def begun(machine: Machine, count: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Descents of a tree whose games are still to be played."""
    waiting = np.zeros(count, dtype=WAITING)
    space = machine.workspaces[0]
    begin_simulations(
        machine._board[0], machine._strategy, machine.tree, machine.pool, machine._policy,
        space.tables, space.work, waiting,
    )  # fmt: skip
    return waiting


def test_what_is_taken_back_has_never_been() -> None:
    machine = Machine(RECIPES["montego"], threads=2, memory_mb=8, seed=1)  # with virtual losses
    machine.set_position(START)
    machine.simulate(200)
    used = machine.nodes
    before = machine.pool[ROOT:used].copy()
    waiting = begun(machine, 50)
    assert machine.root_visits == 250
    assert (machine.pool[ROOT:used]["total"] != before["total"]).any()
    take_back(machine._strategy, machine.pool, waiting)
    for count in ("visits", "total"):
        assert (machine.pool[ROOT:used][count] == before[count]).all()
    assert (machine.pool[used : machine.nodes]["visits"] == 0).all()


def test_a_server_plays_the_games_of_leaves() -> None:
    machine = Machine(RECIPES["montego"], memory_mb=8, seed=1)
    machine.set_position(START)
    machine.simulate(200)
    leaves = begun(machine, 30)
    played = serve(pack_recipe(RECIPES["montego"]), machine._board.tobytes(), 7.5, leaves, 3)
    assert not leaves["is_there"].any()
    assert played["is_there"].all()
    assert (played["depth"] == leaves["depth"]).all()
    assert (played["length"] > played["depth"]).all()
    assert set(played["result"]) == {-1.0, 1.0}
    for leaf, game in zip(leaves, played, strict=True):
        position = START
        assert (leaf["sequence"][: leaf["depth"]] == game["sequence"][: leaf["depth"]]).all()
        for move in game["sequence"][: game["length"]]:  # legal to the end, superko apart
            position = position.play(int(move)) if position.is_legal(int(move)) else position
        assert len(position.moves) > 0.9 * game["length"]


def test_servers_draw_their_own_games() -> None:
    machine = Machine(RECIPES["montego"], memory_mb=8, seed=1)
    machine.set_position(START)
    machine.simulate(100)
    leaves = begun(machine, 20)
    lengths = []
    for seed in (1, 2):
        games = leaves.copy()
        Server(RECIPES["montego"], seed).play(machine._board, 7.5, games)
        lengths.append(games["length"].tolist())
    assert lengths[0] != lengths[1]


@pytest.fixture(scope="module")
def search() -> Iterator[ServerSearch]:
    made = Servers(servers=2).make(RECIPES["montego"], 1, 16, 1)
    yield made
    made.close()


@needs_dask
@pytest.mark.filterwarnings("default")  # Dask's own
class TestTwoServers:
    def test_visits_are_the_simulations_that_there_were(self, search: ServerSearch) -> None:
        position = START
        for number in range(2):
            found = search.run(position, Budget(simulations=300))
            assert position.is_legal(found.move)
            visits = sum(candidate.visits for candidate in found.candidates)
            assert visits == found.simulations if number == 0 else visits > found.simulations
            assert found.simulations >= 300
            position = position.play(found.move)

    def test_a_server_that_dies_costs_its_simulations_only(self, search: ServerSearch) -> None:
        search.clear()
        for victim in search._client.run(os.getpid).values():
            os.kill(victim, signal.SIGKILL)
        found = search.run(START, Budget(simulations=400))
        visits = sum(candidate.visits for candidate in found.candidates)
        assert visits == found.simulations == search.root_visits
        assert visits >= 400
        assert visits % LEAVES == 0  # whole batches, or nothing of them

    def test_without_a_scheduler_it_goes_on_alone(
        self, search: ServerSearch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        deadline = time.monotonic() + LONG
        while search.crowd == 1 and time.monotonic() < deadline:  # until a server is back
            search.run(START, Budget(seconds=0.2))
        capfd.readouterr()
        search.close()
        found = search.run(START, Budget(simulations=100))
        assert START.is_legal(found.move)
        told = capfd.readouterr().err
        assert told.count("montego: the cluster: no server is left") == 1


def test_settings_as_they_are_written() -> None:
    assert take_cluster({"cluster": "servers", "servers": "3"}) == Servers(servers=3)
    given = {"cluster": "servers", "cluster.scheduler": "tls://here:8786"}
    assert take_cluster(given) == Servers(scheduler="tls://here:8786")
