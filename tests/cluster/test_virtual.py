"""The virtual cluster: every method (T20-T24), in virtual time, on a slow and forgetful network."""

from __future__ import annotations

import time
from typing import Any

import pytest

from montego.cluster.broadcaster import Broadcaster
from montego.cluster.machine import Machine
from montego.cluster.settings import METHODS, ONE_TREE, Virtual, parse_settings
from montego.engine.engine import Engine
from montego.go import Position
from montego.kernels.tree.tree import ONE, ROOT
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

MANY_TREES = [method for method in METHODS if method not in ONE_TREE]
START = Position.start(5)


def make(method: str, machines: int = 3, recipe: str = "montego", **settings: Any) -> Any:
    """A cluster with little memory that shares often."""
    return Virtual(method, machines, **{"between": 20} | settings).make(RECIPES[recipe], 1, 16, 7)


def visits(found: Found) -> int:
    return sum(candidate.visits for candidate in found.candidates)


@pytest.mark.parametrize("method", METHODS)
class TestEveryMethod:
    def test_all_simulations_count_for_the_move(self, method: str) -> None:
        search = make(method)
        found = search.run(START, Budget(simulations=130))
        assert found.simulations == visits(found) == 3 * 130
        assert START.is_legal(found.move)
        assert found.variation[0] == found.move
        assert -1 <= found.value <= 1

    def test_one_machine_is_the_search_itself(self, method: str) -> None:
        alone = LocalSearch(RECIPES["montego"], memory_mb=16, seed=7)
        search, position = make(method, machines=1), START
        for _ in range(3):
            one = alone.run(position, Budget(simulations=150))
            two = search.run(position, Budget(simulations=150))
            assert one.candidates == two.candidates
            position = position.play(one.move)

    def test_the_same_seed_the_same_game_whatever_the_threads(self, method: str) -> None:
        settings = Virtual(method, 3, between=15, delay=9, loss=0.2, spread=0.3)
        lines = []
        for threads in (1, 2):
            search, position = settings.make(RECIPES["montego"], threads, 16, 3), START
            for _ in range(3):
                found = search.run(position, Budget(simulations=60))
                lines.append((found.candidates, found.value))
                position = position.play(found.move)
        assert lines[:3] == lines[3:]

    def test_the_engine_plays_with_it(self, method: str) -> None:
        cluster = Virtual(method, 2, between=10)
        engine = Engine(size=5, simulations=40, memory_mb=16, make_search=cluster.make)
        for _ in range(4):
            answer = engine.genmove()
            assert answer.simulations == 80
        engine.undo()
        assert engine.genmove().vertex

    def test_a_hook_stops_it_and_time_ends_it(self, method: str) -> None:
        search = make(method)
        found = search.run(START, Budget(simulations=10**9), lambda found: False, 0.01)
        assert 0 < found.visits < 10**6
        begin = time.perf_counter()
        found = search.run(START, Budget(seconds=0.2))
        assert time.perf_counter() - begin < 20
        assert found.visits > 0

    def test_moves_can_be_left_out(self, method: str) -> None:
        first = make(method).run(START, Budget(simulations=60)).move
        avoided = [Avoid(START.to_play, frozenset({first}), 1)]
        found = make(method).run(START, Budget(simulations=60), avoided=avoided)
        assert first not in {candidate.move for candidate in found.candidates}


@pytest.mark.parametrize("method", MANY_TREES)
@pytest.mark.parametrize("network", [{}, {"delay": 33.0}, {"loss": 0.4}, {"spread": 0.5}])
def test_own_counts_are_exactly_the_simulations(method: str, network: dict[str, Any]) -> None:
    """On any network, in any method; and what is kept of a tree is not more than it had."""
    cluster, position, before = make(method, **network), START, [0, 0, 0]
    for number in range(3):
        found = cluster.run(position, Budget(simulations=100))
        done = cluster.simulations
        own = [member.own_visits for member in cluster.members]
        assert sum(done) == pytest.approx(300, abs=3)
        if number == 0:
            assert own == done
        for mine, now, most in zip(own, done, before, strict=True):
            assert now <= mine <= now + most
        position, before = position.play(found.move), own


@pytest.mark.parametrize("method", ["root", "multiple-runs", "slow-tree"])
def test_what_is_told_is_never_more_than_what_was_done(method: str) -> None:
    cluster = make(method, machines=4, delay=11.0, loss=0.3)
    cluster.run(START, Budget(simulations=150))
    assert [member.own_visits for member in cluster.members] == [150] * 4
    for member in cluster.members:
        assert 150 <= member.root_visits <= 600


def test_when_everything_is_lost_every_machine_is_alone() -> None:
    cluster = make("slow-tree", loss=1.0)
    alone = LocalSearch(RECIPES["montego"], memory_mb=5, seed=7)
    found = cluster.run(START, Budget(simulations=120))
    assert found.candidates == alone.run(START, Budget(simulations=120)).candidates


def test_trees_joined_at_the_end_are_independent() -> None:
    """T20: and the part of a tree that is kept for the next move is the machine's own."""
    cluster = make("root")
    found = cluster.run(START, Budget(simulations=120))
    alone = LocalSearch(RECIPES["montego"], memory_mb=5, seed=7)
    one = alone.run(START, Budget(simulations=120))
    assert visits(found) == 3 * visits(one)
    head = cluster.members[0]
    assert isinstance(head, Machine)
    head.withdraw()
    assert head.nodes == alone.nodes
    for count in ("visits", "total", "rave_visits", "rave_total", "value", "move"):
        mine, its = (search.pool[count][ROOT : search.nodes] for search in (head, alone))
        assert (mine == its).all(), count


def test_sharing_makes_trees_alike() -> None:
    """The slow tree's machines agree more on the visits of moves than those of single runs."""
    spread = {}  # by a recipe without a network, with which all are sure of the same move here
    for method in ("root", "slow-tree"):
        cluster = make(method, machines=4, recipe="classic")
        cluster.run(START, Budget(simulations=400))
        shares = []
        for member in cluster.members[1:]:
            found = member.found(0, 0.0)
            total = visits(found)
            shares.append({c.move: c.visits / total for c in found.candidates})
        spread[method] = sum(
            max(s[move] for s in shares) - min(s[move] for s in shares) for move in shares[0]
        )
    assert spread["slow-tree"] < 0.5 * spread["root"]


def test_everybody_has_everybodys_games() -> None:
    """T23: all trees have all simulations but those under way."""
    cluster = make("share-everything", between=1)
    cluster.run(START, Budget(simulations=100))
    roots = [member.pool[ROOT] for member in cluster.members if isinstance(member, Broadcaster)]
    assert [int(root["visits"]) for root in roots] == [300] * 3
    assert len({int(root["total"]) for root in roots}) == 1
    children = [
        {c.move: (c.visits, c.value) for c in member.found(0, 0.0).candidates}
        for member in cluster.members
    ]
    assert children[0] == children[1] == children[2]


@pytest.mark.parametrize("recipe", ["mango", "mogo", "uct", "omc"])
def test_games_are_played_again_by_any_recipe(recipe: str) -> None:
    cluster = make("share-everything", recipe=recipe)
    found = cluster.run(START, Budget(simulations=100))
    assert visits(found) == 300


def test_results_that_wait_come_in_at_the_end() -> None:
    search = make("threads", machines=8)
    search.run(START, Budget(simulations=40))
    assert not search._waiting["is_there"].any()
    root = search.pool[ROOT]
    assert root["visits"] == 320
    child, total = int(root["first_child"]), 0
    while child:
        total += int(search.pool[child]["total"])
        child = int(search.pool[child]["sibling"])
    assert total == -int(root["total"])
    assert abs(total) <= 320 * ONE


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"method": "magic"}, "'magic' is not a method: leaf, root,"),
        ({"machines": "0"}, "machines of a cluster has to be between 1 and 4096, not 0"),
        ({"machines": "many"}, "'many' is not a value for machines"),
        ({"loss": "nan"}, "loss of a cluster has to be between"),
        ({"rave": "perhaps"}, "'perhaps' is not a value for rave"),
        ({"speed": "3"}, "a cluster has no 'speed'"),
    ],
)
def test_what_makes_no_sense_is_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_settings(given)


def test_settings_are_read_as_they_are_written() -> None:
    given = {"method": "root", "machines": "43", "rave": "no", "loss": "0.25"}
    assert parse_settings(given) == Virtual("root", 43, rave=False, loss=0.25)
