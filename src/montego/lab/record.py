"""The folder of a match: what is played, and one line for every game that has been.

    match.json     what decides the games; going on with anything else is refused
    games.jsonl    a line a game, only ever appended to
    games/*.sgf    every game, with the win rates of both sides
    lock           held by the process that plays

A game's SGF is there before its line is, and a line counts once its end of line is written.
So a killed match has lost nothing but the games that it was playing, and those are
played again, from the same seeds.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, takewhile
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Self

from montego.lab.errors import LabError
from montego.lab.statistics import Score, Sprt

Line = dict[str, Any]
"""The record of one game."""


class RecordError(LabError):
    """A folder that cannot be used; the message says why."""


class Journal:
    """A folder of lines that are only ever appended to, opened by the one process that works.

    The subclasses name the files, and the number that no two lines may share.
    """

    CONFIG: ClassVar[str]
    LINES: ClassVar[str]
    KEY: ClassVar[str]

    def __init__(self, folder: Path, config: Mapping[str, object]) -> None:
        self.folder = folder
        self._lock = _lock(folder)
        self._file: IO[bytes] | None = None
        try:
            _keep_config(folder / self.CONFIG, dict(config))
            self.lines = self.read(folder, cut=True)
            self._file = (folder / self.LINES).open("ab")
        except BaseException:
            self.close()
            raise

    @classmethod
    def read(cls, folder: Path, cut: bool = False) -> list[Line]:
        """All lines; a torn last one is left out, and cut off if asked to."""
        return _read_lines(folder / cls.LINES, cls.KEY, cut)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def missing(self, total: int) -> Iterator[int]:
        """The numbers from 1 to ``total`` that have no line yet."""
        done = {line[self.KEY] for line in self.lines}
        return (number for number in range(1, total + 1) if number not in done)

    def append(self, line: Line) -> None:
        """Keep a line for good."""
        assert self._file is not None
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.lines.append(line)

    def close(self) -> None:
        """Let others use the folder."""
        if self._file is not None:
            self._file.close()
        self._lock.close()


class Record(Journal):
    """A match's folder."""

    CONFIG, LINES, KEY = "match.json", "games.jsonl", "game"

    @property
    def games(self) -> list[Line]:
        """The lines of all games, in the order of their end."""
        return self.lines

    def add(self, line: Line, sgf: str) -> None:
        """Keep a game for good."""
        name = f"games/{line['game']:05}.sgf"
        write_whole(self.folder / name, sgf)
        self.append(line | {"sgf": name})


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    write_whole_bytes(path, text.encode())


def write_whole_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def read_config(folder: Path, name: str = Record.CONFIG) -> dict[str, Any]:
    """What the match in a folder is."""
    path = folder / name
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{folder} holds no match: {error.strerror}") from None
    except ValueError:
        raise RecordError(f"{path} is damaged") from None
    return dict(config)


def read_games(folder: Path) -> list[Line]:
    """All games of a match."""
    return Record.read(folder)


def _read_lines(path: Path, key: str, cut: bool) -> list[Line]:
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    try:
        lines: list[Line] = [json.loads(line) for line in whole.splitlines()]
        numbers = {line[key] for line in lines}
    except (ValueError, KeyError, TypeError):
        raise RecordError(f"{path} is damaged") from None
    if len(numbers) < len(lines):
        raise RecordError(f"{path} holds a {key} twice")
    if cut and len(whole) < len(content):
        os.truncate(path, len(whole))
    return lines


def judged_score(games: Iterable[Line], sprt: Sprt) -> Score:
    """The score that a sequential test sees: games 1, 2, 3 … until one is missing or it is decided.

    Not in the order of their end: with several workers short games end first, and short
    games need not be won as often as long ones.
    """
    by_number = {game["game"]: game for game in games}
    seen: list[Line] = []
    for number in takewhile(by_number.__contains__, count(1)):
        seen.append(by_number[number])
        if sprt.verdict(score_of(seen)) is not None:
            break
    return score_of(seen)


def score_of(games: Iterable[Line], color: str | None = None) -> Score:
    """The first player's score, of all games or of those with one colour ("black", "white")."""
    wanted = [
        game["winner"]
        for game in games
        if color is None or (game["black"] == "first") == (color == "black")
    ]
    return Score(wanted.count("first"), wanted.count("second"), wanted.count(None))


def _lock(folder: Path) -> IO[str]:
    """Keep every other process out, until this one ends in whatever way."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("w")
    except OSError as error:
        raise RecordError(f"{folder}: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RecordError(f"{folder} is being used by another process") from None
    return file


def _keep_config(path: Path, config: dict[str, object]) -> None:
    """Write it the first time; afterwards it has to be the same."""
    if not path.exists():
        write_whole(path, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
        return
    before, asked = read_config(path.parent, path.name), json.loads(json.dumps(config))
    for key in [*before, *asked]:
        if before.get(key) != asked.get(key):
            was, now = json.dumps(before.get(key)), json.dumps(asked.get(key))
            raise RecordError(
                f"{path.parent} holds another {path.stem}: its {key} is {was}, not {now}; "
                "choose another folder"
            )
