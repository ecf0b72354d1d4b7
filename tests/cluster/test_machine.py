"""Machines that share their statistics: nothing is lost, and nothing is counted twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from montego.cluster.machine import MOST_OPEN, MOST_ROWS, Machine, Sharing
from montego.go import Position
from montego.kernels.tree.tree import NONE, ONE, ROOT
from montego.mcts.recipes import RECIPES
from tests.positions import random_position

EVERYTHING = Sharing(share=0.0, depth=40)
START = Position.start(5)
COUNTS = ("visits", "total", "rave_visits", "rave_total")
Path = tuple[int, ...]


def machines(count: int, recipe: str = "montego", sharing: Sharing = EVERYTHING) -> list[Machine]:
    """Machines that look at an empty board of 5×5."""
    made = [Machine(RECIPES[recipe], memory_mb=4, seed=i, sharing=sharing) for i in range(count)]
    for machine in made:
        machine.set_position(START)
    return made


def share(group: list[Machine], rounds: int = 1) -> None:
    """Everybody tells everybody else; a round brings what is one step deeper."""
    for _ in range(rounds):
        messages = [machine.tell() for machine in group]
        for i, machine in enumerate(group):
            for j, message in enumerate(messages):
                if i != j:
                    machine.hear(j, message)
            machine.take_in()


def walk(machine: Machine, node: int = ROOT, path: Path = ()) -> dict[Path, Any]:
    """Every node of a tree by the moves that lead to it: a second way to find them."""
    found = {path: machine.pool[node].copy()}
    child = int(machine.pool[node]["first_child"])
    while child != NONE:
        found |= walk(machine, child, (*path, int(machine.pool[child]["move"])))
        child = int(machine.pool[child]["sibling"])
    return found


@given(data=st.data(), count=st.integers(2, 4), share=st.sampled_from([0.0, 0.05, 0.3]))
@settings(max_examples=12, deadline=None)
def test_own_counts_are_exactly_the_simulations(data: Any, count: int, share: float) -> None:
    """Whatever is told to whom, lost or repeated, in any order."""
    group = machines(count, sharing=Sharing(share=share, depth=data.draw(st.integers(1, 12))))
    done, heard = [0] * count, [[0] * count for _ in group]
    number = st.integers(0, count - 1)
    for _ in range(data.draw(st.integers(1, 12))):
        by, to = data.draw(number), data.draw(number)
        simulations = data.draw(st.integers(0, 60))
        if simulations:
            group[by].simulate(simulations)
        done[by] += simulations
        message = group[by].tell()  # lost, if nobody hears it
        if by != to and data.draw(st.booleans()):
            group[to].hear(by, message)
            group[to].take_in()
            heard[to][by] = done[by]
    assert [machine.own_visits for machine in group] == done
    assert [machine.root_visits for machine in group] == [
        own + sum(others) for own, others in zip(done, heard, strict=True)
    ]


@pytest.mark.parametrize("recipe", ["montego", "mango", "mogo", "uct"])
def test_a_node_has_the_sum_of_what_all_have_found(recipe: str) -> None:
    group = machines(3, recipe)
    for machine in group:
        machine.simulate(150)
    own = [walk(machine) for machine in group]
    share(group, rounds=8)
    shared = [walk(machine) for machine in group]
    for tree, before in zip(shared, own, strict=True):
        assert tree.keys() == before.keys()
        for path, node in tree.items():
            for count in ("visits", "total"):
                there = sum(int(mine[path][count]) for mine in own if path in mine)
                assert int(node[count]) == there, (path, count)
            if node["visits"] > 0:
                mean = int(node["total"]) / (int(node["visits"]) * ONE)
                assert node["value"] == pytest.approx(mean)


def test_rave_is_shared_or_not_and_what_was_known_before_is_not_multiplied() -> None:
    for recipe in ("montego", "mogo"):
        for rave in (True, False):
            group = machines(2, recipe, Sharing(share=0.0, depth=1, rave=rave))
            for machine in group:
                machine.simulate(100)
            before = [walk(machine) for machine in group]
            share(group)
            known = {p: int(n["prior"]) if recipe == "mogo" else 0 for p, n in before[0].items()}
            for path, node in walk(group[0]).items():
                if len(path) == 1:
                    own, other = (int(tree[path]["rave_visits"]) for tree in before)
                    expected = own + (other - known[path] if rave else 0)
                    assert int(node["rave_visits"]) == expected


@pytest.mark.parametrize("recipe", ["montego", "omc", "mango"])
def test_what_came_from_others_can_be_taken_out_again(recipe: str) -> None:
    group = machines(2, recipe)
    for machine in group:
        machine.simulate(200)
    nodes = slice(ROOT, group[0].nodes)  # what lies at NONE is no node: there may be anything
    before = group[0].pool[nodes].copy()
    share(group, rounds=4)
    assert (group[0].pool["visits"][nodes] != before["visits"]).any()
    group[0].withdraw()
    after = group[0].pool[nodes]
    for count in COUNTS:
        assert (after[count] == before[count]).all()
    assert np.allclose(after["squares"], before["squares"])
    if recipe != "omc":  # whose values are those of the moment when a result came
        assert np.allclose(after["value"], before["value"])


def test_only_busy_nodes_near_the_root_are_shared() -> None:
    group = machines(2, sharing=Sharing(share=0.05, depth=2))
    for machine in group:
        machine.simulate(400)
    nodes = {path: node for path, node in walk(group[0]).items() if node["visits"] > 0}
    busy = {path for path, node in nodes.items() if node["visits"] > 0.05 * 400}
    expected = {path for path in nodes if len(path) <= 2 and path[:-1] in busy}
    told = {int(row["node"]): row for row in group[0].tell() if row["visits"] > 0}
    assert len(told) == len(expected)
    assert {path for path in expected if len(path) == 2}
    assert sum(row["visits"] for row in told.values()) == sum(nodes[p]["visits"] for p in expected)
    assert sum(row["is_open"] for row in told.values()) == sum(len(path) < 2 for path in busy)


def test_a_node_that_a_machine_lacks_gets_its_counts_when_it_is_there() -> None:
    busy, idle = machines(2)
    busy.simulate(300)
    for _ in range(3):
        idle.hear(0, busy.tell())
        idle.take_in()
    assert idle.root_visits == 300  # but it has no children yet
    assert idle.own_visits == 0
    idle.simulate(1)
    idle.take_in()
    theirs, ours = walk(busy), walk(idle)
    children = [path for path in ours if len(path) == 1]
    assert children
    more = sum(int(ours[path]["visits"]) - int(theirs[path]["visits"]) for path in children)
    assert more == 1


def test_the_tree_that_is_kept_is_the_machines_own() -> None:
    group = machines(2)
    for _ in range(3):
        for machine in group:
            machine.simulate(200)
        share(group)
    nodes = walk(group[0])
    move = max(
        (path for path in nodes if len(path) == 1), key=lambda path: int(nodes[path]["visits"])
    )[0]
    own = []
    for machine in group:
        machine.withdraw()
        own.append(int(walk(machine)[(move,)]["visits"]))
    share(group, rounds=3)
    for machine, visits in zip(group, own, strict=True):
        machine.set_position(START.play(move))
        assert machine.root_visits == machine.own_visits == visits
    share(group, rounds=3)
    for machine, visits in zip(group, own, strict=True):
        assert machine.own_visits == visits
        assert machine.root_visits == sum(own)


def test_there_is_room_for_all_nodes_that_are_open() -> None:
    """However many are busy enough; a table without an empty place would be searched for ever."""
    machine = Machine(RECIPES["montego"], memory_mb=128, sharing=Sharing(share=0.0, depth=10))
    machine.set_position(Position.start(9))
    machine.simulate(8000)
    assert len(machine.tell()) == MOST_ROWS
    assert np.count_nonzero(machine._table["key"]) == MOST_OPEN


def test_many_nodes_make_the_table_larger() -> None:
    group = [
        Machine(RECIPES["montego"], memory_mb=16, seed=i, sharing=Sharing(share=0.001, depth=6))
        for i in range(2)
    ]
    for machine in group:
        machine.set_position(random_position(13, 20, seed=1))
        machine.simulate(400)
    size = len(group[0]._table)
    share(group, rounds=3)
    assert len(group[0]._table) > size
    assert [machine.own_visits for machine in group] == [400, 400]
    assert [machine.root_visits for machine in group] == [800, 800]
