"""The grammars of plans: which words there are, and how many."""

from __future__ import annotations

import pytest

from montego.dft.defaults import default_plan
from montego.dft.grammars import count_plain, fewest_passes, grammar
from montego.dft.plans import FLAGS, FourStep, parse, spell
from montego.dft.twiddles import twiddles


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
    words = set(grammar(8, plain=True).words())
    assert len(words) == 5
    assert ("(", 2, "(", 2, 2, ")", ")") in words


@pytest.mark.parametrize("n", [2, 8, 15, 32, 64, 96, 256])
def test_every_word_of_the_grammar_is_a_plan_of_its_size(n: int) -> None:
    words = list(grammar(n).words())
    assert all(parse(word).n == n for word in words)
    assert len(words) == len(set(words)) == grammar(n).count()


def test_large_sizes_have_four_steps_too() -> None:
    from random import Random

    rng = Random(1)
    words = [grammar(2**18).random_word(rng) for _ in range(50)]
    assert {word[0] for word in words} >= {"four-step"}
    assert all(spell(parse(word)) == word for word in words)
    assert all(parse(word).n == 2**18 for word in words)


@pytest.mark.parametrize("n", [96, 1024, 2**16, 40_000])
def test_the_same_words_by_parts(n: int) -> None:
    assert grammar(n).count() == grammar(n, by_parts=True).count()
    if grammar(n).count() < 100_000:
        assert set(grammar(n).words()) == set(grammar(n, by_parts=True).words())


def test_no_plan_has_many_more_passes_than_it_needs() -> None:
    assert [fewest_passes(n) for n in (2, 64, 128, 4096, 8192, 15**3)] == [1, 1, 2, 2, 3, 3]
    for n in (256, 2**13):
        flats = [word for word in grammar(n).words() if word[0] in ("dif", "dit")]
        passes = {sum(isinstance(token, int) for token in word) for word in flats}
        assert passes == {fewest_passes(n), fewest_passes(n) + 1}


def test_flags_are_chosen_one_by_one() -> None:
    rules = grammar(2**20)
    (first,) = rules.successors(rules.root)
    for flag in FLAGS:
        with_it, without = rules.successors(first)
        assert with_it[: len(first)] == (*first[:-1], flag)
        assert flag not in without
        first = without


def test_large_default_plans_begin_with_their_smallest_codelets() -> None:
    for n in (2**18, 2**20, 2**22):
        plan = default_plan(n)
        assert isinstance(plan, FourStep)
        for passes in (plan.columns, plan.rows):
            assert list(passes.radices) == sorted(passes.radices)


def test_plans_share_tables_that_are_not_too_large() -> None:
    for n, is_shared in ((2**12, True), (2**16, True), (2**17, False)):
        one, other = (twiddles(16, n // 16, 8, "double") for _ in range(2))
        assert (one is other) == is_shared
