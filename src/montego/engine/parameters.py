"""An engine's parameters by name: those of its recipe, and its own as ``manners.…`` and
``komi.…``."""

from __future__ import annotations

from collections.abc import Mapping

from montego.engine.adjustable import Adjustable, Setting
from montego.engine.komi import DynamicKomi
from montego.engine.manners import Manners
from montego.engine.validation import BadSetting
from montego.mcts.recipes import RECIPES, Recipe, named_recipe, parse_recipe

MANNERS, KOMI = "manners.", "komi."
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
    recipe: Recipe, manners: Manners, komi: DynamicKomi, changes: Mapping[str, Setting]
) -> tuple[Recipe, Manners, DynamicKomi]:
    """All with some parameters changed; raises ValueError for a bad name or value."""
    others = {k: v for k, v in changes.items() if not k.startswith((MANNERS, KOMI))}
    return (
        recipe.with_parameters(others),
        manners.with_settings(_below(MANNERS, changes)),
        komi.with_settings(_below(KOMI, changes)),
    )


def _below(prefix: str, changes: Mapping[str, Setting]) -> dict[str, Setting]:
    return {k.removeprefix(prefix): v for k, v in changes.items() if k.startswith(prefix)}


def own_parameters(manners: Manners, komi: DynamicKomi) -> dict[str, Setting]:
    """The parameters that are not the recipe's."""
    named: tuple[tuple[str, Adjustable], ...] = ((MANNERS, manners), (KOMI, komi))
    return {prefix + name: value for prefix, own in named for name, value in own.settings().items()}


CHOICES = {KOMI + name: words for name, words in DynamicKomi.CHOICES.items()}
"""The words that some of them are chosen from."""
