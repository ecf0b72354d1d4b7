"""The games that a course of learning lets a network play against itself (self_play).

Sizes of boards are played side by side, so that the GPU works while boards are written.  What was
played is kept in a folder: a course that is resumed, and one of another network, read it there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from rich.progress import Progress
from torch import device

from montego.knowledge.course import Course
from montego.knowledge.network import Network, find_network
from montego.knowledge.self_play import Outcomes, play_games
from montego.knowledge.tower import Tower

TEST_PART, TEST_SEED = 0.01, 1_000_000
"""Games for the test of values, by those to learn from; what is added to the seed for them."""


class StoppedError(Exception):
    """The games are no longer wanted."""


@dataclass(frozen=True)
class Play:
    """Some games of one size."""

    size: int
    games: int
    seed: int

    def of(self, tower: Tower, judge: Any, threads: int, tick: Callable[[int], None]) -> Outcomes:
        """Let a network play them."""
        return play_games(tower, self.size, self.games, judge, self.seed, threads, tick)


def play_all(
    course: Course, folder: Path, judge: Any, place: device, bar: Progress
) -> list[tuple[Outcomes, Outcomes]]:
    """Games of the teacher against itself, by size: to learn from, and for the test.

    ``judge`` is the record of the playouts that judge them (POLICY).
    """
    if not course.plays:
        return []
    teacher, stop = find_network(course.teacher), Event()
    tower, threads = Tower.of(teacher).to(place), os.cpu_count() or 1
    folder = folder / _fingerprint(teacher)
    folder.mkdir(parents=True, exist_ok=True)

    def played(play: Play) -> Outcomes:
        path = folder / f"{play.size}-{play.games}-{play.seed}.npz"
        if not path.exists():
            play.of(tower, judge, threads, _ticker(play, bar, stop)).save(path)
        return Outcomes.load(path, play.size)

    with ThreadPoolExecutor(2 * len(course.plays)) as pool:
        asked = [pool.submit(played, play) for play in _all_plays(course)]
        try:
            failed = [one.exception() for one in wait(asked, return_when=FIRST_EXCEPTION).done]
        finally:
            stop.set()
    for error in filter(None, failed):
        raise error
    found = [one.result() for one in asked]
    return list(zip(found[::2], found[1::2], strict=True))


def _all_plays(course: Course) -> list[Play]:
    """For every size the games to learn from, and those for the test."""
    plays = []
    for size, games in course.plays:
        test = max(round(games * TEST_PART), 1)
        plays.append(Play(size, games, course.seed))
        plays.append(Play(size, test, course.seed + TEST_SEED))
    return plays


def _fingerprint(network: Network) -> str:
    weights = b"".join(array.tobytes() for _, array in sorted(network.arrays().items()))
    return hashlib.sha256(weights).hexdigest()[:12]


def _ticker(play: Play, bar: Progress, stop: Event) -> Callable[[int], None]:
    task = bar.add_task(f"playing {play.size}×{play.size}", total=play.games)

    def tick(count: int) -> None:
        if stop.is_set():
            raise StoppedError
        bar.advance(task, count)

    return tick
