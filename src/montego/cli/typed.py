"""What is typed on the command line, checked: values, or an error that says what is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from montego.engine.levels import Level, find_level

if TYPE_CHECKING:
    from montego.engine.own import MakeEngine

SMALLEST, LARGEST = 2, 19
MOST_CHANNELS = 512
"""Of a network."""


def parse_size(text: str) -> int:
    """A board size between 2 and 19."""
    try:
        size = int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a board size") from None
    if not SMALLEST <= size <= LARGEST:
        raise typer.BadParameter(f"{size} is not a board size: {SMALLEST} to {LARGEST} are")
    return size


def parse_tower(text: str | None) -> tuple[int, int] | None:
    """The channels and residual blocks of a network, 64x3."""
    if text is None:
        return None
    width, _, blocks = text.partition("x")
    if not (width.isdecimal() and blocks.isdecimal()) or not 1 <= int(width) <= MOST_CHANNELS:
        raise typer.BadParameter(
            f"{text!r} is not channels and blocks, such as 64x3", param_hint="'--network'"
        )
    if find_spec("torch") is None:
        raise typer.TyperException("learning a network needs PyTorch: pip install 'montego[train]'")
    return int(width), int(blocks)


def parse_plays(texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Sizes of boards and numbers of games, 9:10000."""
    found = {}
    for text in texts:
        size, _, games = text.partition(":")
        if not (size.isdecimal() and games.isdecimal() and int(games) > 0):
            raise typer.BadParameter(
                f"{text!r} is not a size and games, such as 9:10000", param_hint="'--play'"
            )
        found[parse_size(size)] = int(games)
    return tuple(sorted(found.items()))


def parse_seconds(text: str) -> float:
    """A duration: a positive, finite number."""
    try:
        seconds = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number of seconds") from None
    if not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"{text} is not a positive number of seconds")
    return seconds


def parse_level(text: str) -> Level:
    """A level by its number or its name."""
    try:
        return find_level(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def check_level_alone(level: Level | None, recipe: str | None) -> None:
    """Refuse a recipe beside a level."""
    if level is not None and recipe is not None:
        raise typer.BadParameter("a level has a recipe of its own", param_hint="'--recipe'")


def check_one_limit(*limits: object) -> None:
    """Refuse several limits of its thinking."""
    if sum(limit is not None for limit in limits) > 1:
        raise typer.BadParameter(
            "give one of them, not several", param_hint="'--level' / '--simulations' / '--seconds'"
        )


def parse_komi(text: str) -> float:
    """A finite komi; the rules decide which ones they take."""
    try:
        komi = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a komi") from None
    if not math.isfinite(komi):
        raise typer.BadParameter(f"{text} is not a komi")
    return komi


def split_items(text: str, option: str, once: bool = True) -> list[str]:
    """The items of a comma-separated list in order; each once, unless they are not to be."""
    items = [item.strip() for item in text.split(",")]
    if "" in items:
        raise typer.BadParameter(f"{text!r} has an empty item", param_hint=f"'{option}'")
    return list(dict.fromkeys(items)) if once else items


def choose_sizes(text: str) -> list[int]:
    """The board sizes in a list such as ``9,13,19``."""
    try:
        return [parse_size(item) for item in split_items(text, "--sizes")]
    except typer.BadParameter as error:
        raise typer.BadParameter(error.message, param_hint="'--sizes'") from None


def choose_kinds(text: str) -> list[str]:
    """The kinds of playout in a list such as ``uniform,mogo``."""
    from montego.mcts.playouts import KINDS

    known = list(KINDS)
    if text in ("all", "none"):
        return known if text == "all" else []
    chosen = split_items(text, "--kinds")
    for item in chosen:
        if item not in known:
            message = f"{item!r} is not a kind of playout: {', '.join(known)} are"
            raise typer.BadParameter(message, param_hint="'--kinds'")
    return chosen


def choose_recipes(text: str) -> list[str]:
    """The recipes in a list such as ``uct,selection=prior,mogo``: what is set belongs to the
    recipe before it."""
    from montego.mcts.recipes import RECIPES, parse_recipe

    if text in ("all", "none"):
        return list(RECIPES) if text == "all" else []
    chosen: list[str] = []
    for item in split_items(text, "--recipes", once=False):
        if "=" in item and chosen:
            chosen[-1] += f",{item}"
        else:
            chosen.append(item)
    for recipe in chosen:
        try:
            parse_recipe(recipe)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="'--recipes'") from None
    return list(dict.fromkeys(chosen))


def check_handicap(size: int, stones: int) -> None:
    """Refuse more handicap stones than a board has room for."""
    from montego.go.handicap import free_points

    try:
        free_points(size, stones)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--handicap'") from None


DEFAULT_RECIPE = "montego"


def check_recipe(name: str, changes: Mapping[str, str]) -> None:
    """Refuse a recipe or parameters that there are not; the usual one needs no look."""
    if name == DEFAULT_RECIPE and not changes:
        return
    from montego.engine.komi import DynamicKomi
    from montego.engine.manners import Manners
    from montego.engine.parameters import changed, find_recipe

    try:
        changed(find_recipe(name), Manners(), DynamicKomi(), changes)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def find_engine(recipe: str, given: Mapping[str, object]) -> MakeEngine | None:
    """What makes the engine, where a function of the user's own does."""
    if not recipe.startswith("python:"):
        return None
    from montego.engine import own

    try:
        return own.find_engine(recipe, given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def parse_changes(words: Sequence[str]) -> dict[str, str]:
    """Rules and parameters such as ``selection=prior`` and ``selection.c=0.5``."""
    changes = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not (name and sign and value):
            raise typer.BadParameter(f"{word!r} is not of the form key=value")
        changes[name] = value
    return changes


def choose_cluster(
    recipe: str, changes: dict[str, str], options: Mapping[str, str | int | None]
) -> dict[str, Any]:
    """What an engine is told of the machines that search for it: nothing if there is but one.

    ``cluster.delay=20`` and the like are taken out of the changes.
    """
    given = {name: str(value) for name, value in options.items() if value is not None}
    given |= {name: changes.pop(name) for name in list(changes) if name.startswith("cluster.")}
    if not given:
        return {}
    from montego.cluster.joined import join
    from montego.cluster.settings import take_cluster

    try:
        cluster = join(given) or take_cluster(given)
        assert cluster is not None
        cluster.check(recipe)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return {"make_search": cluster.make}


def check_writable(path: Path, option: str = "'--json'") -> None:
    """Refuse a file that could not be written, while nothing has been measured yet."""
    from montego import files

    try:
        files.check_writable(path)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise typer.BadParameter(f"{path}: {reason}", param_hint=option) from None


def check_memory(megabytes: int) -> None:
    """Refuse more than this machine has."""
    from montego.lab.base.memory import memory_mb

    if megabytes > (most := memory_mb()):
        told = f"{megabytes:,} MB is more than this machine has: {most:,} MB"
        raise typer.BadParameter(told, param_hint="'--memory'")


PICTURES = (".png", ".svg", ".pdf")


def check_picture(path: Path, option: str) -> None:
    """Refuse a picture that could not be drawn or written, while there is nothing to draw yet."""
    if path.suffix not in PICTURES:
        raise typer.BadParameter(f"{path} is none of {', '.join(PICTURES)}", param_hint=option)
    if find_spec("matplotlib") is None:
        raise typer.TyperException("pictures need matplotlib: pip install 'montego[lab]'")
    check_writable(path, option)


def choose_sprt(text: str | None) -> tuple[float, float] | None:
    """Two Elo differences with a comma, the smaller one first."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise typer.BadParameter(
            f"{text!r} is not two Elo differences, the smaller one first, such as 0,50",
            param_hint="'--sprt'",
        )
    return low, high
