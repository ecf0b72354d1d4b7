"""KaTrain's own engine and game classes with Montego in KataGo's place.

KaTrain is looked for in this Python and in that of ``MONTEGO_KATRAIN_PYTHON``:

    python -m venv /tmp/katrain && /tmp/katrain/bin/pip install katrain
    MONTEGO_KATRAIN_PYTHON=/tmp/katrain/bin/python pytest tests/analysis/test_katrain.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import montego
from montego.cli.common import get_kernels_ready

DRIVER = Path(__file__).with_name("katrain_driver.py")
PYTHON = os.environ.get("MONTEGO_KATRAIN_PYTHON") or (
    sys.executable if find_spec("katrain") else ""
)

pytestmark = pytest.mark.skipif(
    not PYTHON or os.name == "nt",
    reason="KaTrain is not installed; MONTEGO_KATRAIN_PYTHON may name a Python that has it",
)


@cache
def session(backend: str, folder: Path) -> Any:
    """What happened in a session of KaTrain's."""
    get_kernels_ready()
    program = folder / "montego"
    source = Path(montego.__file__).parents[1]
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m montego "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    setting = f'exec "{program}" analysis --threads 2 --memory 64'
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [PYTHON, DRIVER, backend, setting if backend == "custom" else program],
        capture_output=True, text=True, env=environment, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module", params=["local", "custom"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return session(request.param, tmp_path_factory.mktemp("katrain"))


def test_katrain_sees_no_error(told: Any) -> None:
    assert told["alive"]
    assert told["errors"] == []
    assert "Started, ready to begin handling requests" in told["stderr"]


def test_moves_are_judged(told: Any) -> None:
    moves = told["moves"]
    assert len(moves["scores"]) == 5
    assert moves["lost"]["A1"] > 4
    assert moves["candidates"][0][1] == 0.0
    assert sum(visits for _, _, visits in moves["candidates"]) >= 1000
    assert "Estimated point loss" in moves["comment"]
    assert "according to policy" in moves["comment"]


def test_ownership_and_policy_are_understood(told: Any) -> None:
    moves = told["moves"]
    assert (moves["ownership"], moves["policy"], moves["occupied"]) == (81, 82, -1.0)
    assert moves["center"] > 0  # a black stone's
    assert moves["policy_sum"] == pytest.approx(1.0, abs=0.001)


def test_more_analysis_and_an_end_of_it(told: Any) -> None:
    assert told["more"]["new_moves"] > 0
    assert told["more"]["pondered"] > 0


def test_all_strategies_play(told: Any) -> None:
    assert len(told["ais"]) == 8
    assert None not in told["ais"].values()


def test_a_game_ends_with_passes(told: Any) -> None:
    assert 0 < told["whole"]["moves"] < 120
    assert "+" in told["whole"]["result"]


def test_handicap(told: Any) -> None:
    assert told["handicap"]["to_play"] == "W"
