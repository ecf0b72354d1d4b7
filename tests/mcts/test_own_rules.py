"""Rules of one's own: the same trees as by the built-in ones, and mistakes in one line."""

from __future__ import annotations

import inspect
import math
import pickle
import time
from collections.abc import Callable
from dataclasses import replace
from math import erfc, inf, nan, sqrt
from pathlib import Path
from statistics import median
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from montego.go import Position
from montego.kernels.compiler.own_entry import OwnEntry
from montego.kernels.tree import own
from montego.kernels.tree.formulas import ucb1
from montego.kernels.tree.strategy import OWN_NUMBERS
from montego.kernels.tree.tree import ONE, ROOT
from montego.mcts import strategies
from montego.mcts.found import Budget
from montego.mcts.own_rules import RuleError, backup, child_weight, selection
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from tests.mcts.test_strategies import children, select
from tests.positions import random_position


@selection
def uct(value, visits, log_parent_visits, c=0.7):
    """UCT once more."""
    return value + c * sqrt(log_parent_visits / visits)


@selection
def by_our_formula(value, visits, log_parent_visits, c=0.7):
    return ucb1(value, visits, log_parent_visits, c)


@selection
def tuned(value, visits, log_parent_visits, variance, c=1.0):
    share = log_parent_visits / visits
    bound = variance / 4 + sqrt(2 * log_parent_visits / visits)
    return value + c * sqrt(share * min(1.0, 4 * bound))


@selection(first_play=None)
def ordered(value, visits, log_parent_visits, h, c=0.7, scale=0.01):
    if visits == 0:
        return 1.0 + scale * h
    return value + c * sqrt(log_parent_visits / visits)


@selection(first_play=None)
def mixture(
    value, visits, prior_value, prior_games, rave_visits, rave_sum, bias=0.003, untried=0.2
):
    n = visits + prior_games
    weight = 1.0 + rave_visits * bias
    games = n * weight + rave_visits
    if games == 0.0:
        return untried
    return ((value * visits + prior_games * prior_value) * weight + rave_sum) / games


@backup
def average(mean):
    return mean


@backup(by_score=True)
def minimax(best_value):
    return best_value


@child_weight(by_score=True)
def objective(value, visits, deviation, best_value):
    sigma = deviation / sqrt(visits)
    return visits * erfc((best_value - value) / (sqrt(2) * sigma))


MONTEGO, ORDERING = RECIPES["montego"], RECIPES["orego-ordering"]
SAME = {
    "uct": (Recipe("a"), Recipe("b", selection=uct())),
    "uct with our formula": (Recipe("a"), Recipe("b", selection=by_our_formula())),
    "uct with c": (
        Recipe("a", selection=strategies.Uct(c=0.2, first_play=1.0)),
        Recipe("b", selection=uct(c=0.2, first_play=1.0)),
    ),
    "tuned": (
        Recipe("a", selection=strategies.UctTuned()),
        Recipe("b", selection=tuned()),
    ),
    "tuned by scores": (
        Recipe("a", selection=strategies.UctTuned(), backup=strategies.Average(by_score=True)),
        Recipe("b", selection=tuned(), backup=average(by_score=True)),
    ),
    "ordered": (ORDERING, replace(ORDERING, selection=ordered())),
    "mixture": (MONTEGO, replace(MONTEGO, selection=mixture(rave_decay=3))),
    "mixture, unpruned": (
        replace(MONTEGO, open=strategies.Unpruning()),
        replace(MONTEGO, open=strategies.Unpruning(), selection=mixture(rave_decay=3)),
    ),
    "average": (Recipe("a"), Recipe("b", backup=average())),
    "minimax": (Recipe("a", backup=strategies.Minimax()), Recipe("b", backup=minimax())),
    "objective": (
        Recipe("a", backup=strategies.ObjectiveBackup()),
        Recipe("b", backup=objective()),
    ),
}
"""The built-in rule, and the same one as the user writes it."""


def tree(recipe: Recipe, position: Position, simulations: int = 1500) -> list[Any]:
    """All nodes of a search, to the last visit and value."""
    search = LocalSearch(recipe, memory_mb=32, seed=5)
    search.run(position, Budget(simulations=simulations))
    nodes: list[Any] = search.pool[ROOT : search.nodes].tolist()
    return nodes


@pytest.mark.parametrize("name", SAME)
def test_the_tree_is_that_of_the_built_in_rule(name: str) -> None:
    built_in, own_one = SAME[name]
    for position in (Position.start(9), random_position(13, 60, seed=2)):
        assert tree(built_in, position) == tree(own_one, position)


def test_other_parameters_give_another_tree() -> None:
    position = Position.start(9)
    assert tree(Recipe("a", selection=uct()), position) != tree(
        Recipe("a", selection=uct(c=0.3)), position
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tuned", "mixture", "minimax", "objective"])
def test_the_speed_is_that_of_the_built_in_rule(name: str) -> None:
    def seconds(recipe: Recipe) -> float:
        search = LocalSearch(recipe, memory_mb=64, seed=5)
        begin = time.thread_time()
        search.run(Position.start(9), Budget(simulations=3000))
        return time.thread_time() - begin

    built_in, own_one = SAME[name]
    ratios = [seconds(built_in) / seconds(own_one) for _ in range(11)]
    assert median(ratios) >= 0.9


# --- the numbers -----------------------------------------------------------------------


def naive_numbers(search: LocalSearch, c: Any) -> dict[str, float]:
    """What a child's numbers are by their description."""
    root, found = search.pool[ROOT], children(search)
    n, r = int(c["visits"]), int(c["rave_visits"])
    mean = float(c["total"]) / ONE / max(n, 1)
    variance = max(float(c["squares"]) / n - mean**2, 1e-4) if n > 1 else 1.0
    return {
        "value": float(c["value"]),
        "visits": n,
        "deviation": math.sqrt(variance),
        "variance": variance,
        "h": float(c["h"]),
        "place": [int(one["move"]) for one in found].index(int(c["move"])),
        "prior_value": float(c["q"]),
        "prior_games": float(c["prior"]),
        "rave_value": float(c["rave_total"]) / ONE / max(r, 1),
        "rave_visits": r,
        "rave_sum": float(c["rave_total"]) / ONE,
        "best_value": max(float(one["value"]) for one in found if one["visits"] > 0),
        "children": len(found),
        "parent_value": -float(root["value"]),
        "parent_visits": int(root["visits"]),
        "log_parent_visits": math.log(root["visits"]),
    }


@pytest.fixture(scope="module")
def searched() -> LocalSearch:
    """A tree in which every number is something."""
    search = LocalSearch(MONTEGO, memory_mb=32, seed=5)
    search.run(random_position(9, 20, seed=1), Budget(simulations=700))
    return search


def a_function_of(name: str, distance: str) -> Any:
    """``def rule(NAME, at=0.0)``: the nearer the number is to ``at``, the larger."""
    space: dict[str, Any] = {}
    exec(f"def near_{name}({name}, at=0.0): return {distance}", space)
    return space[f"near_{name}"]


@pytest.mark.parametrize("name", own.CHILD)
def test_the_numbers_of_a_child(searched: LocalSearch, name: str) -> None:
    """A rule that likes a value of the number best finds the child that has it."""
    near = selection(a_function_of(name, f"-abs({name} - at)"), first_play=None)
    numbers = [naive_numbers(searched, c)[name] for c in children(searched)]
    for at in sorted(set(numbers))[::7]:
        record = Recipe("near", selection=near(at=at)).record()
        chosen = select(record, searched.pool, searched.workspaces[0].work, ROOT)
        found = naive_numbers(searched, searched.pool[chosen])[name]
        assert found == pytest.approx(at, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("name", own.NODE_NUMBERS)
def test_the_numbers_of_a_node(name: str) -> None:
    """A backup that tells a number, divided by a thousand: the value of the root."""
    tells = backup(a_function_of(name, f"{name} / 1000"))
    search = LocalSearch(Recipe("tells", backup=tells()), memory_mb=16, seed=5)
    search.run(random_position(7, 12, seed=1), Budget(simulations=300))
    root, found = search.pool[ROOT], children(search)
    mean = -float(root["total"]) / ONE / 300
    robust = max(found, key=lambda c: c["visits"])
    expected = {
        "mean": mean,
        "visits": 300,
        "deviation": math.sqrt(float(root["squares"]) / 300 - mean**2),
        "best_value": max(c["value"] for c in found if c["visits"] > 0),
        "robust_value": robust["value"],
        "robust_visits": robust["visits"],
        "children": len(found),
    }
    assert -1000 * float(root["value"]) == pytest.approx(expected[name], rel=1e-6, abs=1e-9)


def test_names_of_rave_turn_it_on() -> None:
    @selection(first_play=None)
    def by_rave(rave_value):
        return rave_value

    @child_weight
    def rave_weight(visits, rave_visits):
        return visits + rave_visits

    assert by_rave(rave_decay=2).numbers()["rave_decay"] == 2
    assert Recipe("a", selection=by_rave()).record()["rave"] == 1
    assert Recipe("a", backup=rave_weight()).record()["rave"] == 1
    assert Recipe("a", selection=uct(), backup=average()).record()["rave"] == 0


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_a_search_survives_what_is_no_number(bad: float) -> None:
    @selection(first_play=None)
    def lost(value):
        return value * bad

    @backup
    def confused(mean):
        return mean * bad

    @child_weight
    def weighs(visits):
        return visits * bad

    for recipe in (
        Recipe("a", selection=lost()),
        Recipe("b", backup=confused()),
        Recipe("c", backup=weighs()),
    ):
        search = LocalSearch(recipe, memory_mb=4)
        found = search.run(Position.start(5), Budget(simulations=200))
        assert found.simulations == 200
        assert np.isfinite(search.pool[ROOT : search.nodes]["value"]).all()
        assert -1 <= found.value <= 1


def test_an_exception_cannot_stop_a_search() -> None:
    @selection
    def raises(value, visits):
        if visits > 3:
            raise ValueError("enough")
        return value

    @child_weight
    def fails(visits):
        if visits > 3:
            raise ValueError("enough")
        return visits

    for recipe in (Recipe("a", selection=raises()), Recipe("b", backup=fails())):
        search = LocalSearch(recipe, memory_mb=4)
        found = search.run(Position.start(5), Budget(simulations=500))
        assert found.simulations == 500
        assert -1 <= found.value <= 1


def test_two_threads_may_use_a_rule() -> None:
    search = LocalSearch(replace(MONTEGO, selection=mixture(), backup=average()), threads=2)
    search.run(Position.start(9), Budget(simulations=2000))
    assert search.root_visits == 2000
    assert sum(int(c["visits"]) for c in children(search)) == 2000


# --- as values -------------------------------------------------------------------------


def test_a_rule_is_a_value_like_any_other() -> None:
    assert repr(uct(c=0.3)).endswith("uct(c=0.3, first_play=1000.0)")
    assert uct() == uct(c=0.7) != uct(c=0.3)
    assert uct.__doc__ == "UCT once more."
    assert uct.function(0.5, 4, 1.0) == pytest.approx(0.5 + 0.7 * 0.5)
    recipe = Recipe("mine", selection=uct(), backup=minimax())
    assert recipe.parameters()["selection.c"] == 0.7
    changed = recipe.with_parameters({"selection.c": "-2", "backup.by_score": "no"})
    assert changed.selection == uct(c=-2.0)
    assert changed.backup == minimax(by_score=False)
    assert pickle.loads(pickle.dumps(changed)) == changed
    for wrong in (nan, inf):
        with pytest.raises(ValueError, match="c has to be between"):
            uct(c=wrong)


def test_an_integer_default_is_a_number() -> None:
    @selection
    def whole(value, c=1):
        return value + c

    assert whole(c=0.5).c == 0.5
    assert Recipe("a", selection=whole()).with_parameters({"selection.c": "0.5"})


def test_a_rule_is_compiled_anew_when_its_constant_changes() -> None:
    space: dict[str, Any] = {}
    exec("WORTH = 1.0\ndef rule(place): return WORTH * place\n", space)
    first, position = selection(space["rule"], first_play=None), Position.start(5)
    space["WORTH"] = -1.0
    second = selection(space["rule"], first_play=None)
    assert first.address != second.address
    trees = [tree(Recipe("a", selection=rule()), position, 50) for rule in (first, second, first)]
    assert trees[0] == trees[2] != trees[1]


def test_what_is_compiled_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(value, visits, c=0.25):
        return value + c / visits

    selection(rule)
    monkeypatch.setattr(OwnEntry, "_compile", lambda *_: pytest.fail("compiled again"))
    selection(rule)


# --- mistakes --------------------------------------------------------------------------


def misspelt(value, visit):
    return value


def like_nothing(xyz):
    return xyz


def with_a_default(value, visits=3):
    return value


def of_text(value, c="x"):
    return value


def of_truth(value, c=True):
    return value


def any_number(*values):
    return 0.0


def by_keyword(value, *, c=1.0):
    return value


def called_badly(value, numbers=1.0):
    return value


def with_first_play(value, first_play=1.0):
    return value


def returns_nothing(value):
    value + 1


def returns_a_list(value):
    return [value]


def no_such_name(value):
    return value + undefined  # type: ignore[name-defined]  # noqa: F821


def plain(value: float) -> float:
    return value


def calls_a_plain_function(value):
    return plain(value)


@pytest.mark.parametrize(
    ("function", "line", "reason"),
    [
        (misspelt, 0, "the search has no number 'visit'; did you mean 'visits'?"),
        (like_nothing, 0, "the search has no number 'xyz'; there are value, visits, "),
        (with_a_default, 0, "visits is told by the search: no default"),
        (of_text, 0, "c is no number: 'x'"),
        (of_truth, 0, "c is no number: True"),
        (any_number, 0, "its arguments are plain names, and not *values"),
        (by_keyword, 0, "its arguments are plain names, and not c=1.0"),
        (called_badly, 0, "a parameter cannot be called numbers"),
        (with_first_play, 0, "first_play is set in the decorator: no parameter"),
        (returns_nothing, 0, "it returns nothing, and not a number"),
        (returns_a_list, 1, "it may not allocate: no lists, no new arrays, no text"),
        (no_such_name, 1, "name 'undefined' is not defined"),
        (calls_a_plain_function, 1, "plain is a plain Python function: put numba.njit over it"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, FunctionType) else "",
)
def test_what_is_no_rule_is_told_in_one_line(
    function: Any, line: int, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuleError) as caught:
        selection(function)
    told = str(caught.value)
    place = f"{__file__}:{function.__code__.co_firstlineno + line}"
    assert told.startswith(f"{place}: {function.__name__}: {reason}")
    assert "\n" not in told


@pytest.mark.parametrize("decorator", [selection, backup, child_weight])
def test_only_functions_are_rules(decorator: Callable[[Any], Any]) -> None:
    for wrong in (3, "x", len, Position):
        with pytest.raises(RuleError, match="a rule is a function, not"):
            decorator(wrong)


def test_a_recipe_takes_values_and_not_functions() -> None:
    with pytest.raises(ValueError, match=r"selection of 'mine': write uct\(\), a value"):
        Recipe("mine", selection=uct)
    with pytest.raises(ValueError, match="backup of 'mine': plain is no rule yet: decorate it"):
        Recipe("mine", backup=plain)  # type: ignore[arg-type]


def test_a_backup_has_numbers_of_its_own() -> None:
    def of_a_child(rave_value):
        return rave_value

    with pytest.raises(RuleError, match="no number 'rave_value'; did you mean 'best_value'"):
        backup(of_a_child)


def test_too_many_parameters() -> None:
    names = ", ".join(f"p{i}=0.0" for i in range(OWN_NUMBERS + 1))
    space: dict[str, Any] = {}
    exec(f"def rule(value, {names}): return value", space)
    with pytest.raises(RuleError, match="more than 16 parameters"):
        selection(space["rule"])
    assert len(inspect.signature(space["rule"]).parameters) == 18
