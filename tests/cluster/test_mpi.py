"""Real processes: they search together, and the player outlives all of them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from montego.cluster.job import Job, JobError, mpiexec
from montego.cluster.mpi import MpiSearch, Ranks
from montego.cluster.settings import Virtual, take_cluster
from montego.engine.clock import Absolute
from montego.engine.engine import Engine
from montego.go import Position
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES
from tests.lab.matches.opponents import is_running

try:
    mpiexec()
    REASON = ""
except JobError as error:
    REASON = str(error)
needs_mpi = pytest.mark.skipif(bool(REASON), reason=REASON)
LONG = 120.0
"""Seconds that a busy machine may take for anything."""


def make(
    ranks: int,
    method: str = "slow-tree",
    threads: int = 1,
    seed: int = 7,
    recipe: str = "montego",
) -> MpiSearch:
    return Ranks(method, ranks=ranks).make(RECIPES[recipe], threads, 16, seed)


def job_of(search: MpiSearch) -> Job:
    job = search.keeper._job
    assert job is not None
    return job


def shared_memory() -> set[str]:
    """The names of MPICH's files, which nobody deletes if a job is killed."""
    return {path.name for path in Path("/dev/shm").glob("mpich*")}


def shared_by(processes: Iterable[int]) -> set[str]:
    """Those of them that some processes use: other jobs may run at the same time."""
    maps = [Path(f"/proc/{process}/maps") for process in processes]
    return {
        name
        for path in maps
        if path.exists()
        for name in re.findall(r"/dev/shm/(mpich\S+)", path.read_text(errors="replace"))
    }


def listening() -> set[str]:
    """The numbers of all sockets of this machine that wait for guests."""
    tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
    rows = [line.split() for path in tables for line in path.read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[3] == "0A"}


def wait_until(is_true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + LONG
    while not is_true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.fixture(scope="module")
def four() -> Iterator[MpiSearch]:
    search = make(4)
    yield search
    job = job_of(search)
    assert len(job.processes()) >= 5
    search.close()
    wait_until(lambda: not job.processes(), "a process outlives its job")


def shares(found: Found) -> dict[int, float]:
    total = sum(candidate.visits for candidate in found.candidates)
    return {candidate.move: candidate.visits / total for candidate in found.candidates}


def mean(runs: list[dict[int, float]]) -> dict[int, float]:
    moves = {move for run in runs for move in run}
    return {move: sum(run.get(move, 0) for run in runs) / len(runs) for move in moves}


def distance(one: dict[int, float], two: dict[int, float]) -> float:
    """The part of the visits that is elsewhere, from 0 to 1."""
    return sum(abs(one.get(move, 0) - two.get(move, 0)) for move in {*one, *two}) / 2


@needs_mpi
class TestFourProcesses:
    def test_all_simulations_count_and_the_tree_is_kept(self, four: MpiSearch) -> None:
        position = Position.start(7)
        found = four.run(position, Budget(simulations=200))
        assert found.simulations == 800
        assert sum(candidate.visits for candidate in found.candidates) == 800
        position = position.play(found.move)
        later = four.run(position, Budget(simulations=100))
        kept = sum(candidate.visits for candidate in later.candidates) - 400
        assert later.simulations == 400
        assert 0 < kept <= found.visits

    def test_the_same_as_four_virtual_machines(self) -> None:
        """Near those that share, whose means of five differ by 0.03, and not those that do not.

        By a recipe without a network, with which all would be sure of the same move.
        """
        position, each, recipe = Position.start(7), 2000, "classic"
        four = make(4, recipe=recipe)

        def virtual(between: int) -> dict[int, float]:
            cluster = Virtual("slow-tree", 4, between=between)
            searches = [cluster.make(RECIPES[recipe], 1, 64, seed) for seed in range(5)]
            return mean(
                [shares(search.run(position, Budget(simulations=each))) for search in searches]
            )

        def run_again() -> Found:
            four.clear()
            return four.run(position, Budget(simulations=each))

        real = mean([shares(run_again()) for _ in range(5)])
        four.close()
        shared, apart = virtual(50), virtual(each)
        assert distance(real, shared) < min(0.1, distance(real, apart))

    def test_a_hook_sees_it_and_stops_it(self, four: MpiSearch) -> None:
        seen: list[int] = []

        def watch(found: Found) -> bool:
            seen.append(found.simulations)
            return len(seen) < 3

        begin = time.perf_counter()
        found = four.run(Position.start(7), Budget(seconds=1000), watch, 0.05)
        assert time.perf_counter() - begin < LONG
        assert len(seen) == 3
        assert seen == sorted(seen)
        assert found.simulations >= seen[-1]

    def test_it_keeps_to_its_time(self, four: MpiSearch) -> None:
        for seconds in (0.3, 1.0):
            begin = time.perf_counter()
            found = four.run(Position.start(9), Budget(seconds=seconds))
            assert time.perf_counter() - begin < seconds + 10
            assert found.visits > 0

    def test_another_board(self, four: MpiSearch) -> None:
        for position in (Position.start(5), Position.start(9).play("E5").with_to_play("black")):
            found = four.run(position, Budget(simulations=30))
            assert found.simulations == 120
            assert position.is_legal(found.move)

    def test_waiting_burns_no_core(self, four: MpiSearch) -> None:
        """While nobody searches, all processes together take less than a fifth of a core."""
        four.run(Position.start(5), Budget(simulations=20))
        job = job_of(four)

        def used() -> float:
            ticks = 0
            for number in job.processes():
                rest = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
                ticks += int(rest[11]) + int(rest[12])
            return ticks / os.sysconf("SC_CLK_TCK")

        before, begin = used(), time.perf_counter()
        time.sleep(1.5)
        assert (used() - before) / (time.perf_counter() - begin) < 0.2


@needs_mpi
@pytest.mark.parametrize("method", ["leaf", "root", "multiple-runs", "share-everything"])
def test_other_methods_and_threads(method: str) -> None:
    search = make(2, method, threads=2)
    position = Position.start(7)
    for _ in range(2):
        found = search.run(position, Budget(simulations=150))
        assert found.simulations == 300
        position = position.play(found.move)
    for _ in range(30):  # one search at once after the other
        assert search.run(position, Budget(simulations=16)).simulations == 32
    search.close()


@needs_mpi
@pytest.mark.parametrize("method", ["leaf", "share-everything"])
def test_other_methods_outlive_a_process(method: str) -> None:
    search, position = make(2, method), Position.start(5)
    kill_during(search, 3, 0.2)
    begin = time.perf_counter()
    found = search.run(position, Budget(seconds=1.0, longest=1.0))
    assert time.perf_counter() - begin < 30
    assert position.is_legal(found.move)
    wait_until(lambda: both_answer(search, position), "the job is not started again")
    search.close()


# --- faults ----------------------------------------------------------------------------


def kill_during(
    search: MpiSearch, number: int, when: float, how: signal.Signals = signal.SIGKILL
) -> None:
    """Kill the process of this number, of those that there are, after some seconds."""
    job = job_of(search)

    def kill() -> None:
        time.sleep(when)
        if alive := sorted(job.processes()):
            with suppress(ProcessLookupError):
                os.kill(alive[number % len(alive)], how)

    threading.Thread(target=kill, daemon=True).start()


def both_answer(search: MpiSearch, position: Position) -> bool:
    """Whether both ranks take part in a search: one of them may be dead, and nobody knows yet."""
    return search.run(position, Budget(simulations=30, seconds=3.0)).simulations == 60


@needs_mpi
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("starter", ["", "mpiexec"])
def test_whatever_dies_or_hangs_the_game_continues(
    how: signal.Signals, starter: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each process in turn, while it thinks: the move comes, the job comes back."""
    ranks = Ranks(ranks=2, mpiexec=starter and f"{mpiexec()} -n 2")
    search = ranks.make(RECIPES["montego"], 1, 16, 7)
    position = Position.start(5)
    jobs, shared = [], set[str]()
    for number in range(len(job_of(search).processes())):  # starter, its proxy, two ranks
        jobs.append(job_of(search))
        shared |= shared_by(jobs[-1].processes())
        kill_during(search, number, 0.2, how)
        begin = time.perf_counter()
        found = search.run(position, Budget(seconds=1.0, longest=1.0))
        assert time.perf_counter() - begin < 30
        assert position.is_legal(found.move)
        found = search.run(position, Budget(seconds=1.0))  # perhaps the first to notice
        assert position.is_legal(found.move)
        wait_until(lambda: both_answer(search, position), "the job is not started again")
    jobs.append(job_of(search))
    search.close()
    wait_until(lambda: not any(job.processes() for job in jobs), "a process outlives its job")
    assert shared
    assert not shared & shared_memory()
    assert "montego: the cluster:" in capfd.readouterr().err


@needs_mpi
def test_a_job_of_one_computer_opens_no_port(four: MpiSearch) -> None:
    four.run(Position.start(5), Budget(simulations=20))
    files = [
        os.readlink(entry)
        for number in job_of(four).processes()
        for entry in Path(f"/proc/{number}/fd").iterdir()
        if entry.exists() or entry.is_symlink()
    ]
    numbers = {name[len("socket:[") : -1] for name in files if name.startswith("socket:")}
    assert numbers  # the link to the player, at least
    assert not numbers & listening()


@needs_mpi
def test_a_job_ends_with_its_player() -> None:
    """Even if the player is killed."""
    program = (
        "import sys, time; from tests.cluster.test_mpi import *; search = make(2); "
        "print(*job_of(search).processes(), flush=True); "
        "search.run(Position.start(5), Budget(seconds=1000), lambda found: True)"
    )
    player = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    with player:
        assert player.stdout is not None
        numbers = [int(word) for word in player.stdout.readline().split()]
        player.kill()
    assert len(numbers) >= 3
    wait_until(lambda: not any(is_running(n) for n in numbers), "the job outlives its player")


@needs_mpi
@pytest.mark.slow
def test_twenty_kills_in_twenty_games() -> None:
    """Games by the clock against itself; all are finished by the rules, none is lost on time."""
    random = Random(1)
    engine = Engine(size=5, memory_mb=16, make_search=Ranks(ranks=2).make)
    engine.set_time(Absolute(30.0))
    kills = 0
    for number in range(20):
        engine.clear()
        search = engine._search
        assert isinstance(search, MpiSearch)
        while not (engine.position.is_over or engine.result):
            is_due = kills <= number and len(engine.position.moves) >= random.randrange(12)
            if is_due and search.keeper.link is not None:
                kill_during(search, random.randrange(4), random.random() * 0.3)
                kills += 1
            engine.genmove()
            assert min(engine.clock.left(color).seconds for color in (1, 2)) > 0
    assert kills == 20


# --- mistakes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"cluster": "threads", "ranks": "2"}, "'threads' is not a method of ranks: leaf, root"),
        ({"cluster": "root", "ranks": "0"}, "ranks of a cluster has to be between 1 and 4096"),
        ({"cluster": "root", "ranks": "2", "machines": "2"}, "a cluster has no 'machines'"),
        ({"cluster": "root", "ranks": "2", "cluster.joined": "yes"}, "a cluster has no 'joined'"),
        ({"cluster": "servers", "servers": "0"}, "servers of a cluster has to be between 1"),
    ],
)
def test_what_makes_no_sense_is_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        take_cluster(given)


def test_without_mpi_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.cluster.job.find_spec", lambda name: None)
    for ranks in (Ranks(), Ranks(mpiexec="srun -n 2"), Ranks(joined=True)):
        with pytest.raises(JobError, match=r"needs MPI: pip install 'montego\[cluster\]'"):
            ranks.check()


@needs_mpi
@pytest.mark.parametrize("starter", ["nope -n 2", "''", "/"])
def test_a_starter_that_is_no_program(starter: str) -> None:
    with pytest.raises(JobError, match="there is no program"):
        Ranks(mpiexec=starter).check()


OTHER_VERSION = """#!/bin/sh
[ "$PMI_RANK" = 1 ] || exec "$@"
exec "$1" -c "import montego; montego.__version__ = '0'
from montego.cluster.rank import main; main()"
"""


@needs_mpi
def test_machines_with_different_versions_are_refused_in_one_line(tmp_path: Path) -> None:
    program = tmp_path / "other-version"
    program.write_text(OTHER_VERSION)
    program.chmod(0o755)
    with pytest.raises(JobError, match="the machines have different versions of montego"):
        Ranks(mpiexec=f"{mpiexec()} -n 2 {program}").make(RECIPES["montego"], 1, 16, 1)


@needs_mpi
@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("cluster.listen=192.0.2.1", "cannot listen at 192.0.2.1: Cannot assign"),
        ("cluster.listen=nowhere.invalid", "cannot listen at nowhere.invalid: "),
        ("cluster.mpiexec=false", "the job has ended"),
    ],
)
def test_gtp_says_so_at_once_and_exits(setting: str, told: str) -> None:
    command = [sys.executable, "-m", "montego", "gtp", "--cluster", "root", "--ranks", "2", setting]
    ended = subprocess.run(
        command, input="genmove b\n", capture_output=True, text=True, timeout=LONG
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1].startswith("montego: Invalid value: " + told)


@needs_mpi
def test_a_job_that_does_not_start_is_told_in_one_line() -> None:
    starter = f"{sys.executable} -c \"import sys; sys.exit('no such host')\""
    with pytest.raises(JobError, match="no such host"):
        Ranks(mpiexec=starter).make(RECIPES["montego"], 1, 16, 1)
