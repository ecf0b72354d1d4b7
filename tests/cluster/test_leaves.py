"""Leaves that are sent to other machines, and the games that come back (T20)."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from montego.cluster.broadcaster import Broadcaster
from montego.cluster.broadcasts import FINISHED, Broadcasts, pack, unpack
from montego.cluster.exchange import Exchange
from montego.cluster.leaves import (
    Answers,
    Calls,
    LeafClient,
    pack_leaves,
    pack_results,
    unpack_leaves,
    unpack_results,
)
from montego.cluster.remote import LEAVES, Server
from montego.go import Position
from montego.kernels.tree.tree import ONE, ROOT
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES

START = Position.start(7)
RECIPE = RECIPES["montego"]


class Post:
    """Mail between machines of one process."""

    def __init__(self, machines: int) -> None:
        self.boxes: list[list[tuple[int, bytes]]] = [[] for _ in range(machines)]

    def mail(self, number: int) -> Any:
        return _Mail(self, number)


class _Mail:
    def __init__(self, post: Post, number: int) -> None:
        self.post, self.number, self.machines = post, number, len(post.boxes)
        self.others = [other for other in range(self.machines) if other != number]

    def send(self, receivers: list[int], data: bytes) -> None:
        for receiver in receivers:
            self.post.boxes[receiver].append((self.number, data))

    def receive(self) -> list[tuple[int, bytes]]:
        box, self.post.boxes[self.number] = self.post.boxes[self.number], []
        return box


def client(machines: int) -> LeafClient:
    made = LeafClient(RECIPE, 16, 1)
    made.crowd = machines
    made.set_position(START)
    return made


def test_leaves_and_games_are_the_same_at_the_other_end() -> None:
    tree = client(1)
    tree.simulate(300)
    waiting = tree._begin(20)
    batch, there = unpack_leaves(pack_leaves(7, waiting))
    assert batch == 7
    assert (there["depth"] == waiting["depth"]).all()
    assert there["depth"].max() > 1
    for mine, its in zip(waiting, there, strict=True):
        assert (mine["sequence"][: mine["depth"]] == its["sequence"][: its["depth"]]).all()
    Server(RECIPE, 5).play(START.board_copy(), START.komi, there)
    played = unpack_results(pack_results(7, there), waiting)
    for name in ("length", "result", "depth"):
        assert (played[name] == there[name]).all()
    assert (played["path"] == waiting["path"]).all()
    for mine, its in zip(played, there, strict=True):
        assert (mine["sequence"][: mine["length"]] == its["sequence"][: its["length"]]).all()


@pytest.mark.parametrize("machines", [1, 2, 4])
def test_every_game_counts_and_virtual_losses_are_given_back(machines: int) -> None:
    post, tree = Post(machines), client(machines)
    calls = Calls(tree, post.mail(0))
    others = [
        Answers(Server(RECIPE, number), post.mail(number), START) for number in range(1, machines)
    ]

    everybody: list[Exchange] = [calls, *others, calls]

    def simulate(batch: int) -> None:
        for begin in range(0, batch, LEAVES):
            tree.simulate(min(LEAVES, batch - begin))
            for exchange in everybody:
                exchange.pump()

    tree.drive(simulate, Budget(simulations=200), None, 1.0, 0.0)
    assert not tree.under_way
    assert tree.root_visits == tree.found(0, 0.0).simulations == 200 * machines
    root = tree.pool[ROOT]
    child, visits, total = int(root["first_child"]), 0, 0
    while child:
        visits += int(tree.pool[child]["visits"])
        total += int(tree.pool[child]["total"])
        child = int(tree.pool[child]["sibling"])
    assert (visits, total) == (200 * machines, -int(root["total"]))
    assert abs(total) <= 200 * machines * ONE


def test_a_machine_that_never_answers_costs_its_simulations_only() -> None:
    tree = client(2)
    tree.drive(tree.simulate, Budget(simulations=100, seconds=60.0), None, 1.0, time.perf_counter())
    assert tree.root_visits == 100
    assert not tree.under_way


@pytest.mark.parametrize("threads", [1, 2])
def test_games_are_written_down_by_every_thread(threads: int) -> None:
    one, other = (Broadcaster(RECIPE, threads, 16, seed) for seed in (1, 2))
    for machine in (one, other):
        machine.set_position(START)
    with ThreadPoolExecutor(threads) as pool:
        one.simulate(100, pool)
        one.simulate(3000, pool)
    says, told = unpack(pack(FINISHED, one.tell()))
    assert (says, len(told.games)) == (FINISHED, 3100)
    assert len(one.tell().games) == 0
    other.hear(0, told)
    mine, its = (machine.pool[ROOT] for machine in (one, other))
    assert (int(mine["visits"]), int(mine["total"])) == (int(its["visits"]), int(its["total"]))


def test_a_search_is_over_when_everybody_has_everybodys_games() -> None:
    post = Post(3)
    machines = [Broadcaster(RECIPE, 1, 16, seed) for seed in range(3)]
    for machine in machines:
        machine.set_position(START)
    exchanges = [
        Broadcasts(machine, post.mail(number), 1000.0) for number, machine in enumerate(machines)
    ]
    for exchange in exchanges:
        exchange.machine.simulate(100)
        exchange.has_finished = True

    def step() -> None:
        for exchange in exchanges:
            exchange.step()
            exchange.pump()

    step()
    step()
    step()
    assert all(exchange.all_have_finished for exchange in exchanges)
    assert not any(exchange.has_ended for exchange in exchanges)
    machines[2].simulate(50)
    for exchange in exchanges:
        exchange.hurry()
    step()
    step()
    step()
    assert all(exchange.is_taken for exchange in exchanges)
    assert [machine.root_visits for machine in machines] == [350] * 3
    assert np.sum([machine.own_visits for machine in machines]) == 350
