"""Growth by several processes that are killed at any time: no game is lost, doubled or changed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.store import Book
from montego.book.upkeep import check
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.lock import Lock
from montego.lab.base.workers import WorkError
from montego.lab.books.grow import Gardener, grow, grown, missing
from montego.lab.books.plans import Growth, Start
from montego.lab.books.session import score_of, standing, start_of, thinker
from montego.lab.matches.entrants import parse_player
from tests.book.games import random_game
from tests.lab.matches.opponents import is_running

SLOWEST = 300.0
PLAN = Growth(parse_player("montego,simulations=2,memory=16"), Start(4, 0.5))
COMMAND = "--size 4 --komi 0.5 --simulations 2 memory=16"


class Here:
    """A crew of nobody else."""

    def work_through(
        self, factory: Callable[[], Any], tasks: Iterator[Any], stopped: Callable[[], bool]
    ) -> Generator[tuple[Any, Any]]:
        worker = factory()
        try:
            for task in tasks:
                if stopped():
                    return
                yield task, worker(task)
        finally:
            worker.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Book.create(tmp_path / "a.book", {"id": "the same random numbers"}).close()
    return tmp_path / "a.book"


# --- in this process -------------------------------------------------------------------


def test_growth_goes_on_as_if_it_had_never_stopped(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "b.book")
    at_once = grow(PLAN, path, 6, workers=Here())
    grow(PLAN, tmp_path / "b.book", 2, workers=Here())
    assert grow(PLAN, tmp_path / "b.book", 6, workers=Here()) == at_once
    assert grow(PLAN, path, 6, workers=Here()) == at_once
    with Book(path) as book:
        assert list(book.games()) == at_once
        assert check(book) == []
        assert list(missing(book, 8)) == [7, 8]


def test_every_game_knows_those_before(path: Path) -> None:
    games = grow(PLAN, path, 5, workers=Here())
    followed = [int(game.about["followed"]) for game in games]
    assert followed[0] == 0
    assert sum(followed) > 0


def test_other_games_of_the_book_count_for_its_players_but_not_for_its_number(path: Path) -> None:
    with Book(path, writes=True) as book:
        book.add(random_game(seed, 4, komi=0.5) for seed in range(3))
    assert len(grow(PLAN, path, 2, workers=Here())) == 2
    with Book(path) as book:
        assert len(book) == 5
        assert len(grown(book)) == 2


def test_a_stop_is_obeyed(path: Path) -> None:
    seen: list[int] = []
    grow(
        PLAN, path, 9, watch=lambda games: seen.append(len(games)),
        stopped=lambda: seen[-1] >= 3, workers=Here(),
    )  # fmt: skip
    assert seen == [0, 1, 2, 3]


def test_a_book_has_one_gardener(path: Path) -> None:
    lock = Lock(path.parent, path.name)
    try:
        with pytest.raises(RecordError, match=f"{path} is being used by another process"):
            grow(PLAN, path, 1, workers=Here())
    finally:
        lock.close()
    grow(PLAN, path, 1, workers=Here())
    assert [p.name for p in path.parent.iterdir()] == ["a.book"]


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no book " * 500)
    with pytest.raises(BookError, match="is not a book"):
        grow(PLAN, tmp_path / "text", 1, workers=Here())


def test_a_worker_lets_go_of_the_book(path: Path) -> None:
    worker = Gardener(PLAN, path)
    assert isinstance(worker(1), BookGame)
    worker.close()
    with pytest.raises(WorkError, match=r"game 2 went wrong: .*closed database"):
        worker(2)


def test_what_is_told_of_it() -> None:
    games = [random_game(seed) for seed in range(5)]
    assert score_of(games).games == 5
    assert "of the last 5" in standing(games)
    assert standing([]) == ""


# --- killed ----------------------------------------------------------------------------


def start(path: Path, games: int, workers: int = 1) -> subprocess.Popen[bytes]:
    words = [*COMMAND.split(), "--games", str(games), "--workers", str(workers)]
    command = [sys.executable, "-m", "montego", "book", "grow", str(path), *words]
    null = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE)


def finish(path: Path, games: int, workers: int = 1) -> None:
    with start(path, games, workers) as process:
        _, errors = process.communicate(timeout=SLOWEST)
    assert process.returncode == 0, errors.decode()


def count(path: Path) -> int:
    with Book(path) as book:
        return len(book)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SLOWEST
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def workers_of(process: int) -> list[int]:
    """Without the one that keeps count of what processes share."""
    found = []
    for child in children(process):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in words:
            found.append(child)
    return found


def drill(path: Path, games: int, kills: int, workers: int, seed: int = 1) -> list[int]:
    """Kill the writer or a worker again and again while the book grows; the games at each time."""
    rng, seen = Random(seed), list[int]()
    for kill in range(kills):
        before = count(path)
        with start(path, games, workers) as process:
            wait_for(lambda b=before: count(path) > b or process.poll() is not None)  # type: ignore[misc]
            time.sleep(rng.random() * 0.05)
            own = workers_of(process.pid)
            if kill % 2 and own:
                os.kill(rng.choice(own), signal.SIGKILL)
                now = count(path)
                wait_for(lambda n=now: count(path) > n or process.poll() is not None)  # type: ignore[misc]
            # A game may be in the log on disk, but not yet in the index that open readers share:
            # it appears when the last of them has gone, the worker that was started again too.
            own += workers_of(process.pid)
            process.kill()
            process.wait()
            assert process.stderr is not None
            wait_for(lambda own=own: not any(map(is_running, own)))  # type: ignore[misc]
        with Book(path) as book:
            assert check(book) == []
            seen.append(len(book))
    return seen


def played(game: BookGame) -> tuple[object, ...]:
    """Without the commit, which may be another one while somebody works on the sources."""
    return game.name, game.moves, game.result, game.about["followed"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find workers")
def test_kills(path: Path, tmp_path: Path) -> None:
    """The same games as without kills: nothing is lost, doubled or changed."""
    shutil.copy(path, tmp_path / "undisturbed.book")
    games = 10_000
    seen = drill(path, games, kills=2, workers=1)
    undisturbed = grow(PLAN, tmp_path / "undisturbed.book", seen[-1], workers=Here())
    with Book(path) as book:
        assert list(map(played, book.games())) == list(map(played, undisturbed))
    assert 0 < seen[0] < seen[1] < games


@pytest.mark.slow
def test_twenty_kills_of_the_writer_and_of_workers(path: Path) -> None:
    seen = drill(path, 10_000, kills=20, workers=2)
    assert all(before < after for before, after in pairwise(seen))
    finish(path, seen[-1] + 4, workers=2)
    with Book(path) as book:
        numbers = [int(game.name.partition(":")[2]) for game in book.games()]
        assert sorted(numbers) == list(range(1, seen[-1] + 5))
        assert check(book) == []


def test_ctrl_c_keeps_what_was_told(path: Path) -> None:
    with start(path, 10_000) as process:
        wait_for(lambda: count(path) > 0 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SLOWEST)
    assert process.returncode == 130, errors.decode()
    assert b"the same command resumes" in errors
    with Book(path) as book:
        assert len(book) > 0
        assert check(book) == []


def test_the_start_of_games(tmp_path: Path) -> None:
    assert start_of(7, None, None, None) == Start(7, 7.5)
    record = tmp_path / "a.sgf"
    record.write_text("(;SZ[5]KM[3.5]AB[cc]PL[W];W[bb];B[dd])")
    whole, before = start_of(9, None, record, None), start_of(9, 0.5, record, 2)
    assert (whole.size, whole.komi, len(whole.moves)) == (5, 3.5, 2)
    assert (before.komi, len(before.moves)) == (0.5, 1)
    assert whole.stones == before.stones != ""


def test_who_thinks_for_a_book(path: Path) -> None:
    player = thinker("mogo", {"simulations": 5, "seconds": None}, ["selection.bias_c=0"])
    assert player.text == "mogo,simulations=5,selection.bias_c=0"
    with Book(path, writes=True) as book:
        book.add([random_game(1)])
    with pytest.raises(LabError, match="has none itself"):
        thinker(f"montego,book={path}", {}, [])
