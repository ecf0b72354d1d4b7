"""Books in order: checked against their games, rebuilt from them, merged, and cut to their begin.

Everything in a book follows from its games, so a check replays them all and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.statistics import Tally, add_steps, steps_of
from montego.book.store import Book
from montego.go import Position

MOST_FINDINGS = 20
"""So many are told; a book with more has to be rebuilt anyway."""

Tick = Callable[[int], object]
"""Told how many games have been seen."""


def check(book: Book, tick: Tick = int) -> list[str]:
    """What is wrong with a book, a line each; nothing, as a rule."""
    try:
        found = book.integrity()
        return found or list(islice(_differences(book, _counted(book, tick)), MOST_FINDINGS))
    except BookError as error:
        return [str(error)]


def rebuild(book: Book, tick: Tick = int) -> None:
    """Count all games again."""
    book.replace_counts(_counted(book, tick))


def _counted(book: Book, tick: Tick) -> Tally:
    """What the games say, whatever the book has noted of it."""
    counts: Tally = {}
    for number, game in book.numbered_games():
        try:
            add_steps(counts, steps_of(game))
        except BookError as error:
            raise BookError(f"{book.path}: game {number}: {error}") from None
        tick(number)
    return counts


def _differences(book: Book, expected: Tally) -> Iterator[str]:
    for key, moves in book.positions():
        counted = expected.pop(key, None)
        if counted is None:
            yield f"position {key} is in no game"
        elif counted != moves:
            yield f"position {key}: the games say {counted}, the book {moves}"
    for key in expected:
        yield f"position {key} is missing"


@dataclass(frozen=True)
class Part:
    """What of other books' games is taken: all of them, or some; whole, or their first moves."""

    moves: int | None = None
    source: str = ""
    """How the source of a game begins."""

    def of(self, games: Iterable[BookGame]) -> Iterator[BookGame]:
        """The games that are taken."""
        for game in games:
            if game.source.startswith(self.source):
                yield replace(game, moves=game.moves[: self.moves])


WHOLE = Part()


def merge(into: Book, books: Iterable[Book], tick: Tick = int, part: Part = WHOLE) -> int:
    """Add the games of other books, each game once; returns how many were new."""
    added = before = 0
    for book in books:
        if book.path.samefile(into.path):
            raise BookError(f"{book.path} cannot be merged into itself")
        added += sum(into.add_many(part.of(seen(book.games(), tick, before))))
        before += len(book)
    return added


def seen(games: Iterable[BookGame], tick: Tick, before: int = 0) -> Iterator[BookGame]:
    """The games, while they are counted."""
    for number, game in enumerate(games, start=before + 1):
        tick(number)
        yield game


def games_through(book: Book, position: Position) -> Iterator[tuple[int, BookGame, int]]:
    """The games that came through a position, with their numbers and what was played there.

    All games are replayed; the move is that of the game, however its board was turned.
    """
    key = key_of(position).key
    for number, game in book.numbered_games():
        if (game.size, game.rules) != (position.size, position.rules):
            continue
        here = next((move for at, move in game.positions() if key_of(at).key == key), None)
        if here is not None:
            yield number, game, here


def copy_first(book: Book, path: Path, count: int) -> None:
    """A new book of the first games: what this one was, once upon a time."""
    if len(book) < count:
        raise BookError(f"{book.path} holds {len(book)} games, not {count}")
    with Book.create(path, {"id": f"{book.id}, the first {count}"}) as copy:
        for _ in copy.add_many(islice(book.games(), count)):
            pass


def summary(book: Book) -> dict[str, object]:
    """What a book holds, in the shape that is promised to programs."""
    sources: dict[str, int] = {}
    results = {"B": 0, "W": 0, "": 0}
    boards: dict[str, int] = {}
    for game in book.games():
        sources[game.source] = sources.get(game.source, 0) + 1
        results["" if game.winner is None else game.result[:1].upper()] += 1
        board = f"{game.size}x{game.size}, komi {game.rules.komi:g}, {game.rules.superko} superko"
        boards[board] = boards.get(board, 0) + 1
    return {
        "games": len(book),
        "positions": book.position_count,
        "black_wins": results["B"],
        "white_wins": results["W"],
        "draws": results[""],
        "boards": boards,
        "sources": sources,
        "about": book.about(),
    }
