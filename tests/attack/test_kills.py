"""Matches and tunings that are killed at any moment: 40 times, and no game is lost or changed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.go import sgf
from montego.lab.base.record import Line, Record, read_games
from montego.lab.tools.tune import Tuning
from tests.attack.conftest import Attack

KILLS = 40
COMMANDS = {
    "match": "match random random --size 4 --games 120",
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
    """The lines of a folder, each with its game, without what depends on the time of day."""
    lines = []
    for line in read_games(folder):
        game = sgf.load(folder / line["sgf"])
        assert len(game.position.moves) == line["moves"]
        assert game.result == line["result"]
        kept = {key: line.get(key) for key in ("game", "winner", "black", "parameters")}
        lines.append(kept | {"played": game.position.moves})
    return lines


@pytest.mark.parametrize("kind", ["match", pytest.param("tune", marks=pytest.mark.share(3))])
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
        assert games == expected[: len(games)]
        if len(games) == len(expected):
            folder = tmp_path / f"killed-{attack.done + 1}"
    finish(kind, folder)
    assert games_of(folder) == expected
    assert (folder / (Record.CONFIG if kind == "match" else Tuning.CONFIG)).exists()
    attack.tell(f"kills of montego {kind}, {at_work} of them while it worked")
