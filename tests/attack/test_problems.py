"""Problems, graphs and grammars with something wrong in them: each is answered by a typed error.

A search that does not meet what is wrong may have an answer.  None may crash, hang, or let an
exception through that is not of this library, and no message has more than one line.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import count, repeat
from random import Random
from typing import Any

import pytest

from montego.planning import (
    BANDITS,
    Chance,
    Grammar,
    PlanningError,
    Sampled,
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
    value_iteration,
)
from tests.attack.conftest import Attack

pytestmark = pytest.mark.attack
PROBLEMS, GRAPHS, SECONDS = 480, 480, 30
NO_NUMBERS: tuple[Any, ...] = (
    None, "", "3", b"3", 1j, math.nan, math.inf, -math.inf, 10**400, -(10**400), [], {}, object(),
    Decimal("NaN"), (1, 2),
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (0, -1, 1e300, -1e300, 1e-300, 2**60, True, Decimal("0.5"))


class Sound:
    """Four digits, and how long they are to read.  Sound, unless an answer is exchanged."""

    START: Any = ()

    def actions(self, state: Any) -> Any:
        return [0, 1, 2]

    def apply(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> Any:
        return len(state) == 4

    def reward(self, state: Any) -> Any:
        return len(repr(state)) % 7


def deep(levels: int = 5000) -> Chance:
    chance = Chance([(1.0, ())])
    for _ in range(levels):
        chance = Chance([(1.0, chance)])
    return chance


def endless(rng: Random) -> Sampled:
    return Sampled(endless)


def wrong_chance(rng: Random) -> Any:
    bad = rng.choice((*NO_NUMBERS, -0.5, 2, 0.9))
    many: Any = repeat((1.0, (0,)))
    return rng.choice((
        lambda: Chance([(bad, (0,)), (0.5, (1,))]), lambda: Chance([(bad, (0,))]),
        lambda: Chance(bad), lambda: Sampled(bad), lambda: Chance(many),
        deep, lambda: Sampled(endless), lambda: Chance([]), lambda: Chance([(1.0,)]),  # type: ignore[list-item]
    ))()  # fmt: skip


def fault(rng: Random) -> dict[str, Any]:
    """A method or an attribute with another answer."""
    bad = rng.choice(NO_NUMBERS)
    odd = rng.choice((*NO_NUMBERS, *NUMBERS))
    drawn = Random(rng.getrandbits(32))
    options: tuple[dict[str, Any], ...] = (
        {"reward": lambda state: bad},
        {"reward": lambda state: odd},
        {"reward": lambda state: drawn.choice((*NUMBERS, bad))},
        {"actions": lambda state: rng.choice((bad, []))},
        {"actions": lambda state: count()},
        {"actions": lambda state: repeat(0)},
        {"actions": lambda state: [[], {}]},
        {"apply": lambda state, action: wrong_chance(drawn)},
        {"apply": lambda state, action: state},
        {"is_terminal": lambda state: False},
        {"step": lambda state, action, after: bad},
        {"step": lambda state, action, after: odd},
        {"player": lambda state: bad},
        {"heuristic": lambda state: bad},
        {"key": lambda state: []},
        {"code": lambda state, action: []},
        {"playout": lambda state, rng: bad},
        {"playout": lambda state, rng: (bad, [])},
        {"playout": lambda state, rng: (1.0, count())},
        {"playout": lambda state, rng: (1.0, bad)},
        {"sample_action": lambda state, rng: []},
        {"discount": odd},
        {"bounds": odd},
        {"bounds": (bad, 1)},
        {"bounds": (1, bad)},
        {"bounds": (3, 4)},
        {"longest": odd},
        {rng.choice(("reward", "actions", "apply", "is_terminal")): bad},
    )
    return rng.choice(options)


def bad_problem(rng: Random) -> Any:
    problem = Sound()
    for _ in range(rng.choice((1, 1, 2))):
        for name, answer in fault(rng).items():
            setattr(problem, name, answer)
    return problem


Search = Callable[[Any, Random], Any]
SEARCHES: tuple[Search, ...] = (
    lambda p, rng: mcts(
        p, (), evaluations=60, bandit=rng.choice([*BANDITS]), solver=rng.random() < 0.5,
        transpositions=rng.random() < 0.3, backup=rng.choice(("mean", "best")),
        widening=rng.choice((None, Widening())),
    ),
    lambda p, rng: flat_monte_carlo(p, (), evaluations=40, bandit=rng.choice([*BANDITS])),
    lambda p, rng: minimax(p, (), seconds=5),
    lambda p, rng: alpha_beta(p, (), seconds=5, seed=rng.choice((None, 1))),
    lambda p, rng: nested(p, (), rng.choice((1, 2)), evaluations=60),
    lambda p, rng: nrpa(p, (), 2, iterations=5, evaluations=60, alpha=rng.choice((1.0, 1e6))),
    lambda p, rng: solve(p, (), seconds=5, states=5_000),
    lambda p, rng: value_iteration(p, (), seconds=5, states=5_000, sweeps=100),
)  # fmt: skip


@contextmanager
def in_time() -> Iterator[None]:
    """What hangs is a failure, not a hang."""

    def ring(*unused: object) -> None:
        raise AssertionError(f"no answer after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def is_refused(work: Callable[[], Any]) -> bool:
    """Whether it ends with an error of this library; any other goes through."""
    try:
        with in_time():
            work()
    except PlanningError as error:
        check_line(error)
        return True
    return False


def check_line(error: Exception) -> None:
    assert "\n" not in str(error)
    assert len(str(error)) < 1_000


def test_problems(attack: Attack) -> None:
    refused = 0
    for number in attack.steps(PROBLEMS):
        rng = attack.random
        problem, search = bad_problem(rng), SEARCHES[number % len(SEARCHES)]
        refused += is_refused(lambda: search(problem, rng))  # noqa: B023 - called at once
    assert refused > attack.done / 3
    attack.tell(f"bad problems, {refused} refused")


# --- graphs, grammars and the rest -----------------------------------------------------


def chain(levels: int) -> dict[Any, Any]:
    return {level: [[level + 1]] for level in range(levels)} | {levels: [["x"]]}


def doubling(levels: int) -> dict[Any, Any]:
    rules: dict[Any, Any] = {level: [[level + 1, level + 1]] for level in range(levels)}
    return rules | {levels: [["x"], ["y"]]}


def bad_graph(rng: Random) -> Callable[[], Any]:
    bad = rng.choice(NO_NUMBERS)
    number = rng.choice((*NO_NUMBERS, *NUMBERS))
    budget: Any = {
        rng.choice(("evaluations", "seconds", "timeout", "workers")): rng.choice(NO_NUMBERS[1:])
    }
    settings: Any = {rng.choice(("s", "alpha", "delta", "elite")): rng.choice(NO_NUMBERS[1:])}
    rules: Any = rng.choice((chain(20_000), doubling(60), {0: bad}, {0: [bad]}, {0: [[bad], [0]]},
                         {0: repeat([1])}, {0: [repeat(1)]}, bad))  # fmt: skip
    return rng.choice((
        lambda: optimise({0: [1, 2]}, lambda sink: bad, evaluations=5),
        lambda: optimise({0: [1, 2]}, lambda sink: number, evaluations=5, catch=ValueError),
        lambda: optimise({0: [1, 2]}, bad, evaluations=5),
        lambda: optimise({0: bad}, float, evaluations=5),
        lambda: optimise({0: [1, bad]}, lambda sink: 1.0, evaluations=5),
        lambda: optimise(bad, float, evaluations=5),
        lambda: optimise((bad, lambda vertex: []), lambda sink: 1.0, evaluations=5),
        lambda: optimise((0, lambda vertex: bad), float, evaluations=5),
        lambda: optimise((0, lambda vertex: [vertex + 1]), float, seconds=0.5),
        lambda: optimise((0, lambda vertex: [vertex + 1]), float, evaluations=5),
        lambda: optimise((0, lambda vertex: [1 - vertex]), float, evaluations=5),
        lambda: optimise((0, lambda vertex: count()), float, seconds=0.5),
        lambda: optimise({0: [1, 2]}, float, **{"evaluations": 5} | budget),
        lambda: optimise({0: [1, 2]}, float, evaluations=5, settings=TagSettings(**settings)),
        lambda: optimise(Grammar(rules, 0, leftmost=True), len, seconds=0.5),
        lambda: Grammar(rules, 0).count(),
        lambda: derive(Grammar(rules, 0), lambda word: number),
        lambda: shortest_path({0: {1: bad}, 1: {}}, 0, 1),
        lambda: shortest_path(rng.choice((bad, {0: bad})), 0, 1),
        lambda: estimate(lambda rng: bad, evaluations=5),
        lambda: estimate(lambda rng: 1.0, evaluations=bad or -1),
        lambda: estimate(lambda rng: 1.0, seconds=bad or -1),
        lambda: nested(Sound(), (), level=bad, evaluations=5),
        lambda: nrpa(Sound(), (), 1, iterations=bad, evaluations=5),
        lambda: nrpa(Sound(), (), 1, alpha=bad, evaluations=5),
        lambda: minimax(Sound(), (), depth=bad or -1),
        lambda: mcts(Sound(), (), evaluations=5, bandit=bad),
        lambda: mcts(Sound(), (), evaluations=5, widening=Widening(bad, bad)),
        lambda: mcts(Sound(), (), evaluations=5, backup=bad),
    ))  # fmt: skip


def test_graphs(attack: Attack) -> None:
    refused = 0
    for _ in attack.steps(GRAPHS):
        refused += is_refused(bad_graph(attack.random))
    assert refused > attack.done / 3
    attack.tell(f"bad graphs and requests, {refused} refused")
