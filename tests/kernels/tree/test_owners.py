"""Owners of points and criticality."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import Position, Rules
from montego.kernels.playouts.policy import WORK
from montego.kernels.tree.owners import FEW, criticality
from montego.kernels.tree.tree import ROOT
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.kernels.exposed import exposed


def test_criticality_is_what_the_winner_owns_beyond_chance() -> None:
    random = np.random.default_rng(3)
    winners = random.choice([-1, 1], 1000, p=[0.3, 0.7])
    owners = np.where(random.random(1000) < 0.6, winners, random.choice([-1, 1], 1000))
    work = np.zeros(1, dtype=WORK)
    work["owned"], work["winners"] = 1000, winners.sum()
    work["owners"][0, 50], work["winner_owns"][0, 50] = owners.sum(), (owners * winners).sum()
    black_owns, black_wins = np.mean(owners == 1), np.mean(winners == 1)
    chance = black_owns * black_wins + (1 - black_owns) * (1 - black_wins)
    expected = np.mean(owners == winners) - chance
    assert exposed(criticality)(work[0], 50) == pytest.approx(expected * 1000 / (1000 + FEW))
    assert exposed(criticality)(np.zeros(1, dtype=WORK)[0], 50) == 0.0


def test_the_points_that_decide_are_critical() -> None:
    # Black lives on the left; all the rest is still to be fought for
    position = Position.from_diagram(
        """
        . X X . . . .
        X X X . . . .
        . X X . O . .
        X X X . . . .
        X X X . O . .
        X X X . . . .
        X X X . . . .
        """,
        rules=Rules(komi=9.5),
    )
    search = LocalSearch(RECIPES["uct"], memory_mb=4, seed=1)
    search.run(position, Budget(simulations=2000))
    critical = {
        (row, column): exposed(criticality)(search.workspaces[0].work, 21 * row + column)
        for row in range(1, 8)
        for column in range(1, 8)
    }
    settled = [abs(value) for (_, column), value in critical.items() if column < 4]
    open_ = [value for (_, column), value in critical.items() if column > 4]
    assert max(settled) < 0.02
    assert min(open_) > 0.02
    assert np.mean(open_) > 0.05


@pytest.mark.parametrize("games", [0.0, 50.0])
def test_critical_points_begin_with_more_games(games: float) -> None:
    recipe = RECIPES["montego"].with_parameters({"knowledge.critical_games": games})
    search = LocalSearch(recipe, memory_mb=8, seed=1)
    search.run(Position.start(7), Budget(simulations=2000))
    known = search.pool[ROOT : search.nodes]
    known = known[known["h"] > 0]  # passes have none
    more = known["prior"] - (10.0 + 100.0 * np.sqrt(known["h"]))
    assert len(known) > 500
    assert min(more) > -0.01
    assert (max(more) > 1.0) == (games > 0)
