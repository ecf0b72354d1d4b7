"""The budget of a search, and its result.

Every search takes evaluations, seconds, or both.  It counts them with a Meter, which calls the
user's progress hook.  When the budget is spent, or on Ctrl-C, the search stops and returns the best
so far; ``stopped`` says why.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from montego.planning.checks import positive
from montego.planning.errors import PlanningError

HOOK_SECONDS = 0.1
"""The least time between two calls of a progress hook."""
PORTION_SECONDS = 0.05
"""How long compiled code runs between two checks of the budget."""


@dataclass(frozen=True)
class Progress:
    """The argument of a progress hook."""

    evaluations: int
    seconds: float
    best: float | None
    """The best total reward so far, where the search has one."""
    share: float | None
    """The share of the budget that is spent, 0 to 1; None without a limit."""


Hook = Callable[[Progress], object]


class SpentError(Exception):
    """The budget is spent: raised by a Meter and caught by every search."""


@dataclass
class Found:
    """A search's whole answer.  Values are those of player 0."""

    action: Any
    """The best action; None in a terminal state."""
    value: float
    sequence: list[Any] = field(default_factory=list)
    """The principal variation, or for one player the best line that was played."""
    evaluations: int = 0
    """Terminal states, playouts or heuristics that were evaluated."""
    nodes: int = 0
    seconds: float = 0.0
    is_proved: bool = False
    """Whether the value is exact."""
    depth: int | None = None
    actions: dict[Any, tuple[float, float]] = field(default_factory=dict)
    """Value and visits of every action at the root, if the search counts them."""
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
        """Count an evaluation; raises SpentError if there is none left."""
        if self.evaluations >= self.limit:
            raise SpentError
        self.evaluations += count
        self.look()

    def portion(self) -> int:
        """How many evaluations compiled code may do at once, so that it checks in often enough."""
        if self.evaluations >= self.limit:
            raise SpentError
        pace = self.evaluations / max(self.seconds, 1e-9)
        return int(max(1, min(PORTION_SECONDS * pace, self.limit - self.evaluations)))

    def visit(self) -> None:
        """Count a node."""
        self.nodes += 1
        if not self.nodes & 63:
            self.look()

    def look(self) -> None:
        """Raises SpentError if the time is over; calls the hook now and then."""
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
        """Suppress exceptions that end a search normally."""
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.stopped = "interrupt"
            return True
        if kind is not None and issubclass(kind, SpentError):
            self.stopped = "budget"
        elif kind is not None:
            return False
        try:
            self.tell()
        except KeyboardInterrupt:  # in the hook's last call
            self.stopped = "interrupt"
        return True

    def need_limit(self, what: str) -> None:
        """Raises a PlanningError if the search would never end."""
        if not self.has_limit:
            raise PlanningError(f"{what} needs a budget: evaluations or seconds")
