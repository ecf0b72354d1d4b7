"""Timing: robust, verified, and short for plans that are clearly behind."""

from __future__ import annotations

import numpy as np
import pytest

from montego.dft.grammars import grammar
from montego.dft.plans import DftError, Word, parse, spell
from montego.dft.timing import (
    LEADERS,
    PAIRS,
    Buffers,
    TimedProgram,
    Timer,
    WrongResultError,
    interquartile_mean,
    is_uninterrupted,
    least_time,
    sample,
)


def test_a_timer_times_and_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Timer(32)
    seconds = timer.seconds(("codelet", 32))
    assert 1e-9 < seconds < 1e-4
    assert timer.leaders == [seconds]
    assert timer.part_seconds((8,)) > 0
    with pytest.raises(DftError, match="for 16, not for 32"):
        timer.seconds(("codelet", 16))
    monkeypatch.setattr(np.fft, "fft", lambda x, axis: x)
    with pytest.raises(WrongResultError):
        Timer(32).seconds(("codelet", 32))


def test_a_timer_knows_the_best_few_well() -> None:
    timer, word = Timer(256), ("dif", "w1", 16, 16)
    for other in list(grammar(256).words())[: LEADERS + 4]:
        assert timer.cutoff == (
            timer.leaders[-1] if len(timer.leaders) == LEADERS else float("inf")
        )
        timer.seconds(other)
    assert timer.leaders == sorted(timer.leaders)
    assert len(timer.leaders) == LEADERS
    among_good_ones = timer.seconds(word)
    timer.reset()
    assert timer.cutoff == float("inf")
    assert among_good_ones < 5 * timer.seconds(word)  # cut short, but not made up


def test_the_least_time_is_one_that_was_not_interrupted() -> None:
    clean, interrupted, lost = (2e-3, 2e-3), (9e-3, 1.5e-3), (9e-3, 0.0)
    assert least_time([interrupted, clean, lost]) == 2e-3
    assert least_time([interrupted, lost, (9e-3, 1.6e-3)]) == 1.5e-3
    assert [is_uninterrupted(taken) for taken in (clean, interrupted, lost)] == [True, False, False]
    wall, own = sample(sum, range(100_000))
    assert own > 0
    assert wall > 1e-5


def test_outliers_do_not_count() -> None:
    assert interquartile_mean([3.0]) == 3.0
    assert interquartile_mean([9.0, 2.0, 4.0, 0.0]) == 3.0
    assert interquartile_mean([1.0] * 6 + [0.0, 50.0]) == 1.0


def test_plans_are_timed_by_the_default_plan_in_the_same_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine that becomes slower all the time changes nothing."""
    timer, words = Timer(256), [word for word in grammar(256).words() if word[0] == "dif"]
    speeds = {parse(word): 1.0 + place / 10 for place, word in enumerate(words)}
    slower = 1.0

    def seconds(self: TimedProgram, buffers: Buffers) -> float:
        nonlocal slower
        slower *= 1.05
        return slower * (2.0 if self is timer.default else speeds[self.program.plan])

    monkeypatch.setattr(TimedProgram, "seconds", seconds)
    times = [timer.seconds(word) for word in words[:LEADERS]]
    assert [time / timer.default_seconds for time in times] == pytest.approx(
        [0.5 + place / 20 for place in range(LEADERS)], rel=0.01
    )
    assert timer.leaders == sorted(times)


def test_a_plan_that_is_behind_is_not_timed_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Word] = []
    ratio = Timer._ratio

    def counted(self: Timer, ours: TimedProgram, default: TimedProgram) -> float:
        taken.append(spell(ours.program.plan))
        return ratio(self, ours, default)

    monkeypatch.setattr(Timer, "_ratio", counted)
    timer, word = Timer(256), ("dif", "w1", 16, 16)
    timer.seconds(word)
    assert len(taken) > 2 * PAIRS  # seems to be the best
    taken.clear()
    timer.leaders = [timer.default_seconds / 100] * LEADERS
    assert timer.seconds(word) > timer.cutoff
    assert len(taken) == 1
