"""``montego recipes``: the recipes with their parts, and all rules by name."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import Json

if TYPE_CHECKING:
    from montego.mcts.recipes import Recipe
    from montego.mcts.rules import Rule

app = typer.Typer()


@app.command("recipes")
def list_recipes(
    rules: Annotated[
        bool, typer.Option("--rules", help="All rules instead, with formula, paper and numbers.")
    ] = False,
    json: Json = False,
) -> None:
    """List the recipes, each with its rules, or all rules that a recipe may have.

    A line can be written wherever a recipe or a player is asked for, with other rules and
    numbers: uct,selection=prior,selection.n_prior=30.
    """
    from montego.mcts.recipes import RECIPES

    if json:
        typer.echo(dumps(as_json(), indent=2))
    elif rules:
        show_rules()
    else:
        for recipe in RECIPES.values():
            typer.echo(",".join([recipe.name, *settings_of(recipe)]))


def settings_of(recipe: Recipe) -> list[str]:
    """What makes a recipe: its rules, and those numbers that are not the rules' own."""
    from montego.mcts.rules import RULES, numbers_of, parts_of

    found = []
    for part, name in parts_of(recipe).items():
        if name is None or part == "locks":  # which is for any recipe, and for several threads
            continue
        found.append(f"{part}={name}")
        usual = {entry["name"]: entry["value"] for entry in numbers_of(RULES[part][name].value)}
        found += [
            f"{part}.{entry['name']}={entry['value']:g}"
            for entry in numbers_of(getattr(recipe, part))
            if entry["value"] != usual[entry["name"]]
        ]
    return found


def show_rules() -> None:
    """Print every rule: its paper, its formula, its numbers with their ranges."""
    from montego.mcts.rules import RULES

    for part, rules in RULES.items():
        typer.echo(part)
        for name, rule in rules.items():
            typer.echo(f"  {part}={name}  ({rule.papers})  {rule.formula}")
            for line in told(part, rule):
                typer.echo(f"      {line}")


def told(part: str, rule: Rule) -> list[str]:
    """What is to be said of a rule besides its formula."""
    from montego.mcts.rules import PARTNER, numbers_of

    lines = []
    needs = getattr(rule.value, "NEEDS", "")
    if needs:
        lines.append(f"needs {needs}: brings knowledge={PARTNER} to a recipe that has nothing")
    for entry in numbers_of(rule.value):
        text = f"{part}.{entry['name']}={str(entry['value']).lower()}"
        if "least" in entry:
            text = f"{part}.{entry['name']}={entry['value']:g}, "
            text += f"{entry['least']:,.10g} to {entry['most']:,.10g}"
        lines.append(text)
    return lines


def as_json() -> dict[str, Any]:
    """The recipes and the rules, for programs."""
    from montego.mcts.recipes import RECIPES
    from montego.mcts.rules import RULES, numbers_of, parts_of

    recipes = {
        recipe.name: {"rules": parts_of(recipe), "parameters": recipe.parameters()}
        for recipe in RECIPES.values()
    }
    rules = {
        part: {
            name: {
                "paper": rule.papers,
                "formula": rule.formula,
                "needs": getattr(rule.value, "NEEDS", ""),
                "parameters": numbers_of(rule.value),
            }
            for name, rule in known.items()
        }
        for part, known in RULES.items()
    }
    return {"recipes": recipes, "rules": rules}
