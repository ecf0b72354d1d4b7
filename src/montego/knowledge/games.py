"""Reading many game records: single files, or collections with one game a line.

``.sgf`` files hold one game; ``.sgfs`` files hold one a line; both may be compressed
(``.gz``).  A game that cannot be read or used is counted with the reason, and skipped.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

from montego.go import BadSgf, GoError
from montego.go.sgf import MAX_BYTES, loads

Game = list[tuple[int, int]]
"""Colour and point of every move."""

SHORTEST = 10
"""Moves that a game has to have."""
MOST_RECORDS = 5_000_000
"""Lines of a collection."""
UNREADABLE = (OSError, EOFError, ValueError, TypeError, RuntimeError, BadZipFile, zlib.error)
"""What NumPy and the formats below it say of files that are not what they should be."""
KINDS = (".sgf", ".sgfs", ".sgf.gz", ".sgfs.gz")


@dataclass
class Collection:
    """The games that could be used, and why others could not."""

    games: list[Game] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


class UnfitGameError(ValueError):
    """A record that cannot be learned from."""


def check_file(path: Path) -> None:
    """Raise a ValueError for what is no file."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a file")
    if not path.is_file():
        raise ValueError(f"there is no file {path}")


def check_paths(paths: Sequence[Path]) -> None:
    """Raise a ValueError for a path that is not there or not of a known kind."""
    for path in paths:
        check_file(path)
        if not path.name.endswith(KINDS):
            raise ValueError(f"{path} is none of {', '.join(KINDS)}")


def records(path: Path) -> Iterator[bytes]:
    """The records of a file, one after the other; raises BadSgf for one that cannot be read."""
    opened = gzip.open if path.name.endswith(".gz") else open
    try:
        with opened(path, "rb") as file:
            if path.name.removesuffix(".gz").endswith(".sgf"):
                yield file.read(MAX_BYTES + 1)
                return
            for number in range(MOST_RECORDS):
                line = file.readline(MAX_BYTES + 1)
                if len(line) > MAX_BYTES:
                    raise BadSgf(f"{path}, line {number + 1} is too long for a game record")
                if not line:
                    return
                if line.strip():
                    yield line
            raise BadSgf(f"{path} holds more than {MOST_RECORDS:,} games")
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BadSgf(f"{path} is not compressed, or is damaged") from None
    except OSError as error:
        raise BadSgf(f"{path}: {error.strerror}") from None


def game_of(record: bytes, size: int) -> Game:
    """The moves of a record: an even game on a board of this size."""
    position = loads(record).position
    if position.size != size:
        raise UnfitGameError(f"played on {position.size}x{position.size}")
    if position.first.stones("black") or position.first.stones("white"):
        raise UnfitGameError("does not begin with an empty board")
    if len(position.moves) < SHORTEST:
        raise UnfitGameError(f"has fewer than {SHORTEST} moves")
    return [(color, move) for color, move in position.moves]


def read(
    paths: Sequence[Path], size: int, most: int | None = None, tick: Callable[[], object] = int
) -> Collection:
    """Read the games of some files, at most so many; ``tick`` is called after every record."""
    collection = Collection()
    for path in paths:
        for record in records(path):
            if most is not None and len(collection.games) >= most:
                return collection
            try:
                collection.games.append(game_of(record, size))
            except (GoError, UnfitGameError) as error:
                collection.skipped[str(error)] += 1
            tick()
    return collection
