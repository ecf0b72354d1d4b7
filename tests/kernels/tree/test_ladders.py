"""What running into a long ladder costs a move before the first game is played."""

from __future__ import annotations

import pytest

from montego.go import Position
from montego.go.points import parse_vertex
from montego.kernels.tree.tree import ROOT, child_of_root
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

BASE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . O O . . .
    . . . . . . .
    """


SHORT = """
    . . . . .
    . . O . .
    . O X . .
    . . O O .
    . . . . .
    """


def larger(diagram: str, size: int) -> str:
    """The same stones in the lower left corner of a larger board."""
    rows = [line.split() for line in diagram.split("\n") if line.strip()]
    rows = [row + ["."] * (size - len(row)) for row in rows]
    empty = [["."] * size for _ in range(size - len(rows))]
    return "\n".join(" ".join(row) for row in empty + rows)


LONG = larger(BASE, 13)
BROKEN = larger(BASE.replace(". . . . . . .", ". . . . . X .", 2), 13)


def prior_of(recipe: str, diagram: str, games: float) -> tuple[float, float, float]:
    """Probability, prior games and their mean result of Black's running to D3."""
    changed = RECIPES[recipe].with_parameters({"knowledge.ladder_games": games})
    search = LocalSearch(changed, memory_mb=8, seed=1)
    position = Position.from_diagram(diagram, to_play="black")
    search.run(position, Budget(simulations=100))
    assert search.pool[ROOT]["visits"] >= 100
    child = search.pool[child_of_root(search.pool, parse_vertex("D3", position.size))]
    return float(child["h"]), float(child["prior"]), float(child["q"])


@pytest.mark.parametrize("recipe", ["classic", "montego"])
@pytest.mark.parametrize(("diagram", "is_lost"), [(LONG, True), (SHORT, False), (BROKEN, False)])
def test_who_runs_into_a_long_ladder_has_lost_games(
    recipe: str, diagram: str, is_lost: bool
) -> None:
    h, prior, q = prior_of(recipe, diagram, 30)
    won, lost = 100 * h**0.5, 30 if is_lost else 0
    assert prior == pytest.approx(10 + won + lost, rel=1e-3)
    assert q == pytest.approx((won - lost) / prior, abs=1e-3)


@pytest.mark.parametrize("recipe", ["classic", "montego"])
def test_without_such_games_a_ladder_is_only_unlikely(recipe: str) -> None:
    h, prior, q = prior_of(recipe, LONG, 0)
    assert prior == pytest.approx(10 + 100 * h**0.5, rel=1e-3)
    assert q > 0
