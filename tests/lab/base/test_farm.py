"""Games on the workers of a Dask scheduler: the same games, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from montego import __version__
from montego.cli import main
from montego.cluster.scheduler import SchedulerError, check
from montego.lab.base.farm import FarmError, crew
from montego.mcts.ready import warm_up

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install 'montego[cluster]'"
)
PLAYERS = ("search:uct,simulations=60", "search:montego,simulations=20")
LONG = 180.0
"""Seconds that a busy machine may take for anything."""

SCHEDULER = """
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                  processes=False, protocol="tcp://") as cluster:
    print(cluster.scheduler_address, flush=True)
    input()
"""


def match(folder: Path, games: int, *more: str) -> list[str]:
    return [
        "match", *PLAYERS, "--size", "5", "--games", str(games), "--out", str(folder), *more
    ]  # fmt: skip


def start(arguments: list[str]) -> subprocess.Popen[str]:
    warm_up()
    return subprocess.Popen(
        [sys.executable, "-m", "montego", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def games_of(folder: Path) -> list[tuple[object, ...]]:
    file = folder / "games.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    games = [json.loads(line) for line in lines]
    return sorted((game["game"], game["winner"], game["result"], game["moves"]) for game in games)


def children_of(parent: int) -> Iterator[int]:
    """The processes that Dask's nannies have started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(stat[1]) == parent and b"spawn_main" in command:
            yield int(folder.name)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """The games as processes of this machine play them."""
    folder = tmp_path_factory.mktemp("match")
    with start(match(folder, 40)) as done:
        assert done.wait(LONG) == 0
    return games_of(folder)


@needs_dask
@pytest.mark.parametrize("every", [0.0, 2.0], ids=["nobody dies", "workers are killed"])
def test_the_same_games(every: float, tmp_path: Path, expected: list[tuple[object, ...]]) -> None:
    with start(match(tmp_path, 40, "--cluster", "local", "--workers", "2")) as played:
        kills, deadline = 0, time.monotonic() + LONG
        while played.poll() is None and time.monotonic() < deadline:
            time.sleep(every or 0.2)
            if every and kills < 4 and games_of(tmp_path):
                for victim in list(children_of(played.pid))[:1]:
                    os.kill(victim, signal.SIGKILL)
                    kills += 1
        assert played.wait(1) == 0
    assert games_of(tmp_path) == expected
    assert not every or kills > 0


@needs_dask
def test_a_scheduler_that_goes_loses_nothing(
    tmp_path: Path, expected: list[tuple[object, ...]]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCHEDULER],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as scheduler:  # fmt: skip
        assert scheduler.stdout is not None
        address = scheduler.stdout.readline().strip()
        with start(match(tmp_path, 40, "--cluster", address)) as played:
            deadline = time.monotonic() + LONG
            while not games_of(tmp_path) and time.monotonic() < deadline:
                time.sleep(0.1)
            scheduler.kill()
            assert played.wait(LONG) == 2
            assert played.stderr is not None
            told = played.stderr.read().splitlines()[-1]
    assert told == "montego: the scheduler has gone; the same command resumes where it stopped"
    assert 0 < len(games_of(tmp_path)) < 40
    with start(match(tmp_path, 40)) as done:
        assert done.wait(LONG) == 0
    assert games_of(tmp_path) == expected


@needs_dask
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "no scheduler answers at nonsense: missing port number"),
        ("udp://1", "no scheduler answers at udp://1: unknown address scheme 'udp'"),
    ],
)
def test_a_wrong_address_is_one_line(
    address: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(match(tmp_path, 2, "--cluster", address))
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(f"montego: {told}")
    assert not (tmp_path / "games.jsonl").exists()


def test_without_dask_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.cluster.scheduler.find_spec", lambda name: None)
    told = r"need Dask: pip install 'montego\[cluster\]'"
    with pytest.raises(FarmError, match=told), crew("local", 1):
        pass


@pytest.mark.parametrize(
    ("versions", "told"),
    [
        ({"tcp://1": __version__, "tcp://2": "0.0.1"}, "tcp://2 has montego 0.0.1, this is"),
        (TimeoutError("nobody came"), "the scheduler at here has no workers: nobody came"),
        (ModuleNotFoundError("No module"), "a worker at here cannot run montego: No module"),
    ],
)
def test_workers_that_are_no_use(versions: Any, told: str) -> None:
    def run(function: Any) -> Any:
        if isinstance(versions, Exception):
            raise versions
        return versions

    client = SimpleNamespace(wait_for_workers=lambda count, timeout: None, run=run)
    with pytest.raises(SchedulerError, match=told):
        check(client, "here")


def test_processes_of_this_machine_need_no_dask() -> None:
    with crew(None, 3) as workers:
        assert workers == 3
