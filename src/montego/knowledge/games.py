"""Reading many game records: single files, or collections with one game a line.

``.sgf`` files hold one game; ``.sgfs`` files hold one a line; both may be compressed
(``.gz``).  A game that cannot be read or used is counted with the reason, and skipped.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

from montego.files import SGF_BYTES
from montego.go import BadSgf, GoError
from montego.go.sgf import loads

Game = list[tuple[int, int]]
"""Colour and point of every move."""

SHORTEST = 10
"""Moves that a game has to have."""
MOST_RECORDS = 5_000_000
"""Lines of a collection."""
RECORDS_AT_A_TIME = 50
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
                yield file.read(SGF_BYTES + 1)
                return
            for number in range(MOST_RECORDS):
                line = file.readline(SGF_BYTES + 1)
                if len(line) > SGF_BYTES:
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


class Mapped(Protocol):
    """What does the same to many things, one after the other or on many machines, as ``map``."""

    def __call__(self, function: Callable[[Any], Any], things: Iterable[Any], /) -> Iterator[Any]:
        """The answers, in the order of the things."""


def read(
    paths: Sequence[Path],
    size: int,
    most: int | None = None,
    tick: Callable[[], object] = int,
    mapped: Mapped = map,
) -> Collection:
    """Read the games of some files, at most so many; ``tick`` is called after every record."""
    collection = Collection()
    for outcome in _outcomes(paths, size, mapped):
        if most is not None and len(collection.games) >= most:
            break
        if isinstance(outcome, BadSgf):
            raise outcome
        if isinstance(outcome, str):
            collection.skipped[outcome] += 1
        else:
            collection.games.append(outcome)
        tick()
    return collection


def _outcomes(paths: Sequence[Path], size: int, mapped: Mapped) -> Iterator[Game | str | BadSgf]:
    """What becomes of every record, in their order: a game, or the reason why there is none; and
    at the end what is wrong with a file."""
    for outcomes in mapped(partial(games_of, size=size), _batches(paths)):
        yield from outcomes


def _batches(paths: Sequence[Path]) -> Iterator[list[bytes | BadSgf]]:
    everything = _records_or_error(paths)
    while batch := list(islice(everything, RECORDS_AT_A_TIME)):
        yield batch


def _records_or_error(paths: Sequence[Path]) -> Iterator[bytes | BadSgf]:
    try:
        for path in paths:
            yield from records(path)
    except BadSgf as error:
        yield error


def games_of(batch: Sequence[bytes | BadSgf], size: int) -> list[Game | str | BadSgf]:
    """The games of some records, or why they cannot be used."""
    return [item if isinstance(item, BadSgf) else _game_or_reason(item, size) for item in batch]


def _game_or_reason(record: bytes, size: int) -> Game | str:
    try:
        return game_of(record, size)
    except (GoError, UnfitGameError) as error:
        return str(error)
