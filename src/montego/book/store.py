"""A book on disk: one SQLite file that any number of processes read while one writes.

    games        the population; nothing is ever changed or removed
    positions    counts of moves by the key of a position: what the games say, kept up to date
    about        what the book is, by name

At rest it is that one file; a writer has SQLite's write-ahead log beside it.
A game and what it changes are one transaction, on disk before ``add`` returns: whatever ends the
writer, the book holds the games that were told, and statistics of exactly these.  Writers wait for
one another.  What is no book, or is damaged, raises a BookError that names the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote
from uuid import uuid4

from montego import files
from montego.book.errors import BookError
from montego.book.games import COLUMNS, BookGame, game_of, parse_rules, row_of
from montego.book.keys import key_of
from montego.book.shipped import FILE, file_of, is_shipped
from montego.book.statistics import (
    NO_COUNTS,
    BookMove,
    Moves,
    Tally,
    add_steps,
    on_board,
    packed,
    plus,
    steps_of,
    unpacked,
)
from montego.go import GoError, Position

APPLICATION = 0x4D67426B
"""SQLite's mark of whose file it is: "MgBk"."""
VERSION = 1
SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, moves BLOB NOT NULL, result TEXT NOT NULL,
    size INTEGER NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL, counted_from INTEGER NOT NULL,
    black TEXT NOT NULL, white TEXT NOT NULL, black_thinking TEXT NOT NULL,
    white_thinking TEXT NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL, about TEXT NOT NULL);
CREATE TABLE positions (key INTEGER PRIMARY KEY, moves BLOB NOT NULL);
"""
PATIENCE = 60.0
"""Seconds that a writer waits for another one."""
CACHE_KB = 1 << 16
"""What a writer keeps in memory: its keys are scattered over the file."""
BATCH = 500
"""Games of one transaction where many are added."""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT)


class Book:
    """A book that is open, to be read or also to be added to."""

    def __init__(self, path: Path | str, writes: bool = False) -> None:
        """Open a book that is there; ``create`` makes one."""
        self.path = file_of(path)
        self.writes = writes
        if writes and self.path == FILE:
            raise BookError(
                "the shipped book is only read: montego book merge FILE shipped makes a copy"
            )
        _refuse_what_is_no_file(self.path)
        with self._errors_told():
            self._base = _connect(self.path, writes)
        try:
            with self._errors_told():
                self._check_kind()
                if writes:
                    self._base.execute("PRAGMA journal_mode = WAL")
                    self._base.execute("PRAGMA synchronous = FULL")
                    self._base.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path | str, about: Mapping[str, str] | None = None) -> Book:
        """A new book without games; whole on disk, or not there at all."""
        path = Path(path)
        if os.path.lexists(path):
            raise BookError(f"{path} is there already")
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
        try:
            _write_empty(unfinished, {"id": uuid4().hex} | dict(about or {}))
            os.link(unfinished, path)  # unlike a renaming, never over another one
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise BookError(f"{path} cannot be written: {reason}") from None
        finally:
            unfinished.unlink(missing_ok=True)
        return cls(path, writes=True)

    @classmethod
    def open_or_create(cls, path: Path | str) -> Book:
        """A book to add to, made if it is not there."""
        if not os.path.lexists(path) and not is_shipped(path):
            with suppress(BookError):  # another process may have been faster
                return cls.create(path)
        return cls(path, writes=True)

    def close(self) -> None:
        """Let go of the file; where nobody else uses it, it is the only one."""
        with suppress(sqlite3.Error):
            if self.writes:
                self._base.execute("PRAGMA busy_timeout = 0")
                self._base.execute("PRAGMA journal_mode = DELETE")
        with suppress(sqlite3.Error):
            self._base.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    # --- reading ------------------------------------------------------------------------

    def look_up(self, position: Position) -> tuple[BookMove, ...]:
        """The moves that were played in a position, the most played first; none if it is new."""
        place = key_of(position)
        moves = self.moves_of(place.key)
        return on_board(position, place, moves) if moves else ()

    def moves_of(self, key: int) -> Moves:
        """The counts of a position by the numbers of its moves."""
        with self._errors_told():
            row = self._base.execute("SELECT moves FROM positions WHERE key = ?", (key,)).fetchone()
            return unpacked(key, row[0]) if row else {}

    def games(self, after: int = 0) -> Iterator[BookGame]:
        """All games in the order in which they were told; those behind the first ``after``."""
        for _, game in self.numbered_games(after):
            yield game

    def numbered_games(self, after: int = 0) -> Iterator[tuple[int, BookGame]]:
        """The same with their numbers, 1 the first."""
        query = f"SELECT id, digest, {COLUMNS} FROM games WHERE id > ? ORDER BY id"
        with self._errors_told():
            for number, digest, *row in self._base.execute(query, (after,)):
                try:
                    game = game_of(row)
                    if game.digest != digest:
                        raise BookError("it has been changed")
                except (BookError, GoError, ValueError, TypeError) as error:
                    raise BookError(f"game {number} is damaged: {error}") from None
                yield number, game

    def positions(self) -> Iterator[tuple[int, Moves]]:
        """All keys with their counts."""
        with self._errors_told():
            for key, content in self._base.execute("SELECT key, moves FROM positions"):
                yield key, unpacked(key, content)

    def __len__(self) -> int:
        """How many games it holds."""
        return self._count("games")

    def __bool__(self) -> bool:
        return True  # a book without games is a book

    @property
    def is_empty(self) -> bool:
        """Whether it holds no game."""
        with self._errors_told():
            return self._base.execute("SELECT 1 FROM games LIMIT 1").fetchone() is None

    @property
    def population(self) -> str:
        """What the book holds, in a few words that change with every game that is added."""
        with self._errors_told():
            row = self._base.execute("SELECT digest FROM games ORDER BY id DESC LIMIT 1").fetchone()
        return f"{self.id} {len(self)} {row[0].hex() if row else ''}".strip()

    @property
    def position_count(self) -> int:
        """How many positions it knows."""
        return self._count("positions")

    def _count(self, table: str) -> int:
        with self._errors_told():
            return int(self._base.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])

    @property
    def id(self) -> str:
        """Tells this book from all others."""
        return self.about().get("id", "")

    def starts(self) -> list[Position]:
        """Where its games begin, the most frequent start first."""
        query = "SELECT size, rules, start FROM games GROUP BY 1, 2, 3 ORDER BY COUNT(*) DESC, 1, 2"
        with self._errors_told():
            rows = self._base.execute(query).fetchall()
            starts = [(size, parse_rules(rules), start) for size, rules, start in rows]
        return [BookGame((), "0", *start).first for start in starts]

    def about(self) -> dict[str, str]:
        """What the book is, by name."""
        with self._errors_told():
            return dict(self._base.execute("SELECT name, value FROM about"))

    def version(self) -> int:
        """Another number whenever another process has changed the book."""
        with self._errors_told():
            return int(self._base.execute("PRAGMA data_version").fetchone()[0])

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing, as a rule."""
        with self._errors_told():
            return self._asked("integrity_check(10)")

    def _asked(self, check: str) -> list[str]:
        """What one of SQLite's own checks finds: 60 ms for a million positions."""
        rows = self._base.execute(f"PRAGMA {check}").fetchall()
        return [row[0] for row in rows if row[0] != "ok"]

    # --- writing ------------------------------------------------------------------------

    def add(self, games: Iterable[BookGame]) -> int:
        """Add games for good, all of them or, after an error, none; returns how many were new."""
        new = [(game, list(steps_of(game))) for game in games if not self._holds(game)]
        changes: Tally = {}
        added = 0
        with self._transaction():
            for game, steps in new:
                if self._insert(game):
                    add_steps(changes, steps)
                    added += 1
            self._add_counts(changes)
        return added

    def add_many(self, games: Iterable[BookGame]) -> Iterator[int]:
        """Add many games, some at a time; yields how many of each part were new."""
        part: list[BookGame] = []
        for game in games:
            part.append(game)
            if len(part) == BATCH:
                yield self.add(part)
                part = []
        if part:
            yield self.add(part)

    def replace_counts(self, counts: Tally) -> None:
        """Put other statistics in the place of all that there are."""
        with self._transaction():
            self._base.execute("DELETE FROM positions")
            self._add_counts(counts)

    def _holds(self, game: BookGame) -> bool:
        query = "SELECT 1 FROM games WHERE digest = ?"
        with self._errors_told():
            return self._base.execute(query, (game.digest,)).fetchone() is not None

    def _insert(self, game: BookGame) -> bool:
        """Enter a game; False if it is there already."""
        places = ", ".join("?" * (2 + COLUMNS.count(",")))
        query = f"INSERT OR IGNORE INTO games (digest, {COLUMNS}) VALUES ({places})"
        return self._base.execute(query, (game.digest, *row_of(game))).rowcount == 1

    def _add_counts(self, changes: Tally) -> None:
        for key, moves in changes.items():
            known = self.moves_of(key)
            sums = known | {n: plus(known.get(n, NO_COUNTS), c) for n, c in moves.items()}
            row = (key, packed(key, sums))
            self._base.execute("INSERT OR REPLACE INTO positions VALUES (?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors_told():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    # --- what may go wrong --------------------------------------------------------------

    def _check_kind(self) -> None:
        application, version = (
            self._base.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        if application != APPLICATION:
            raise BookError(f"{self.path} is not a book, but an SQLite file of another program")
        if version != VERSION:
            raise BookError(f"{self.path} is a book of another version ({version}, not {VERSION})")
        for table in ("about", "games", "positions"):
            self._base.execute(f"SELECT 1 FROM {table} LIMIT 1")
        if found := self._asked("quick_check(1)"):
            raise BookError(f"{self.path} is damaged: {found[0].splitlines()[-1]}")

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise BookError(f"{self.path} {_reason(error)}") from None
        except BookError as error:
            told = str(error)
            raise BookError(told if str(self.path) in told else f"{self.path}: {told}") from None


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0)
    kind = code & 0xFF
    if kind == sqlite3.SQLITE_NOTADB:
        return "is not a book"
    if kind == sqlite3.SQLITE_FULL:
        return "cannot be written: the disk is full; the games that were told before are all there"
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "is being written by another process"
    if kind == sqlite3.SQLITE_READONLY:
        return "cannot be written: it is read-only"
    if kind in DAMAGED or "no such table" in str(error):
        return f"is damaged: {error}"
    return f"cannot be used: {error}"


def _refuse_what_is_no_file(path: Path) -> None:
    if not os.path.exists(path):
        raise BookError(f"there is no book {path}")
    if path.is_dir() or files.is_special(path):
        raise BookError(f"{path} is not a file")
    if path.stat().st_size == 0:
        raise BookError(f"{path} is empty, not a book")


def _connect(path: Path, writes: bool) -> sqlite3.Connection:
    """A connection; SQLite reads nothing before it is asked."""
    if writes:
        return _connection(path, "mode=rw")
    try:
        base = _connection(path, "mode=ro")
        base.execute("SELECT 1 FROM sqlite_master").fetchone()
        return base
    except sqlite3.OperationalError:
        # In a folder that cannot be written to, and without a writer, the file is all there is.
        if os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists():
            raise
        return _connection(path, "immutable=1")


def _connection(path: Path, how: str) -> sqlite3.Connection:
    name = f"file:{quote(str(path.absolute()))}?{how}"
    return sqlite3.connect(
        name, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )


def _write_empty(path: Path, about: Mapping[str, str]) -> None:
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    try:
        base.executescript(SCHEMA)
        with base:
            base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
    finally:
        base.close()
