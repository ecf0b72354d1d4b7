"""Players of the laboratory: our engine with a recipe, its bare parts, or any GTP program.

A player is written as text: ``montego,simulations=2000``, ``mango,seconds=1,selection.c=0.5``,
``montego,cluster=slow-tree,machines=16``, ``search:uct``, ``playout:mogo``, ``random``, or
``gtp:gnugo --mode gtp --level 10``.  The text alone says who plays, so that a record can be
read, and its match played again, years later.

A recipe's name alone is the engine that people play against, with its manners: the same object
that GTP and the terminal use.  ``search:`` is the search of that recipe and nothing round it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from montego.cluster.settings import Cluster, take_cluster
from montego.engine.clock import DEFAULT_SIMULATIONS
from montego.engine.engine import MANNERS, Engine, MakeSearch, Search, changed
from montego.engine.manners import Manners
from montego.go import PASS, GoError, Position, Rules, color_name, parse_move, vertex
from montego.lab.base.errors import LabError
from montego.lab.base.memory import memory_mb
from montego.lab.matches.foul import Foul, Kind
from montego.lab.matches.program import GtpProgram, Refusal, find_program
from montego.mcts.playouts import KINDS, Playout, Uniform, choose_moves
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import Budget, LocalSearch

RESIGN = -1
"""In place of a move: the player gives up."""
SEEDS = 2**31
"""Seeds that GTP programs take are below this; so are those of our own."""
LIMITS = {
    "simulations": (1, 10**12),
    "seconds": (1e-6, 10**9),
    "threads": (1, 64),
    "memory": (1, 10**9),
    "seed": (0, 2**63 - 1),
}
"""What may be set, the least and the most."""
SETTLING_SECONDS = 60.0
"""The least time for a program to start and set its board up, whatever its moves may take."""


class Choice(NamedTuple):
    """A player's move, or PASS or RESIGN, and what it thinks of it."""

    move: int
    win_rate: float | None = None
    """Its own chance to win, from 0 to 1, where it tells."""
    simulations: int = 0


class Player(Protocol):
    """Whoever can play a game; trouble is raised as a Foul."""

    def new_game(self, size: int, komi: float, seed: int) -> None:
        """Set up an empty board."""

    def play(self, color: int, move: int) -> None:
        """Take note of a move on the board."""

    def genmove(self, color: int) -> Choice:
        """Choose a move and play it on the own board."""

    def close(self) -> None:
        """Free everything; ``new_game`` may follow all the same."""


class PlayerError(LabError):
    """A text that names no player; the message says why."""


def mixed_seed(*parts: object) -> int:
    """One number from several, the same on every machine."""
    digest = sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:7], "big")


# --- players in this process -----------------------------------------------------------


class OwnPlayer:
    """What our own players share: a position that follows the game."""

    def __init__(self) -> None:
        self.position = Position.start()
        self.seed = 0

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.position = Position.start(size, Rules(komi=komi))
        self.seed = seed

    def play(self, color: int, move: int) -> None:
        self.position = self.position.play(move, color)

    def genmove(self, color: int) -> Choice:
        choice = self.choose()
        if choice.move != RESIGN:
            self.play(color, choice.move)
        return choice

    def choose(self) -> Choice:
        """The choice in the position as it stands."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to free."""


class PlayoutPlayer(OwnPlayer):
    """The moves of a playout, without any search; uniform ones are the zero of every scale."""

    def __init__(self, playout: Playout) -> None:
        super().__init__()
        self.playout = playout

    def choose(self) -> Choice:
        seed = mixed_seed(self.seed, len(self.position.moves))
        for playout in (self.playout, Uniform()):  # a playout that always wants the same move
            for move in choose_moves(self.position, playout, 20, seed):
                if self.position.is_legal(move):  # playouts know no superko
                    return Choice(move)
        return Choice(PASS)


@dataclass(frozen=True)
class Settings:
    """How one of our recipes is run; without a limit, as long as the engine thinks by itself."""

    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1
    memory: int = 512
    """Megabytes for the tree."""
    seed: int = 0
    """Added to the seed of the game."""
    resign: float = 0.05
    """A bare search gives up below this chance to win; 0 is never."""
    cluster: Cluster | None = None
    """The machines that search for it; None is this one alone."""

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            number = getattr(self, name)
            if number is not None and not number >= least:
                raise PlayerError(f"{name}={number} is too little")
            if number is not None and number > most:
                raise PlayerError(f"{name}={number} is too much: at most {most:,}")
        if not 0 <= self.resign < 1:
            raise PlayerError(f"resign={self.resign} is not a chance from 0 to 1")

    @property
    def make_search(self) -> MakeSearch:
        """What makes its searches."""
        return LocalSearch if self.cluster is None else self.cluster.make

    def seed_of(self, game: int) -> int:
        """The seed in a game that has this one."""
        return (self.seed + game) % SEEDS


class EnginePlayer:
    """The engine with one of our recipes, made anew for every game."""

    def __init__(self, recipe: Recipe, manners: Manners, settings: Settings) -> None:
        self.recipe = recipe
        self.manners = manners
        self.settings = settings
        self.engine: Engine | None = None

    def new_game(self, size: int, komi: float, seed: int) -> None:
        settings = self.settings
        self.engine = Engine(
            self.recipe, size, komi, settings.seed_of(seed), settings.threads, settings.memory,
            settings.simulations, settings.seconds,
            parameters={MANNERS + name: value for name, value in self.manners.settings().items()},
            make_search=settings.make_search,
        )  # fmt: skip

    def play(self, color: int, move: int) -> None:
        assert self.engine is not None
        self.engine.play(move, color)

    def genmove(self, color: int) -> Choice:
        assert self.engine is not None
        answer = self.engine.genmove(color)
        move = RESIGN if answer.resigned else answer.move
        return Choice(move, answer.win_rate, answer.simulations)

    def close(self) -> None:
        self.engine = None


class SearchPlayer(OwnPlayer):
    """The bare search of a recipe, with a new tree for every game: its moves as they come."""

    def __init__(self, recipe: Recipe, settings: Settings) -> None:
        super().__init__()
        self.recipe = recipe
        self.settings = settings
        self.search: Search | None = None

    def new_game(self, size: int, komi: float, seed: int) -> None:
        super().new_game(size, komi, seed)
        settings = self.settings
        self.search = settings.make_search(
            self.recipe, settings.threads, settings.memory, settings.seed_of(seed)
        )

    def choose(self) -> Choice:
        settings = self.settings
        simulations = settings.simulations
        if simulations is None and settings.seconds is None:
            simulations = DEFAULT_SIMULATIONS
        assert self.search is not None
        budget = Budget(simulations=simulations, seconds=settings.seconds)
        found = self.search.run(self.position, budget)
        move = RESIGN if found.win_rate < settings.resign else found.move
        return Choice(move, found.win_rate, found.simulations)

    def close(self) -> None:
        self.search = None


# --- players in processes of their own -------------------------------------------------


class GtpPlayer:
    """Any GTP program, started anew for every game, so that each game can be repeated."""

    def __init__(self, command: list[str], reply_seconds: float) -> None:
        self.command = command
        self.reply_seconds = reply_seconds
        self.program: GtpProgram | None = None
        self.size = 0

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.close()
        self.size = size
        self.program = GtpProgram(self.command)
        if "set_random_seed" in self._set_up("list_commands").split():
            self._set_up(f"set_random_seed {seed % SEEDS}")
        for command in (f"boardsize {size}", "clear_board", f"komi {komi:g}"):
            self._set_up(command)

    def play(self, color: int, move: int) -> None:
        self._ask(f"play {color_name(color)} {vertex(move, self.size)}", self.reply_seconds)

    def genmove(self, color: int) -> Choice:
        reply = self._ask(f"genmove {color_name(color)}", self.reply_seconds)
        if reply.lower() == "resign":
            return Choice(RESIGN)
        try:
            return Choice(parse_move(reply, self.size))
        except GoError as error:
            raise Foul(Kind.NONSENSE, f"genmove: {str(error)[:200]}") from error

    def close(self) -> None:
        if self.program is not None:
            self.program.close()
            self.program = None

    def _set_up(self, command: str) -> str:
        return self._ask(command, max(self.reply_seconds, SETTLING_SECONDS))

    def _ask(self, command: str, seconds: float) -> str:
        assert self.program is not None
        try:
            return self.program.ask(command, seconds)
        except Refusal as refusal:
            told = f"refuses {command!r}: {str(refusal)[:200]}"
            raise Foul(Kind.RULES, told) from refusal


# --- players by name -------------------------------------------------------------------


@dataclass(frozen=True)
class Entrant:
    """A player as it is written down, checked and understood."""

    text: str
    command: list[str] | None = None
    recipe: Recipe | None = None
    manners: Manners | None = None
    """Those of the engine; a bare search has none."""
    playout: Playout = field(default_factory=Uniform)
    settings: Settings = field(default_factory=Settings)

    def player(self, reply_seconds: float) -> Player:
        """The player itself; a program has so long for every reply."""
        if self.command is not None:
            return GtpPlayer(self.command, reply_seconds)
        if self.recipe is None:
            return PlayoutPlayer(self.playout)
        if self.manners is None:
            return SearchPlayer(self.recipe, self.settings)
        return EnginePlayer(self.recipe, self.manners, self.settings)


def parse_player(text: str) -> Entrant:
    """Understand ``recipe[,key=value…]``, ``search:recipe[,key=value…]``,
    ``playout:kind[,key=value…]``, ``random`` and ``gtp:COMMAND``; raises PlayerError.
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
    if "resign" in given and not is_bare:
        raise PlayerError("resign= is for a bare search; an engine has manners.resign_value=")
    own = {key: given.pop(key) for key in list(given) if key in OWN_SETTINGS}
    cluster = _parse_cluster(given)
    recipe, manners = _parse_recipe(name.removeprefix("search:"), given, is_bare)
    settings = replace(_parse_settings(own), cluster=cluster)
    return Entrant(text, None, recipe, manners, settings=settings)


def split_player(text: str) -> tuple[str, dict[str, str]]:
    """The name, and what is set, as written."""
    name, *pairs = (item.strip() for item in text.split(","))
    given = dict(_parse_pair(pair) for pair in pairs)
    if len(given) < len(pairs):
        raise PlayerError(f"{text!r} sets something twice")
    return name, given


OWN_SETTINGS: dict[str, type[int] | type[float]] = {
    "simulations": int,
    "seconds": float,
    "threads": int,
    "memory": int,
    "seed": int,
    "resign": float,
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
    if settings.memory > (most := memory_mb()):
        raise PlayerError(f"memory={settings.memory} is more than this machine has: {most:,} MB")
    return settings


def _parse_cluster(given: dict[str, str]) -> Cluster | None:
    try:
        cluster = take_cluster(given)
        if cluster is not None:
            cluster.check()
        return cluster
    except ValueError as error:
        raise PlayerError(str(error)) from None


def _parse_recipe(
    name: str, parameters: dict[str, str], is_bare: bool
) -> tuple[Recipe, Manners | None]:
    if name not in RECIPES:
        known = ", ".join([*RECIPES, "random"])
        raise PlayerError(
            f"{name!r} is not a player: {known}, search:RECIPE, playout:KIND and gtp:COMMAND are"
        )
    try:
        if is_bare:
            return RECIPES[name].with_parameters(parameters), None
        return changed(RECIPES[name], Manners(), parameters)
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
