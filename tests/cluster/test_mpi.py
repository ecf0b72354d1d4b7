"""Real processes: they search together, and the player outlives all of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
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
from montego.mcts.recipes import RECIPES
from montego.mcts.search import Budget, Found
from tests.lab.matches.opponents import is_running

try:
    mpiexec()
    REASON = ""
except JobError as error:
    REASON = str(error)
needs_mpi = pytest.mark.skipif(bool(REASON), reason=REASON)
LONG = 120.0
"""Seconds that a busy machine may take for anything."""


def make(ranks: int, method: str = "slow-tree", threads: int = 1, seed: int = 7) -> MpiSearch:
    return Ranks(method, ranks=ranks).make(RECIPES["montego"], threads, 16, seed)


def job_of(search: MpiSearch) -> Job:
    job = search.keeper._job
    assert job is not None
    return job


def command_of(number: int) -> str:
    """What a process is."""
    return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()


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

    def test_the_same_as_four_virtual_machines(self, four: MpiSearch) -> None:
        """Within noise: no farther from them than they are from each other."""
        position = Position.start(7)
        virtual = [
            shares(
                Virtual("slow-tree", 4, between=50)
                .make(RECIPES["montego"], 1, 64, seed)
                .run(position, Budget(simulations=600))
            )
            for seed in range(4)
        ]
        four.clear()
        real = shares(four.run(position, Budget(simulations=600)))
        noise = max(distance(one, two) for one in virtual for two in virtual)
        assert min(distance(real, one) for one in virtual) <= noise

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
@pytest.mark.parametrize("method", ["root", "multiple-runs"])
def test_other_methods_and_threads(method: str) -> None:
    search = make(2, method, threads=2)
    position = Position.start(7)
    for _ in range(2):
        found = search.run(position, Budget(simulations=150))
        assert found.simulations == 300
        position = position.play(found.move)
    search.close()


# --- faults ----------------------------------------------------------------------------


def kill_during(search: MpiSearch, number: int, when: float) -> None:
    """Kill the process of this number, of those that there are, after some seconds."""
    job = job_of(search)

    def kill() -> None:
        time.sleep(when)
        if alive := sorted(job.processes()):
            with suppress(ProcessLookupError):
                os.kill(alive[number % len(alive)], signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()


def both_answer(search: MpiSearch, position: Position) -> bool:
    """Whether both ranks take part in a search: one of them may be dead, and nobody knows yet."""
    return search.run(position, Budget(simulations=30)).simulations == 60


@needs_mpi
def test_whatever_dies_the_game_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    """Each process in turn is killed while it thinks: the move comes, the job comes back."""
    search = make(2)
    position = Position.start(5)
    jobs = []
    for number in range(4):  # mpiexec, its proxy, two ranks
        jobs.append(job_of(search))
        kill_during(search, number, 0.2)
        begin = time.perf_counter()
        found = search.run(position, Budget(seconds=1.0, longest=1.0))
        assert time.perf_counter() - begin < 30
        assert position.is_legal(found.move)
        found = search.run(position, Budget(simulations=50))  # perhaps the first to notice
        assert position.is_legal(found.move)
        wait_until(lambda: both_answer(search, position), "the job is not started again")
    jobs.append(job_of(search))
    search.close()
    wait_until(lambda: not any(job.processes() for job in jobs), "a process outlives its job")
    assert "montego: the cluster:" in capfd.readouterr().err


@needs_mpi
def test_a_process_that_hangs_costs_no_move() -> None:
    search = make(2)
    job = job_of(search)
    ranks = [n for n in job.processes() if command_of(n).startswith(sys.executable)]
    assert len(ranks) == 2
    position = Position.start(5)
    search.run(position, Budget(simulations=20))
    os.kill(max(ranks), signal.SIGSTOP)
    for _ in range(3):
        begin = time.perf_counter()
        found = search.run(position, Budget(seconds=1.0, longest=1.0))
        assert time.perf_counter() - begin < 30
        assert position.is_legal(found.move)
    wait_until(
        lambda: search.keeper.link is not None and job_of(search) is not job, "nobody noticed"
    )
    wait_until(lambda: not job.processes(), "the old job is still there")
    search.close()


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
        ({"cluster": "leaf", "ranks": "2"}, "'leaf' needs virtual machines; ranks have root"),
        ({"cluster": "root", "ranks": "0"}, "ranks of a cluster has to be between 1 and 4096"),
        ({"cluster": "root", "ranks": "2", "machines": "2"}, "a cluster has no 'machines'"),
    ],
)
def test_what_makes_no_sense_is_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        take_cluster(given)


def test_without_mpi_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.cluster.job.find_spec", lambda name: None)
    with pytest.raises(JobError, match=r"needs MPI: pip install 'montego\[cluster\]'"):
        Ranks().check()
    with pytest.raises(JobError, match="there is no program 'nope'"):
        Ranks(mpiexec="nope -n 2").check()


@needs_mpi
def test_a_job_that_does_not_start_is_told_in_one_line() -> None:
    starter = f"{sys.executable} -c \"import sys; sys.exit('no such host')\""
    with pytest.raises(JobError, match="no such host"):
        Ranks(mpiexec=starter).make(RECIPES["montego"], 1, 16, 1)
