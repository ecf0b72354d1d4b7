"""Players of the laboratory: our engine with a recipe, its bare parts, or any GTP program.

An engine is the one that people play against, with its manners: the same object that GTP and the
terminal use.  A bare search is that of a recipe and nothing round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

from montego.book.choice import DEFAULT_RULE, RULES, Opening
from montego.book.store import Book
from montego.cluster.settings import Cluster
from montego.engine.adjustable import Setting
from montego.engine.answer import MakeSearch, Search
from montego.engine.clock import DEFAULT_SIMULATIONS
from montego.engine.engine import Engine
from montego.engine.own import MakeEngine
from montego.go import PASS, GoError, Position, Rules, color_name, parse_move, vertex
from montego.go.handicap import handicap_stones
from montego.lab.base.errors import LabError
from montego.lab.matches.foul import Foul, Kind
from montego.lab.matches.program import GtpProgram, Refusal
from montego.mcts.found import Budget
from montego.mcts.playouts import Playout, Uniform, choose_moves
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

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
    "book_games": (1, 10**9),
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

    def set_up(self, first: Position) -> None:
        """Begin with these stones in place of an empty board."""

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

    def set_up(self, first: Position) -> None:
        self.position = first

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
    book: str = ""
    """A file that the engine plays by; empty: none."""
    book_rule: str = DEFAULT_RULE
    book_games: int = 1
    cluster: Cluster | None = None
    """The machines that search for it; None is this one alone."""

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            number = getattr(self, name)
            if number is not None and not number >= least:
                raise PlayerError(f"{name}={number} is too little")
            if number is not None and number > most:
                raise PlayerError(f"{name}={number} is too much: at most {most:,}")
        if self.book_rule not in RULES:
            raise PlayerError(f"{self.book_rule!r} is not a rule of a book: {', '.join(RULES)} are")
        if not 0 <= self.resign < 1:
            raise PlayerError(f"resign={self.resign} is not a chance from 0 to 1")

    @property
    def make_search(self) -> MakeSearch:
        """What makes its searches."""
        return LocalSearch if self.cluster is None else self.cluster.make

    def seed_of(self, game: int) -> int:
        """The seed in a game that has this one."""
        return (self.seed + game) % SEEDS


def engine_of(
    recipe: Recipe,
    own: Mapping[str, Setting],
    settings: Settings,
    size: int,
    komi: float,
    seed: int,
) -> Engine:
    """The engine with a recipe and parameters of its own, for a game with this seed."""
    return Engine(
        recipe, size, komi, settings.seed_of(seed), settings.threads, settings.memory,
        settings.simulations, settings.seconds,
        parameters=own,
        make_search=settings.make_search,
    )  # fmt: skip


class EnginePlayer:
    """An engine, made for every game; its book stays open."""

    def __init__(self, make: MakeEngine, settings: Settings | None = None) -> None:
        self.make = make
        self.settings = settings or Settings()
        self.engine: Engine | None = None
        self.book: Book | None = None

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.engine = self.make(size, komi, seed)
        self.engine.book = self._opening() or self.engine.book

    def _opening(self) -> Opening | None:
        if not self.settings.book:
            return None
        self.book = self.book or Book(self.settings.book)
        return Opening(self.book, self.settings.book_rule, self.settings.book_games)

    def set_up(self, first: Position) -> None:
        assert self.engine is not None
        self.engine.set_up(first.stones("black"), first.stones("white"), first.to_play)

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
        if self.book is not None:
            self.book.close()
            self.book = None


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
    """Any GTP program, restarted for every game, so that each game can be repeated."""

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

    def set_up(self, first: Position) -> None:
        if not handicap_stones(first):
            raise Foul(Kind.RULES, "a program cannot be told of stones that are set up")
        points = " ".join(vertex(point, self.size) for point in first.stones("black"))
        self._set_up(f"set_free_handicap {points}")

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
