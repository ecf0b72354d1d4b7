"""Matches and tunings that are killed at any moment: 40 times, and no game is lost or changed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.go import sgf
from montego.lab.base.journal import Line
from montego.lab.base.record import Record, read_games, read_sgfs
from montego.lab.tools.tune import Tuning
from tests.attack.conftest import Attack

KILLS = 40
COMMANDS = {
    "match": "match random random --size 4 --games 120",
    "match by two": "match random random --size 4 --games 120 --workers 2",
    "tune": "tune uct,simulations=1 --against random --parameter selection.c:0.1:2 --size 4"
    " --games 25 --workers 1",
}
SLOWEST = 300.0


def start(kind: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "montego", *COMMANDS[kind].split(), "--out", str(folder)]
    null = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE)


def finish(kind: str, folder: Path) -> float:
    begin, process = time.monotonic(), start(kind, folder)
    _, errors = process.communicate(timeout=SLOWEST)
    assert process.returncode == 0, errors.decode()
    return time.monotonic() - begin


def games_of(folder: Path) -> list[Line]:
    """The lines of a folder by number, with their games, without what the time of day decides."""
    lines, games = [], read_games(folder)
    sgfs = read_sgfs(folder, games)
    for line in sorted(games, key=lambda line: int(line["game"])):
        game = sgf.loads(sgfs[line["game"]])
        assert len(game.position.moves) == line["moves"]
        assert game.result == line["result"]
        kept = {key: line.get(key) for key in ("game", "winner", "black", "parameters")}
        lines.append(kept | {"played": game.position.moves})
    return lines


@pytest.mark.parametrize(
    "kind", ["match", "match by two", pytest.param("tune", marks=pytest.mark.share(3))]
)
def test_kills(attack: Attack, tmp_path: Path, kind: str) -> None:
    seconds = finish(kind, tmp_path / "undisturbed")
    expected, folder = games_of(tmp_path / "undisturbed"), tmp_path / "killed"
    at_work = 0
    for _ in attack.steps(KILLS):
        process = start(kind, folder)
        time.sleep(attack.random.random() * seconds)
        at_work += process.poll() is None
        process.kill()
        process.communicate()
        games = games_of(folder) if (folder / Record.LINES).exists() else []
        assert games == [expected[line["game"] - 1] for line in games]
        if len(games) == len(expected):
            folder = tmp_path / f"killed-{attack.done + 1}"
    finish(kind, folder)
    assert games_of(folder) == expected
    assert (Tuning if kind == "tune" else Record).is_there(folder)
    attack.tell(f"kills of montego {kind}, {at_work} of them while it worked")
