"""Games on the workers of a Dask scheduler: the same games, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from montego import __version__
from montego.cli import main
from montego.cluster.scheduler import SchedulerError, check, connected
from montego.lab.base.farm import Farm, FarmError, crew
from montego.lab.base.workers import WorkError
from montego.mcts.ready import warm_up
from tests.knowledge.test_learning import GAME

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
    games = [json.loads(line) for line in lines[1:]]
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


class Asked:
    """A task that seems to be done, as Dask tells it, and what its answer turns out to be."""

    def __init__(self, status: str, answer: Any) -> None:
        self.status, self.answer = status, answer

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def work_on(answers: list[Asked]) -> list[tuple[int, Any]]:
    """What a farm of one worker makes of the task 1, if these answers come."""
    client: Any = SimpleNamespace(
        status="running", nthreads=lambda: {"a worker": 1}, cancel=lambda *args, **more: None,
        submit=lambda *args, **more: answers.pop(0),
    )  # fmt: skip
    return list(Farm(client).work_through(lambda: pytest.fail("here"), iter([1]), lambda: False))


@needs_dask
def test_an_answer_may_be_lost_though_it_was_there() -> None:
    """Its worker dies before it is fetched, and those that make it again die as well."""
    from distributed import KilledWorker

    killed = KilledWorker("work", SimpleNamespace(address="tcp://1"), 3)
    lost = [("error", killed), ("finished", killed), ("pending", TimeoutError()),
            ("cancelled", CancelledError()), ("finished", OSError("closed"))]  # fmt: skip
    answers = [Asked(status, answer) for status, answer in lost]
    assert work_on([*answers, Asked("finished", "done")]) == [(1, "done")]
    with pytest.raises(WorkError, match="workers keep dying"):
        work_on([Asked("error", killed)] * 100)
    with pytest.raises(WorkError, match="OSError: the disk is full"):
        work_on([Asked("error", OSError("the disk is full"))])


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


@needs_dask
def test_the_same_is_learned(tmp_path: Path) -> None:
    games = tmp_path / "games.sgfs"
    games.write_text(f"{GAME}\n" * 200)
    for name, more in (("here", []), ("there", ["--cluster", "local", "--workers", "2"])):
        learn = ["learn", str(games), "--size", "7", "--out", str(tmp_path / name), *more]
        with start(learn) as learned:
            assert learned.wait(LONG) == 0
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


@needs_dask
def test_other_users_of_this_machine_are_strangers() -> None:
    """They can reach the port, but neither as they are nor with certificates of their own."""
    from distributed import Client, Security

    with connected("local", 1) as client:
        address = client.scheduler.address
        assert client.submit(os.getpid).result(LONG) != os.getpid()
        plain = address.replace("tls", "tcp")
        for place, security in ((address, Security.temporary()), (plain, Security())):
            with pytest.raises(OSError, match=r"certificate|SSL|TLS|closed"):
                Client(place, timeout=3, security=security, set_as_default=False)


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
