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
from montego.knowledge.network import find_network
from montego.knowledge.self_play import Outcomes, play_games
from montego.knowledge.tower import Tower

TEST_PART, TEST_SEED = 0.01, 1_000_000
"""Games for the test of values, by those to learn from; what is added to the seed for them."""


Pair = tuple[Outcomes, Outcomes]
"""Games to learn from, and games for the test."""


class StoppedError(Exception):
    """The games are no longer wanted."""


@dataclass(frozen=True)
class Play:
    """Some games of one size."""

    size: int
    games: int
    seed: int
    ahead: int
    """Candidates that are looked at for a move."""

    @property
    def name(self) -> str:
        """Of the file that keeps them."""
        return f"{self.size}-{self.games}-{self.seed}-{self.ahead}.npz"

    def of(self, tower: Tower, judge: Any, threads: int, tick: Callable[[int], None]) -> Outcomes:
        """Let a network play them."""
        return play_games(tower, self.size, self.games, judge, self.seed, threads, tick, self.ahead)


class Playing:
    """Games of networks against themselves, by size; ``judge`` is the record of the playouts that
    judge them (POLICY)."""

    def __init__(self, course: Course, folder: Path, judge: Any, place: device, bar: Progress):
        self.course, self.folder, self.judge, self.bar = course, folder, judge, bar
        self.place, self.threads = place, os.cpu_count() or 1

    def teacher(self) -> Tower:
        """The network that plays the first games."""
        tower: Tower = Tower.of(find_network(self.course.teacher)).to(self.place)
        return tower

    def play(self, tower: Tower, generation: int = 0) -> list[Pair]:
        """Games of a network: to learn from, and for the test; kept ones are not played again."""
        folder, stop = self.folder / name_of(tower), Event()
        folder.mkdir(parents=True, exist_ok=True)

        def play(one: Play) -> None:
            if not (folder / one.name).exists():
                tick = _ticker(one, self.bar, stop)
                one.of(tower, self.judge, self.threads, tick).save(folder / one.name)

        plays = self._plays(generation)
        with ThreadPoolExecutor(max(len(plays), 1)) as pool:
            asked = [pool.submit(play, one) for one in plays]
            try:
                failed = [one.exception() for one in wait(asked, return_when=FIRST_EXCEPTION).done]
            finally:
                stop.set()
        for error in filter(None, failed):
            raise error
        return self.read(folder.name, generation)

    def read(self, player: str, generation: int) -> list[Pair]:
        """Games that were played by ``name_of`` a network."""
        folder = self.folder / player
        found = [Outcomes.load(folder / one.name, one.size) for one in self._plays(generation)]
        return list(zip(found[::2], found[1::2], strict=True))

    def _plays(self, generation: int) -> list[Play]:
        """For every size the games to learn from, and those for the test."""
        plays, seed, ahead = [], self.course.seed + generation, self.course.ahead
        for size, games in self.course.plays_of(generation):
            test = max(round(games * TEST_PART), 1)
            plays.append(Play(size, games, seed, ahead))
            plays.append(Play(size, test, seed + TEST_SEED, ahead))
        return plays


def name_of(tower: Tower) -> str:
    """A network's name among those that have played."""
    weights = b"".join(
        array.tobytes() for _, array in sorted(tower.network({}, with_value=True).arrays().items())
    )
    return hashlib.sha256(weights).hexdigest()[:12]


def _ticker(play: Play, bar: Progress, stop: Event) -> Callable[[int], None]:
    task = bar.add_task(f"playing {play.size}×{play.size}", total=play.games)

    def tick(count: int) -> None:
        if stop.is_set():
            raise StoppedError
        bar.advance(task, count)

    return tick
