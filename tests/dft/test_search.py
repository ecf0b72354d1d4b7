"""Searches for plans (T41), with a clock of their own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from montego.dft.grammars import grammar
from montego.dft.plans import DftError, Word
from montego.dft.search import FINALS, FINALS_SHARE, find, is_whole
from montego.dft.timing import WrongResultError


class Tick:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class Model:
    """Instead of a timer: plans cost what a formula says."""

    def __init__(self) -> None:
        self.asked: list[Word] = []

    def seconds(self, word: Word) -> float:
        self.asked.append(word)
        numbers = [token for token in word if isinstance(token, int)]
        return 1e-6 * (len(numbers) + sum(abs(n - 16) for n in numbers) / 100 + ("dit" in word))

    def part_seconds(self, word: Word) -> float:
        return self.seconds(word) if word else 0.0

    def reset(self) -> None:
        pass


@pytest.mark.parametrize("search", ["tag", "dp", "montecarlo", "exhaustive"])
def test_every_search_finds_the_best_of_a_small_size(search: str) -> None:
    model = Model()
    result = find(256, search, 10_000, timer=model, clock=Tick())
    best = min(map(Model().seconds, grammar(256).words()))
    assert result.seconds == pytest.approx(best)
    assert result.word[0] == "dif"
    assert result.word[-2:] == (16, 16)
    assert result.evaluations > 10


def test_a_search_ends_in_time_and_its_record_falls() -> None:
    result = find(2**12, "tag", 100, timer=Model(), clock=Tick(), seed=3)
    times = [at for at, _ in result.history]
    assert times == sorted(times)
    assert times[-1] <= 100
    bests = [seconds for _, seconds in result.history]
    assert bests == sorted(bests, reverse=True)


def test_the_same_seed_gives_the_same_search() -> None:
    def asked(seed: int, search: str) -> list[Word]:
        model = Model()
        find(2**12, search, 60, timer=model, clock=Tick(), seed=seed)
        return model.asked

    for search in ("tag", "montecarlo"):
        assert asked(1, search) == asked(1, search)
        assert asked(1, search) != asked(2, search)


def test_tag_beats_monte_carlo_on_average() -> None:
    def mean(search: str) -> float:
        return float(np.mean([
            find(2**14, search, 400, timer=Model(), clock=Tick(), seed=seed, fallback=False).seconds
            for seed in range(8)
        ]))  # fmt: skip

    assert mean("tag") < mean("montecarlo")


def test_a_plan_that_fails_does_not_end_the_search() -> None:
    class Failing(Model):
        def seconds(self, word: Word) -> float:
            if word[0] == "dit":
                raise WrongResultError("wrong")
            return super().seconds(word)

    result = find(64, "tag", 1_000, timer=Failing(), clock=Tick())
    assert result.word[0] != "dit"
    assert result.evaluations >= 3


def test_finals_tell_luck_from_speed() -> None:
    class Lucky(Model):
        """The first plan that is timed seems to be the best of all, once."""

        def seconds(self, word: Word) -> float:
            is_first = not self.asked
            return super().seconds(word) * (0.1 if is_first else 1.0)

    model = Lucky()
    result = find(256, "montecarlo", 40, timer=model, clock=Tick(), seed=2)
    assert result.improvements[0][1] == model.asked[0] != result.word
    assert result.seconds == pytest.approx(Model().seconds(result.word))
    assert result.searched < result.elapsed


def test_finals_have_their_share_of_the_time() -> None:
    model = Model()
    result = find(256, "montecarlo", 400, timer=model, clock=Tick(), seed=2, fallback=False)
    assert result.searched == pytest.approx((1 - FINALS_SHARE) * 400, abs=5)
    assert result.elapsed == pytest.approx(400, rel=0.05)
    in_finals = Counter(model.asked[result.evaluations :])
    assert len(in_finals) == FINALS[0]
    assert in_finals.most_common()[0][0] == result.word
    assert in_finals[result.word] > 2 * min(in_finals.values())


def test_finals_are_short_where_plans_are_slow() -> None:
    class Slow(Model):
        def seconds(self, word: Word) -> float:
            return 1e6 * super().seconds(word)

    model = Slow()
    result = find(256, "montecarlo", 40, timer=model, clock=Tick(), seed=2)
    assert len(set(model.asked[result.evaluations :])) <= FINALS[-1] + 1


def test_a_search_that_is_stopped_has_a_result_soon() -> None:
    class Stopped(Model):
        def seconds(self, word: Word) -> float:
            if len(self.asked) == 20:
                self.asked.append(word)
                raise KeyboardInterrupt
            return super().seconds(word)

    model = Stopped()
    result = find(256, "tag", 1_000, timer=model, clock=Tick())
    assert result.evaluations == 20
    assert len(model.asked) <= 21 + FINALS[-1] + 1
    assert result.word in model.asked


def test_dynamic_programming_asks_about_parts() -> None:
    model = Model()
    find(256, "dp", 1, timer=model, clock=Tick())
    assert any(not is_whole(word) for word in model.asked)


def test_too_many_plans_to_try_all() -> None:
    with pytest.raises(DftError, match="too many"):
        find(2**16, "exhaustive", 1, timer=Model(), clock=Tick())
