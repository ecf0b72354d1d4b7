"""One search on the processes of an MPI job, for a player that outlives them.

``MpiSearch`` asks the job and waits, with an eye on the clock.  If the job dies, hangs or is late,
the rest of the move's time is searched in this process, and the move is the better founded one.
A job that is late keeps its place, for the machine may only be busy; one that is dead or gives no
sign of life, or is late again and again, is started again meanwhile.
"""

from __future__ import annotations

import math
import shlex
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from montego.cluster import wire
from montego.cluster.job import (
    OWN_RANK,
    Keeper,
    Start,
    check_installed,
    start_by,
    start_here,
    tell,
)
from montego.cluster.link import Frame, Link, LinkLost
from montego.cluster.machine import Sharing
from montego.go import Position
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

PERIODS: dict[str, float | None] = {
    "leaf": None,
    "root": None,
    "multiple-runs": 1.0,
    "share-everything": 0.05,
    "slow-tree": 0.05,
}
"""The methods, and how often their machines share: seconds; None for only at the end, or whenever
there is something."""
LATE = 0.25
"""Seconds that a job may be late."""
QUIET = 1.5
"""Seconds without a sign of life, of the job or of one of its machines, after which a job that is
late is given up."""
MOST_LATE = 3
"""Searches in a row that may be late."""
FIRST_SIGN, FIRST_PART = 0.5, 0.3
"""When something has to be found at the latest: seconds, or this part of the time if that is
more."""
SILENCE = 5.0
"""Seconds without a sign of life after which a job is given up."""
STUCK = 5.0
"""Seconds that a sum may wait for a machine."""
LOOK = 0.1


@dataclass(frozen=True)
class Ranks:
    """A cluster of real processes; their number is decided by whoever starts them."""

    method: str = "slow-tree"
    ranks: int = 2
    period: float = 0.0
    """Seconds between two shares; 0 is what the method has."""
    share: float = 0.05
    depth: int = 10
    rave: bool = True
    mpiexec: str = ""
    """What starts the job, with its options; by itself it is one of this computer."""
    listen: str = "127.0.0.1"
    """Where this process waits for the first rank; another address if that is elsewhere."""
    joined: bool = field(default=False, metadata={"is_written": False})
    """Whether this process has been started by mpiexec itself, as the first of its job."""

    def __post_init__(self) -> None:
        if self.method not in PERIODS:
            raise ValueError(f"{self.method!r} is not a method of ranks: {known()} are")
        limits = (("ranks", 1, 4096), ("period", 0, 3600), ("share", 0, 1), ("depth", 1, 100))
        for name, least, most in limits:
            number = getattr(self, name)
            if not least <= number <= most:
                raise ValueError(f"{name} of a cluster has to be between {least} and {most}")

    def check(self, recipe: str = "") -> None:
        """Refuse, in one line, what cannot be started here, or a recipe of the user's own, which
        other machines lack; raises ValueError."""
        self.start()
        wire.check_known(recipe)

    def start(self) -> Start:
        """What starts the job, or the part of it that is here; raises ValueError."""
        if self.joined:
            check_installed()
            return Start(list(OWN_RANK), self.listen, is_joined=True)
        if self.mpiexec:
            return start_by(shlex.split(self.mpiexec), self.listen)
        return replace(start_here(self.ranks), host=self.listen)

    def sharing(self) -> Sharing:
        """What of the trees is shared; root and multiple runs share the root alone (T20)."""
        if self.method == "slow-tree":
            return Sharing(self.share, self.depth, self.rave)
        return Sharing(share=1.0, depth=1, rave=False)

    def make(self, recipe: Recipe, threads: int, memory_mb: int, seed: int) -> MpiSearch:
        """The search; threads and memory are those of each process."""
        return MpiSearch(self, recipe, threads, memory_mb, seed)


def known() -> str:
    """The methods of real processes."""
    return ", ".join(PERIODS)


class _Late(Exception):  # noqa: N818 - what happened
    """The job does not answer in time, and perhaps never will."""

    def __init__(self, reason: str, is_dead: bool) -> None:
        super().__init__(reason)
        self.is_dead = is_dead


class MpiSearch:
    """A search by an MPI job, or by this process where there is none."""

    def __init__(
        self, ranks: Ranks, recipe: Recipe, threads: int, memory_mb: int, seed: int
    ) -> None:
        settings = {
            "recipe": wire.pack_recipe(recipe),
            "threads": threads,
            "memory": memory_mb,
            "seed": seed,
            "method": ranks.method,
            "sharing": asdict(ranks.sharing()),
            "period": ranks.period or PERIODS[ranks.method],
        }
        self.keeper = Keeper(ranks.start(), settings)
        self.close = weakref.finalize(self, self.keeper.close)
        self._make_alone = partial(LocalSearch, recipe, threads, memory_mb, seed)
        self._alone: LocalSearch | None = None
        self._number = self._times_late = 0
        self.cost = 0.0
        """Processor time that the first process of the job has spent on messages, in seconds."""
        self._told: tuple[Link, Position] | None = None  # what the job knows

    def clear(self) -> None:
        """Forget everything; the job forgets with the next position."""
        self._told = None
        if self._alone is not None:
            self._alone.clear()

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """Search a position; the simulations of the budget are those of each process."""
        begin = time.perf_counter()
        asked = _Asked(position, budget, progress, interval, tuple(avoided), begin)
        link = self.keeper.link
        if link is None:
            return self._search_alone(asked, None)
        try:
            found = self._ask(link, asked)
        except LinkLost as lost:
            self.keeper.start_again(link, str(lost))
            return self._search_alone(asked, asked.latest)
        except _Late as late:
            self._give_up(link, late)
            return self._search_alone(asked, asked.latest)
        self._times_late = 0
        self.keeper.note_success()
        return found

    def _give_up(self, link: Link, late: _Late) -> None:
        """Let the job stop this search, or end it if it seems to be dead."""
        self._times_late += 1
        if late.is_dead or self._times_late >= MOST_LATE:
            self._times_late = 0
            self.keeper.start_again(link, str(late))
            return
        tell(f"{late}; the move is played from what there is")
        with suppress(LinkLost):  # which the next search will notice
            link.send({"do": "stop", "id": self._number})

    def _ask(self, link: Link, asked: _Asked) -> Found:
        self._number += 1
        before = self._told[1] if self._told is not None and self._told[0] is link else None
        told, data = wire.pack_position(asked.position, before)
        self._told = link, asked.position
        told |= {
            "do": "search",
            "id": self._number,
            "budget": wire.pack_budget(asked.budget),
            "avoided": wire.pack_avoided(asked.avoided),
            "interval": asked.interval,
        }
        link.send(told, data)
        while True:
            frame = link.receive(min(LOOK, max(asked.deadline - time.perf_counter(), 0.001)))
            if frame is None:
                asked.check_silence()
                continue
            asked.heard = time.perf_counter()
            asked.waits = frame.told.get("waits", asked.waits)
            self.cost = frame.told.get("cost", self.cost)
            if asked.waits > STUCK:
                raise _Late("one of its machines does not answer", is_dead=True)
            if frame.told.get("id") != self._number:
                asked.check_silence()
                continue
            asked.latest = wire.unpack_found(Frame(frame.told["found"], frame.data))
            if frame.told["is_last"]:
                return asked.latest
            if asked.is_to_stop():
                link.send({"do": "stop", "id": self._number})

    def _search_alone(self, asked: _Asked, latest: Found | None) -> Found:
        """What is left of the budget, in this process; the better founded move of both."""
        if self._alone is None:
            self._alone = self._make_alone()
        if asked.has_stopped and latest is not None:
            return latest
        budget = asked.budget_left()
        found = self._alone.run(
            asked.position, budget, asked.progress, asked.interval, asked.avoided
        )
        return latest if latest is not None and latest.simulations > found.simulations else found


class _Asked:
    """One search, and how it goes."""

    def __init__(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        avoided: tuple[Avoid, ...],
        begin: float,
    ) -> None:
        self.position, self.budget, self.avoided = position, budget, avoided
        self.progress, self.interval = progress, interval
        self.begin = self.heard = self._shown = begin
        self.waits = 0.0  # seconds that a machine of the job has been waited for
        self.latest: Found | None = None
        self.has_stopped = False
        self.deadline = self._first_sign = math.inf
        if budget.seconds is not None:
            self.deadline = begin + (budget.longest or budget.seconds) + LATE
            self._first_sign = begin + max(FIRST_SIGN, FIRST_PART * budget.seconds)

    def is_to_stop(self) -> bool:
        """Show what there is, if that is due; whether the search is to stop, which is said once."""
        now = time.perf_counter()
        if self.progress is None or self.has_stopped or self.latest is None:
            return False
        if now - self._shown < 0.9 * self.interval:
            return False
        self._shown = now
        self.has_stopped = not self.progress(self.latest)
        if self.has_stopped:
            self.deadline = min(self.deadline, now + 2 * LATE)
        return self.has_stopped

    def check_silence(self) -> None:
        """Give a job up that is late or dumb."""
        now = time.perf_counter()
        is_dead = max(now - self.heard, self.waits) > QUIET
        if now > self.deadline:
            raise _Late("no answer in time", is_dead)
        if self.latest is None and now > self._first_sign:
            raise _Late("nothing found in time", is_dead)
        if now - self.heard > SILENCE:
            raise _Late("no sign of life", is_dead=True)

    def budget_left(self) -> Budget:
        """What the time leaves to a search that begins now."""
        if self.budget.seconds is None:
            return self.budget
        gone = time.perf_counter() - self.begin
        left = max(self.budget.seconds - gone, 0.001)
        longest = None if self.budget.longest is None else max(self.budget.longest - gone, left)
        return replace(self.budget, seconds=left, longest=longest)
