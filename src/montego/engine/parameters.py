"""An engine's parameters by name: those of its recipe, and its own as ``manners.…``."""

from __future__ import annotations

from collections.abc import Mapping

from montego.engine.manners import Manners, Setting
from montego.engine.validation import BadSetting
from montego.mcts.recipes import RECIPES, Recipe, named_recipe, parse_recipe

MANNERS = "manners."
"""What the names of parameters begin with that are not the recipe's."""


def find_recipe(recipe: str | Recipe) -> Recipe:
    """A recipe by its name or python:FILE.py:NAME, perhaps with changes; or itself."""
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise BadSetting(f"{recipe!r} is not a recipe: {', '.join(RECIPES)} are")
    try:
        return parse_recipe(recipe, _recipe_by_name)
    except ValueError as error:
        raise BadSetting(str(error)) from None


def _recipe_by_name(name: str) -> Recipe:
    """One of ours, or the user's own: what that needs is not imported before."""
    if not name.startswith("python:"):
        return named_recipe(name)
    from montego.mcts.own_file import own_recipe

    return own_recipe(name)


def changed(
    recipe: Recipe, manners: Manners, changes: Mapping[str, Setting]
) -> tuple[Recipe, Manners]:
    """Both with some parameters changed; raises ValueError for a bad name or value."""
    own = {k.removeprefix(MANNERS): v for k, v in changes.items() if k.startswith(MANNERS)}
    others = {name: value for name, value in changes.items() if not name.startswith(MANNERS)}
    return recipe.with_parameters(others), manners.with_settings(own)
