"""Work on a record that is killed at every step; see test_record.py.

    python -m tests.lab.base.killed play|convert|take-in|resume FOLDER

The work is done by children of this process.  Each is killed before another of the calls that
change files, or in the middle of a write; after that every game is looked at, and the next child
does what is left.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from montego.lab.base.collection import on_one_line
from montego.lab.base.journal import Line
from montego.lab.base.record import Record, read_games, read_sgfs
from montego.lab.tools.convert import convert

CONFIG = {"first": "a", "second": "b"}
CALLS = ("write", "fsync", "replace", "unlink", "ftruncate", "truncate", "rmdir", "mkdir")
GAMES = 3
PAIRS = 40
"""Works that are killed twice."""


def line_of(number: int) -> Line:
    return {"game": number, "winner": "first", "black": "first", "reason": "score"}


def sgf_of(number: int) -> str:
    return f"(;GM[1]C[{number}\nof some]\n;B[aa])\n"


def make_old(folder: Path, games: int) -> None:
    """A record as an earlier version made it."""
    (folder / "games").mkdir(parents=True)
    lines = [line_of(number) | {"sgf": f"games/{number:05}.sgf"} for number in range(1, games + 1)]
    (folder / "match.json").write_text(json.dumps(CONFIG))
    (folder / "games.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for line in lines:
        (folder / line["sgf"]).write_text(sgf_of(line["game"]))


def make_three_files(folder: Path, games: int) -> None:
    """A record of the version between: its games are in one file, and match.json is there."""
    with Record(folder, CONFIG) as record:
        for number in range(1, games + 1):
            record.add(line_of(number), sgf_of(number))
    _, *lines = (folder / "games.jsonl").read_text().splitlines(keepends=True)
    (folder / "match.json").write_text(json.dumps(CONFIG, indent=2))
    (folder / "games.jsonl").write_text("".join(lines))


# --- what is done ----------------------------------------------------------------------


def play(folder: Path) -> None:
    """A match that is complete, and then more games are asked for."""
    for games in (GAMES - 1, GAMES):
        with Record(folder, CONFIG) as record:
            for number in record.missing(games):
                record.add(line_of(number), sgf_of(number))
            record.pack()


WORKS: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "play": (lambda folder: None, play),
    "convert": (lambda folder: make_old(folder, GAMES), convert),
    "take-in": (lambda folder: make_three_files(folder, GAMES), convert),
    "resume": (lambda folder: make_three_files(folder, 1), play),
}
"""What there is before, and what is done."""


# --- killing and looking ---------------------------------------------------------------


def die_at(step: int) -> None:
    """Be killed at this call of those that change files, the first is 0."""
    steps = count()

    def deadly(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **more: Any) -> Any:
            if next(steps) == step:
                if name == "write":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **more)

        return call

    for name in CALLS:
        setattr(os, name, deadly(name))


def was_killed(work: Callable[[Path], object], folder: Path, step: int) -> bool:
    """Do the work in a process that is killed at a step; False if it got through before."""
    child = os.fork()
    if child == 0:
        die_at(step)
        try:
            work(folder)
        except BaseException as error:
            print(f"step {step}: {error!r}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def check(folder: Path, is_done: bool) -> None:
    lines = read_games(folder)
    games = read_sgfs(folder, lines)
    numbers = [line["game"] for line in lines]
    assert numbers == list(range(1, len(numbers) + 1))
    expected = {number: on_one_line(sgf_of(number).encode()) for number in numbers}
    assert {number: on_one_line(game) for number, game in games.items()} == expected
    assert Record.read_config(folder) == CONFIG or not numbers
    if is_done:
        assert len(numbers) == GAMES
        names = {path.name for path in folder.iterdir() if not path.name.endswith(".unfinished")}
        assert names - {"games.sgfs", "games.sgfs.gz"} == {"games.jsonl"}
        assert len(names) == 2


def main(what: str, folder: Path) -> None:
    """Tell how many steps there were; a game that is lost is an error."""
    prepare, work = WORKS[what]
    steps = 0
    for number in count():
        own = folder / str(number)
        prepare(own)
        if not was_killed(work, own, number):
            steps = number
            break
        check(own, is_done=False)
        assert not was_killed(work, own, sys.maxsize)
        check(own, is_done=True)
    dice = Random(1)
    for number in range(PAIRS):
        own = folder / f"twice-{number}"
        prepare(own)
        for _ in range(2):
            was_killed(work, own, dice.randrange(steps))
            check(own, is_done=False)
        assert not was_killed(work, own, sys.maxsize)
        check(own, is_done=True)
    print(steps)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
