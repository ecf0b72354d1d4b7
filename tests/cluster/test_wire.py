"""Frames, doors and what goes through them; sums of machines without a network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from montego.cluster import wire
from montego.cluster.layout import Layout, child_keys
from montego.cluster.link import GREETING, Door, Link, LinkLost, enter, pack, unpack
from montego.cluster.machine import Machine, Sharing
from montego.go import PASS, Position, Rules
from montego.go.points import all_points
from montego.kernels.tree.sharing import path_key
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.positions import random_position


@pytest.fixture
def links() -> Iterator[tuple[Link, Link]]:
    one, two = (Link(end) for end in socket.socketpair())
    yield one, two
    one.close()
    two.close()


# --- frames ----------------------------------------------------------------------------


def test_frames_arrive_whole_and_in_order(links: tuple[Link, Link]) -> None:
    here, there = links

    def send() -> None:
        for i in range(200):
            here.send({"number": i}, bytes(i * 1000))

    sender = threading.Thread(target=send)
    sender.start()
    for i in range(200):
        frame = there.receive(10)
        assert frame is not None
        assert frame.told == {"number": i}
        assert len(frame.data) == i * 1000
    sender.join()
    assert there.receive(0.0) is None


def test_the_end_of_the_other_is_noticed(links: tuple[Link, Link]) -> None:
    here, there = links
    here.close()
    with pytest.raises(LinkLost, match="gone"):
        there.receive(10)


@pytest.mark.parametrize(
    "nonsense",
    [b"\xff" * 8, b"\0\0\0\4\0\0\0\0oops", b"\0\0\0\2\0\0\0\0[]", b"GET / HTTP/1.1\r\n\r\n"],
)
def test_nonsense_is_no_frame(nonsense: bytes) -> None:
    with pytest.raises(LinkLost):
        unpack(nonsense)


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 20])
def test_half_a_frame_is_waited_for(cut: int) -> None:
    assert unpack(pack({"a": 1}, b"0123456789")[:cut]) == (None, 0)


def test_only_who_knows_the_token_comes_in() -> None:
    door = Door()
    host, port, token = door.address.split()
    assert host == "127.0.0.1"
    strangers = []
    for said in (b"x" * GREETING, b"", b"short", token[:-1].encode() + b"!"):
        stranger = socket.create_connection((host, int(port)))
        stranger.sendall(said)
        stranger.shutdown(socket.SHUT_WR)
        strangers.append(stranger)
    guest = enter(door.address)
    link = door.wait(30)
    assert link is not None
    link.send({"welcome": True})
    assert guest.receive(10) == ({"welcome": True}, b"")
    for stranger in strangers:
        assert stranger.recv(10) == b""
        stranger.close()
    guest.close()
    link.close()
    address = door.address
    door.close()
    with pytest.raises(LinkLost):
        enter(address)


def test_nobody_comes() -> None:
    door = Door()
    assert door.wait(0.01) is None
    door.close()


# --- what is sent ----------------------------------------------------------------------


@pytest.mark.parametrize("superko", ["positional", "situational", "simple"])
def test_a_position_is_the_same_at_the_other_end(superko: str) -> None:
    position = random_position(9, 40, seed=4)
    for board in (position, position.with_to_play("white"), Position.start(13, Rules(komi=0.5))):
        frame = wire.pack_position(board, None)
        again = wire.unpack_position(frame, None)
        assert again.diagram() == board.diagram()
        assert (again.to_play, again.moves, again.rules) == (
            board.to_play,
            board.moves,
            board.rules,
        )
        assert again.legal() == board.legal()
        assert (again.history() == board.history()).all()


def test_a_position_that_follows_is_sent_as_moves() -> None:
    first = Position.start(9)
    later = first.play("E5").play("pass").play("C3")
    frame = wire.pack_position(later, first)
    assert frame.told == {"steps": later.moves}
    assert frame.data == b""
    assert wire.unpack_position(frame, first).diagram() == later.diagram()
    assert wire.pack_position(first, first).told == {"steps": []}
    assert "steps" not in wire.pack_position(first, later).told


def test_a_position_that_follows_keeps_its_colours_and_its_komi() -> None:
    first = Position.start(9)
    twice = first.play("E5").play("C3", "black")  # out of turn
    again = wire.unpack_position(wire.pack_position(twice, first), first)
    assert (again.diagram(), again.to_play) == (twice.diagram(), twice.to_play)
    other_komi = first.play("E5").with_komi(0.5)
    again = wire.unpack_position(wire.pack_position(other_komi, first), first)
    assert again.komi == 0.5


def test_findings_are_the_same_at_the_other_end() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=8, seed=1)
    found = search.run(random_position(7, 10, seed=1), Budget(simulations=200))
    again = wire.unpack_found(wire.pack_found(found))
    assert again.candidates == found.candidates
    assert (again.move, again.value, again.variation) == (found.move, found.value, found.variation)
    assert np.allclose(again.ownership, found.ownership, atol=1e-6)
    for one, two in zip(again.candidates, found.candidates, strict=True):
        assert (one.ownership is None) == (two.ownership is None)
        if one.ownership is not None and two.ownership is not None:
            assert np.allclose(one.ownership, two.ownership, atol=1e-6)


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_the_same_at_the_other_end(name: str) -> None:
    recipe = RECIPES[name]
    assert wire.unpack_recipe(wire.pack_recipe(recipe)) == recipe


def test_what_is_asked_for_is_the_same_at_the_other_end() -> None:
    recipe = RECIPES["uct"].with_parameters({"selection.c": 0.25})
    assert wire.unpack_recipe(wire.pack_recipe(recipe)) == recipe
    avoided = (Avoid(1, frozenset({50, 51}), 3),)
    assert wire.unpack_avoided(wire.pack_avoided(avoided)) == avoided
    budget = Budget(seconds=1.5, longest=2.0)
    assert wire.unpack_budget(wire.pack_budget(budget)) == budget


# --- sums ------------------------------------------------------------------------------


def test_names_of_nodes_are_those_of_the_kernels() -> None:
    moves = np.array([PASS, *all_points(9)], dtype=np.int64)
    root = np.array([path_key(moves[:3])], dtype=np.uint64)
    keys = child_keys(root, moves)[0]
    for i in (0, 1, 40, 81):
        assert int(keys[i]) == path_key(np.array([*moves[:3], moves[i]], dtype=np.int64))


def test_layouts_that_take_up_siblings_are_told_apart() -> None:
    moves = np.array([PASS, *all_points(9)], dtype=np.int64)
    digests = set()
    for child in range(1, len(moves) + 1):
        layout = Layout(path_key(moves[:0]), moves, Sharing())
        sums = np.zeros(layout.size, dtype=np.int64)
        sums[0] = sums[child] = 100  # visits come first
        layout.take(sums, np.zeros_like(sums))
        digests.add(layout.digest)
    assert len(digests) == len(moves)


@pytest.mark.parametrize("rave", [True, False])
def test_sums_bring_everybody_the_same_tree(rave: bool) -> None:
    """What an all-reduce does, by hand: own counts stay own, and layouts stay equal."""
    position, sharing = Position.start(5), Sharing(share=0.05, depth=6, rave=rave)
    group = [Machine(RECIPES["montego"], memory_mb=4, seed=i, sharing=sharing) for i in range(3)]
    moves = np.array([PASS, *all_points(5)], dtype=np.int64)
    for machine in group:
        machine.set_position(position)
    layouts = [Layout(machine.key, moves, sharing) for machine in group]
    for number in range(1, 9):
        for machine in group:
            machine.simulate(100)
        assert len({layout.digest for layout in layouts}) == 1
        pairs = list(zip(group, layouts, strict=True))
        vectors = [layout.vector(machine.tell(opens=False)) for machine, layout in pairs]
        sums = np.sum(vectors, axis=0)
        for (machine, layout), own in zip(pairs, vectors, strict=True):
            message, _ = layout.take(sums, own)
            machine.hear(-1, message)
            machine.take_in()
        assert [machine.own_visits for machine in group] == [100 * number] * 3
        assert [machine.root_visits for machine in group] == [300 * number] * 3
        counts = [{c.move: c.visits for c in machine.found(0, 0.0).candidates} for machine in group]
        assert counts[0] == counts[1] == counts[2]
    assert layouts[0].size > 8 * 27  # children of children
