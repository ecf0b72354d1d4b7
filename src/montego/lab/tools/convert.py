"""``montego convert-records``: records of earlier versions become such as are written today.

    match.json           becomes the first line of    games.jsonl
    games/00001.sgf …    become one                   games.sgfs.gz

First the new file is written, read back and compared, game by game; then the lines name the
places in it; and last the old files go, each after another look.  So whatever stops it nothing is
lost, and the same command resumes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from montego.lab.base.collection import Collection, on_one_line
from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.journal import Journal, Line, as_text
from montego.lab.base.lock import Lock
from montego.lab.base.progress import Counter
from montego.lab.base.record import Record, is_old, old_path, read_games, read_sgfs
from montego.lab.experiments.measurements import Measurements
from montego.lab.tools.tune import Tuning

JOURNALS: tuple[type[Journal], ...] = (Record, Tuning, Measurements)
GAMES = "games"
"""The folder of an earlier version's games."""


def run(folders: Sequence[Path]) -> int:
    """Convert all records in and below these folders; returns 1 if one could not be."""
    records, failed = find_records(folders), 0
    out, err = plain_console(), plain_console(stderr=True)
    with Counter("records", len(records)) as count:
        for number, folder in enumerate(records, start=1):
            try:
                out.print(f"{folder}: {convert(folder)}", soft_wrap=True)
            except LabError as error:
                failed = 1
                err.print(f"montego: left as it is: {error}", soft_wrap=True)
            count(records[:number])
    return failed


def find_records(folders: Sequence[Path]) -> list[Path]:
    """The folders of all records among and below those named, each once."""
    found: dict[Path, None] = {}
    for folder in folders:
        below = sorted(path for journal in JOURNALS for path in journal.find(folder))
        if not below:
            raise LabError(f"{folder} holds no match, no tuning and no measurements")
        found |= dict.fromkeys(below)
    return list(found)


def convert(folder: Path) -> str:
    """Convert one record, if it is old; returns what has been done."""
    with closing(Lock(folder)):
        done = _convert_games(folder)  # first: where one is missing, all is left as it is
        for journal in JOURNALS:
            if journal.take_in(folder):
                name = journal.old_path(folder).name
                done.append(f"{name} is the first line of {journal.LINES} now")
    return "; ".join(done) or "nothing to do"


def _convert_games(folder: Path) -> list[str]:
    """Put games that are a file each into one; returns what has been done."""
    games, lines = folder / GAMES, read_games(folder)
    if not any(map(is_old, lines)) and not games.exists():
        return []
    if any(map(is_old, lines)):
        lines = _moved(folder, lines) if games.exists() else _without_games(lines)
        _keep_lines(folder, lines)
    _remove_old(folder, lines)
    kept = sum("sgf" in line for line in lines)
    told = f"{kept} games packed" if kept else f"{len(lines)} games, kept without their moves"
    return [told, f"what else is in {games} stays"] if games.exists() else [told]


def _without_games(lines: Sequence[Line]) -> list[Line]:
    """The lines of a record whose games have been deleted: they name none."""
    return [{key: line[key] for key in line if key != "sgf" or not is_old(line)} for line in lines]


def _moved(folder: Path, lines: Sequence[Line]) -> list[Line]:
    """Write the games into one file, and return the lines that name their places in it."""
    games = read_sgfs(folder, lines)
    places = [line["sgf"] for line in lines if "sgf" in line and not is_old(line)]
    with closing(Collection(folder, max(places, default=0))) as collection:
        moved = [
            line | {"sgf": collection.append(games[line["game"]])} if is_old(line) else line
            for line in lines
        ]
        collection.pack()
    _compare(folder, games, read_sgfs(folder, moved))
    return moved


def _compare(folder: Path, old: Mapping[int, bytes], new: Mapping[int, bytes]) -> None:
    """Refuse to go on where a game is not the same as before."""
    for number, game in old.items():
        if on_one_line(game) != on_one_line(new.get(number, b"")):
            raise RecordError(f"{folder}: game {number} is not the same in its new file")


def _keep_lines(folder: Path, lines: Sequence[Line]) -> None:
    head = Record.content(folder).head
    Record.write(folder, as_text(*([head] if head else []), *lines))


def _remove_old(folder: Path, lines: Sequence[Line]) -> None:
    """Delete the old files of games that are in the new one, and their folder if it is empty."""
    paths = {line["game"]: old_path(folder, line["game"]) for line in lines if "sgf" in line}
    there = {number: path for number, path in paths.items() if path.exists()}
    try:
        old = {number: path.read_bytes() for number, path in there.items()}
        _compare(folder, old, read_sgfs(folder, lines) if old else {})
        for path in there.values():
            path.unlink()
        if (folder / GAMES).exists() and not any((folder / GAMES).iterdir()):
            (folder / GAMES).rmdir()
    except OSError as error:
        raise RecordError(f"{error.filename}: {error.strerror}") from None
