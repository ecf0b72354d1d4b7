"""Searches for the fastest plan (T41): TAG, dynamic programming, Monte Carlo, exhaustive search.

All of them ask the same timer about words of the same grammar.  Timings are noisy, and near the top
plans differ by less than the noise.  So the best few of a search are timed again in the finals, in
alternating rounds, and the best of those is the answer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Any

from montego.dft.compiler import seconds_spent
from montego.dft.defaults import default_word
from montego.dft.grammars import grammar
from montego.dft.plans import DftError, Word
from montego.dft.timing import PAIRS, Timer
from montego.dft.transform import pseudo_mflops
from montego.planning import Grammar, Study, TagSettings, derive

MOST_WORDS = 20_000
"""Plans up to which an exhaustive search is allowed."""
TAG_SETTINGS = TagSettings(s=5)
"""There are so many plans that good ones have to be exploited soon."""
FINALS, FINALS_SHARE = (32, 16, 8, 4, 2), 0.25
"""How many plans are left in each part of the finals, and their share of the whole time."""


@dataclass
class SearchResult:
    """The best plan of a search and its history; the argument of progress hooks, too."""

    n: int
    search: str
    precision: str = "double"
    word: Word = ()
    seconds: float = float("inf")
    """Of one transform."""
    evaluations: int = 0
    elapsed: float = 0.0
    searched: float = 0.0
    """Seconds in all, and of the search without its finals."""
    compiling: float = 0.0
    """Seconds in which kernels were compiled that were not in the cache."""
    history: list[tuple[float, float]] = field(default_factory=list)
    """For every improvement: seconds since the start, and of one transform."""
    improvements: list[tuple[float, Word]] = field(default_factory=list)
    """The same with the plans."""
    limit: float | None = None
    timed: dict[Word, float] = field(default_factory=dict)

    @property
    def mflops(self) -> float:
        return pseudo_mflops(self.n, self.seconds)


Hook = Callable[[SearchResult], None]


class TimeUp(Exception):  # noqa: N818 - ends a search, which is no error
    """Only the time for the finals is left."""


class Evaluator:
    """Times plans for a search and records them in its result."""

    def __init__(
        self, result: SearchResult, timer: Any, clock: Callable[[], float], hook: Hook | None
    ) -> None:
        self.result, self.timer, self.clock, self.hook = result, timer, clock, hook
        self.begin, self.compiled = clock(), seconds_spent()

    def plan_mflops(self, word: Word) -> float:
        """The speed of a plan in pseudo-Mflop/s."""
        self.check_time()
        self.record(word, self.timer.seconds(word))
        return pseudo_mflops(self.result.n, self.result.timed[word])

    def part_seconds(self, word: Word) -> float:
        """The time of a part of a plan alone; only a whole plan can be the best so far."""
        seconds = float(self.timer.part_seconds(word))
        if is_whole(word):
            self.record(word, seconds)
        else:
            self.result.evaluations += 1
            self.report()
        return seconds

    def record(self, word: Word, seconds: float) -> None:
        result = self.result
        result.evaluations += 1
        result.timed[word] = min(seconds, result.timed.get(word, seconds))
        if seconds < result.seconds:
            result.word, result.seconds = word, seconds
            now = self.clock() - self.begin
            result.history.append((now, seconds))
            result.improvements.append((now, word))
        self.report()

    def check_time(self) -> None:
        """Raises TimeUp when only the time for the finals is left."""
        limit = self.result.limit
        if limit is not None and self.clock() - self.begin >= (1 - FINALS_SHARE) * limit:
            raise TimeUp

    def report(self) -> None:
        """Call the progress hook."""
        self.result.elapsed = self.clock() - self.begin
        self.result.compiling = seconds_spent() - self.compiled
        if self.hook is not None:
            self.hook(self.result)


def is_whole(word: Word) -> bool:
    """Whether a word is a plan, not a part of one."""
    return len(word) > 1 and (word[0] == "codelet" or str(word[1])[:1] == "w")


# --- the searches ----------------------------------------------------------------------


def by_tag(rules: Grammar, evaluator: Evaluator, seed: int, settings: TagSettings) -> None:
    """Threshold ascent applied to the graph of derivations (T40)."""
    study = Study(rules, seed=seed, settings=settings)
    while (trial := study.ask()) is not None:
        try:
            study.tell(trial, evaluator.plan_mflops(trial.sink))
        except DftError as error:
            study.fail(trial, str(error))


def by_monte_carlo(rules: Grammar, evaluator: Evaluator, seed: int, settings: TagSettings) -> None:
    """Random derivations, no plan twice."""
    rng = Random(seed)
    misses = 0
    while misses < 1_000:
        word = rules.random_word(rng)
        evaluator.check_time()
        if word in evaluator.result.timed:
            misses += 1
        else:
            misses = 0
            evaluator.plan_mflops(word)


def by_dynamic_programming(
    rules: Grammar, evaluator: Evaluator, seed: int, settings: TagSettings
) -> None:
    """The best word from the best words of its parts (section 5.1.2); no result before its end."""
    result = evaluator.result
    derived = derive(rules, evaluator.part_seconds, minimise=True)
    result.word, result.seconds = derived.word, derived.value
    end = evaluator.clock() - evaluator.begin
    result.history, result.improvements = [(end, derived.value)], [(end, derived.word)]


def exhaustively(rules: Grammar, evaluator: Evaluator, seed: int, settings: TagSettings) -> None:
    """Every plan there is."""
    many = rules.count()
    if many > MOST_WORDS:
        raise DftError(f"{many:,} plans are too many for an exhaustive search: try tag")
    for word in rules.words():
        evaluator.plan_mflops(word)


SEARCHES: dict[str, Callable[[Grammar, Evaluator, int, TagSettings], None]] = {
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
    settings: TagSettings = TAG_SETTINGS,
) -> SearchResult:
    """Search for the fastest plan of a size.

    Dynamic programming takes as long as it takes: it has no result before its end.  All others end
    after ``seconds``, when there is no plan left, or on Ctrl-C.  In the last quarter the best plans
    are timed again in the finals, where mere luck does not last.  With ``fallback`` the default
    plan takes part, so the result is at least as good.  ``settings`` are TAG's.
    """
    check_request(n, search, seconds)
    result = SearchResult(n, search, precision, limit=None if search == "dp" else seconds)
    evaluator = Evaluator(result, timer or Timer(n, precision), clock, progress)
    share = FINALS_SHARE / (1 - FINALS_SHARE)
    try:
        rules = grammar(n, precision=precision, by_parts=search == "dp")
        SEARCHES[search](rules, evaluator, seed, settings)
    except TimeUp:
        pass
    except KeyboardInterrupt:
        if search == "dp":
            raise DftError("dynamic programming was stopped: it has no result") from None
        share = 0.0
    default = default_word(n, precision)
    if not result.timed:
        evaluator.record(default, evaluator.timer.seconds(default))
    result.searched = evaluator.clock() - evaluator.begin
    finals(evaluator, [default] if fallback else [], share * result.searched)
    return result


def check_request(n: int, search: Any, seconds: Any) -> None:
    """Raises DftError for a search that makes no sense."""
    if not isinstance(search, str) or search not in SEARCHES:
        raise DftError(f"searches are {', '.join(SEARCHES)}, not {search!r}")
    if n == 1:
        raise DftError("a transform of 1 number needs no plan")
    if not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
        raise DftError(f"a search takes some seconds, not {seconds!r}")


def finals(evaluator: Evaluator, others: list[Word], seconds: float) -> None:
    """Time the best plans, and others, again in alternating rounds, each with new buffers.

    Every part has the same time, so the fewer plans are left the more rounds they have.  Parts that
    would be too short are skipped, except for the last.
    """
    result = evaluator.result
    one = 2 * PAIRS * result.seconds
    parts = [many for many in FINALS if many * one < seconds / len(FINALS)] or FINALS[-1:]
    best = sorted(result.timed, key=result.timed.__getitem__)
    times: dict[Word, list[float]] = {word: [] for word in [*best[: parts[0]], *others]}
    left = list(times)
    begin = evaluator.clock()
    for part, many in enumerate(parts, 1):
        left = sorted(left, key=lambda word: fmean(times[word] or [0.0]))[: many + len(others)]
        if not rounds(left, times, evaluator, begin + part / len(parts) * seconds):
            break
    if all(times[word] for word in left):
        result.word = min(left, key=lambda word: fmean(times[word]))
        result.seconds = fmean(times[result.word])
    evaluator.report()
    if result.word != result.improvements[-1][1]:
        result.improvements.append((result.elapsed, result.word))


def rounds(
    words: list[Word], times: dict[Word, list[float]], evaluator: Evaluator, until: float
) -> bool:
    """Time all plans, round by round with new buffers, at least once; False after Ctrl-C."""
    while True:
        evaluator.timer.reset()
        try:
            taken = {word: float(evaluator.timer.seconds(word)) for word in words}
        except KeyboardInterrupt:
            return False
        for word, seconds in taken.items():
            times[word].append(seconds)
        evaluator.report()
        if evaluator.clock() >= until:
            return True
