"""Extra komi: only the tree counts it, it moves at fixed times, and trees are kept or forgotten."""

from __future__ import annotations

import pytest

from montego.go import Position, Rules
from montego.mcts.balance import CLOSE, EVEN, Balance, balance_search
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

POSITION = Position.start(7, Rules(komi=3.5))


def searched(balance: Balance, recipe: str = "montego", simulations: int = 400) -> Found:
    search = LocalSearch(RECIPES[recipe], memory_mb=16, seed=5)
    search.balance(balance)
    return search.run(POSITION, Budget(simulations))


@pytest.mark.parametrize("recipe", ["uct", "montego"])
def test_only_the_tree_counts_it(recipe: str) -> None:
    real, shifted = searched(EVEN, recipe), searched(Balance(20.0), recipe)
    assert shifted.extra_komi == 20
    assert shifted.balanced_value is not None
    assert shifted.balanced_value < real.value - 0.3  # Black is to move
    assert abs(shifted.value - real.value) < 0.3
    assert abs(shifted.score - real.score) < 8


def test_without_extra_komi_both_values_are_one() -> None:
    found = searched(EVEN)
    assert (found.extra_komi, found.balanced_value) == (0, found.value)


def test_values_by_the_real_komi_agree_with_scores() -> None:
    """All playouts are won by the real komi, and lost with the extra komi."""
    search = LocalSearch(RECIPES["uct"], memory_mb=16, seed=5)
    search.balance(Balance(60.0))
    found = search.run(Position.start(5, Rules(komi=-30.0)), Budget(200))
    assert (found.value, found.balanced_value) == (1.0, -1.0)


def test_it_moves_after_fixed_numbers_of_simulations() -> None:
    seen: list[tuple[float, float]] = []

    def adjust(extra_komi: float, mean: float) -> float:
        seen.append((extra_komi, mean))
        return extra_komi + 2

    found = searched(Balance(1.0, adjust, every=100), simulations=350)
    assert [extra_komi for extra_komi, _ in seen] == [1, 3, 5]
    assert found.extra_komi == 7
    assert all(-1 <= mean <= 1 for _, mean in seen)


@pytest.mark.parametrize(("change", "is_kept"), [(0.0, True), (CLOSE, True), (CLOSE + 1, False)])
def test_a_tree_serves_nearly_the_same_komi(change: float, is_kept: bool) -> None:
    search = LocalSearch(RECIPES["uct"], memory_mb=16, seed=5)
    search.balance(Balance(5.0))
    search.run(POSITION, Budget(300))
    search.balance(Balance(5.0 + change))
    search.run(POSITION, Budget(100))
    assert search.root_visits == (400 if is_kept else 100)


def test_a_tree_with_some_of_it_is_told_by_the_real_komi() -> None:
    search = LocalSearch(RECIPES["uct"], memory_mb=16, seed=5)
    search.balance(Balance(CLOSE))
    search.run(POSITION, Budget(300))
    search.balance(EVEN)
    found = search.run(POSITION, Budget(300))
    assert found.extra_komi == 0
    assert found.value != found.balanced_value
    search.clear()
    found = search.run(POSITION, Budget(300))
    assert found.value == found.balanced_value


def test_a_search_that_knows_none_is_left_alone() -> None:
    balance_search(object(), Balance(3.0))
