"""Searches for plans, on a clock of their own; wisdom; the commands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from montego import dft
from montego.cli import main
from montego.dft import interface, wisdom
from montego.dft.bench import Figure, measure
from montego.dft.commands import parse_size, parse_sizes, sparkline, told
from montego.dft.grammars import count_plain, fewest, grammar
from montego.dft.plans import DftError, Word, parse, spell
from montego.dft.search import FINALS, SHARE, Found, find, is_whole
from montego.dft.timing import (
    LEADERS,
    PAIRS,
    Place,
    Sampled,
    Timer,
    WrongResultError,
    is_calm,
    least,
    middle_mean,
    sample,
)
from montego.planning import Grammar


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


@pytest.fixture(autouse=True)
def own_wisdom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    monkeypatch.setattr(wisdom, "_known", None)
    interface.forget()
    yield
    interface.forget()


# --- grammars --------------------------------------------------------------------------


def test_the_plain_library_has_as_many_algorithms_as_the_thesis_says() -> None:
    counts = [count_plain(2**t) for t in range(1, 11)]
    assert counts[:6] == [1, 2, 5, 15, 51, 188]
    # A007317: sums of binomials and Catalan numbers
    from math import comb

    catalan = [comb(2 * k, k) // (k + 1) for k in range(10)]
    assert counts == [sum(comb(t, k) * catalan[k] for k in range(t + 1)) for t in range(10)]


def test_it_grows_like_the_thesis_says() -> None:
    scaled = [count_plain(2**t) * t**1.5 / 5**t for t in (20, 40, 60)]
    assert max(scaled) / min(scaled) < 1.1


def test_plain_words_are_trees() -> None:
    words = set(_words(grammar(8, plain=True)))
    assert len(words) == 5
    assert ("(", 2, "(", 2, 2, ")", ")") in words


@pytest.mark.parametrize("n", [2, 8, 15, 32, 64, 96, 256])
def test_every_word_of_the_grammar_is_a_plan_of_its_size(n: int) -> None:
    words = _words(grammar(n))
    assert all(parse(word).n == n for word in words)
    assert len(words) == len(set(words)) == grammar(n).count()


def test_large_sizes_have_four_steps_too() -> None:
    from random import Random

    dice = Random(1)
    words = [grammar(2**18).random_word(dice) for _ in range(50)]
    assert {word[0] for word in words} >= {"four-step"}
    assert all(spell(parse(word)) == word for word in words)
    assert all(parse(word).n == 2**18 for word in words)


@pytest.mark.parametrize("n", [96, 1024, 2**16, 40_000])
def test_the_same_words_by_parts(n: int) -> None:
    assert grammar(n).count() == grammar(n, by_parts=True).count()
    if grammar(n).count() < 100_000:
        assert set(_words(grammar(n))) == set(_words(grammar(n, by_parts=True)))


def test_no_plan_has_many_more_passes_than_it_needs() -> None:
    assert [fewest(n) for n in (2, 64, 128, 4096, 8192, 15**3)] == [1, 1, 2, 2, 3, 3]
    for n in (256, 2**13):
        flats = [word for word in _words(grammar(n)) if word[0] in ("dif", "dit")]
        passes = {sum(isinstance(token, int) for token in word) for word in flats}
        assert passes == {fewest(n), fewest(n) + 1}


def _words(rules: Grammar) -> list[Word]:
    found, waiting = [], [rules.root]
    while waiting:
        word = waiting.pop()
        following = rules.successors(word)
        waiting.extend(following)
        if not following:
            found.append(word)
    return found


# --- searches --------------------------------------------------------------------------


@pytest.mark.parametrize("search", ["tag", "dp", "montecarlo", "exhaustive"])
def test_every_search_finds_the_best_of_a_small_size(search: str) -> None:
    model = Model()
    found = find(256, search, 10_000, timer=model, clock=Tick())
    best = min(map(Model().seconds, _words(grammar(256))))
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
    for other in _words(grammar(256))[: LEADERS + 4]:
        assert timer.bar == (timer.leaders[-1] if len(timer.leaders) == LEADERS else float("inf"))
        timer.seconds(other)
    assert timer.leaders == sorted(timer.leaders)
    assert len(timer.leaders) == LEADERS
    among_good_ones = timer.seconds(word)
    timer.move()
    assert timer.bar == float("inf")
    assert among_good_ones < 5 * timer.seconds(word)  # cut short, but not made up


def test_the_least_time_is_one_that_was_not_interrupted() -> None:
    calm, interrupted, lost = (2e-3, 2e-3), (9e-3, 1.5e-3), (9e-3, 0.0)
    assert least([interrupted, calm, lost]) == 2e-3
    assert least([interrupted, lost, (9e-3, 1.6e-3)]) == 1.5e-3
    assert [is_calm(taken) for taken in (calm, interrupted, lost)] == [True, False, False]
    wall, own = sample(sum, range(100_000))
    assert own > 0
    assert wall > 1e-5


def test_outliers_do_not_count() -> None:
    assert middle_mean([3.0]) == 3.0
    assert middle_mean([9.0, 2.0, 4.0, 0.0]) == 3.0
    assert middle_mean([1.0] * 6 + [0.0, 50.0]) == 1.0


def test_plans_are_timed_by_the_default_plan_in_the_same_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine that becomes slower all the time changes nothing."""
    timer, words = Timer(256), [word for word in _words(grammar(256)) if word[0] == "dif"]
    speeds = {parse(word): 1.0 + place / 10 for place, word in enumerate(words)}
    slower = 1.0

    def seconds(self: Sampled, place: Place) -> float:
        nonlocal slower
        slower *= 1.05
        return slower * (2.0 if self is timer.default else speeds[self.program.plan])

    monkeypatch.setattr(Sampled, "seconds", seconds)
    times = [timer.seconds(word) for word in words[:5]]
    assert [time / timer.usual for time in times] == pytest.approx(
        [0.5, 0.55, 0.6, 0.65, 0.7], rel=0.01
    )
    assert timer.leaders == sorted(times)


def test_a_plan_that_is_behind_is_not_timed_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Word] = []
    ratio = Timer._ratio

    def counted(self: Timer, ours: Sampled, default: Sampled) -> float:
        taken.append(spell(ours.program.plan))
        return ratio(self, ours, default)

    monkeypatch.setattr(Timer, "_ratio", counted)
    timer, word = Timer(256), ("dif", "w1", 16, 16)
    timer.seconds(word)
    assert len(taken) > 2 * PAIRS  # seems to be the best
    taken.clear()
    timer.leaders = [timer.usual / 100] * LEADERS
    assert timer.seconds(word) > timer.bar
    assert len(taken) == 1


# --- wisdom ----------------------------------------------------------------------------


def test_plans_are_remembered_and_used(tmp_path: Path) -> None:
    assert wisdom.best(32) is None
    plan = dft.plan(32, "tag", 0.01)
    assert plan.mflops is not None
    assert wisdom.best(32) == plan.word
    assert interface.transform(32, "double", False, None, 1).word == plan.word
    x = np.random.default_rng(0).standard_normal(64).view(np.complex128)
    np.testing.assert_allclose(plan(x), np.fft.fft(x), atol=1e-13)
    wisdom._known = None  # another process
    assert wisdom.best(32) == plan.word
    assert dft.plan(32, "none").word == plan.word


def test_wisdom_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wisdom.learn(64, "double", ("dif", "w1", 8, 8), 1e-6)
    assert dft.export_wisdom(tmp_path / "away.json") == 1
    wisdom.forget_all()
    assert wisdom.best(64) is None
    assert dft.import_wisdom(tmp_path / "away.json") == 1
    assert wisdom.best(64) == ("dif", "w1", 8, 8)
    monkeypatch.setattr(wisdom, "machine", lambda: "another")
    assert wisdom.best(64) is None
    assert dft.import_wisdom(tmp_path / "away.json", foreign=True) == 1
    assert wisdom.best(64) == ("dif", "w1", 8, 8)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"format": "montego dft wisdom 1"}',
        '{"format": "montego dft wisdom 1", "machines": {"a": {"8 double": {}}}}',
        '{"format": "montego dft wisdom 1", "machines": {"a": {"8 double":'
        ' {"plan": ["codelet", 16], "seconds": 1}}}}',
    ],
)  # fmt: skip
def test_what_is_no_wisdom_is_refused_and_changes_nothing(tmp_path: Path, text: str) -> None:
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(DftError, match="holds no wisdom"):
        dft.import_wisdom(tmp_path / "bad.json")
    assert wisdom.best(8) == ("codelet", 8)


def test_a_damaged_file_of_wisdom_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "wisdom.json").write_text("{")
    assert wisdom.best(8) is None


# --- commands --------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["dft", *arguments])
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def test_plan_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "plan", "2^5", "--seconds", "0.01", "--json")
    result = json.loads(out)
    assert code == 0
    assert parse(result["plan"]).n == 32
    assert result["mflops"] > 0
    code, out, _ = run(capsys, "wisdom")
    assert code == 0
    assert out.startswith("32 double:")
    code, out, _ = run(capsys, "plan", "32", "--seconds", "0.01")
    assert code == 0
    assert "pseudo-Mflop/s" in out


def test_the_first_search_says_that_it_mostly_compiled() -> None:
    found = Found(32, "tag", word=("codelet", 32), seconds=1e-6, elapsed=4.0, compiling=0.1)
    assert told(found).count("\n") == 1
    found.compiling = 3.0
    assert "3.0 s of it compiled kernels, once" in told(found)


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (("plan", "14"), "products of 2, 3 and 5, not 14"),
        (("plan", "two"), "a size is a number"),
        (("plan", "8", "--search", "luck"), "searches are"),
        (("bench", "--sizes", "8", "--libraries", "mkl"), "libraries are"),
        (("wisdom", "--import", "nowhere.json"), "no such file"),
    ):
        code, _, line = run(capsys, *arguments)
        assert code == 2
        assert said in line
        assert line.count("\n") == 1


def test_bench_command(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ("--sizes", "8,32", "--seconds", "0.001", "--libraries", "montego,numpy")
    code, out, _ = run(capsys, "bench", *sizes, "--json")
    assert code == 0
    figures = json.loads(out)
    assert [(f["n"], f["library"]) for f in figures] == [
        (8, "montego"), (8, "numpy"), (32, "montego"), (32, "numpy"),
    ]  # fmt: skip
    assert all(f["seconds"] > 0 and f["mflops"] > 0 for f in figures)
    code, out, _ = run(capsys, "bench", *sizes)
    assert "numpy" in out


def test_sizes_as_people_write_them() -> None:
    assert [parse_size(text) for text in ("1024", "2^18", "3*2^10", "3*5")] == [
        1024, 2**18, 3072, 15,
    ]  # fmt: skip
    assert parse_sizes("2^5-2^8,96") == [32, 64, 128, 256, 96]


def test_a_picture_of_the_best_so_far() -> None:
    line = sparkline([(0.5, 2e-6), (5.0, 1e-6)], 10.0, width=10)
    assert line == "▅▅▅▅███████"[:4] + "██████"
    assert len(line) == 10


def test_figures() -> None:
    assert Figure(1024, "x", 1e-6).mflops == pytest.approx(51_200)
    assert {f.library for f in measure(8, 0.001, ("montego", "numpy"))} == {"montego", "numpy"}
    assert Found(8, "tag", seconds=1e-6).mflops == pytest.approx(120)
