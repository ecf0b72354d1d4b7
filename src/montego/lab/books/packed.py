"""A book's games in a small file, for records that are kept: all else follows from them.

Lines of JSON, compressed: first what the book is, then a game a line as the store has it, its moves
in base64.  A book of 5,000 games is some 8 MB, its games a tenth of that.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64decode, b64encode
from pathlib import Path

from montego.book.errors import BookError
from montego.book.games import BookGame, game_of, row_of
from montego.book.store import Book
from montego.lab.base import outputs


def pack(book: Book, path: Path) -> None:
    """Write the games of a book; the same games, the same bytes."""
    lines = [json.dumps(book.about(), sort_keys=True)]
    for game in book.games():
        moves, *others = row_of(game)
        assert isinstance(moves, bytes)
        lines.append(json.dumps([b64encode(moves).decode(), *others], ensure_ascii=False))
    outputs.write(path, gzip.compress("\n".join(lines).encode(), mtime=0))


def read_pack(path: Path) -> tuple[dict[str, str], list[BookGame]]:
    """What the book is, and its games; raises BookError for what is no such file."""
    try:
        about, *rows = map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines())
        games = [game_of([b64decode(moves), *others]) for moves, *others in rows]
        return dict(about), games
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise BookError(f"{path} does not hold the games of a book: {error}") from None


def unpack(path: Path, into: Path) -> None:
    """Make the book again."""
    about, games = read_pack(path)
    with Book.create(into, about) as book:
        for _ in book.add_many(games):
            pass
