"""The games of a record in one file: an SGF collection, a game a line.

    games.sgfs       while games are added, only ever appended to
    games.sgfs.gz    the same, packed, when there are no more to come

A game has a place, 1 the first, which its line in the record names, and keeps it.  A game counts
once a line names it: what follows the last of those is cut off before another is added.  Packing
and unpacking write the new file whole before the old one goes, so where both are there, either
will do.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from montego import files
from montego.lab.base.errors import RecordError, cannot_go_on
from montego.lab.base.lock import open_file

NAME = "games.sgfs"


class Collection:
    """The games of a folder, opened by the one process that adds to them."""

    def __init__(self, folder: Path, places: int) -> None:
        """``places`` are those that lines name; raises RecordError if they are not all there."""
        self.plain, self.packed = _paths(folder)
        self.places = places
        self._file = -1
        if os.path.lexists(self.plain):
            self._cut()

    def append(self, sgf: bytes) -> int:
        """Keep a game for good; returns its place.  A part of one is cut off the next time."""
        if self._file < 0:
            self._open()
        try:
            files.write_all(self._file, on_one_line(sgf) + b"\n")
            os.fsync(self._file)
        except OSError as error:
            raise cannot_go_on(self.plain, error) from None
        self.places += 1
        return self.places

    def pack(self) -> None:
        """Compress the file; more games can be added all the same."""
        self.close()
        if not self.plain.exists():
            return
        try:
            content = zlib.compress(self.plain.read_bytes(), level=9, wbits=31)
            files.write_whole(self.packed, content)
            files.sync_folder(self.packed.parent)
            self.plain.unlink()
        except OSError as error:
            raise cannot_go_on(self.packed, error) from None

    def close(self) -> None:
        """Add no more for now."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def _open(self) -> None:
        try:
            if not self.plain.exists():
                games = b"".join(_first_games(self.packed, self.places)) if self.places else b""
                files.write_whole(self.plain, games)
                files.sync_folder(self.plain.parent)
            self.packed.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_go_on(self.plain, error) from None
        self._file = open_file(self.plain, os.O_WRONLY | os.O_APPEND)

    def _cut(self) -> None:
        """Leave nothing behind the last game that counts."""
        file = open_file(self.plain, os.O_WRONLY)
        try:
            end = sum(map(len, _first_games(self.plain, self.places)))
            if end < os.fstat(file).st_size:
                os.ftruncate(file, end)
        except OSError as error:
            raise cannot_go_on(self.plain, error) from None
        finally:
            os.close(file)


def read(folder: Path, places: Iterable[int]) -> dict[int, bytes]:
    """The games at some places, packed or not."""
    wanted = set(places)
    path = next(filter(os.path.lexists, _paths(folder)), folder / NAME)
    games = enumerate(_first_games(path, max(wanted, default=0)), start=1)
    return {place: game.rstrip(b"\n") for place, game in games if place in wanted}


def on_one_line(sgf: bytes) -> bytes:
    """A record without line breaks: in SGF a space does as well, but for a new line in a text."""
    return sgf.strip().replace(b"\r\n", b" ").replace(b"\n", b" ").replace(b"\r", b" ")


def _paths(folder: Path) -> tuple[Path, Path]:
    return folder / NAME, folder / f"{NAME}.gz"


def _first_games(path: Path, count: int) -> Iterator[bytes]:
    """So many games of a file, each with the end of its line."""
    if not count:
        return
    found, lines = 0, _lines(path)
    for game in islice(lines, count):
        if not game.endswith(b"\n"):
            break
        found += 1
        yield game
    if found < count:
        raise RecordError(f"{path} is damaged: game {found + 1} of {count} is missing")
    for _ in lines:
        pass  # to the end, where a packed file has its checksum


def _lines(path: Path) -> Iterator[bytes]:
    if files.is_special(path):
        raise RecordError(f"{path}: not a regular file")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while line := file.readline(files.SGF_BYTES + 1):
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise RecordError(f"{path} is not compressed, or is damaged") from None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
