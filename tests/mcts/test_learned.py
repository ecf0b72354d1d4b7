"""Strengths of one's own in a recipe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from montego.go import Position
from montego.knowledge.strengths import shipped_strengths, shipped_tables
from montego.mcts.found import Budget
from montego.mcts.learned import Learned
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch


def test_a_file_takes_the_place_of_what_is_shipped(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    shipped_strengths(19).save(path)
    recipe = RECIPES["montego"].with_parameters({"learned.strengths": str(path)})
    tables = recipe.learned.tables(9)
    assert tables is Learned(str(path)).tables(7)
    assert np.array_equal(tables["gamma"], shipped_tables(19)["gamma"])
    found = [
        LocalSearch(recipe, memory_mb=1, seed=1).run(Position.start(9), Budget(simulations=50))
        for recipe in (recipe, RECIPES["montego"])
    ]
    priors = [{c.move: c.prior for c in one.candidates} for one in found]
    assert priors[0] != priors[1]


def test_a_file_that_is_no_good_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no file"):
        RECIPES["montego"].with_parameters({"learned.strengths": str(tmp_path / "none.npz")})
    (tmp_path / "text.npz").write_text("strong")
    with pytest.raises(ValueError, match="no file of strengths"):
        Learned(str(tmp_path / "text.npz"))
