"""How long a search may take, and what it hands back.

Every search is given evaluations, seconds, or both; it counts with a Meter, which calls the
user's progress hook, and stops in order when they are spent or on Ctrl-C: the best so far is
the answer, and ``stopped`` says why.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from montego.planning.checking import positive
from montego.planning.errors import PlanningError

HOOK_SECONDS = 0.1
"""Between two calls of a progress hook, at least."""
PORTION_SECONDS = 0.05
"""For which compiled code works on its own."""


@dataclass(frozen=True)
class Progress:
    """What a progress hook is told."""

    evaluations: int
    seconds: float
    best: float | None
    """The best total reward so far, where the search has one."""
    share: float | None
    """How much of the budget is spent, 0 to 1; None without a limit."""


Hook = Callable[[Progress], object]


class SpentError(Exception):
    """The budget is spent: raised by a Meter, caught by every search."""


@dataclass
class Found:
    """A search's whole answer.  Values are those of player 0."""

    action: Any
    """What to do; None in a terminal state."""
    value: float
    sequence: list[Any] = field(default_factory=list)
    """The line that is expected, or for one player the best that was played."""
    evaluations: int = 0
    """Terminal states, playouts or heuristics that were evaluated."""
    nodes: int = 0
    seconds: float = 0.0
    is_proved: bool = False
    """Whether the value is exact."""
    depth: int | None = None
    actions: dict[Any, tuple[float, float]] = field(default_factory=dict)
    """For every action at the root its value and its visits, where the search has them."""
    stopped: str = "complete"
    """complete, budget, interrupt, or goal."""


class Meter:
    """Counts evaluations and time."""

    def __init__(
        self,
        evaluations: int | None = None,
        seconds: float | None = None,
        progress: Hook | None = None,
    ) -> None:
        for name, limit in (("evaluations", evaluations), ("seconds", seconds)):
            if limit is not None:
                positive(name, limit)
        if progress is not None and not callable(progress):
            raise PlanningError(f"progress is a function, not {progress!r}")
        self.limit = math.inf if evaluations is None else evaluations
        self.start = time.monotonic()
        self.end = math.inf if seconds is None else self.start + seconds
        self.progress = progress
        self.evaluations = self.nodes = 0
        self.best: float | None = None
        self.next_hook = self.start + HOOK_SECONDS
        self.stopped = "complete"

    @property
    def has_limit(self) -> bool:
        return math.isfinite(self.limit) or math.isfinite(self.end)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    def evaluate(self, count: int = 1) -> None:
        """Before an evaluation: raises SpentError if there is none left."""
        if self.evaluations >= self.limit:
            raise SpentError
        self.evaluations += count
        self.look()

    def portion(self) -> int:
        """How many evaluations compiled code may do at once, to be heard of often enough."""
        if self.evaluations >= self.limit:
            raise SpentError
        pace = self.evaluations / max(self.seconds, 1e-9)
        return int(max(1, min(PORTION_SECONDS * pace, self.limit - self.evaluations)))

    def visit(self) -> None:
        """A node is looked at."""
        self.nodes += 1
        if not self.nodes & 63:
            self.look()

    def look(self) -> None:
        """Raises SpentError if the time is over; tells the hook now and then."""
        if self.progress is None and self.end == math.inf:
            return
        now = time.monotonic()
        if now >= self.end:
            raise SpentError
        if self.progress is not None and now >= self.next_hook:
            self.next_hook = now + HOOK_SECONDS
            self.tell()

    def tell(self) -> None:
        """Call the hook."""
        if self.progress is not None:
            shares = [self.evaluations / self.limit]
            if math.isfinite(self.end):
                shares.append(self.seconds / (self.end - self.start))
            share = min(1.0, max(shares)) if self.has_limit else None
            self.progress(Progress(self.evaluations, self.seconds, self.best, share))

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, at: object) -> bool:
        """Swallow what ends a search in order."""
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.stopped = "interrupt"
            return True
        if kind is not None and issubclass(kind, SpentError):
            self.stopped = "budget"
        elif kind is not None:
            return False
        try:
            self.tell()
        except KeyboardInterrupt:  # while the hook heard of the end
            self.stopped = "interrupt"
        return True

    def need_limit(self, what: str) -> None:
        """An error for what would never end."""
        if not self.has_limit:
            raise PlanningError(f"{what} needs a budget: evaluations or seconds")
