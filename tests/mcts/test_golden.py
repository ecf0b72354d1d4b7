"""Every recipe still finds the trees that it found when they were looked at last."""

from __future__ import annotations

import pytest

from montego.mcts.recipes import RECIPES
from tests.golden import trees

KEPT = trees.read()
CASES = [(recipe, name) for recipe in RECIPES for name in trees.positions()]


@pytest.mark.parametrize(("recipe", "name"), CASES, ids=lambda text: text.replace(" ", "-"))
def test_the_tree_is_the_one_that_was_kept(recipe: str, name: str) -> None:
    found = trees.tree(RECIPES[recipe], trees.positions()[name])
    assert found == KEPT.get(f"{recipe}: {name}"), "if this was meant: python -m tests.golden.trees"


def test_nothing_else_is_kept() -> None:
    alone = {f"{recipe}: {name}" for recipe, name in CASES}
    assert set(KEPT) == alone | set(trees.shared_cases())
