"""A network in the search: what it is shown, what becomes of its word, and when it is asked."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from montego.go import Position
from montego.kernels.board.board import PASS
from montego.kernels.features import planes as f
from montego.kernels.tree.network import LOWEST_VALUE, STEPS
from montego.kernels.tree.tree import EXPANDED, NONE, ROOT
from montego.knowledge.network import SHIPPED, Network, find_network, weights_of
from montego.mcts.found import Budget
from montego.mcts.network import PolicyNetwork
from montego.mcts.recipes import RECIPES, Recipe, parse_recipe
from montego.mcts.search import LocalSearch
from montego.mcts.seeding import PriorGames
from tests.kernels.features.test_planes import naive_codes, probabilities
from tests.kernels.net.plain import plain_forward
from tests.positions import drawn_rows, place_of, random_position

AT_ONCE = "montego,network=policy,network.at=1,network.weights=32x2"


def searched(text: str, position: Position, simulations: int, threads: int = 1) -> LocalSearch:
    search = LocalSearch(parse_recipe(text), threads=threads, memory_mb=32)
    search.run(position, Budget(simulations=simulations))
    return search


def children(search: LocalSearch, node: int = ROOT) -> list[Any]:
    found, child = [], int(search.pool["first_child"][node])
    while child != NONE:
        found.append(search.pool[child])
        child = int(search.pool["sibling"][child])
    return found


def naive_planes(position: Position) -> Any:
    """The planes of a position, from naive boards and from learned probabilities."""
    size = position.size
    planes = np.zeros((f.PLANES, size * size))
    for place, code in enumerate(naive_codes(position)):
        if code == f.KO_CODE:
            planes[f.KO_POINT, place] = 1
        elif code:
            plane = (code - 1) % f.CAUGHT_CODE
            planes[plane, place] = 1
            if code > f.CAUGHT_CODE:
                planes[f.LADDERS + (plane >= f.OPPONENTS), place] = 1
    for k, (_, move) in enumerate(position.moves[::-1][: f.RECENT]):
        if move != PASS:
            planes[f.LAST_MOVES + k, place_of(move, size)] = 1
    planes[f.ONES] = 1
    for place, chance in probabilities(position).items():
        hint = 1 + math.log(chance) / 10
        if hint > 0:
            planes[f.HINT, place], planes[f.HINT_ROOT, place] = hint, chance**0.5
    return planes.reshape(-1, size, size)


@pytest.mark.parametrize(("size", "moves", "seed"), [(5, 12, 1), (9, 40, 2), (19, 150, 3)])
def test_h_is_the_softmax_of_plain_logits(size: int, moves: int, seed: int) -> None:
    position = random_position(size, moves, seed)
    logits, _ = plain_forward(weights_of(find_network("32x2")), naive_planes(position))
    own = [child for child in children(searched(AT_ONCE, position, 2)) if child["move"] != PASS]
    chosen = np.array([logits.ravel()[place_of(int(child["move"]), size)] for child in own])
    expected = np.exp(chosen - chosen.max())
    expected /= expected.sum()
    assert np.allclose([child["h"] for child in own], expected, atol=2e-4)
    assert (np.diff(expected) <= 1e-4).all()  # P8: the children are in its order
    knowledge, use = RECIPES["montego"].knowledge, PolicyNetwork()
    won = use.games * np.sqrt(expected)
    even = knowledge.numbers()["even"]
    assert np.allclose([child["prior"] for child in own], even + won, rtol=0.01)
    assert np.allclose([child["q"] for child in own], won / (even + won), atol=0.01)


def test_a_share_of_nothing_leaves_what_was_known() -> None:
    position = random_position(9, 20, seed=5)
    plain, none = (
        [(child["move"], child["h"]) for child in children(searched(text, position, 30))]
        for text in ("classic", AT_ONCE + ",network.share=0")
    )
    assert [move for move, _ in plain] == [move for move, _ in none]
    assert np.allclose([h for _, h in plain], [h for _, h in none])


def test_a_network_that_has_not_seen_ladders_makes_nothing_of_them(tmp_path: Path) -> None:
    known, path = find_network("32x2"), tmp_path / "older.npz"
    replace(known, stem=known.stem[:, : f.PLANES_WITHOUT_LADDERS]).save(path)
    older = Network.load(path)
    assert np.array_equal(older.stem[:, : f.LADDERS], known.stem[:, : f.LADDERS])
    assert not older.stem[:, f.LADDERS :].any()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_node_is_asked_about_once_when_it_has_earned_it(threads: int) -> None:
    text = "montego,network=policy,network.at=15,network.weights=32x2"
    search = searched(text, Position.start(9), 1500, threads)
    nodes = search.pool[ROOT : search.nodes]
    asked = nodes["asked"] != 0
    assert search.tree["network_calls"] == asked.sum()
    assert 20 < asked.sum() < (nodes["visits"] >= 2).sum() / 3
    assert nodes["visits"][asked].min() >= 15
    left = ~asked & (nodes["visits"] > 20) & (nodes["flags"] & EXPANDED != 0)
    assert not left.any()


def test_what_is_kept_of_a_tree_is_not_asked_about_again() -> None:
    position = Position.start(9)
    search = LocalSearch(parse_recipe(AT_ONCE), memory_mb=32)
    after = position.play(search.run(position, Budget(simulations=400)).move)
    search.run(after, Budget(simulations=1))
    kept = search.pool[ROOT : search.nodes]["asked"].astype(bool).sum()
    calls = int(search.tree["network_calls"])
    search.run(after, Budget(simulations=200))
    now = search.pool[ROOT : search.nodes]["asked"].astype(bool).sum()
    assert kept > 1
    assert search.tree["network_calls"] - calls == now - kept > 0


@pytest.mark.parametrize(
    "recipe", ["mango", "mogo", "uct,selection=puct", "montego,selection=puct"]
)
def test_every_recipe_can_have_one(recipe: str) -> None:
    text = f"{recipe},network=policy,network.at=2,network.weights=32x2"
    search = searched(text, random_position(9, 10, seed=1), 200)
    assert search.tree["network_calls"] > 0
    assert search.root_visits == 200


def test_with_a_threshold_the_network_decides_which_children_are_open() -> None:
    text = "mango,network=policy,network.at=1,network.weights=32x2"
    search = searched(text, random_position(9, 10, seed=1), 100)
    h = [float(child["h"]) for child in children(search) if child["move"] != PASS]
    assert h == sorted(h, reverse=True)
    assert sum(h) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("name", SHIPPED)
def test_those_that_come_with_the_program(name: str) -> None:
    network = find_network(name)
    assert f"{network.width}x{network.blocks}" == name
    for size in ("9", "19"):
        assert network.manifest["accuracy"][size]["accuracy"]["1"] > 0.4
    for size in ("9", "13", "19"):
        assert network.manifest["value"][size]["right"] > 0.7


def test_a_network_is_written_and_read(tmp_path: Path) -> None:
    network = find_network("32x2")
    network.save(tmp_path / "a.npz")
    again = Network.load(tmp_path / "a.npz")
    assert np.array_equal(again.layers, network.layers)
    assert again.manifest == network.manifest
    recipe = parse_recipe(f"montego,network=policy,network.weights={tmp_path / 'a.npz'}")
    assert isinstance(recipe, Recipe)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.npz"
    find_network("32x2").save(damaged)
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 255
    damaged.write_bytes(content)
    strange = tmp_path / "strange.npz"
    np.savez(strange, stem=np.zeros(3))
    with pytest.raises(ValueError, match="'48x2' is no network: 32x2, 64x3, 96x5 are"):
        parse_recipe("montego,network=policy,network.weights=48x2")
    with pytest.raises(ValueError, match=r"there is no file .*absent\.npz"):
        parse_recipe(f"montego,network=policy,network.weights={tmp_path / 'absent.npz'}")
    for path in (damaged, strange):
        with pytest.raises(ValueError, match="is no file of a network"):
            parse_recipe(f"montego,network=policy,network.weights={path}")
    network = find_network("32x2")
    wrong = Network(network.stem, network.stem_bias[:3], network.layers, network.layer_biases,
                    network.policy, network.policy_bias)  # fmt: skip
    wrong.save(tmp_path / "wrong.npz")
    with pytest.raises(ValueError, match="of another kind"):
        Network.load(tmp_path / "wrong.npz")


@pytest.mark.parametrize(("size", "name"), [(2, "64x3"), (8, "64x3"), (9, "96x5"), (19, "96x5")])
def test_large_boards_have_the_large_network(size: int, name: str) -> None:
    texts = "montego", f"montego,network.weights={name}"
    by_size, by_name = (
        searched(f"{text},network.at=2", Position.start(size), 30) for text in texts
    )
    assert children(by_size)[0]["h"] > 0
    assert [(c["move"], c["h"]) for c in children(by_size)] == [
        (c["move"], c["h"]) for c in children(by_name)
    ]


def test_a_search_that_changes_boards_changes_networks() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=32, seed=1)
    for size in (7, 19, 7):
        found = search.run(Position.start(size), Budget(simulations=40))
        fresh = LocalSearch(RECIPES["montego"], memory_mb=32, seed=1)
        again = fresh.run(Position.start(size), Budget(simulations=40))
        priors = [{c.move: c.prior for c in one.candidates} for one in (found, again)]
        assert priors[0] == pytest.approx(priors[1])


def test_games_from_a_book_stay() -> None:
    position = random_position(9, 6, seed=3)
    move = position.legal()[0]
    search = LocalSearch(parse_recipe("montego,network.weights=32x2"), memory_mb=32)
    search.begin_with(position, {move: PriorGames(30.0, 1.0)})
    search.run(position, Budget(simulations=100))
    assert search.pool[ROOT]["asked"] != 0
    child = next(child for child in children(search) if child["move"] == move)
    own = 10 + 100 * math.sqrt(child["h"])
    assert child["prior"] == pytest.approx(own + 30, rel=1e-3)
    assert child["q"] == pytest.approx((own - 10 + 30) / (own + 30), rel=1e-3)


def test_an_own_network_that_is_damaged_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/network-64x3.npz").write_bytes(b"damaged")
    monkeypatch.setattr("montego.knowledge.network.files", lambda name: tmp_path)
    for name in ("64x3", "96x5"):
        with pytest.raises(OSError, match="missing or damaged; network=none"):
            find_network(name)


# --- values ----------------------------------------------------------------------------


def with_value(folder: Path, last_bias: float = 0.0, komi_weight: float = 0.0) -> Path:
    """The smallest network with a value: a number, less what komi takes; no position matters."""
    value = {
        "value_weights": np.zeros((16, 32), np.float32),
        "value_biases": np.zeros(16, np.float32),
        "value_sum_weights": np.zeros((2, 18), np.float32),
        "value_sum_biases": np.zeros(2, np.float32),
        "value_last_weights": np.array([-1, 1], np.float32),
        "value_last_bias": np.array([last_bias], np.float32),
    }
    value["value_sum_weights"][:, 16] = komi_weight, -komi_weight
    path = folder / "value.npz"
    replace(find_network("32x2"), value=value).save(path)
    return path


def asked_at_once(path: Path, part: float) -> str:
    return f"uct,network=policy,network.weights={path},network.at=1,network.value={part}"


@pytest.mark.parametrize("part", [0.25, 1.0])
@pytest.mark.parametrize("last_bias", [-0.6, 0.6])
def test_a_result_is_mixed_with_the_value_of_the_last_node_that_was_asked_about(
    tmp_path: Path, last_bias: float, part: float
) -> None:
    """The root has been asked about, its new children have not: what they win is the playout's
    result, and the value for who moves at the root."""
    path = with_value(tmp_path, last_bias=last_bias)
    found = children(searched(asked_at_once(path, part), random_position(9, 15, seed=7), 60))
    once = [child["value"] for child in found if child["visits"] == 1]
    value = math.tanh(last_bias)
    expected = [(1 - part) * result + part * value for result in (-1, 1)]
    assert len(once) > 5
    assert all(min(abs(one - it) for it in expected) < 0.01 for one in once)


def test_values_are_those_of_who_moves(tmp_path: Path) -> None:
    """Every node says that who is to move there wins.  The first game through a child counts for
    who moves at the root; at the next one the child is asked about, and its word counts."""
    path, position = with_value(tmp_path, last_bias=0.6), random_position(9, 15, seed=7)
    text = asked_at_once(path, 1.0) + ",growth.expand_at=2"
    found = children(searched(text, position, 2 * len(position.legal())))
    twice = [child["value"] for child in found if child["visits"] == 2 and child["asked"]]
    assert len(twice) > 5
    assert np.allclose(twice, 0.0, atol=0.01)


@pytest.mark.parametrize("moves", [30, 31])
def test_komi_is_what_who_moves_gives(tmp_path: Path, moves: int) -> None:
    path = with_value(tmp_path, komi_weight=1.0)
    position = random_position(9, moves, seed=3)
    search = searched(asked_at_once(path, 1.0), position, 2)
    given = position.komi if position.to_play == 1 else -position.komi
    noted = (int(search.pool["asked"][ROOT]) - LOWEST_VALUE) / STEPS - 1
    assert noted == pytest.approx(math.tanh(-given / 10), abs=0.01)


@pytest.mark.parametrize(("moves", "belief"), [(0, 1.0), (30, 1.0), (55, 0.6), (90, 0.0)])
def test_values_are_believed_less_and_less(tmp_path: Path, moves: int, belief: float) -> None:
    """The first game through a child counts for its playout, and for the root's value."""
    position = random_position(9, moves, seed=4)
    empty = sum(symbol not in "XO" for row in drawn_rows(position) for symbol in row) / 81
    assert PolicyNetwork().belief(empty) == pytest.approx(belief, abs=0.2)
    path = with_value(tmp_path, last_bias=0.6)
    found = children(searched(asked_at_once(path, 0.5), position, len(position.legal())))
    once = [child["value"] for child in found if child["visits"] == 1]
    part, value = 0.5 * PolicyNetwork().belief(empty), math.tanh(0.6)
    assert once
    assert all(
        min(abs(one - (1 - part) * result - part * value) for result in (-1, 1)) < 0.01
        for one in once
    )


def test_a_game_that_is_over_is_not_a_matter_of_belief(tmp_path: Path) -> None:
    path = with_value(tmp_path, last_bias=3.0)
    position = Position.start(5).play("C3").play("pass").play("pass")
    search = searched(asked_at_once(path, 1.0), position, 3)
    assert abs(float(search.pool["value"][ROOT])) == 1.0


def test_without_a_value_or_a_part_for_it_nothing_changes(tmp_path: Path) -> None:
    with_one, without = with_value(tmp_path, last_bias=0.6), tmp_path / "without.npz"
    replace(find_network("32x2"), value={}).save(without)
    position = random_position(9, 20, seed=5)
    texts = [
        f"montego,network.at=1,network.weights={path},network.value={part}"
        for path, part in ((without, 0), (without, 0.5), (with_one, 0))
    ]
    plain, *others = (
        [(child["move"], child["visits"]) for child in children(searched(text, position, 200))]
        for text in texts
    )
    assert others == [plain, plain]
