"""Compiled nested rollout policy adaptation: it learns as the version in Python does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable
from functools import reduce
from random import Random

import numpy as np
import pytest

from montego.planning import PlanningError, nested, nrpa
from montego.planning.examples import morpion, same_game
from montego.planning.policy_adaptation import Played, Policy, adapt


def test_a_step_of_learning_is_that_of_python() -> None:
    """One playout and the step that follows it, then the same step by ``adapt``."""
    game, alpha = morpion.Morpion(), 1.5
    search = game.adaptation(game.START, 1, 100, alpha, Random(3))
    assert search is not None
    assert search.advance(1) == 1
    total, line = search.best()
    assert game.reward(reduce(game.apply, line, game.START)) == total
    choices: list[tuple[list[Hashable], int]] = []
    state = game.START
    for move in line:
        actions = game.actions(state)
        choices.append(([*actions], actions.index(move)))
        state = game.apply(state, move)
    policy: Policy = {}
    adapt(policy, Played(total, line, choices), alpha)
    odds = search.work["odds"][game.codes : 2 * game.codes]
    assert {int(code) for code in np.flatnonzero(odds != 1.0)} <= policy.keys()
    for code, weight in policy.items():
        assert isinstance(code, int)
        assert math.log(odds[code]) == pytest.approx(weight, abs=1e-9)


def test_levels_iterate_like_nested_loops() -> None:
    game = morpion.Morpion()
    search = game.adaptation(game.START, 3, 4, 1.0, Random(1))
    assert search is not None
    for done in range(1, 4**3 + 1):
        search.advance(1)
        iterations = search.work["iteration"][1:4].tolist()
        expected = [done % 4, done // 4 % 4, done // 16]
        assert iterations == (expected if done < 4**3 else [4, 4, 4])
    assert search.best()[0] == max(search.work["best"])


def test_the_best_is_never_forgotten() -> None:
    game = same_game.SameGame()
    search = game.adaptation(game.board(same_game.standard_set()[3]), 3, 6, 1.0, Random(5))
    assert search is not None
    best: list[float] = []
    while not best or search.work["iteration"][3] < 6:
        search.advance(1)
        best.append(max(search.best()[0], search.work["best"][0]))
    assert best == list(itertools.accumulate(best, max))


def test_the_prior_keeps_the_most_frequent_colour_for_the_end() -> None:
    game, rows = same_game.SameGame(), same_game.standard_set()[0]
    search = game.adaptation(game.board(rows), 1, 100, 1.0, Random(1))
    assert search is not None
    search.advance(1)
    state = game.board(rows)
    for move in search.best()[1]:
        colours = {int(state["cell"][other]) for other in game.actions(state)}
        tabu = int(np.argmax(state["left"]))
        assert state["cell"][move] != tabu or colours == {tabu}
        state = game.apply(state, move)


def test_it_stops_where_it_is_told() -> None:
    game = morpion.Morpion()
    assert nrpa(game, game.START, 2, iterations=15, seed=1).evaluations == 225
    cut = nrpa(game, game.START, 3, evaluations=777, seed=1)
    assert (cut.evaluations, cut.stopped) == (777, "budget")
    assert morpion.check(cut.sequence) == cut.value
    assert nrpa(game, game.START, 3, evaluations=777, seed=1).sequence == cut.sequence
    goal = nrpa(game, game.START, 3, goal=58, seed=1)
    assert goal.stopped == "goal"
    assert goal.value >= 58
    shorter = nrpa(game, game.START, 3, evaluations=goal.evaluations - 1, seed=1)
    assert shorter.value < 58
    hurried = nrpa(game, game.START, 4, seconds=1e-6)
    assert hurried.stopped == "budget"
    assert hurried.value == morpion.check(hurried.sequence) > 0  # what was played is not lost
    with pytest.raises(PlanningError, match="levels 1 to 6"):
        nrpa(game, game.START, 7, evaluations=10)


def test_learning_beats_searching() -> None:
    game, rows = same_game.SameGame(), same_game.standard_set()[1]
    learned = nrpa(game, game.board(rows), 2, seed=2)
    assert same_game.check(rows, learned.sequence) == learned.value
    assert learned.value > nested(game, game.board(rows), 1, evaluations=10_000, seed=2).value
