"""``montego book import``: games of files, and what was left out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.records import Filters, Reading, bad_advice
from montego.book.store import Book
from montego.lab.base.console import plain_console
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.progress import Counter

MOST_REASONS = 10


def run(
    path: Path, sources: Sequence[Path], filters: Filters, moves: int | None, bad: Path | None
) -> None:
    """Add the games of some files, and tell what came of it; Ctrl-C keeps what was added."""
    for source in sources:
        if not source.is_file():
            raise BookError(f"{source} is not a file")
    left_out = frozenset() if bad is None else bad_advice(bad, filters.komi)
    reading = Reading(filters, moves, left_out)
    with Book.open_or_create(path) as book:
        with Counter("games", None) as count, interrupts_noted() as interrupted:
            games = _until(_games(reading, sources, count), interrupted)
            added = sum(book.add_many(games))
        _tell(path, reading, added, len(book))


def _games(reading: Reading, sources: Sequence[Path], count: Counter) -> Iterator[BookGame]:
    for source in sources:
        for game in reading.games(source):
            count(range(reading.seen))
            yield game


def _until(games: Iterator[BookGame], interrupted: Sequence[int]) -> Iterator[BookGame]:
    for game in games:
        if interrupted:
            return
        yield game


def _tell(path: Path, reading: Reading, added: int, total: int) -> None:
    console = plain_console()
    console.print(
        f"{reading.seen:,} games read, {added:,} were new; {path} holds {total:,}", soft_wrap=True
    )
    for reason, count in reading.skipped.most_common(MOST_REASONS):
        console.print(f"left out {count:,}: {reason}", soft_wrap=True)
