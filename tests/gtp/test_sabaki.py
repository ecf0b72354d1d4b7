"""Sabaki's own GTP client with ``montego gtp``: positions, live analysis, games.

The package is looked for below the folder of ``MONTEGO_SABAKI``, or the working directory:

    mkdir /tmp/sabaki && cd /tmp/sabaki && npm install @sabaki/gtp
    MONTEGO_SABAKI=/tmp/sabaki pytest tests/gtp/test_sabaki.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from montego.cli.common import get_kernels_ready

DRIVER = Path(__file__).with_name("sabaki_driver.js")
FOLDER = Path(os.environ.get("MONTEGO_SABAKI", "."))
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not (FOLDER / "node_modules" / "@sabaki" / "gtp").is_dir(),
    reason="Node or its package @sabaki/gtp is missing; MONTEGO_SABAKI may name its folder",
)


@pytest.fixture(scope="module")
def told() -> Any:
    get_kernels_ready()
    engine = [sys.executable, "-m", "montego", "gtp", "--simulations", "300", "--memory", "32"]
    done = subprocess.run(
        [str(NODE), DRIVER, FOLDER.resolve(), *engine], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_commands(told: Any) -> None:
    assert told["name"] == "Montego"
    assert told["unknown"] == {"error": "unknown command"}
    assert told["knows"] == [True] * 4
    assert told["stopped"]
    assert not any("Fatal" in line for line in told["stderr"])


def test_positions_are_synchronised(told: Any) -> None:
    sync = told["sync"]
    assert [set(stones.split()) for stones in sync["first"]] == [{"E5", "G3"}, {"C3"}]
    assert [set(stones.split()) for stones in sync["second"]] == [{"E5", "G7"}, {"C3"}]
    assert set(sync["handicap"].split()) == {"C3", "G7"}


@pytest.mark.parametrize("name", ["kata", "leela"])
def test_live_analysis(told: Any, name: str) -> None:
    analysis = told[name]
    assert analysis["lines"] >= 3
    assert analysis["next"] == "2"  # the command that ended it was answered
    parts = analysis["last"]["parts"]
    assert [int(part["order"]) for part in parts] == list(range(len(parts)))
    assert all(part["pv"][0] == part["move"] and part["more"] == 0 for part in parts)
    # Sabaki tells both forms apart by the point in the number.
    assert all(("." in part["winrate"]) == (name == "kata") for part in parts)


def test_owners_are_seen_by_black(told: Any) -> None:
    owners = told["kata"]["last"]["owners"]
    assert len(owners) == 81
    assert owners[40] > 0  # White is to move; Black has a stone there
    assert "owners" not in told["leela"]["last"]


def test_a_move_with_analysis(told: Any) -> None:
    generated = told["generated"]
    assert generated["tracked"] == ["play", "B", generated["move"]]
    assert generated["infos"] >= 1


def test_a_whole_game(told: Any) -> None:
    game = told["game"]
    resigned = game["moves"][-1] == "resign"
    assert resigned or game["moves"][-2:] == ["pass", "pass"]
    assert game["tracked"] == len(game["moves"]) - resigned
    assert game["score"][:2] in ("B+", "W+", "0")
