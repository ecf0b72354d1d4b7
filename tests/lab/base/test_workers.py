"""Worker processes: every task once, whatever happens to a worker."""

from __future__ import annotations

import itertools
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from montego.lab.base.errors import LabError
from montego.lab.base.workers import MOST_DEATHS, WorkError, map_in_order, work_through


class Squarer:
    """Squares numbers; on some tasks it dies, once or always, or fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, number: int) -> int:
        if number == 3 and not (self.folder / "died").exists():
            (self.folder / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 13:
            os._exit(7)
        if number == 17:
            raise ZeroDivisionError("no")
        return number * number

    def close(self) -> None:
        with (self.folder / "closed").open("a") as file:
            file.write("x")


def squares(folder: Path, *tasks: int, workers: int = 2) -> list[tuple[int, int]]:
    factory = partial(Squarer, folder)
    return sorted(work_through(factory, iter(tasks), workers, lambda: False))


def test_every_task_once_though_a_worker_dies(tmp_path: Path) -> None:
    assert squares(tmp_path, *range(8)) == [(number, number**2) for number in range(8)]
    assert (tmp_path / "died").exists()


def test_no_tasks(tmp_path: Path) -> None:
    assert squares(tmp_path) == []


def test_workers_that_keep_dying_end_the_work(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="keep dying, the last one with exit code 7"):
        squares(tmp_path, 13)
    assert MOST_DEATHS == 3


def refuse() -> Squarer:
    raise LabError("it cannot be done")


def test_what_cannot_begin_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WorkError, match=r"^it cannot be done$"):
        list(work_through(refuse, iter([1]), 1, lambda: False))
    assert capfd.readouterr().err == ""


def test_an_error_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="task 17: ZeroDivisionError: no"):
        squares(tmp_path, 17)


def test_stopping_closes_what_workers_have_started(tmp_path: Path) -> None:
    work = work_through(partial(Squarer, tmp_path), iter(range(4, 100)), 1, lambda: False)
    assert next(work) == (4, 16)
    work.close()
    assert (tmp_path / "closed").read_text() == "x"


@pytest.mark.parametrize("workers", [1, 3])
def test_answers_come_in_the_order_of_the_things(workers: int) -> None:
    assert list(map_in_order(workers, abs, range(-20, 0))) == list(range(20, 0, -1))


def test_answers_that_nobody_wants_are_not_waited_for() -> None:
    answers = map_in_order(2, abs, itertools.count())
    assert [next(answers) for _ in range(5)] == list(range(5))
    answers.close()


def what_is_said(number: int) -> int:
    from montego.kernels.compiler.notices import WAITING, say_once

    say_once(WAITING, WAITING)
    say_once("something else", f"worker {number}")
    return number


def test_many_workers_do_not_all_say_that_they_wait(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(map_in_order(2, what_is_said, [1, 2])) == [1, 2]
    told = capfd.readouterr().err
    assert "worker" in told
    assert "waiting" not in told
