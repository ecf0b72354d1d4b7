"""From what the engine knows to what pages are shown."""

from __future__ import annotations

from montego import __version__
from montego.engine.levels import TABLE, find_level
from montego.go import BLACK, GoError, Position, vertex
from montego.go.rulesets import find_ruleset
from montego.mcts.ranges import range_of
from montego.mcts.recipes import RECIPES, named_recipe
from montego.web import messages as m
from montego.web.counting import stones_of
from montego.web.jobs import Thinker
from montego.web.limits import MOST_SECONDS
from montego.web.tree import ROOT, MoveNode

RULES: tuple[m.RulesName, ...] = ("chinese", "japanese", "aga", "new-zealand", "tromp-taylor")


STEERING = ("selection.", "open.", "growth.", "network.")
"""Parameters of a recipe that a reader may turn,"""
TURNED = 4
"""up to so many times the usual value; from nothing to 1 what is nothing."""


def steering(recipe: str) -> dict[str, int | float]:
    """The numbers that steer the search of a recipe; truth values are none."""
    return {
        name: value
        for name, value in named_recipe(recipe).parameters().items()
        if name.startswith(STEERING) and type(value) in (int, float)
    }


def turned(recipe: str) -> list[m.Parameter]:
    """The same with what each can be turned to: nothing that would be refused."""
    found, rules = [], named_recipe(recipe)
    for name, value in steering(recipe).items():
        part, _, number = name.partition(".")
        low, high = range_of(getattr(rules, part), number)
        most = min(TURNED * value if value > 0 else 1, high)
        found.append(
            m.Parameter(
                name=name, value=value, least=max(low, 0), most=most, whole=isinstance(value, int)
            )
        )
    return found


def check_parameters(recipe: str, changes: dict[str, float]) -> None:
    """Refuse numbers that a recipe does not have, or that make no sense."""
    if unknown := set(changes) - set(steering(recipe)):
        raise GoError(f"{recipe} has no number {sorted(unknown)[0]!r}")
    try:
        named_recipe(recipe).with_parameters(whole_where_it_has_to_be(recipe, changes))
    except ValueError as error:
        raise GoError(str(error)) from None


def whole_where_it_has_to_be(recipe: str, changes: dict[str, float]) -> dict[str, int | float]:
    """Numbers of the types that the recipe has; JSON knows but one."""
    known = steering(recipe)
    return {name: type(known[name])(value) for name, value in changes.items()}


def welcome(book: str, laboratory: bool) -> m.Welcome:
    """What there is to choose from."""
    levels = [m.Level(name=level.name, description=level.description) for level in TABLE]
    rules = []
    for name in RULES:
        ruleset = find_ruleset(name)
        rules.append(m.Ruleset(name=name, komi=ruleset.komi, territory=ruleset.territory))
    recipes = sorted(RECIPES, key=lambda name: name != "montego")
    parameters = {recipe: turned(recipe) for recipe in recipes}
    return m.Welcome(
        version=__version__, recipes=recipes, rules=rules, parameters=parameters, levels=levels,
        book=book, laboratory=laboratory,
    )  # fmt: skip


def limit_of(settings: m.Settings, seed: int) -> Thinker:
    """The program that plays under these settings."""
    limit = settings.limit
    simulations, seconds = None, MOST_SECONDS
    if limit.by == "level":
        level = find_level(int(limit.amount))
        return Thinker(
            recipe=level.recipe, seed=seed, simulations=level.simulations, seconds=seconds,
            parameters=level.parameters,
        )  # fmt: skip
    if limit.by == "simulations":
        simulations = int(limit.amount)
    else:
        seconds = limit.amount
    return Thinker(recipe=settings.recipe, seed=seed, simulations=simulations, seconds=seconds)


def side(color: int) -> m.Side:
    """A colour by its name."""
    return "black" if color == BLACK else "white"


def board_of(position: Position) -> m.Board:
    """A position as it is drawn."""
    last, ko, size, captured = position.last, position.ko, position.size, position.captured
    return m.Board(
        size=size,
        stones=stones_of(position),
        to_play=side(position.to_play),
        last=None if last is None else vertex(last, size),
        ko=None if ko is None else vertex(ko, size),
        black_captured=captured.black,
        white_captured=captured.white,
    )


def node_of(node: MoveNode, size: int) -> m.Node:
    """A node of the tree."""
    is_root = node.id == ROOT
    return m.Node(
        id=node.id,
        parent=node.parent,
        color=None if is_root else side(node.color),
        move=None if is_root else vertex(node.move, size),
        win_rate=node.win_rate,
        lead=node.lead,
        seconds=node.seconds,
    )
