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
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from montego.lab.errors import LabError
from montego.lab.statistics import Score

Line = dict[str, Any]
"""The record of one game."""


class RecordError(LabError):
    """A folder that cannot be used; the message says why."""


class Record:
    """A match's folder, opened by the one process that plays it."""

    def __init__(self, folder: Path, config: Mapping[str, object]) -> None:
        self.folder = folder
        self._lock = _lock(folder)
        self._lines: IO[bytes] | None = None
        try:
            _keep_config(folder / "match.json", dict(config))
            self.games = read_games(folder, cut=True)
            self._lines = (folder / "games.jsonl").open("ab")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, line: Line, sgf: str) -> None:
        """Keep a game for good."""
        assert self._lines is not None
        name = f"games/{line['game']:05}.sgf"
        write_whole(self.folder / name, sgf)
        line = line | {"sgf": name}
        self._lines.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._lines.flush()
        os.fsync(self._lines.fileno())
        self.games.append(line)

    def close(self) -> None:
        """Let others use the folder."""
        if self._lines is not None:
            self._lines.close()
        self._lock.close()


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def read_config(folder: Path) -> dict[str, Any]:
    """What the match in a folder is."""
    path = folder / "match.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{folder} holds no match: {error.strerror}") from None
    except ValueError:
        raise RecordError(f"{path} is damaged") from None
    return dict(config)


def read_games(folder: Path, cut: bool = False) -> list[Line]:
    """All games of a match; a torn last line is left out, and cut off if asked to."""
    path = folder / "games.jsonl"
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    try:
        games: list[Line] = [json.loads(line) for line in whole.splitlines()]
        numbers = {game["game"] for game in games}
    except (ValueError, KeyError, TypeError):
        raise RecordError(f"{path} is damaged") from None
    if len(numbers) < len(games):
        raise RecordError(f"{path} holds a game twice")
    if cut and len(whole) < len(content):
        os.truncate(path, len(whole))
    return games


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
        raise RecordError(f"{folder} is being played by another process") from None
    return file


def _keep_config(path: Path, config: dict[str, object]) -> None:
    """Write it the first time; afterwards it has to be the same."""
    if not path.exists():
        write_whole(path, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
        return
    before, asked = read_config(path.parent), json.loads(json.dumps(config))
    for key in [*before, *asked]:
        if before.get(key) != asked.get(key):
            was, now = json.dumps(before.get(key)), json.dumps(asked.get(key))
            raise RecordError(
                f"{path.parent} holds another match: its {key} is {was}, not {now}; "
                "choose another folder"
            )
