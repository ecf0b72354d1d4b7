"""Players by their text: ``montego,simulations=2000``, ``montego,level=3``,
``mango,seconds=1,selection.c=0.5``,
``montego,cluster=slow-tree,machines=16``, ``search:uct``, ``playout:mogo``, ``random``,
``gtp:gnugo --mode gtp --level 10``, or what a user has written in a file, ``python:mine.py:MINE``.

The text alone says who plays, so that a record can be read, and its match played again, years
later; of a file of the user's own the record keeps the digest.  A recipe's name alone is the
engine, ``search:`` the bare search.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from montego.book.errors import BookError
from montego.book.store import Book
from montego.cluster.settings import Cluster, take_cluster
from montego.engine.komi import DynamicKomi
from montego.engine.levels import Level, find_level
from montego.engine.manners import Manners
from montego.engine.own import bound, is_engine, own_engine
from montego.engine.parameters import changed, find_recipe, own_parameters
from montego.lab.base.memory import memory_mb
from montego.lab.matches.players import (
    EnginePlayer,
    GtpPlayer,
    Player,
    PlayerError,
    PlayoutPlayer,
    SearchPlayer,
    Settings,
    engine_of,
)
from montego.lab.matches.program import find_program
from montego.mcts.own_file import PREFIX, Own, OwnFileError, described, find_own
from montego.mcts.playouts import KINDS, Playout, Uniform
from montego.mcts.recipes import RECIPES, Recipe

LEVELLED = "montego"
"""The name that levels are asked for by."""
METHODS = ("new_game", "play", "genmove", "close")
"""What a class of players has, see Player."""


@dataclass(frozen=True)
class Entrant:
    """A player as it is written down, checked and understood."""

    text: str
    command: list[str] | None = None
    recipe: Recipe | None = None
    manners: Manners | None = None
    """Those of the engine; a bare search has none."""
    dynamic_komi: DynamicKomi = field(default_factory=DynamicKomi)
    playout: Playout = field(default_factory=Uniform)
    settings: Settings = field(default_factory=Settings)
    make: Callable[[], Player] | None = None
    """Makes a player of the user's own."""
    is_engine: bool = False
    file: str = ""
    """Where something of the user's own comes from,"""
    digest: str = ""
    """and what the file was when it was read."""

    def __reduce__(self) -> Any:
        """Another process reads a file of the user's again: what is in it cannot be sent."""
        return (_same_player, (self.text, self.digest)) if self.file else super().__reduce__()

    def player(self, reply_seconds: float) -> Player:
        """The player itself; a program has so long for every reply."""
        if self.command is not None:
            return GtpPlayer(self.command, reply_seconds)
        if self.make is not None:
            return self.make()
        if self.recipe is None:
            return PlayoutPlayer(self.playout)
        if self.manners is None:
            return SearchPlayer(self.recipe, self.settings)
        own = own_parameters(self.manners, self.dynamic_komi)
        make = partial(engine_of, self.recipe, own, self.settings)
        return EnginePlayer(make, self.settings)


def parse_player(text: str) -> Entrant:
    """Understand ``recipe[,key=value…]``, ``search:recipe[,key=value…]``,
    ``playout:kind[,key=value…]``, ``random``, ``python:FILE.py:NAME[,key=value…]`` and
    ``gtp:COMMAND``; raises PlayerError.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PlayerError(f"{text!a} is no text in UTF-8") from None
    kind, colon, rest = text.partition(":")
    if colon and kind == "gtp":
        return Entrant(text, command=_parse_command(rest))
    name, given = split_player(text)
    if name == "random":
        if given:
            raise PlayerError("a random player has nothing to set")
        return Entrant(text)
    if name.startswith("playout:"):
        return Entrant(text, playout=_parse_playout(name.removeprefix("playout:"), given))
    is_bare = name.startswith("search:")
    own = _parse_own(name.removeprefix("search:"))
    if own is not None and not isinstance(own.value, Recipe):
        return _own_entrant(text, name, own, given)
    if "resign" in given and not is_bare:
        raise PlayerError("resign= is for a bare search; an engine has manners.resign_value=")
    if "book" in given and is_bare:
        raise PlayerError("book= is for the engine; a bare search has none")
    level = _take_level(name, given)
    settings = _parse_settings({k: given.pop(k) for k in list(given) if k in OWN_SETTINGS})
    settings = replace(settings, cluster=_parse_cluster(name, given))
    found = RECIPES.get(name.removeprefix("search:")) if own is None else own.value
    if level is not None:
        settings = replace(settings, simulations=level.simulations)
        found = find_recipe(level.recipe)
        given = {key: str(value) for key, value in level.parameters.items()} | given
    recipe, manners, komi = _parse_recipe(name, found, given, is_bare)
    file, digest = ("", "") if own is None else own[1:]
    return Entrant(text, None, recipe, manners, komi, settings=settings, file=file, digest=digest)


def _take_level(name: str, given: dict[str, str]) -> Level | None:
    """The level that a player is set to, out of what is given; it has its own recipe and limit."""
    if "level" not in given:
        return None
    if name != LEVELLED:
        raise PlayerError(f"level= is for {LEVELLED}: a level has a recipe of its own")
    if limits := {"simulations", "seconds"} & given.keys():
        raise PlayerError(f"a level has simulations of its own: leave {limits.pop()}= out")
    try:
        return find_level(given.pop("level"))
    except ValueError as error:
        raise PlayerError(str(error)) from None


def _same_player(text: str, digest: str) -> Entrant:
    """A player once more, in another process."""
    entrant = parse_player(text)
    if entrant.digest != digest:
        raise PlayerError(f"{entrant.file} has been changed meanwhile")
    return entrant


def _parse_own(name: str) -> Own | None:
    """What a name stands for in a file of the user's, if it does."""
    if not name.startswith(PREFIX):
        return None
    try:
        return find_own(name)
    except OwnFileError as error:
        raise PlayerError(str(error)) from error


def _own_entrant(text: str, name: str, own: Own, given: dict[str, str]) -> Entrant:
    """A class of players, or a function that makes engines."""
    make: Callable[[], Player]
    if name.startswith("search:"):
        raise PlayerError(f"{name}: only a recipe has a bare search")
    try:
        if is_engine(own.value):
            make = partial(EnginePlayer, own_engine(name, own.value, given))
        elif isinstance(own.value, type) and all(map(partial(hasattr, own.value), METHODS)):
            make = bound(name, own.value, given)
        else:
            raise PlayerError(
                f"{name} is {described(own.value)}, and neither a recipe, nor a "
                f"class with {', '.join(METHODS)}, nor a function that makes engines"
            )
    except ValueError as error:
        raise PlayerError(str(error)) from error
    return Entrant(
        text, make=make, is_engine=is_engine(own.value), file=own.file, digest=own.digest
    )


def split_player(text: str) -> tuple[str, dict[str, str]]:
    """The name, and what is set, as written."""
    name, *pairs = (item.strip() for item in text.split(","))
    given = dict(_parse_pair(pair) for pair in pairs)
    if len(given) < len(pairs):
        raise PlayerError(f"{text!r} sets something twice")
    return name, given


OWN_SETTINGS: dict[str, type[int] | type[float] | type[str]] = {
    "simulations": int,
    "seconds": float,
    "threads": int,
    "memory": int,
    "seed": int,
    "resign": float,
    "book": str,
    "book_rule": str,
    "book_games": int,
}
"""What is set that is no parameter of the recipe."""


def _parse_command(text: str) -> list[str]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise PlayerError(f"gtp:{text}: {error}") from None
    if not command:
        raise PlayerError("gtp: is followed by a command")
    if find_program(command[0]) is None:
        raise PlayerError(f"gtp:{text}: there is no program {command[0]!r}")
    return command


def _parse_pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise PlayerError(f"{text!r} is not key=value")
    return key, value


def _parse_settings(given: dict[str, str]) -> Settings:
    numbers: dict[str, Any] = {}
    for key, value in given.items():
        try:
            numbers[key] = OWN_SETTINGS[key](value)
        except ValueError:
            raise PlayerError(f"{key}={value} is not a number") from None
    settings = Settings(**numbers)
    _check_book(settings)
    if settings.memory > (most := memory_mb()):
        raise PlayerError(f"memory={settings.memory} is more than this machine has: {most:,} MB")
    return settings


def _check_book(settings: Settings) -> None:
    """Refuse a book that cannot be played by, before a match begins."""
    if not settings.book:
        return
    try:
        with Book(settings.book) as book:
            is_empty = book.is_empty
    except BookError as error:
        raise PlayerError(str(error)) from None
    if is_empty:
        raise PlayerError(f"{settings.book} holds no games")


def _parse_cluster(name: str, given: dict[str, str]) -> Cluster | None:
    try:
        cluster = take_cluster(given)
        if cluster is not None:
            cluster.check(name.removeprefix("search:"))
        return cluster
    except ValueError as error:
        raise PlayerError(str(error)) from None


def _parse_recipe(
    name: str, recipe: Recipe | None, parameters: dict[str, str], is_bare: bool
) -> tuple[Recipe, Manners | None, DynamicKomi]:
    if recipe is None:
        known = ", ".join([*RECIPES, "random", "search:RECIPE", "playout:KIND"])
        name = name.removeprefix("search:")
        raise PlayerError(
            f"{name!r} is not a player: {known}, python:FILE.py:NAME and gtp:COMMAND are"
        )
    try:
        if is_bare:
            return recipe.with_parameters(parameters), None, DynamicKomi()
        return changed(recipe, Manners(), DynamicKomi(), parameters)
    except ValueError as error:
        raise PlayerError(str(error)) from error


def _parse_playout(kind: str, parameters: dict[str, str]) -> Playout:
    if kind not in KINDS:
        raise PlayerError(f"{kind!r} is not a kind of playout: {', '.join(KINDS)} are")
    changes = {f"playout.{name}": value for name, value in parameters.items()}
    try:
        return Recipe(kind, playout=KINDS[kind]).with_parameters(changes).playout
    except ValueError as error:
        raise PlayerError(str(error)) from error
