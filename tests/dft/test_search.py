"""Searches for plans, on a clock of their own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from montego.dft.grammars import grammar
from montego.dft.plans import DftError, Word
from montego.dft.search import FINALS, SHARE, find, is_whole
from montego.dft.timing import (
    WrongResultError,
)


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

    def move(self) -> None:
        pass


@pytest.mark.parametrize("search", ["tag", "dp", "montecarlo", "exhaustive"])
def test_every_search_finds_the_best_of_a_small_size(search: str) -> None:
    model = Model()
    found = find(256, search, 10_000, timer=model, clock=Tick())
    best = min(map(Model().seconds, grammar(256).words()))
    assert found.seconds == pytest.approx(best)
    assert found.word[0] == "dif"
    assert found.word[-2:] == (16, 16)
    assert found.evaluations > 10


def test_a_search_ends_in_time_and_its_record_falls() -> None:
    found = find(2**12, "tag", 100, timer=Model(), clock=Tick(), seed=3)
    times = [at for at, _ in found.history]
    assert times == sorted(times)
    assert times[-1] <= 100
    bests = [seconds for _, seconds in found.history]
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

    found = find(64, "tag", 1_000, timer=Failing(), clock=Tick())
    assert found.word[0] != "dit"
    assert found.evaluations >= 3


def test_finals_tell_luck_from_speed() -> None:
    class Lucky(Model):
        """The first plan that is timed seems to be the best of all, once."""

        def seconds(self, word: Word) -> float:
            is_first = not self.asked
            return super().seconds(word) * (0.1 if is_first else 1.0)

    model = Lucky()
    found = find(256, "montecarlo", 40, timer=model, clock=Tick(), seed=2)
    assert found.record[0][1] == model.asked[0] != found.word
    assert found.seconds == pytest.approx(Model().seconds(found.word))
    assert found.searched < found.elapsed


def test_finals_have_their_share_of_the_time() -> None:
    model = Model()
    found = find(256, "montecarlo", 400, timer=model, clock=Tick(), seed=2, fallback=False)
    assert found.searched == pytest.approx((1 - SHARE) * 400, abs=5)
    assert found.elapsed == pytest.approx(400, rel=0.05)
    in_finals = Counter(model.asked[found.evaluations :])
    assert len(in_finals) == FINALS[0]
    assert in_finals.most_common()[0][0] == found.word
    assert in_finals[found.word] > 2 * min(in_finals.values())


def test_finals_are_short_where_plans_are_slow() -> None:
    class Slow(Model):
        def seconds(self, word: Word) -> float:
            return 1e6 * super().seconds(word)

    model = Slow()
    found = find(256, "montecarlo", 40, timer=model, clock=Tick(), seed=2)
    assert len(set(model.asked[found.evaluations :])) <= FINALS[-1] + 1


def test_a_search_that_is_stopped_has_a_result_soon() -> None:
    class Stopped(Model):
        def seconds(self, word: Word) -> float:
            if len(self.asked) == 20:
                self.asked.append(word)
                raise KeyboardInterrupt
            return super().seconds(word)

    model = Stopped()
    found = find(256, "tag", 1_000, timer=model, clock=Tick())
    assert found.evaluations == 20
    assert len(model.asked) <= 21 + FINALS[-1] + 1
    assert found.word in model.asked


def test_dynamic_programming_asks_about_parts() -> None:
    model = Model()
    find(256, "dp", 1, timer=model, clock=Tick())
    assert any(not is_whole(word) for word in model.asked)


def test_too_many_plans_to_try_all() -> None:
    with pytest.raises(DftError, match="too many"):
        find(2**16, "exhaustive", 1, timer=Model(), clock=Tick())
