"""What H costs with a threshold of 30 (P 3.4: at most 4 % of the speed).

Two searches that differ in nothing but the knowledge: selection by plain UCT does not look at
H, so that both grow trees of the same shape.  They take turns; the best of many runs counts,
and it is the processor's time that is measured.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from montego.go import Position
from montego.mcts import node_knowledge, strategies
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch

THRESHOLD = 30
MOST = 0.04
ROUNDS = 15


def seconds(search: LocalSearch, size: int, simulations: int) -> float:
    search.clear()
    begin = time.process_time()
    search.run(Position.start(size), Budget(simulations=simulations))
    return time.process_time() - begin


def cost(recipe: Recipe, size: int, simulations: int, rounds: int = ROUNDS) -> float:
    """The part of a search's time that its knowledge takes."""
    without = replace(recipe, knowledge=node_knowledge.NoKnowledge())
    searches = [LocalSearch(r, memory_mb=128, seed=1) for r in (recipe, without)]
    best = [min(seconds(search, size, simulations) for _ in range(2)) for search in searches]
    for _ in range(rounds):
        best = [min(b, seconds(s, size, simulations)) for b, s in zip(best, searches, strict=True)]
    return best[0] / best[1] - 1


@pytest.mark.slow
@pytest.mark.parametrize(("size", "simulations"), [(9, 10_000), (19, 4_000)])
def test_knowledge_costs_little(size: int, simulations: int) -> None:
    recipe = RECIPES["mango-plain"]
    assert isinstance(recipe.growth, strategies.Threshold)
    assert recipe.growth.threshold == THRESHOLD
    found = cost(recipe, size, simulations)
    print(f"\nH costs {found:.1%} of the speed at {size}×{size}")
    assert found <= MOST
