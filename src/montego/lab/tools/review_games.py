"""The games of a file, and which of them are reviewed: the only one, the one that is asked for,
all, or what the user answers at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montego.files import read_limited
from montego.go import GoError, sgf
from montego.go.notes import annotate
from montego.go.sgf import GameRecord
from montego.lab.base.console import plain_console
from montego.lab.tools.review import ReviewError
from montego.lab.tools.review_report import title

MAX_BYTES = 100_000_000
"""Longer files are no collections of games."""
SILENCE = 10.0
"""Seconds that a pipe with games may say nothing."""
LISTED = 30
"""Games that are shown where one is to be chosen."""


@dataclass(frozen=True)
class Game:
    """A game of a file."""

    number: int
    """1 is the first."""
    data: bytes
    record: GameRecord


def read_file(path: Path) -> list[bytes]:
    """The games of a file, at least one; nothing of them has been checked."""
    try:
        data = read_limited(path, MAX_BYTES, SILENCE)
        return sgf.split(data) or [data]
    except OSError as error:
        raise ReviewError(f"{path}: {error.strerror}") from None
    except GoError as error:
        raise ReviewError(f"{path}: {error}") from None


def read_game(path: Path, games: Sequence[bytes], number: int) -> Game:
    """A game that can be reviewed, 1 the first, and whose notes can be written."""
    name = str(path) if len(games) == 1 else f"game {number} of {path}"
    if not 1 <= number <= len(games):
        raise ReviewError(f"{path} holds {_counted(games)}: there is no game {number}")
    data = games[number - 1]
    try:
        record = sgf.loads(data)
        annotate(data, {})
    except GoError as error:
        raise ReviewError(f"{name}: {error}") from None
    if not record.position.moves:
        raise ReviewError(f"{name} holds no move")
    return Game(number, data, record)


def choose(path: Path, games: Sequence[bytes], number: int | None, everything: bool) -> list[Game]:
    """The games that are asked for, or that the user chooses at the terminal."""
    if number is not None and everything:
        raise ReviewError("--game and --all: choose one of them")
    if number is None and not everything and len(games) > 1:
        number = _ask_which(path, games)
        everything = number is None
    if not everything:
        return [read_game(path, games, 1 if number is None else number)]
    return _read_all(path, games) if len(games) > 1 else [read_game(path, games, 1)]


def _read_all(path: Path, games: Sequence[bytes]) -> list[Game]:
    """All that can be reviewed; the others are named."""
    found = []
    for number in range(1, len(games) + 1):
        try:
            found.append(read_game(path, games, number))
        except ReviewError as error:
            _tell(f"left out: {error}")
    if not found:
        raise ReviewError(f"none of the {_counted(games)} of {path} can be reviewed")
    return found


def _ask_which(path: Path, games: Sequence[bytes]) -> int | None:
    """The number of a game, or None for all."""
    if not _has_terminal():
        raise ReviewError(
            f"{path} holds {_counted(games)}: choose one with --game N, or review all with --all"
        )
    _tell(f"{path} holds {_counted(games)}:")
    for number, data in enumerate(games[:LISTED], start=1):
        _tell(f"{number:5}  {_heading(data)}")
    if len(games) > LISTED:
        _tell("    …")
    while True:
        _tell(f"which one (1 to {len(games)}, or all)? ", end="")
        try:
            answer = input().strip().lower()
        except EOFError:
            raise ReviewError("no game was chosen") from None
        if answer == "all":
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(games):
            return int(answer)


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _heading(data: bytes) -> str:
    try:
        record = sgf.loads(data)
    except GoError as error:
        return str(error)
    return f"{title(record)}, {len(record.position.moves)} moves"


def _counted(games: Sequence[bytes]) -> str:
    return f"{len(games)} games" if len(games) > 1 else "one game"


def _tell(text: str, end: str = "\n") -> None:
    console = plain_console(stderr=True)
    console.print(text, end=end, soft_wrap=True)
