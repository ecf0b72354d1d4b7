"""T32: games for a book by any number of processes; the one that started them tells the book.

A worker reads the book while it plays, so it knows every game that was told before its own began.
It may die at any time: its game is played again.  Whatever ends the whole, the book holds the games
that were told, and the same command goes on with the numbers that are missing.  A game's random
numbers follow from its book and its number: with one worker, a growth that was stopped ends as
one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from montego.book.games import BookGame
from montego.book.store import Book
from montego.lab.base.lock import Lock
from montego.lab.base.workers import Workers, work_through
from montego.lab.books.plans import BookPlan
from montego.mcts.ready import warm_up


class Gardener:
    """What a worker process does: play games for a book, by their numbers."""

    def __init__(self, plan: BookPlan, path: Path) -> None:
        warm_up()
        self.plan = plan
        self.book = Book(path)
        self.id = self.book.id
        self.known = plan.knowledge(self.book)

    def __call__(self, number: int) -> BookGame:
        return self.plan.play(number, name_of(self.id, number), self.known)

    def close(self) -> None:
        """Let go of the book."""
        self.book.close()


def name_of(book: str, number: int) -> str:
    """The name of a game that was grown for a book."""
    return f"{book}:{number}"


def grown(book: Book) -> list[BookGame]:
    """The games that were grown for a book, in the order in which they ended."""
    own = f"{book.id}:"
    return [game for game in book.games() if game.name.startswith(own)]


def missing(book: Book, total: int) -> Iterator[int]:
    """The numbers from 1 to ``total`` that have no game yet."""
    names = {game.name for game in grown(book)}
    return (n for n in range(1, total + 1) if name_of(book.id, n) not in names)


def grow(
    plan: BookPlan,
    path: Path,
    games: int,
    workers: Workers = 1,
    watch: Callable[[list[BookGame]], None] = lambda games: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[BookGame]:
    """Play what is missing of games 1 to ``games`` and tell the book; returns all of them.

    ``watch`` sees all that were grown so far.  The book is made if it is not there.
    """
    lock = Lock(path.absolute().parent, path.name)
    try:
        with Book.open_or_create(path) as book:
            told = grown(book)
            watch(told)
            factory = partial(Gardener, plan, path.absolute())
            with closing(work_through(factory, missing(book, games), workers, stopped)) as played:
                for _, game in played:
                    book.add([game])
                    told.append(game)
                    watch(told)
            return told
    finally:
        lock.close()
