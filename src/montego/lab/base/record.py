"""The folder of a match: what is played, and one line for every game that has been.

    games.jsonl    what decides the games (see journal.py), and a line a game, only ever appended
                   to; it names the game's place in
    games.sgfs     the games, with the win rates of both sides (see collection.py)
    lock           while a process plays

A game's SGF is there before its line is, and a line counts once its end of line is written.
So a killed match has lost nothing but the games that it was playing, and those are
played again, from the same seeds.

Records of an earlier version have a file for every game, games/00001.sgf, which is what their
lines name.  They are read as well, and resumed after ``montego convert-records``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from montego import files
from montego.lab.base import collection
from montego.lab.base.collection import Collection
from montego.lab.base.errors import RecordError
from montego.lab.base.journal import Journal, Line
from montego.lab.base.statistics import Score, Sprt

PLAYERS = ("first", "second")


class Record(Journal):
    """A match's folder."""

    KIND, LINES, KEY = "match", "games.jsonl", "game"

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


def read_config(folder: Path) -> dict[str, Any]:
    """What the match in a folder is."""
    config = Record.read_config(folder)
    if config is None:
        raise RecordError(f"{folder} holds no match")
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
