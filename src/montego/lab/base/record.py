"""The folder of a match: what is played, and one line for every game that has been.

    match.json     what decides the games; going on with anything else is refused
    games.jsonl    a line a game, only ever appended to; it names the game's place in
    games.sgfs     the games, with the win rates of both sides (see collection.py)
    lock           while a process plays

A game's SGF is there before its line is, and a line counts once its end of line is written.
So a killed match has lost nothing but the games that it was playing, and those are
played again, from the same seeds.

Records of an earlier version have a file for every game, games/00001.sgf, which is what their
lines name.  They are read as well, and resumed after ``montego convert-records``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import count, takewhile
from pathlib import Path
from typing import Any, ClassVar, Self

from montego import files
from montego.lab.base import collection
from montego.lab.base.collection import Collection, cannot_go_on
from montego.lab.base.errors import RecordError
from montego.lab.base.lock import Lock, open_file
from montego.lab.base.statistics import Score, Sprt

Line = dict[str, Any]
"""The record of one game."""
MOST_BYTES = 1 << 30
"""Of a file of lines: a million games."""
PLAYERS = ("first", "second")


class Journal:
    """A folder of lines that are only ever appended to, opened by the one process that works.

    The subclasses name the files, and the number that no two lines may share.
    """

    CONFIG: ClassVar[str]
    LINES: ClassVar[str]
    KEY: ClassVar[str]

    def __init__(self, folder: Path, config: Mapping[str, object]) -> None:
        self.folder = folder
        self.path = folder / self.LINES
        self._file = -1
        self._opened = ExitStack()
        self._opened.callback(Lock(folder).close)
        try:
            self.keep(dict(config))
            self.lines = self.read(folder, cut=True)
            self.get_ready()
            self._file = open_file(self.path, os.O_WRONLY | os.O_APPEND)
            self._opened.callback(os.close, self._file)
        except BaseException:
            self.close()
            raise

    @classmethod
    def read(cls, folder: Path, cut: bool = False) -> list[Line]:
        """All lines; a torn last one is left out, and cut off if asked to."""
        return _read_lines(folder / cls.LINES, cls.KEY, cls.is_sound, cut)

    @classmethod
    def is_sound(cls, line: Line) -> bool:
        """Whether a line has what is read from it."""
        number = line[cls.KEY]
        return isinstance(number, int) and number > 0

    def keep(self, config: dict[str, object]) -> None:
        """Write down what decides the lines the first time; afterwards it has to be the same."""
        keep_config(self.folder / self.CONFIG, config)

    def get_ready(self) -> None:
        """What else there is to do before lines are added; raises RecordError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def missing(self, total: int) -> Iterator[int]:
        """The numbers from 1 to ``total`` that have no line yet."""
        done = {line[self.KEY] for line in self.lines}
        return (number for number in range(1, total + 1) if number not in done)

    def is_complete(self, total: int) -> bool:
        """Whether all from 1 to ``total`` have their lines."""
        return next(self.missing(total), None) is None

    def append(self, line: Line) -> None:
        """Keep a line for good; a part of one is cut off when the folder is opened again."""
        try:
            files.write_all(self._file, json.dumps(line, ensure_ascii=False).encode() + b"\n")
            os.fsync(self._file)
        except OSError as error:
            raise cannot_go_on(self.path, error) from None
        self.lines.append(line)

    def close(self) -> None:
        """Let others use the folder."""
        self._opened.close()
        self._file = -1


class Record(Journal):
    """A match's folder."""

    CONFIG, LINES, KEY = "match.json", "games.jsonl", "game"

    @property
    def games(self) -> list[Line]:
        """The lines of all games, in the order of their end."""
        return self.lines

    def get_ready(self) -> None:
        if any(map(is_old, self.lines)):
            told = f"is of an earlier version: montego convert-records {self.folder}"
            raise RecordError(f"{self.folder} {told}, and then it goes on")
        places = (line["sgf"] for line in self.lines if "sgf" in line)
        self._collection = Collection(self.folder, max(places, default=0))
        self._opened.callback(self._collection.close)

    def add(self, line: Line, sgf: str) -> None:
        """Keep a game for good."""
        self.append(line | {"sgf": self._collection.append(sgf.encode())})

    def pack(self) -> None:
        """Compress the games, now that the match is complete; it can still be resumed."""
        self._collection.pack()

    @classmethod
    def is_sound(cls, line: Line) -> bool:
        known = line["winner"] in (*PLAYERS, None) and line["black"] in PLAYERS
        place = line.get("sgf", 1)
        known &= is_old(line) or (isinstance(place, int) and place > 0)
        return super().is_sound(line) and known and isinstance(line["reason"], str)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all; raises an OSError."""
    path.parent.mkdir(exist_ok=True)
    files.write_whole(path, text.encode())


def read_config(folder: Path, name: str = Record.CONFIG) -> dict[str, Any]:
    """What the match in a folder is."""
    path = folder / name
    try:
        config = json.loads(files.read_limited(path, MOST_BYTES))
    except FileNotFoundError as error:
        raise RecordError(f"{folder} holds no match: {error.strerror}") from None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is damaged: it is no JSON") from None
    if not isinstance(config, dict):
        raise RecordError(f"{path} is damaged: it describes no match")
    return config


def read_games(folder: Path) -> list[Line]:
    """All games of a match."""
    return Record.read(folder)


def read_game(folder: Path, number: int) -> bytes:
    """One game of a match as SGF."""
    lines = [line for line in read_games(folder) if line["game"] == number]
    if not lines:
        raise RecordError(f"{folder} holds no game {number}")
    games = read_sgfs(folder, lines)
    if not games:
        raise RecordError(f"game {number} of {folder} was kept without its moves")
    return games[number]


def read_sgfs(folder: Path, lines: Iterable[Line]) -> dict[int, bytes]:
    """Games as SGF by their numbers, without those that were not kept.

    The one place that knows where a record has its games.
    """
    kept = {line["game"]: line["sgf"] for line in lines if "sgf" in line}
    places = {place for place in kept.values() if isinstance(place, int)}
    found = collection.read(folder, places)
    return {
        number: found[place] if place in places else _read_old(old_path(folder, number))
        for number, place in kept.items()
    }


def is_old(line: Line) -> bool:
    """Whether a line names a file of its own, as those of an earlier version do."""
    return isinstance(line.get("sgf"), str)


def old_path(folder: Path, number: int) -> Path:
    """Where an earlier version kept a game."""
    return folder / f"games/{number:05}.sgf"


def _read_old(path: Path) -> bytes:
    try:
        return files.read_limited(path, files.SGF_BYTES)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None


def _read_lines(path: Path, key: str, is_sound: Callable[[Line], bool], cut: bool) -> list[Line]:
    try:
        content = files.read_limited(path, MOST_BYTES)
        whole = content[: content.rfind(b"\n") + 1]
        lines = _parse_lines(path, whole, key, is_sound)
        if cut and len(whole) < len(content):
            os.truncate(path, len(whole))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    return lines


def _parse_lines(
    path: Path, content: bytes, key: str, is_sound: Callable[[Line], bool]
) -> list[Line]:
    lines: dict[int, Line] = {}
    for number, text in enumerate(content.split(b"\n")[:-1], start=1):
        line = _parse_line(text, is_sound)
        if line is None:
            raise RecordError(f"{path}, line {number} is damaged")
        if lines.setdefault(line[key], line) is not line:
            raise RecordError(f"{path}, line {number} holds {key} {line[key]} twice")
    return list(lines.values())


def _parse_line(text: bytes, is_sound: Callable[[Line], bool]) -> Line | None:
    try:
        line = json.loads(text)
        return line if is_sound(line) else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def digest_key(player: str) -> str:
    """Under which key a match has the digest of the file that a player comes from.

    A player of the user's own is written ``python:FILE.py:NAME``, perhaps with settings.
    """
    name = player.partition(",")[0].strip().removeprefix("search:")
    return f"digest of {name.partition(':')[2].rpartition(':')[0]}"


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


def keep_config(path: Path, config: dict[str, object]) -> None:
    """Write it the first time; afterwards it has to be the same."""
    if not os.path.lexists(path):
        try:
            write_whole(path, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from None
        return
    refuse_another(path, read_config(path.parent, path.name), config)


def refuse_another(path: Path, before: Mapping[str, object], config: Mapping[str, object]) -> None:
    """Refuse to go on with other settings than those that a record began with."""
    asked = json.loads(json.dumps(config))
    for key in [*before, *asked]:
        if before.get(key) != asked.get(key):
            was, now = json.dumps(before.get(key)), json.dumps(asked.get(key))
            raise RecordError(
                f"{path.parent} holds another {path.stem}: its {key} is {was}, not {now}; "
                "choose another folder"
            )
