"""Games against itself that a course is learned from: kept, found again; needs PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from montego.knowledge.course import Course
from montego.mcts.playouts import KINDS
from tests.knowledge.against_itself import needs_torch, shipped_tower, torch


def playing(folder: Path, bar: Any = None, **course: Any) -> Any:
    from rich.progress import Progress

    from montego.knowledge.played import Playing

    judge, bar = KINDS["expert"].record(), bar or Progress(disable=True)
    return Playing(Course(**{"teacher": "32x2"} | course), folder, judge, torch.device("cpu"), bar)


@needs_torch
def test_games_are_kept_for_another_network(tmp_path: Path) -> None:
    """The second course finds them; a damaged file is refused; another teacher plays anew."""

    def played(**other: Any) -> Any:
        one = playing(tmp_path, plays=((5, 30), (7, 20)), **other)
        return one.play(one.teacher())

    first = played()
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")}
    again = played(width=16)
    assert {path.name for path in files} == {
        "5-30-0-0.npz", "5-1-1000000-0.npz", "7-20-0-0.npz", "7-1-1000000-0.npz"
    }  # fmt: skip
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*")} == files
    for (lessons, test), (same, _), size, games in zip(first, again, (5, 7), (30, 20), strict=True):
        assert (lessons.examples.size, len(lessons.scores), len(test.scores)) == (size, games, 1)
        assert np.array_equal(lessons.examples.codes, same.examples.codes)
        assert np.array_equal(lessons.owners, same.owners)
    played(seed=1)
    played(teacher="64x3")
    assert len(list(tmp_path.iterdir())) == 2
    assert len(list(tmp_path.glob("*/*"))) == 12
    next(iter(files)).write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is damaged; remove it"):
        played()


@needs_torch
def test_games_are_stopped_when_one_of_them_fails(tmp_path: Path) -> None:
    """Ctrl-C does not wait for the end of all games."""

    class Interrupted:
        """A progress bar that is stopped by the user after some moves."""

        turns = 0

        def add_task(self, *_: Any, **__: Any) -> int:
            return 0

        def advance(self, *_: Any) -> None:
            self.turns += 1
            if self.turns == 10:
                raise KeyboardInterrupt

    bar: Any = Interrupted()
    one = playing(tmp_path, bar, plays=((19, 4), (13, 4)))
    with pytest.raises(KeyboardInterrupt):
        one.play(one.teacher())
    assert bar.turns < 100
    assert not list(tmp_path.glob("*/*"))


@needs_torch
def test_generations_share_the_games() -> None:
    course = Course(steps=100, plays=((9, 10), (19, 5)), generations=3)
    parts = [dict(course.plays_of(generation)) for generation in range(3)]
    assert [sum(part[size] for part in parts) for size in (9, 19)] == [10, 5]
    assert max(part[9] for part in parts) - min(part[9] for part in parts) <= 1
    assert [course.steps_until(generation) for generation in range(3)] == [33, 66, 100]


@needs_torch
def test_a_generation_has_games_of_its_own(tmp_path: Path) -> None:
    one = playing(tmp_path, plays=((5, 8),), generations=2, ahead=2)
    tower = shipped_tower()
    (first, _), *_ = one.play(tower, 0)
    (second, _), *_ = one.play(tower, 1)
    assert not np.array_equal(first.scores, second.scores)
    (again, _), *_ = one.read(next(tmp_path.iterdir()).name, 1)
    assert np.array_equal(second.candidates, again.candidates)
    assert np.array_equal(second.chances, again.chances)
    for path in tmp_path.glob("*/5-4-1-2.npz"):
        path.unlink()
    with pytest.raises(ValueError, match="is gone, and what was learned so far needs it"):
        one.read(next(tmp_path.iterdir()).name, 1)
