"""What the user's code returns and what it should not; see tests/attack for random cases."""

from __future__ import annotations

import math
import time
from decimal import Decimal
from itertools import count, repeat
from typing import Any

import pytest

from montego.planning import (
    Chance,
    CycleError,
    Grammar,
    ObjectiveError,
    PlanningError,
    ProblemError,
    Sampled,
    SubstructureError,
    TagSettings,
    Widening,
    alpha_beta,
    derive,
    estimate,
    flat_monte_carlo,
    mcts,
    minimax,
    nested,
    nrpa,
    optimise,
    shortest_path,
    solve,
)

SEARCHES: tuple[Any, ...] = (
    lambda problem: mcts(problem, (), evaluations=50),
    lambda problem: flat_monte_carlo(problem, (), evaluations=50),
    lambda problem: alpha_beta(problem, ()),
    lambda problem: nested(problem, (), 1, evaluations=50),
    lambda problem: nrpa(problem, (), 1, evaluations=50),
    lambda problem: solve(problem, ()),
)


class Digits:
    """Two digits; what is exchanged is wrong."""

    def __init__(self, **answers: Any) -> None:
        for name, answer in answers.items():
            setattr(self, name, answer)

    def actions(self, state: Any) -> Any:
        return [0, 1]

    def apply(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> Any:
        return len(state) == 2

    def reward(self, state: Any) -> Any:
        return 1.0


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"reward": lambda state: None}, "the reward None is not a number"),
        ({"reward": lambda state: "3"}, "the reward '3' is not a number"),
        ({"reward": lambda state: 1j}, "the reward 1j is not a number"),
        ({"reward": lambda state: 10**400}, "the reward 1000.* is not a number"),
        ({"reward": lambda state: math.nan}, "the reward is nan"),
        ({"reward": lambda state: Decimal("Infinity")}, "the reward is inf"),
        ({"step": lambda *step: None}, "the reward of the action . None is not a number"),
        ({"actions": lambda state: None}, "the actions are not a list"),
        ({"actions": lambda state: count()}, "the actions are more than 1,000,000, or endless"),
        ({"actions": lambda state: []}, "no actions"),
        ({"actions": 3}, "actions is a method, not 3"),
        ({"bounds": (0, None)}, "bounds are a lowest and a highest number"),
        ({"bounds": (1, 0)}, "bounds are a lowest and a highest number"),
        ({"discount": "1"}, "the discount '1' is not above 0"),
        ({"longest": 0}, "longest is a number of actions, not 0"),
    ],
)  # fmt: skip
def test_every_search_names_what_is_wrong(search: Any, answers: Any, told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        search(Digits(**answers))


def test_a_player_and_a_playout_of_the_wrong_kind() -> None:
    for player in (None, 2, "0"):
        with pytest.raises(ProblemError, match="the player is 0 or 1, not"):
            mcts(Digits(player=lambda state: player), (), evaluations=5)  # noqa: B023
    for answer, told in (
        (None, "a playout is a reward and actions, not None"),
        ((None, []), "the reward None is not a number"),
        ((1.0, None), "the actions of a playout are not a list"),
        ((1.0, count()), "no end after 10,000 actions"),
    ):
        with pytest.raises(ProblemError, match=told):
            mcts(Digits(playout=lambda state, rng: answer), (), evaluations=5)  # noqa: B023
    with pytest.raises(ProblemError, match="stopped before its end"):
        nested(Digits(playout=lambda state, rng: (9.0, [])), (), 1, evaluations=50)


@pytest.mark.parametrize(
    "outcomes",
    [None, 3, [1], [(1,)], [(None, 0)], [("1", 0)], [(2, 0)], [(0.5, 0)], [(math.nan, 0)],
     repeat((1.0, 0)), []],
)  # fmt: skip
def test_chances_that_are_none(outcomes: Any) -> None:
    with pytest.raises(ProblemError):
        Chance(outcomes)


def test_nature_that_draws_nature() -> None:
    def endless(rng: Any) -> Sampled:
        return Sampled(endless)

    for search in SEARCHES[:2]:
        with pytest.raises(ProblemError, match="nature moves more than 10,000 times"):
            search(Digits(apply=lambda state, action: Sampled(endless)))
    deep: Any = (0, 0)
    for _ in range(5000):
        deep = Chance([(1.0, deep)])
    for search in (SEARCHES[0], SEARCHES[2], SEARCHES[5]):
        search(Digits(apply=lambda state, action: deep))
    with pytest.raises(ProblemError, match="drawn by a function"):
        Sampled(3)  # type: ignore[arg-type]


def test_a_level_above_all_moves_ends_with_the_budget() -> None:
    found = nested(Digits(is_terminal=lambda state: len(state) == 8), (), 99, evaluations=500)
    assert (found.evaluations, found.stopped) == (500, "budget")


@pytest.mark.parametrize(
    "request_",
    [
        lambda: mcts(Digits(), (), evaluations="5"),  # type: ignore[arg-type]
        lambda: mcts(Digits(), (), seconds=10**400),
        lambda: mcts(Digits(), (), evaluations=5, progress=3),  # type: ignore[arg-type]
        lambda: mcts(Digits(), (), evaluations=5, bandit=None),  # type: ignore[arg-type]
        lambda: Widening(math.inf),
        lambda: nested(Digits(), (), level="1"),  # type: ignore[arg-type]
        lambda: nested(Digits(), (), goal=math.nan),
        lambda: nrpa(Digits(), (), iterations=0, evaluations=5),
        lambda: nrpa(Digits(), (), alpha=math.nan),
        lambda: minimax(Digits(heuristic=len), (), depth=1.5),  # type: ignore[arg-type]
        lambda: estimate(lambda rng: None, evaluations=5),  # type: ignore[arg-type, return-value]
        lambda: optimise({0: [1]}, float, timeout=-1),
        lambda: optimise({0: [1]}, float, settings=TagSettings(s=1.5)),  # type: ignore[arg-type]
        lambda: optimise({0: [1]}, 3),  # type: ignore[arg-type]
        lambda: optimise({0: None}, float),
        lambda: optimise({0: repeat(1)}, float),
        lambda: optimise((0, lambda vertex: count()), float),
        lambda: optimise(([], lambda vertex: []), float),
        lambda: shortest_path(None, 0, 1),  # type: ignore[arg-type]
    ],
)
def test_requests_that_make_no_sense(request_: Any) -> None:
    with pytest.raises(PlanningError):
        request_()


def test_large_weights_are_no_overflow() -> None:
    assert nrpa(Digits(), (), 2, iterations=10, alpha=1e6).value == 1.0


def test_objectives_of_the_wrong_kind() -> None:
    for bad in (None, 1j, 10**400, "x"):
        with pytest.raises(ObjectiveError, match="not a number"):
            optimise({0: [1, 2]}, lambda sink: bad)  # type: ignore[arg-type, return-value]  # noqa: B023
        with pytest.raises(PlanningError, match="is not a number"):
            derive(Grammar({0: [[1]]}, 0), lambda word: bad)  # type: ignore[arg-type, return-value]  # noqa: B023
        with pytest.raises(SubstructureError, match="has length"):
            shortest_path({0: {1: bad}}, 0, 1)  # type: ignore[dict-item]


# --- graphs and grammars ---------------------------------------------------------------


def test_graphs_without_an_end() -> None:
    begin = time.monotonic()
    study = optimise((0, lambda vertex: [vertex + 1]), float, seconds=0.2)
    assert time.monotonic() - begin < 5
    assert (study.stopped, study.trials) == ("budget", [])
    with pytest.raises(ProblemError, match="no sink after 100,000 edges from: 1"):
        optimise((0, lambda vertex: [vertex + 1]), float, evaluations=1)
    with pytest.raises(CycleError):
        optimise((0, lambda vertex: [(vertex + 1) % 3]), float, evaluations=1)


def test_deep_grammars() -> None:
    rules: dict[Any, Any] = {level: [[level + 1], ["x"]] for level in range(20_000)}
    grammar = Grammar(rules | {20_000: [["y"]]}, 0)
    assert grammar.count() == 20_001
    assert derive(grammar, lambda word: word == ("y",)).word == ("y",)
    with pytest.raises(CycleError):
        Grammar(rules | {20_000: [[0]]}, 0)


def test_grammars_whose_words_have_no_end() -> None:
    doubling: dict[Any, Any] = {level: [[level + 1] * 2] for level in range(60)}
    grammar = Grammar(doubling | {60: [["x"], ["y"]]}, 0, leftmost=True)
    with pytest.raises(PlanningError, match="more derivations than"):
        grammar.count()
    with pytest.raises(PlanningError, match="a word of more than 100,000 symbols"):
        derive(grammar, len)
    begin = time.monotonic()
    optimise(grammar, len, seconds=0.2)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("rules", [None, [], {0: None}, {0: [None]}, {0: [3]}, {0: [[[]]]},
                                   {0: repeat([1])}, {0: [repeat(1)]}, {0: []}])  # fmt: skip
def test_rules_that_are_none(rules: Any) -> None:
    with pytest.raises(PlanningError):
        Grammar(rules, 0)
