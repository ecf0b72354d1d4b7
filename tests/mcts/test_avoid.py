"""Moves that a search is told to leave out."""

from __future__ import annotations

import pytest

from montego.go import BLACK, PASS, WHITE, Position, parse_move
from montego.go.points import all_points, parse_vertex
from montego.mcts.avoid import Avoid, avoided_until, left_out
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

C3, B2 = parse_vertex("C3", 5), parse_vertex("B2", 5)
POINTS_OF_5 = frozenset(all_points(5))


def search_with(recipe: str, *avoided: Avoid, simulations: int = 1500) -> Found:
    search = LocalSearch(RECIPES[recipe], memory_mb=16, seed=1)
    return search.run(Position.start(5), Budget(simulations=simulations), avoided=avoided)


def test_until_which_depth() -> None:
    until = avoided_until([Avoid(BLACK, frozenset({C3}), 3), Avoid(BLACK, frozenset({C3, B2}))])
    assert (until[BLACK, C3], until[BLACK, B2], until[WHITE, C3]) == (3, 1, 0)
    assert avoided_until([Avoid(WHITE, frozenset({PASS}), 10**6)])[WHITE, PASS] > 100


@pytest.mark.parametrize("recipe", RECIPES)
def test_it_is_not_searched_at_the_root(recipe: str) -> None:
    found = search_with(recipe, Avoid(BLACK, frozenset({C3})))
    assert C3 not in {candidate.move for candidate in found.candidates}
    assert found.simulations == 1500
    deeper = {move for c in found.candidates for move in c.variation[1::2]}
    assert C3 in deeper  # White is free to play there
    free = search_with(recipe)
    assert C3 in {candidate.move for candidate in free.candidates}


@pytest.mark.parametrize("recipe", ["uct", "mango", "montego"])
def test_nor_deeper_down(recipe: str) -> None:
    found = search_with(
        recipe, Avoid(WHITE, POINTS_OF_5 - {B2}, 2), Avoid(BLACK, frozenset({C3}), 3)
    )
    for candidate in found.candidates:
        assert candidate.move != C3
        assert set(candidate.variation[1:2]) <= {B2, PASS}
        assert C3 not in candidate.variation[2:3]


def test_if_nothing_is_left_it_passes() -> None:
    found = search_with("uct", Avoid(BLACK, POINTS_OF_5), simulations=50)
    assert [candidate.move for candidate in found.candidates] == [PASS]


def test_another_search_of_the_position_knows_nothing_of_it() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=16, seed=1)
    position = Position.start(5)
    avoid = Avoid(BLACK, frozenset({C3}))
    search.run(position, Budget(simulations=300), avoided=[avoid])
    search.run(position, Budget(simulations=300), avoided=[avoid])
    assert search.root_visits == 600  # it goes on
    found = search.run(position, Budget(simulations=300))
    assert search.root_visits == 300
    assert C3 in {candidate.move for candidate in found.candidates}


def test_what_is_allowed_leaves_all_else_out() -> None:
    some, more = (frozenset({parse_move(name, 5)}) for name in ("A1", "B2"))
    avoided = [Avoid(WHITE, some, 2)]
    allowed = [Avoid(BLACK, some, 1), Avoid(BLACK, more, 4)]
    first, others = left_out(avoided, allowed, 5)
    assert first is avoided[0]
    assert (others.color, others.depth, len(others.moves)) == (BLACK, 4, 24)
    assert not others.moves & (some | more)
