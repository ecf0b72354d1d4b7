"""Sums that two threads of every machine make: no number is given twice, or for another sum."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from montego.cluster.layout import Layout
from montego.cluster.machine import Machine, Sharing
from montego.cluster.sums import Sums
from montego.go import PASS, Position
from montego.go.points import all_points
from montego.mcts.recipes import RECIPES

START, SHARING = Position.start(5), Sharing(share=0.05, depth=6)
MACHINES, ROUNDS = 3, 20


class Adder:
    """An all-reduce among threads: the n-th sum of each machine is the n-th of all."""

    def __init__(self, machines: int) -> None:
        self.machines, self.lock = machines, threading.Lock()
        self.sums: list[list[Any]] = []

    def add(self, number: int, vector: Any) -> list[Any]:
        with self.lock:
            if number == len(self.sums):
                self.sums.append([])
            self.sums[number].append(vector.copy())
            return self.sums[number]


class Comm:
    """What a machine sees of it."""

    def __init__(self, adder: Adder) -> None:
        self.adder, self.number = adder, 0

    def Iallreduce(self, vector: Any, buffer: Any) -> Request:  # noqa: N802 - MPI's name
        given = self.adder.add(self.number, vector)
        self.number += 1
        return Request(self.adder.machines, given, buffer)


class Request:
    def __init__(self, machines: int, given: list[Any], buffer: Any) -> None:
        self.machines, self.given, self.buffer = machines, given, buffer

    def Test(self) -> bool:  # noqa: N802 - MPI's name
        if len(self.given) < self.machines:
            return False
        assert len({len(vector) for vector in self.given}) == 1, "another layout"
        self.buffer[:] = np.sum(self.given, axis=0)
        return True


@pytest.fixture
def many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def make(adder: Adder) -> list[Sums]:
    moves = np.array([PASS, *all_points(5)], dtype=np.int64)
    made = []
    for seed in range(MACHINES):
        machine = Machine(RECIPES["uct"], memory_mb=4, seed=seed, sharing=SHARING)
        machine.set_position(START)
        made.append(Sums(machine, Layout(machine.key, moves, SHARING), 0.0, Comm(adder)))
    return made


@pytest.mark.usefixtures("many_switches")
def test_whatever_the_threads_do_nothing_is_counted_twice() -> None:
    """Sums are due all the time, whichever thread is ahead."""
    everybody = make(Adder(MACHINES))
    failed: list[Exception] = []

    def add(sums: Sums) -> None:
        try:
            while not sums.is_taken:
                sums.pump()
        except Exception as error:
            failed.append(error)

    def search(sums: Sums, stops: bool) -> None:
        for number in range(ROUNDS):
            sums.machine.simulate(4)
            while sums.count < number and not failed:
                sums.step()
        sums.has_finished = True
        while not (sums.is_taken or failed):
            sums.is_stopping = stops and sums.all_have_finished
            sums.step()

    threads = [threading.Thread(target=add, args=(sums,), daemon=True) for sums in everybody]
    for number, sums in enumerate(everybody):
        threads.append(threading.Thread(target=search, args=(sums, number == 0), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60 if not failed else 1)
    assert failed == []
    for sums in everybody:
        assert sums.machine.own_visits == 4 * ROUNDS
    assert everybody[0].machine.root_visits == 4 * ROUNDS * MACHINES
    assert everybody[0].count >= ROUNDS
