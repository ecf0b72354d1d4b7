"""Searches for the fastest plan (T41): TAG, dynamic programming, plain Monte Carlo, all there are.

All of them ask the same timer about words of the same grammar.  Times are noisy, and near the best
plans differ by less than the noise: so the few best of a search are timed once more, in turns, and
the best of those is the answer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Any

from montego.dft.compiling import seconds_spent
from montego.dft.defaults import default_word
from montego.dft.grammars import grammar
from montego.dft.plans import DftError, Word
from montego.dft.timing import PAIRS, Timer
from montego.dft.transform import pseudo_mflops
from montego.planning import Grammar, Study, derive

MOST_WORDS = 20_000
"""What an exhaustive search will try."""
TAG_S = 5
"""TAG's s: plans are so many that what is good has to be trusted soon."""
FINALS, SHARE = (32, 16, 8, 4, 2), 0.25
"""How many plans are left in each part of the finals, and their share of the whole time."""


@dataclass
class Found:
    """The result of a search, and how it went."""

    n: int
    search: str
    precision: str = "double"
    word: Word = ()
    seconds: float = float("inf")
    """Of one transform."""
    evaluations: int = 0
    elapsed: float = 0.0
    searched: float = 0.0
    """Seconds of it all, and of the search without its finals."""
    compiling: float = 0.0
    """Seconds in which kernels were compiled that had never been used here."""
    history: list[tuple[float, float]] = field(default_factory=list)
    """Whenever a better plan was found: seconds since the start, and of one transform."""
    record: list[tuple[float, Word]] = field(default_factory=list)
    """The same with the plans."""
    limit: float | None = None
    timed: dict[Word, float] = field(default_factory=dict)

    @property
    def mflops(self) -> float:
        return pseudo_mflops(self.n, self.seconds)


Hook = Callable[[Found], None]


class Spent(Exception):  # noqa: N818
    """The time is up."""


class Watch:
    """Times plans for a search and keeps its record."""

    def __init__(self, found: Found, timer: Any, clock: Callable[[], float], hook: Hook | None):
        self.found, self.timer, self.clock, self.hook = found, timer, clock, hook
        self.begin, self.compiled = clock(), seconds_spent()

    def whole(self, word: Word) -> float:
        """The speed of a plan in pseudo-Mflop/s."""
        self.look()
        self.note(word, self.timer.seconds(word))
        return pseudo_mflops(self.found.n, self.found.timed[word])

    def part(self, word: Word) -> float:
        """What a part of a plan takes alone; only a whole plan can be the best so far."""
        seconds = float(self.timer.part_seconds(word))
        if is_whole(word):
            self.note(word, seconds)
        else:
            self.found.evaluations += 1
            self.tell()
        return seconds

    def note(self, word: Word, seconds: float) -> None:
        found = self.found
        found.evaluations += 1
        found.timed[word] = min(seconds, found.timed.get(word, seconds))
        if seconds < found.seconds:
            found.word, found.seconds = word, seconds
            now = self.clock() - self.begin
            found.history.append((now, seconds))
            found.record.append((now, word))
        self.tell()

    def look(self) -> None:
        """Raises Spent when only the time for finals is left."""
        limit = self.found.limit
        if limit is not None and self.clock() - self.begin >= (1 - SHARE) * limit:
            raise Spent

    def tell(self) -> None:
        self.found.elapsed = self.clock() - self.begin
        self.found.compiling = seconds_spent() - self.compiled
        if self.hook is not None:
            self.hook(self.found)


def is_whole(word: Word) -> bool:
    """Whether a word is a plan, not a part of one."""
    return len(word) > 1 and (word[0] == "codelet" or str(word[1])[:1] == "w")


# --- the searches ----------------------------------------------------------------------


def by_tag(rules: Grammar, watch: Watch, seed: int, **settings: Any) -> None:
    """Threshold ascent applied to the graph of derivations (T40)."""
    study = Study(rules, seed=seed, **({"s": TAG_S} | settings))
    while (trial := study.ask()) is not None:
        try:
            study.tell(trial, watch.whole(trial.sink))
        except DftError as error:
            study.fail(trial, str(error))


def by_monte_carlo(rules: Grammar, watch: Watch, seed: int) -> None:
    """Rules at random, no plan twice."""
    dice = Random(seed)
    misses = 0
    while misses < 1_000:
        word = rules.random_word(dice)
        watch.look()
        if word in watch.found.timed:
            misses += 1
        else:
            misses = 0
            watch.whole(word)


def by_dynamic_programming(rules: Grammar, watch: Watch, seed: int) -> None:
    """The best word from the best words of its parts (section 5.1.2); no result before its end."""
    found = watch.found
    derived = derive(rules, watch.part, minimise=True)
    found.word, found.seconds = derived.word, derived.value
    end = watch.clock() - watch.begin
    found.history, found.record = [(end, derived.value)], [(end, derived.word)]


def exhaustively(rules: Grammar, watch: Watch, seed: int) -> None:
    """Every plan there is."""
    many = rules.count()
    if many > MOST_WORDS:
        raise DftError(f"{many:,} plans are too many for an exhaustive search: try tag")
    for word in rules.words():
        watch.whole(word)


SEARCHES: dict[str, Callable[..., None]] = {
    "tag": by_tag,
    "dp": by_dynamic_programming,
    "montecarlo": by_monte_carlo,
    "exhaustive": exhaustively,
}


def find(
    n: int,
    search: str = "tag",
    seconds: float = 5.0,
    *,
    precision: str = "double",
    seed: int = 0,
    progress: Hook | None = None,
    timer: Any = None,
    clock: Callable[[], float] = time.monotonic,
    fallback: bool = True,
    **options: Any,
) -> Found:
    """Search for the fastest plan of a size.

    Dynamic programming takes the time it takes: it has no result before.  All others end after
    ``seconds``, or when there is no plan left, or on Ctrl-C.  In the last quarter the best ones are
    timed again, in turns: what was only lucky falls back.  With ``fallback`` the default plan is
    one of them, so that the answer is at least as good.
    """
    if not isinstance(search, str) or search not in SEARCHES:
        raise DftError(f"searches are {', '.join(SEARCHES)}, not {search!r}")
    if n == 1:
        raise DftError("a transform of 1 number needs no plan")
    if not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
        raise DftError(f"a search takes some seconds, not {seconds!r}")
    found = Found(n, search, precision, limit=None if search == "dp" else seconds)
    watch = Watch(found, timer or Timer(n, precision), clock, progress)
    share = SHARE / (1 - SHARE)
    try:
        rules = grammar(n, precision=precision, by_parts=search == "dp")
        SEARCHES[search](rules, watch, seed, **options)
    except Spent:
        pass
    except KeyboardInterrupt:
        if search == "dp":
            raise DftError("dynamic programming was stopped: it has no result") from None
        share = 0.0
    usual = default_word(n, precision)
    if not found.timed:
        watch.note(usual, watch.timer.seconds(usual))
    found.searched = watch.clock() - watch.begin
    finals(found, watch, [usual] if fallback else [], share * found.searched)
    return found


def finals(found: Found, watch: Watch, others: list[Word], seconds: float) -> None:
    """Time the best plans, and others, again, in turns; who is fast in all memories wins.

    Every part has the same time, so the fewer plans are left the more turns they have; a part for
    which it is too short is left out, but for the last.
    """
    turn = 2 * PAIRS * found.seconds
    parts = [many for many in FINALS if many * turn < seconds / len(FINALS)] or FINALS[-1:]
    best = sorted(found.timed, key=found.timed.__getitem__)
    times: dict[Word, list[float]] = {word: [] for word in [*best[: parts[0]], *others]}
    left = list(times)
    begin = watch.clock()
    for part, many in enumerate(parts, 1):
        left = sorted(left, key=lambda word: fmean(times[word] or [0.0]))[: many + len(others)]
        if not turns(left, times, watch, begin + part / len(parts) * seconds):
            break
    if all(times[word] for word in left):
        found.word = min(left, key=lambda word: fmean(times[word]))
        found.seconds = fmean(times[found.word])
    watch.tell()
    if found.word != found.record[-1][1]:
        found.record.append((found.elapsed, found.word))


def turns(words: list[Word], times: dict[Word, list[float]], watch: Watch, until: float) -> bool:
    """Time plans in turns, each in other memory, at least one; False after Ctrl-C."""
    while True:
        watch.timer.move()
        try:
            taken = {word: float(watch.timer.seconds(word)) for word in words}
        except KeyboardInterrupt:
            return False
        for word, seconds in taken.items():
            times[word].append(seconds)
        watch.tell()
        if watch.clock() >= until:
            return True
