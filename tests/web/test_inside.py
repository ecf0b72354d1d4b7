"""What the page is shown of a search: the numbers of the engine, and nothing made up."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from montego.go import PASS, Position, vertex
from montego.go.points import parse_vertex
from montego.kernels.tree.owners import criticality as kernel_criticality
from montego.knowledge.explain import explain
from montego.knowledge.guess import guess
from montego.mcts.found import Budget
from montego.mcts.playouts import simulate
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from montego.web.inside import SHOWN, criticality, look_inside
from montego.web.jobs import Job, Start, Thinker
from montego.web.known import asked_network, known_moves
from montego.web.playing_out import added, play_out
from tests.kernels.exposed import exposed

GAME = Position.start(7).play("D4").play("C3").play("E3").play("C5")


def searched(recipe: str, simulations: int = 1500) -> LocalSearch:
    search = LocalSearch(RECIPES[recipe], memory_mb=8, seed=3)
    search.run(GAME, Budget(simulations=simulations))
    return search


@pytest.mark.parametrize("recipe", ["montego", "mango", "mogo", "uct", "omc", "orego-ordering"])
def test_the_best_score_is_what_the_search_tries_next(recipe: str) -> None:
    search = searched(recipe)
    told = look_inside(0, GAME, search, search.found(1500, 1.0))
    first = [node for node in told.nodes if node.parent is None]
    assert len(told.nodes) <= len(first) + SHOWN
    assert told.open == sum(node.is_open for node in first)
    if recipe == "omc":  # it draws
        assert all(node.score is None for node in first)
        return
    for node in told.nodes:
        assert node.score == pytest.approx(sum(node.terms), abs=1e-3 * max(1, abs(node.score or 0)))
    visits = {node.move: node.visits for node in first}
    best = max((node for node in first if node.is_open), key=lambda node: node.score or -math.inf)
    search.simulate(1)
    after = look_inside(0, GAME, search, search.found(1, 1.0))
    tried = [n.move for n in after.nodes if n.parent is None and n.visits > visits.get(n.move, 0)]
    scores = {node.move: node.score or 0.0 for node in first}
    assert len(tried) == 1
    assert scores[tried[0]] == pytest.approx(best.score, abs=2e-4)


def test_unpruning_opens_the_first_moves() -> None:
    search = searched("mango", 400)
    told = look_inside(0, GAME, search, search.found(400, 1.0))
    first = [node for node in told.nodes if node.parent is None]
    is_open = [node.is_open for node in first]
    assert 0 < told.open < len(first)
    assert is_open == sorted(is_open, reverse=True)  # by H, the best first
    assert all(node.visits == 0 for node in first if not node.is_open)


def test_criticality_is_that_of_the_search() -> None:
    search, ask = searched("montego", 300), exposed(kernel_criticality)
    told, work = criticality(search, 7), search.workspaces[0].work
    for row in range(7):
        for column in range(7):
            expected = ask(work, 21 * (row + 1) + column + 1)
            assert told[row, column] == pytest.approx(expected)
    assert np.abs(told).max() > 0.01
    empty = LocalSearch(RECIPES["montego"], memory_mb=4)
    assert not criticality(empty, 7).any()


@pytest.mark.parametrize(
    ("recipe", "unit"), [("montego", "factor"), ("mogo", "games"), ("mango", "h"), ("uct", "")]
)
def test_h_and_its_terms(recipe: str, unit: str) -> None:
    search = searched(recipe, 50)
    told = known_moves(0, GAME, search)
    assert told.unit == unit
    assert {move.move for move in told.moves} == {vertex(m, 7) for m in GAME.legal() if m != PASS}
    assert any(move.pattern for move in told.moves)
    assert any(move.terms for move in told.moves) == bool(unit)
    if recipe == "mango":  # P9: H is the sum of its parts, times nearness
        for move in told.moves:
            *parts, near = (term.value for term in move.terms)
            assert move.h == pytest.approx(sum(parts) * near, rel=0.02, abs=0.01)


def test_a_network_has_the_first_word_once_it_is_asked() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=8, seed=3)
    assert asked_network(GAME, search) == ""
    search.run(GAME, Budget(simulations=4))
    assert asked_network(GAME, search) == ""
    before = known_moves(0, GAME, search).moves
    assert not any(term.name.endswith(", %") for move in before for term in move.terms)
    search.run(GAME, Budget(simulations=50))
    assert asked_network(GAME, search) == "64x3"
    said, strengths = guess(GAME).probabilities, {one.move: one for one in explain(GAME)}
    for move in known_moves(0, GAME, search).moves:
        network, cheap = move.terms[:2]
        assert (network.name, cheap.name) == ("network 64x3, %", "learned strengths, %")
        point = parse_vertex(move.move, 7)
        assert network.value == pytest.approx(100 * said[point], abs=0.01)
        assert cheap.value == pytest.approx(100 * strengths[point].probability, abs=0.01)
        if move.h:  # not where no playout would play
            assert network.value == pytest.approx(100 * move.h, rel=0.05, abs=0.2)


def test_its_word_is_its_own_where_h_is_a_mixture() -> None:
    recipe = RECIPES["montego"].with_parameters({"network.share": 0.0})
    search = LocalSearch(recipe, memory_mb=8, seed=3)
    search.run(GAME, Budget(simulations=50))
    best = max(known_moves(0, GAME, search).moves, key=lambda move: move.h)
    network, cheap = best.terms[:2]
    assert cheap.value == pytest.approx(100 * best.h, rel=0.05)
    said = guess(GAME).probabilities[parse_vertex(best.move, 7)]
    assert network.value == pytest.approx(100 * said, abs=0.01)
    assert abs(network.value - cheap.value) > 2


def test_what_all_moves_have_in_common_explains_none() -> None:
    position = Position.start(19).play("D4").play("Q16").play("D16")
    search = LocalSearch(RECIPES["montego"], memory_mb=8, seed=3)
    search.run(position, Budget(simulations=50))
    moves = known_moves(0, position, search).moves
    counts = Counter(
        (term.name, term.value)
        for move in moves
        for term in move.terms
        if not term.name.startswith("network")  # a number of each move, mostly near nothing
    )
    assert max(counts.values()) < 0.8 * len(moves)
    best = max(moves, key=lambda move: move.h)
    assert len(best.terms) >= 3


def a_job(recipe: str, games: int, seed: int = 5) -> Job:
    return Job(
        id=1, game="g", work="playout", player=Thinker(recipe=recipe, seed=seed), games=games,
        start=Start.of(GAME), moves=tuple(GAME.moves), node=4,
    )  # fmt: skip


@pytest.mark.parametrize("recipe", ["montego", "mango", "mogo", "uct"])
def test_playouts_have_the_figures_of_montego_playouts(recipe: str) -> None:
    told = play_out(a_job(recipe, 200), GAME)
    real = simulate(GAME, RECIPES[recipe].playout, 200, seed=5)
    assert (told.games, told.black_wins, told.draws) == (200, real.black_wins, real.draws)
    assert told.lead == pytest.approx(real.mean_score)
    assert told.length == pytest.approx(real.mean_length)
    assert sum(count for _, count in told.scores) == 200
    assert sum(told.rules.values()) == pytest.approx(200 * told.length)


@pytest.mark.parametrize("recipe", ["montego", "mango", "uct"])
def test_the_stones_of_a_playout_come_and_go_as_on_the_board(recipe: str) -> None:
    """The page only puts stones down and takes those off that it is told to: the score is right."""
    for seed in range(20):
        told = play_out(a_job(recipe, 1, seed), GAME)
        stones = {vertex(p, 7): 1 for p in GAME.stones("black")}
        stones |= {vertex(p, 7): -1 for p in GAME.stones("white")}
        for move in told.last:
            if move.move != "pass":
                assert move.move not in stones
                stones[move.move] = 1 if move.color == "black" else -1
            for name in move.taken:
                del stones[name]
        board = Position.set_up(
            7, [p for p, s in stones.items() if s > 0], [p for p, s in stones.items() if s < 0]
        )
        assert board.score() == pytest.approx(told.last_lead)


def test_figures_add_up() -> None:
    one, other = play_out(a_job("mogo", 30, 1), GAME), play_out(a_job("mogo", 50, 2), GAME)
    both = added(one, other)
    assert both.games == 80
    assert both.black_wins == one.black_wins + other.black_wins
    assert both.lead == pytest.approx((30 * one.lead + 50 * other.lead) / 80)
    assert sum(count for _, count in both.scores) == 80
    assert both.rules["random"] == one.rules["random"] + other.rules["random"]
    assert both.last == other.last
