"""Games one after the other: new, from a record, or one that was left unfinished."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from montego.engine.engine import Engine
from montego.engine.validation import BadSetting
from montego.go import BLACK, WHITE, BadSgf, GoError, Position, parse_color, sgf
from montego.go.colors import Color
from montego.terminal import saved_games
from montego.terminal.after_game import Ending, Review
from montego.terminal.game import Game, Opening
from montego.terminal.interrupts import Stop, stoppable
from montego.terminal.settings import Settings

if TYPE_CHECKING:
    from montego.book.choice import Opening as Openings
    from montego.book.store import Book


def new_engine(
    settings: Settings, stop: Stop, size: int = 9, komi: float = 7.5, seed: int | None = None
) -> Engine:
    """The program's player; without a seed, any."""
    book, learns = _book_of(settings)
    return Engine(
        size=size, komi=komi, seed=random.randrange(2**32) if seed is None else seed,
        threads=settings.threads, make_search=stoppable(stop), book=book, learns=learns,
        **settings.for_engine(),
    )  # fmt: skip


def _book_of(settings: Settings) -> tuple[Openings | None, Book | None]:
    if not settings.book:
        return None, None
    from montego.book.shipped import is_shipped
    from montego.engine.learning import open_book, open_shipped

    if is_shipped(settings.book) and not settings.book_learns:
        return open_shipped(), None
    return open_book(settings.book, learns=settings.book_learns)


def new_game(
    settings: Settings,
    size: int = 9,
    komi: float = 7.5,
    handicap: int = 0,
    color: Color = BLACK,
    seed: int | None = None,
) -> Opening:
    """An empty board, or one with handicap stones."""
    stop = Stop()
    engine = new_engine(settings, stop, size, komi, seed)
    if handicap:
        engine.handicap(handicap, free=True)
    return Opening(engine, parse_color(color), settings, stop)


def from_record(
    settings: Settings,
    path: Path,
    move: int | None = None,
    komi: float | None = None,
    color: Color | None = None,
    seed: int | None = None,
) -> Opening:
    """The end of a game in a file, or the position before one of its moves.

    The user has the player to move, if he wants no other colour.
    """
    stop = Stop()
    engine = new_engine(settings, stop, seed=seed)
    check_move(path, move)
    engine.load_sgf(path, move)
    if komi is not None:
        engine.set_komi(komi)
    position = engine.position
    user = position.to_play if color is None else parse_color(color)
    where = f"before move {move}" if move else f"after {len(position.moves)} moves"
    return Opening(engine, user, settings, stop, start=position.moves, told=f"{path}, {where}.")


def check_move(path: Path, move: int | None) -> None:
    """Refuse a move that the game does not reach; the one after its last is where it stands."""
    end = sgf.load(path).position
    if move is not None and move > 1 and _is_same(sgf.load(path, move - 1).position, end):
        raise BadSgf(f"{path}: there is no move {move}, the last one is {len(end.moves)}")


def _is_same(one: Position, other: Position) -> bool:
    return one.first.key == other.first.key and one.moves == other.moves


def resumed(changes: Mapping[str, Any], seed: int | None = None) -> Opening:
    """The game that was left last; its opponent with some settings changed."""
    claimed = (saved_games.claim(path) for path in saved_games.waiting())
    keeper = next((keeper for keeper in claimed if keeper is not None), None)
    if keeper is None:
        raise GoError("no unfinished game waits")
    stop = Stop()
    try:
        user, settings = saved_games.unpack(keeper.path)
        settings = replace(settings, **changes)
        engine = new_engine(settings, stop, seed=seed)
        engine.load_sgf(keeper.path)
    except (GoError, BadSetting) as error:
        keeper.release()
        raise error if isinstance(error, GoError) else GoError(str(error)) from error
    told = f"The game of {saved_games.told(keeper.path)}."
    return Opening(engine, user, settings, stop, keeper, told=told)


class Session:
    """Games until the user leaves."""

    def __init__(self, opening: Opening, review: Review, console: Console | None = None) -> None:
        self.opening = opening
        self.review = review
        self.console = console or Console(highlight=False, emoji=False)

    def run(self) -> None:
        """Play one game after the other."""
        game = Game(self.opening, self.console)
        self.tell_waiting(game)
        game.greet()
        while (outcome := game.run()) is not None:
            ending = Ending(game, outcome, self.review)
            choice = ending.run()
            if choice == "undo":
                continue
            game.keeper.remove()
            if choice == "quit":
                break
            game = self.next_game(game, ending.color)
            game.greet()

    def tell_waiting(self, game: Game) -> None:
        """Say that there is an unfinished game, before another one begins."""
        waiting = [] if game.keeper.holds else saved_games.waiting()
        if waiting:
            some = (
                f"{len(waiting)} unfinished games wait"
                if waiting[1:]
                else "An unfinished game waits"
            )
            game.say(f"{some} ({saved_games.told(waiting[0])}): montego play --resume goes on.")

    def next_game(self, game: Game, color: int) -> Game:
        """A game from the same beginning, with the same opponent."""
        engine, first = game.engine, game.position.first
        engine.set_up(first.stones(BLACK), first.stones(WHITE), first.to_play)
        for mover, move in self.opening.start:
            engine.play(move, mover)
        opening = replace(
            self.opening, user=color, settings=game.settings, keeper=saved_games.Keeper.new()
        )
        return Game(opening, self.console)
