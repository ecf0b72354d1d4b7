"""Ways to make the games of a book: whose moves they are, and how they are told to the book.

T32, algorithm 10: a player follows the move of the best success rate if that is above a bound, one
half for MBM ("mutate bad moves") and one tenth for MVBM ("mutate very bad moves"); else it thinks.
Both players follow the same population, which grows by their games, so each looks for what refutes
the other.  Or one of them follows nothing, as the opponents that the book is for.

T31, "4H": a player that thinks long against one that thinks shortly, and who resigns after a few
moves: all that is left of the game is how the first one answers in the opening.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log
from typing import Any, ClassVar

from montego.book.choice import Population
from montego.book.games import BookGame, start_text
from montego.book.statistics import BookMove
from montego.go import BLACK, WHITE, Position, Rules
from montego.go.colors import other_color
from montego.kernels.tree import formulas
from montego.lab.base.errors import LabError
from montego.lab.base.provenance import provenance
from montego.lab.base.workers import WorkError
from montego.lab.matches.entrants import Entrant
from montego.lab.matches.game import Game, Setup, play_game
from montego.lab.matches.match import MOVES_A_POINT, first_color
from montego.lab.matches.players import RESIGN, Choice, Player, mixed_seed
from montego.lab.matches.referee import Referee

BOUNDS = {"mbm": 0.5, "mvbm": 0.1}
"""T32: the success rate above which a move is followed."""
ucb1 = formulas.ucb1.__wrapped__
EXPLORATION, WIDENING = 0.5, 0.4
"""Of the method ``ucb``: the weight of what is uncertain, and N**w moves for N games."""
REPLY_SECONDS = 3600.0
"""For programs in place of the engine."""


@dataclass(frozen=True)
class Start:
    """Where all games of a book begin."""

    size: int = 9
    komi: float = 7.5
    stones: str = ""
    """Stones that are set up (see BookGame.start)."""
    moves: tuple[tuple[int, int], ...] = ()
    """Moves that lead on from there; they are not counted."""

    @classmethod
    def of(cls, position: Position) -> Start:
        """The start of games that go on from a position."""
        first = position.first
        return cls(position.size, position.komi, start_text(first), tuple(position.moves))

    def setup(self) -> Setup:
        """As the laboratory plays it."""
        game = BookGame(self.moves, "0", self.size, Rules(komi=self.komi), self.stones)
        colors = [color for color, _ in self.moves]
        if any(one == other for one, other in pairwise(colors)):
            raise LabError("the moves to the start have to alternate")
        first = game.first if self.stones else None
        limit = len(self.moves) + MOVES_A_POINT * self.size**2
        opening = [move for _, move in self.moves]
        return Setup(self.size, self.komi, opening, limit, Referee.area, first)


@dataclass(frozen=True)
class BookPlan(ABC):
    """All that decides the games besides the population; it is sent to workers."""

    KIND: ClassVar[str]
    player: Entrant
    start: Start = Start()
    seed: int = 0

    def knowledge(self, book: Any) -> Any:
        """What a worker makes of the book, once: what its players know."""
        return book

    @abstractmethod
    def players(self, number: int, known: Any) -> dict[int, Player]:
        """Who plays a game, by colour."""

    @abstractmethod
    def entrants(self, number: int) -> dict[int, Entrant]:
        """How they are written down."""

    @property
    def source(self) -> str:
        """How the book names where its games come from."""
        return f"grown, {self.KIND}"

    def play(self, number: int, name: str, known: Any) -> BookGame:
        """Play a game; its name decides its random numbers."""
        players = self.players(number, known)
        seeds = {color: mixed_seed(self.seed, name, color) for color in (BLACK, WHITE)}
        try:
            return self._told(number, name, play_game(self.start.setup(), players, seeds))
        finally:
            for player in players.values():
                player.close()

    def _told(self, number: int, name: str, game: Game) -> BookGame:
        """A game as the book keeps it; one that was lost by an error is none."""
        if game.ending.reason.startswith("forfeit"):
            raise WorkError(f"game {number} went wrong: {game.ending.detail}")
        begin = len(self.start.moves)
        followed = sum(ply.simulations == 0 for ply in game.plies[begin:])
        named = {color: text_of(entrant) for color, entrant in self.entrants(number).items()}
        (black, black_thinking), (white, white_thinking) = named[BLACK], named[WHITE]
        return BookGame(
            tuple((ply.color, ply.move) for ply in game.plies), game.ending.result,
            self.start.size, Rules(komi=self.start.komi), self.start.stones, begin, black, white,
            black_thinking, white_thinking, self.source, name,
            {"followed": str(followed)} | _made_by(),
        )  # fmt: skip


def _made_by() -> dict[str, str]:
    """The commit and the machine, for whoever asks later."""
    known = provenance()
    changed = "+changes" if known["dirty"] else ""
    return {"commit": f"{known['commit']}{changed}", "machine": str(known["machine"])}


def text_of(entrant: Entrant) -> tuple[str, str]:
    """A player's name, and what its moves may take."""
    words = entrant.text.split(",")
    limits = [word for word in words if word.startswith(("simulations=", "seconds="))]
    return ",".join(word for word in words if word not in limits), ",".join(limits)


@dataclass(frozen=True)
class Growth(BookPlan):
    """T32: self-play that follows what has succeeded and mutates the rest."""

    KIND: ClassVar[str] = "grown"
    method: str = "mvbm"
    """One of METHODS."""
    moves: int | None = None
    """Only the first moves of a game are followed; None: all, as algorithm 10 has it."""
    least: int = 1
    """Games that a position needs before one of its moves is followed."""

    @property
    def source(self) -> str:
        return f"grown, {self.method}"

    def players(self, number: int, known: Population) -> dict[int, Player]:
        return {color: self._follower(known) for color in (BLACK, WHITE)}

    def _follower(self, known: Population) -> Player:
        follow = METHODS[self.method]
        guide = partial(followed, known, follow, moves=self.moves, least=self.least)
        return Follower(self.player.player(REPLY_SECONDS), guide)

    def entrants(self, number: int) -> dict[int, Entrant]:
        return dict.fromkeys((BLACK, WHITE), self.player)


@dataclass(frozen=True)
class Sparring(Growth):
    """The same against a partner without the book, by turns with either colour.

    In algorithm 10 both sides follow, so the population is about few lines, to a great depth.
    Here it is about what an opponent plays who knows nothing of it.
    """

    KIND: ClassVar[str] = "sparring"

    @property
    def source(self) -> str:
        return f"grown, {self.method} against no book"

    def players(self, number: int, known: Population) -> dict[int, Player]:
        own = first_color(number)
        return {own: self._follower(known), other_color(own): self.player.player(REPLY_SECONDS)}


Guide = Callable[[Position], int | None]
"""The move that a book has for a position; None: think."""


class Follower:
    """A player that plays what a guide has for it, and thinks elsewhere."""

    def __init__(self, thinker: Player, guide: Guide) -> None:
        self.thinker = thinker
        self.guide = guide
        self.position = Position.start()

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.position = Position.start(size, Rules(komi=komi))
        self.thinker.new_game(size, komi, seed)

    def set_up(self, first: Position) -> None:
        self.position = first
        self.thinker.set_up(first)

    def play(self, color: int, move: int) -> None:
        self.position = self.position.play(move, color)
        self.thinker.play(color, move)

    def genmove(self, color: int) -> Choice:
        known = self.guide(self.position)
        if known is not None:
            self.play(color, known)
            return Choice(known)
        choice = self.thinker.genmove(color)  # the mutation
        if choice.move != RESIGN:
            self.position = self.position.play(choice.move, color)
        return choice

    def close(self) -> None:
        self.thinker.close()


def followed(
    population: Population,
    follow: Follow,
    position: Position,
    moves: int | None = None,
    least: int = 1,
) -> int | None:
    """The move of a population that is followed, among the first moves of a game."""
    if moves is not None and len(position.moves) >= moves:
        return None
    known = [m for m in population.look_up(position) if position.is_legal(m.point)]
    if sum(move.games for move in known) < least:
        return None  # too few have been here: one more sample of what the engine plays
    best = follow(known)
    return None if best is None else best.point


Follow = Callable[[Sequence[BookMove]], BookMove | None]
"""Of the legal moves of a position that are in the book, the one that is followed; None: think."""


def best_above(moves: Sequence[BookMove], bound: float) -> BookMove | None:
    """T32: the move of the best success rate above a bound; of several the most played."""
    good = [move for move in moves if move.rate > bound]
    return max(good, key=lambda move: (move.rate, move.games, -move.point), default=None)


def best_by_ucb(moves: Sequence[BookMove]) -> BookMove | None:
    """The exploration term that algorithm 10 leaves out, and thinking until there are N**w moves.

    The thesis sees MVBM as MCTS on top of MCTS: this is the same with UCB1 and widening.
    """
    games = sum(move.games for move in moves)
    if not moves or len(moves) < int(games**WIDENING):
        return None
    return max(
        moves, key=lambda m: (ucb1(m.rate, m.games, log(games), EXPLORATION), m.games, -m.point)
    )


METHODS: dict[str, Follow] = {
    **{name: partial(best_above, bound=bound) for name, bound in BOUNDS.items()},
    "ucb": best_by_ucb,
}


@dataclass(frozen=True)
class LongThinking(BookPlan):
    """T31: long thinking against short thinking, which resigns after some moves."""

    KIND: ClassVar[str] = "long"
    short: Entrant | None = None
    """Who thinks shortly, and is there for variety."""
    moves: int = 4

    @property
    def source(self) -> str:
        return "long thinking against short"

    def players(self, number: int, known: Population) -> dict[int, Player]:
        long = first_color(number)
        short = Resigner(self._short.player(REPLY_SECONDS), self.moves)
        return {long: self.player.player(REPLY_SECONDS), other_color(long): short}

    def entrants(self, number: int) -> dict[int, Entrant]:
        long = first_color(number)
        return {long: self.player, other_color(long): self._short}

    @property
    def _short(self) -> Entrant:
        assert self.short is not None
        return self.short


class Resigner:
    """A player that gives up after some moves of its own."""

    def __init__(self, player: Player, moves: int) -> None:
        self.player = player
        self.moves = moves
        self.new_game, self.set_up = player.new_game, player.set_up
        self.play, self.close = player.play, player.close
        self.played = 0

    def genmove(self, color: int) -> Choice:
        if self.played == self.moves:
            return Choice(RESIGN)
        self.played += 1
        return self.player.genmove(color)
