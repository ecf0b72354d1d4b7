"""Ctrl-C while the program thinks: the first one ends the search, a second one leaves.

A KeyboardInterrupt in the middle of a search could leave a tree half changed.  So the signal is
only noted, and every search looks at that note between two batches of simulations.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

from montego.engine.answer import Search
from montego.engine.leaving import Seedable
from montego.go import Position
from montego.mcts.avoid import Avoid
from montego.mcts.balance import Balance, balance_search
from montego.mcts.found import Budget, Found, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch
from montego.mcts.seeding import PriorGames

TWICE = 1.0
"""Seconds within which two Ctrl-C mean to leave."""
LOOKS = 0.05
"""Seconds between two looks at the note."""


class Stop:
    """What has been asked for by Ctrl-C since the program began to think."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.times: list[float] = []

    @property
    def is_asked(self) -> bool:
        """Whether the program should stop thinking."""
        return bool(self.times)

    @property
    def leaves(self) -> bool:
        """Whether the user wants to leave altogether."""
        pairs = zip(self.times, self.times[1:], strict=False)
        return any(later - sooner <= TWICE for sooner, later in pairs)

    def note(self, number: int, frame: FrameType | None) -> None:
        """What the signal does."""
        self.times.append(self.now())

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Signals are noted, from a clean slate; afterwards they interrupt as before."""
        self.times.clear()
        before = signal.signal(signal.SIGINT, self.note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class StoppableSearch:
    """A search that also ends when it is asked to."""

    def __init__(self, search: Search, stop: Stop) -> None:
        self.search = search
        self.stop = stop

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None = None,
        interval: float = LOOKS,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """As the search itself does."""

        def goes_on(found: Found) -> bool:
            return not self.stop.is_asked and (progress is None or progress(found))

        return self.search.run(position, budget, goes_on, interval, avoided)

    def begin_with(self, position: Position, known: Mapping[int, PriorGames]) -> None:
        """As the search itself does, if it can."""
        if isinstance(self.search, Seedable):
            self.search.begin_with(position, known)

    def balance(self, balance: Balance) -> None:
        """As the search itself does, if it can."""
        balance_search(self.search, balance)

    def clear(self) -> None:
        """Forget everything."""
        self.search.clear()


def stoppable(stop: Stop) -> Callable[[Recipe, int, int, int], Search]:
    """Makes the searches of an engine."""
    return lambda *settings: StoppableSearch(LocalSearch(*settings), stop)


@contextmanager
def thinking(stop: Stop, told: str) -> Iterator[None]:
    """While the program thinks: Ctrl-C is noted, and a spinner turns where there is a terminal."""
    console = Console(stderr=True)
    spinner = "line" if console.options.ascii_only else "dots"
    with stop.listening(), console.status(told, spinner=spinner):
        yield
