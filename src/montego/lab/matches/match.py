"""A match: many games between two players, in several processes, resumed as if never stopped.

The players' colours alternate: the first player is Black in odd games; but who gives a handicap
is White in all of them.  A game is decided by
its number: seeds and opening follow from the seed of the match and that number, so it does
not matter which process plays it, or after which interruption.  Only the process that
started the match writes; the others play and hand their games over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random

from montego.book.errors import BookError
from montego.book.store import Book
from montego.engine.learning import check_start
from montego.go import BLACK, WHITE, GoError, Position, Rules, sgf
from montego.go.colors import other_color
from montego.go.handicap import fixed_handicap
from montego.go.sgf import GameRecord
from montego.lab.base.errors import LabError
from montego.lab.base.inputs import read_text_lines
from montego.lab.base.journal import Line
from montego.lab.base.provenance import machine, provenance
from montego.lab.base.record import Record, digest_key, judged_score
from montego.lab.base.statistics import Sprt
from montego.lab.base.workers import Workers, work_through
from montego.lab.matches.entrants import Entrant
from montego.lab.matches.game import Game, Setup, play_game
from montego.lab.matches.players import Player, mixed_seed
from montego.lab.matches.referee import Referee
from montego.mcts.ready import warm_up

MOVES_A_POINT = 3
"""The move limit of a game, by points of the board."""

Opening = tuple[int, ...]


@dataclass(frozen=True)
class Match:
    """All that decides the games of a match."""

    first: Entrant
    second: Entrant
    size: int = 9
    komi: float = 7.5
    seed: int = 0
    referee: Referee = Referee.area
    reply_seconds: float = 120.0
    """What a program may take for a reply."""
    openings: Sequence[Opening] = field(default=((),), repr=False)
    handicap: int = 0
    """Stones that the first player gives the second one."""

    def config(self) -> dict[str, object]:
        """What has to be the same when a match goes on."""
        return {
            "first": self.first.text,
            "second": self.second.text,
            "size": self.size,
            "komi": self.komi,
            "seed": self.seed,
            "referee": self.referee.value,
            "reply_seconds": self.reply_seconds,
            "openings": self._openings_digest(),
            **({"handicap": self.handicap} if self.handicap else {}),
            **self._files(),
            **self._books(),
        }

    def _books(self) -> dict[str, object]:
        """What the books of the players hold: with other games it would be another match."""
        named = {entrant.settings.book for entrant in (self.first, self.second)} - {""}
        found = {}
        for name in sorted(named):
            with Book(name) as book:
                found[name] = book.population
        return {"books": found} if found else {}

    def check_books(self) -> None:
        """Refuse a book that says nothing about the games of this match; raises LabError."""
        for entrant in (self.first, self.second):
            if entrant.settings.book:
                try:
                    with Book(entrant.settings.book) as book:
                        check_start(book, self.size, self.komi)
                except BookError as error:
                    raise LabError(str(error)) from None

    def _files(self) -> dict[str, object]:
        """The files of the users' own that players come from, each with its digest."""
        own = [player for player in (self.first, self.second) if player.file]
        return {digest_key(player.text): player.digest for player in own}

    def _openings_digest(self) -> str | None:
        if not any(self.openings):
            return None
        return sha256(repr(list(self.openings)).encode()).hexdigest()[:16]

    def setup(self, number: int) -> Setup:
        """The setup of a game; both games of a pair have the same opening."""
        pair = (number - 1) // 2
        opening = Random(mixed_seed(self.seed, "opening", pair)).choice(self.openings)
        limit = MOVES_A_POINT * self.size**2
        return Setup(self.size, self.komi, opening, limit, self.referee, self._start())

    def _start(self) -> Position | None:
        """The handicap stones, if there are any."""
        if not self.handicap:
            return None
        return fixed_handicap(self.size, self.handicap, Rules(komi=self.komi))

    def first_color(self, number: int) -> int:
        """The colour of the first player in a game."""
        return WHITE if self.handicap else first_color(number)

    def entrants(self, number: int) -> dict[int, Entrant]:
        """The players of a game by colour."""
        first = self.first_color(number)
        return {first: self.first, other_color(first): self.second}

    def seeds(self, number: int) -> dict[int, int]:
        """The seeds of a game's players by colour."""
        return {color: mixed_seed(self.seed, number, color) for color in (BLACK, WHITE)}


def first_color(number: int) -> int:
    """The colour of the first player in a game without handicap."""
    return BLACK if number % 2 else WHITE


# --- playing ---------------------------------------------------------------------------


class MatchPlayer:
    """What a worker process does: play games of a match by their numbers."""

    def __init__(self, match: Match) -> None:
        warm_up()  # now, and not within the first player's first move
        self.match = match
        self.first: Player = match.first.player(match.reply_seconds)
        self.second: Player = match.second.player(match.reply_seconds)

    def __call__(self, number: int) -> Game:
        first = self.match.first_color(number)
        players = {first: self.first, other_color(first): self.second}
        try:
            game = play_game(self.match.setup(number), players, self.match.seeds(number))
            return replace(game, machine=machine())
        finally:
            self.close()

    def close(self) -> None:
        """End the programs of both players."""
        self.first.close()
        self.second.close()


def play_match(
    match: Match,
    record: Record,
    games: int,
    workers: Workers = 1,
    sprt: Sprt | None = None,
    watch: Callable[[Sequence[Line]], None] = lambda games: None,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Play what is missing of games 1 to ``games`` and record it.

    ``watch`` sees all games so far, at the start and after every game; ``stopped`` is asked
    now and then whether to leave, which a sequential test decides as well.
    """

    def is_decided() -> bool:
        return sprt is not None and sprt.verdict(judged_score(record.games, sprt)) is not None

    def is_over() -> bool:
        return stopped() or is_decided()

    match.check_books()
    watch(record.games)
    missing: Iterator[int] = iter(()) if is_over() else record.missing(games)
    with closing(work_through(partial(MatchPlayer, match), missing, workers, is_over)) as played:
        for number, game in played:
            line = line_of(match, number, game) | asked_for(games, sprt)
            record.add(line, sgf_of(match, number, game))
            watch(record.games)
    if is_decided() or record.is_complete(games):
        record.pack()


def asked_for(games: int, sprt: Sprt | None) -> Line:
    """What a line says of the match it was played in, for those who look on."""
    return {"asked": games} | ({} if sprt is None else {"sprt": [sprt.elo0, sprt.elo1]})


def line_of(match: Match, number: int, game: Game) -> Line:
    """The record of a game; ``first`` and ``second`` are the players of the match."""
    first = match.first_color(number)
    sides = {"first": first, "second": other_color(first)}
    winner = next((name for name, color in sides.items() if color == game.ending.winner), None)
    return {
        "game": number,
        "black": "first" if first == BLACK else "second",
        "winner": winner,
        "result": game.ending.result,
        "reason": game.ending.reason,
        "detail": game.ending.detail,
        "moves": len(game.plies),
        "opening": len(match.setup(number).opening),
        "seconds": round(game.seconds, 3),
        "times": {name: round(game.seconds_of(color), 3) for name, color in sides.items()},
        "simulations": {name: game.simulations_of(color) for name, color in sides.items()},
        "seed": match.seed,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        **provenance(),
        **({"machine": game.machine} if game.machine else {}),
    }


def sgf_of(match: Match, number: int, game: Game) -> str:
    """A game of the match as SGF."""
    names = {color: entrant.text for color, entrant in match.entrants(number).items()}
    return as_sgf(match.setup(number), game, names)


def as_sgf(setup: Setup, game: Game, names: Mapping[int, str]) -> str:
    """A game as SGF, with the win rates of both sides as comments; ``names`` are by colour."""
    position = setup.first or Position.start(setup.size, Rules(komi=setup.komi))
    for ply in game.plies:
        position = position.play(ply.move, ply.color)
    comments = {
        number: f"{ply.win_rate:.1%}, {ply.simulations} simulations, {ply.seconds:.2f} s"
        for number, ply in enumerate(game.plies, start=1)
        if ply.win_rate is not None
    }
    comments[0] = "; ".join(filter(None, [game.ending.reason, game.ending.detail]))
    record = GameRecord(position, names[BLACK], names[WHITE], game.ending.result, comments)
    return sgf.dumps(record)


# --- openings --------------------------------------------------------------------------


class OpeningsError(LabError):
    """A file of openings that cannot be used; the message says why."""


def read_openings(path: Path, size: int) -> tuple[Opening, ...]:
    """Openings from a file: a line each, moves from Black's first on; ``#`` is a comment."""
    openings = []
    for number, line in enumerate(read_text_lines(path, OpeningsError), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        position = Position.start(size, Rules())
        try:
            for word in words:
                position = position.play(word)
        except GoError as error:
            raise OpeningsError(f"{path}, line {number}: {error}") from None
        openings.append(tuple(move for _, move in position.moves))
    if not openings:
        raise OpeningsError(f"{path} holds no opening")
    return tuple(openings)
