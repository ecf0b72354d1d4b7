"""How long to think about a move: from what is left on the clock to a budget.

Every time system is a frozen value that answers one question: with this much time left,
how long may the next move take (``Span``)?  The clock keeps what is left for either
colour, from what the controller says and, in between, from its own watch.

What keeps us from losing on time is the margin before the flag falls: as long as a busy
machine may keep us waiting, and the worst delay of late between what a search was allowed
and what the whole move took.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from montego.engine.plan import ToCome, moves_to_come, overhead
from montego.engine.validation import duration, whole
from montego.go.colors import BLACK, WHITE
from montego.mcts.found import Budget

DEFAULT_SIMULATIONS = 10_000
"""Simulations a move when nothing else was said: reproducible, unlike a time."""
STALL = 0.4
"""Seconds before the flag falls that are never planned with: a busy machine may take them.

Three times the worst that was seen on a core shared with two burning loops and three other
games, see ``benchmarks/clock.py``.
"""
MOST_STALL = 0.45
"""But no more than this part of the time there is."""
SHARE = 0.05
"""Part of that time that is left aside as well: slow machines are slow in proportion."""
LONGER = 2.5
"""How many times its target an undecided search may take, if the clock allows it."""
FORGETTING = 0.97
"""What is left of the worst delay after another move: one bad moment does not spoil a game."""
LEARNING = 0.2
"""Weight of the latest delay in the usual one."""
CAUTION = 0.3
"""The later moves of a game are planned as if each were late by this part of the worst delay."""
LONG_GAME = 60
"""Moves that a game may take after it looked finished; without a period they need time too."""
SHORTEST = 0.005
"""Seconds below which a player is in need of time."""
SIMULATIONS_IN_NEED = 20
PART_IN_NEED = 1 / 3
"""Part of its target that a search takes then: so short a one is often late by as much again."""
QUICKEST, QUICKEST_POINT = 1e-3, 1e-5
"""Seconds that a move takes on a busy machine, and more for each point of the board, if there is
no time to search: half of it on an idle one."""
INSTANT = 1e-4
"""Seconds within which a search has time for one simulation and no more: its move is the one that
the knowledge of the recipe likes best."""


@dataclass(frozen=True)
class Span:
    """Seconds for one move."""

    target: float
    """What to aim at."""
    most: float
    """What an undecided search may take."""
    flag: float
    """When the game is lost, or the time of later moves is gone."""


@dataclass(frozen=True)
class Left:
    """What a player has: seconds, and in byo-yomi the stones or the periods."""

    seconds: float
    stones: int = 0
    """0 in the main time; then stones to play (Canadian) or periods left (Japanese)."""


@dataclass(frozen=True)
class NoLimit:
    """As long as one likes."""

    NAME: ClassVar[str] = "none"

    def start(self) -> Left:
        """What a player has at the start of the game."""
        return Left(math.inf)

    def after(self, left: Left, seconds: float) -> Left:
        """What is left after a move that took these seconds."""
        return left

    def span(self, left: Left, to_come: ToCome, delay: float) -> Span | None:
        """The time for a move, with those in mind that are to come; None without a limit.

        ``delay`` is how much longer than planned a move takes.
        """
        return None

    def each(self, moves: int) -> float:
        """The seconds that every one of so many moves has."""
        return math.inf


@dataclass(frozen=True)
class Absolute(NoLimit):
    """All moves within one time."""

    NAME: ClassVar[str] = "absolute"
    main: float

    def start(self) -> Left:
        return Left(self.main)

    def after(self, left: Left, seconds: float) -> Left:
        return Left(left.seconds - seconds)

    def span(self, left: Left, to_come: ToCome, delay: float) -> Span:
        # What moves take besides the search is the same for all: only the rest is shared out.
        moves = to_come.moves + LONG_GAME
        besides = overhead(left.seconds / moves) + delay
        rest = max(left.seconds - margin(self.main) / 2 - moves * besides, 0.0)
        return Span(rest / to_come.shares + besides, left.seconds / 5, left.seconds)

    def each(self, moves: int) -> float:
        return self.main / moves


@dataclass(frozen=True)
class Fischer(NoLimit):
    """One time, and after each move some more, up to a cap."""

    NAME: ClassVar[str] = "fischer"
    main: float
    increment: float
    most: float = math.inf
    """The clock never shows more than this."""
    most_a_move: float = math.inf

    def start(self) -> Left:
        return Left(self.main)

    def after(self, left: Left, seconds: float) -> Left:
        return Left(min(left.seconds - seconds + self.increment, self.most))

    def span(self, left: Left, to_come: ToCome, delay: float) -> Span:
        # The increment comes after the move: before it, only what is left can be spent.
        most = max(left.seconds / 4, self.increment)
        flag = min(left.seconds, self.most_a_move)
        return Span(left.seconds / to_come.shares + self.increment, most, flag)

    def each(self, moves: int) -> float:
        return min(self.main / moves + self.increment, self.most_a_move)


@dataclass(frozen=True)
class Canadian(NoLimit):
    """A main time, then a number of stones within each period."""

    NAME: ClassVar[str] = "canadian"
    main: float
    period: float
    stones: int

    def start(self) -> Left:
        return self._in_period(0.0) if self.main <= 0 else Left(self.main)

    def after(self, left: Left, seconds: float) -> Left:
        if left.stones == 0:
            rest = left.seconds - seconds
            return Left(rest) if rest > 0 else self._in_period(-rest)
        if left.stones == 1 and seconds <= left.seconds:
            return self._in_period(0.0)
        return Left(left.seconds - seconds, left.stones - 1)

    def _in_period(self, spent: float) -> Left:
        return Left(self.period - spent, self.stones)

    def span(self, left: Left, to_come: ToCome, delay: float) -> Span:
        each = self.period / self.stones
        if left.stones == 0:
            most = left.seconds / 5 + each  # what runs over is the first stone's time
            return Span(max(left.seconds / to_come.shares, each), most, left.seconds + each)
        # Every stone is a little late: without a reserve the last one would pay for all.
        reserve = min(2 * STALL, left.seconds / 2)
        share = (left.seconds - reserve) / left.stones
        later = (left.stones - 1) * share / 2
        return Span(share, 1.2 * share, left.seconds - later)

    def each(self, moves: int) -> float:
        return self.main / moves + self.period / self.stones


@dataclass(frozen=True)
class Japanese(NoLimit):
    """A main time, then a period for each move; the last period may never run out."""

    NAME: ClassVar[str] = "byoyomi"
    main: float
    period: float
    periods: int

    def start(self) -> Left:
        return Left(self.period, self.periods) if self.main <= 0 else Left(self.main)

    def after(self, left: Left, seconds: float) -> Left:
        if left.stones == 0 and seconds < left.seconds:
            return Left(left.seconds - seconds)
        over = seconds - left.seconds if left.stones == 0 else seconds
        lost = max(math.ceil(over / self.period) - 1, 0)
        periods = (left.stones or self.periods) - lost
        return Left(self.period if periods > 0 else -1.0, max(periods, 1))

    def span(self, left: Left, to_come: ToCome, delay: float) -> Span:
        if left.stones == 0:
            most = left.seconds / 5 + self.period
            target = max(left.seconds / to_come.shares, self.period)
            return Span(target, most, left.seconds + self.period)
        period = min(left.seconds, self.period)
        return Span(period, period, period)

    def each(self, moves: int) -> float:
        return self.main / moves + self.period


TimeSystem = NoLimit | Absolute | Fischer | Canadian | Japanese


def is_too_short(system: TimeSystem, area: int) -> bool:
    """Whether a long game cannot be played in this time, even without any search."""
    long_game = moves_to_come(area, 0).moves + LONG_GAME
    return system.each(long_game) < QUICKEST + QUICKEST_POINT * area


def margin(seconds: float) -> float:
    """What is left aside of some seconds, for a machine that stalls."""
    return min(STALL, MOST_STALL * seconds)


@dataclass
class Clock:
    """Both players' time, and the budget of each move."""

    simulations: int | None = None
    """Limit of each move, whatever the time."""
    seconds: float | None = None
    """The same in seconds."""
    system: TimeSystem = field(default_factory=NoLimit)
    now: Callable[[], float] = time.perf_counter
    lag: float = 0.0
    """The worst recent delay between the end of a budget and the end of its move."""
    delay: float = 0.0
    """The usual one."""

    def __post_init__(self) -> None:
        if self.simulations is not None:
            self.simulations = whole("simulations", self.simulations, 1)
        if self.seconds is not None:
            self.seconds = duration("seconds", self.seconds)
        self.reset(self.system)

    def reset(self, system: TimeSystem | None = None) -> None:
        """A new game, with another time system if one is given."""
        self.system = self.system if system is None else system
        self._left = {color: self.system.start() for color in (BLACK, WHITE)}
        self._began: float | None = None
        self._target: float | None = None
        self._allowed: float | None = None

    def left(self, color: int) -> Left:
        """What this player has left."""
        return self._left[color]

    def set_left(self, color: int, left: Left) -> None:
        """What the controller says is left: it knows better."""
        self._left[color] = left

    @property
    def told(self) -> str:
        """What a move may take, as players of a match write it; a time system by its name."""
        if self.system.NAME != NoLimit.NAME:
            return self.system.NAME
        if self.simulations is None and self.seconds is not None:
            return f"seconds={self.seconds:g}"
        return f"simulations={self.simulations or DEFAULT_SIMULATIONS}"

    @property
    def is_timed(self) -> bool:
        """Whether the last budget was one of time."""
        return self._allowed is not None

    def start(self, color: int, area: int, played: int) -> Budget:
        """Start the watch for a move of this colour; how much to search for it."""
        self._began = self.now()
        to_come = moves_to_come(area, played)
        delay = max(self.delay, CAUTION * self.lag)
        budget = self._budget(self.system.span(self._left[color], to_come, delay))
        self._target = budget.seconds
        self._allowed = budget.longest if budget.longest is not None else budget.seconds
        return budget

    def stop(self, color: int, searched: float | None = None) -> float:
        """Stop the watch: the seconds are taken from this player's time.

        What the move took besides a search of so many seconds is a delay.
        """
        if self._began is None:
            return 0.0
        spent = self.now() - self._began
        if self.is_timed:
            late = max(spent - self._meant(spent, searched), 0.0)
            self.lag = max(FORGETTING * self.lag, late)
            self.delay += LEARNING * (late - self.delay)
        self._left[color] = self.system.after(self._left[color], spent)
        self._began = None
        return spent

    def _meant(self, spent: float, searched: float | None) -> float:
        """What a search of the last budget was to take, by what it says or by what it spent."""
        target, longest = self._target or 0.0, self._allowed or 0.0
        if searched is not None:
            return min(searched, longest)
        return longest if spent > longest else target

    def _budget(self, span: Span | None) -> Budget:
        if span is None:
            nothing_said = self.simulations is None and self.seconds is None
            simulations = DEFAULT_SIMULATIONS if nothing_said else self.simulations
            return Budget(simulations, self.seconds, longest=self.seconds)
        allowed = span.flag * (1 - SHARE) - margin(span.flag) - self.lag
        target = min(span.target - overhead(span.target) - self.delay, span.most, allowed)
        if target < SHORTEST:
            seconds = max(PART_IN_NEED * target, INSTANT)
            return self._capped(Budget(SIMULATIONS_IN_NEED, seconds, longest=seconds))
        longest = max(min(LONGER * target, span.most, allowed), target)
        return self._capped(Budget(self.simulations, target, longest))

    def _capped(self, budget: Budget) -> Budget:
        """The budget within the limits that hold for each move."""
        if self.seconds is not None and budget.seconds is not None:
            seconds = min(budget.seconds, self.seconds)
            longest = seconds if seconds == self.seconds else budget.longest
            budget = replace(budget, seconds=seconds, longest=longest)
        if self.simulations is not None and budget.simulations is not None:
            budget = replace(budget, simulations=min(budget.simulations, self.simulations))
        return budget


# --- as protocols write them -----------------------------------------------------------

_SYSTEMS: dict[str, tuple[Callable[..., TimeSystem], tuple[type, ...]]] = {
    "none": (NoLimit, ()),
    "absolute": (Absolute, (float,)),
    "canadian": (Canadian, (float, float, int)),
    "byoyomi": (Japanese, (float, float, int)),
    "fischer": (Fischer, (float, float)),
    "fischer-capped": (Fischer, (float, float, float, float)),
}
SYSTEM_NAMES = tuple(_SYSTEMS)


def parse_system(name: str, numbers: list[str]) -> TimeSystem:
    """A time system from its name and numbers, as in ``byoyomi 600 30 5``."""
    if name not in _SYSTEMS:
        raise ValueError(f"unknown time system {name!r}: {', '.join(_SYSTEMS)} are known")
    make, kinds = _SYSTEMS[name]
    if len(numbers) != len(kinds):
        raise ValueError(f"{name} takes {len(kinds)} numbers, not {len(numbers)}")
    try:
        values = [float(text) for text in numbers]
    except ValueError:
        raise ValueError(f"{name} takes numbers, not {' '.join(numbers)!r}") from None
    _check_times(*values)
    return _sensible(make(*(kind(value) for kind, value in zip(kinds, values, strict=True))))


def _check_times(*times: float) -> None:
    if not all(math.isfinite(seconds) and seconds >= 0 for seconds in times):
        raise ValueError("times cannot be negative or infinite")


def _sensible(system: TimeSystem) -> TimeSystem:
    """Byo-yomi without stones, periods or time is none: only the main time counts."""
    if isinstance(system, Canadian) and (system.stones == 0 or system.period == 0):
        return Absolute(system.main)
    if isinstance(system, Japanese) and (system.periods == 0 or system.period == 0):
        return Absolute(system.main)
    return system


def gtp_system(main: float, byo_yomi: float, stones: int) -> TimeSystem:
    """The time system of GTP's ``time_settings``; a period without stones means no limit."""
    _check_times(main, byo_yomi, stones)
    if (byo_yomi > 0 and stones == 0) or (main == 0 and byo_yomi == 0):
        return NoLimit()
    return _sensible(Canadian(main, byo_yomi, stones))
