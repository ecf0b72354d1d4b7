"""Trees that begin with games from elsewhere."""

from __future__ import annotations

import pytest

from montego.go import Position, parse_move
from montego.kernels.tree.tree import NONE, child_of_root
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from montego.mcts.seeding import PriorGames

CORNER, FAR = parse_move("A1", 9), parse_move("J9", 9)
BUDGET = Budget(simulations=200)


def search_by(recipe: str = "classic") -> LocalSearch:
    return LocalSearch(RECIPES[recipe], memory_mb=4, seed=1)


def prior_of(search: LocalSearch, move: int) -> tuple[float, float]:
    node = search.pool[child_of_root(search.pool, move)]
    return float(node["prior"]), float(node["q"])


def test_what_won_is_searched_and_what_lost_is_not() -> None:
    start = Position.start(9)
    natural = search_by().run(start, BUDGET).move
    search = search_by()
    known = {CORNER: PriorGames(5_000, 1.0), natural: PriorGames(5_000, -1.0)}
    search.begin_with(start, known)
    assert search.run(start, BUDGET).move == CORNER != natural


def test_games_are_added_to_those_of_knowledge_and_once() -> None:
    start, search = Position.start(9), search_by()
    search.run(start, Budget(simulations=1))
    games, value = prior_of(search, CORNER)
    for _ in range(3):
        search.begin_with(start, {CORNER: PriorGames(30, 0.5)})
    more, mean = prior_of(search, CORNER)
    assert more == pytest.approx(games + 30)
    assert mean == pytest.approx((games * value + 15) / (games + 30), rel=1e-4)
    search.run(start, BUDGET)
    assert prior_of(search, CORNER)[0] == pytest.approx(more)  # the tree was kept


def test_a_new_root_and_a_new_tree_begin_with_games_too() -> None:
    start, search = Position.start(9), search_by()
    search.run(start, BUDGET)
    after = start.play(search.run(start, BUDGET).move)
    plain = search_by()
    plain.run(after, Budget(simulations=1))
    search.begin_with(after, {CORNER: PriorGames(30, 0.5)})  # what was kept has children already
    assert prior_of(search, CORNER)[0] == pytest.approx(prior_of(plain, CORNER)[0] + 30)
    search.run(after, BUDGET, avoided=[Avoid(after.to_play, frozenset({FAR}), depth=1)])
    search.begin_with(after, {CORNER: PriorGames(30, 0.5)})  # that tree was another one
    assert prior_of(search, CORNER)[0] == pytest.approx(prior_of(plain, CORNER)[0] + 30)


def test_rave_counts_begin_with_them_where_those_begin_with_knowledge() -> None:
    start = Position.start(9)
    for recipe, added in (("mogo", 30), ("classic", 0)):
        plain, search = search_by(recipe), search_by(recipe)
        plain.run(start, Budget(simulations=1))
        search.begin_with(start, {CORNER: PriorGames(30, 1.0)})
        before, now = (
            int(tree.pool[child_of_root(tree.pool, CORNER)]["rave_visits"])
            for tree in (plain, search)
        )
        assert now - before == added


def test_a_move_that_is_no_candidate_is_left_alone() -> None:
    position = Position.set_up(9, ["A2", "B1", "B2"], ["J9"], "black")
    search = search_by()
    search.begin_with(position, {CORNER: PriorGames(30, 1.0)})  # an own eye
    assert child_of_root(search.pool, CORNER) == NONE
    assert search.run(position, BUDGET).move != CORNER
