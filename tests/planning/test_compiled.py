"""Problems of a user's own kernels: what is wrong with them, and what they depend on."""

from __future__ import annotations

import os
import sys
import threading
from random import Random
from traceback import format_exception
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from montego.kernels.compiler.jit import kernel
from montego.planning import KernelError, PlanningError, ProblemError, nested, nrpa
from montego.planning.compiled import Compiled

STATE = np.dtype([("steps", np.int64), ("total", np.int64)])


@kernel
def moves(state, buffer, at):
    if state.steps == 2:
        return 0
    buffer[at] = 1
    buffer[at + 1] = 2
    return 2


@kernel
def play(state, move):
    state.steps += 1
    state.total += move


@kernel
def score(state):
    return float(state.total)


def plain(state):
    return 1.0


@kernel
def unknown_field(state):
    return float(state.totla)


@kernel
def two_arguments(state, move):
    return 1.0


@kernel
def forgets_to_return(state):
    state.total  # noqa: B018


@kernel
def allocates(state):
    return np.zeros(3).sum() + state.total


@kernel
def unknown_name(state):
    return no_such_name  # type: ignore[name-defined]  # noqa: F821


@kernel
def half_a_move(state, buffer, at):
    return 1.5


def problem(**changes: Any) -> Compiled:
    parts: dict[str, Any] = {"moves": moves, "play": play, "score": score} | changes
    return Compiled("steps", STATE, **parts, longest=5, widest=3)


def start() -> Any:
    return np.zeros(1, STATE)[0]


@pytest.mark.parametrize(
    ("role", "wrong", "line", "reason"),
    [
        ("score", unknown_field, 2, "state has no field 'totla'; did you mean 'total'?"),
        ("score", forgets_to_return, 0, "it returns nothing, and not a number"),
        ("score", allocates, 2, "it may not allocate"),
        ("score", unknown_name, 2, "name 'no_such_name' is not defined"),
        ("moves", half_a_move, 0, "it returns float64, and not a whole number"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_kernel_that_cannot_be_compiled(role: str, wrong: Any, line: int, reason: str) -> None:
    with pytest.raises(KernelError) as caught:
        problem(**{role: wrong}).nested(start(), 1, Random(1))
    told = str(caught.value)
    code = wrong.__wrapped__.__code__
    here = f"{os.getcwd()}{os.sep}"
    place = code.co_filename.removeprefix(here)
    assert told.startswith(f"{place}:{code.co_firstlineno + line}: ")
    assert f": {wrong.__name__}: {reason}" in told
    assert "\n" not in told
    assert len(format_exception(caught.value)) < 60


def test_what_is_no_kernel_is_told_before_anything_is_compiled() -> None:
    with pytest.raises(KernelError, match="score: plain is not a kernel: decorate it with @kernel"):
        problem(score=plain)
    with pytest.raises(KernelError, match="moves: 3 is not a kernel"):
        problem(moves=3)
    with pytest.raises(
        KernelError, match=r"two_arguments: it takes \(state, move\), and not \(state\)"
    ):
        problem(score=two_arguments)
    assert issubclass(KernelError, PlanningError)


def test_kernels_that_were_typed_in_have_no_source_and_work() -> None:
    own = {"kernel": kernel}
    exec("@kernel\ndef score(state):\n    return state.total * 10.0\n", own)
    total, line, _ = problem(score=own["score"]).nested(start(), 1, Random(1))
    assert (total, line) == (40.0, [2, 2])


# --- what compiled code depends on -----------------------------------------------------

SOURCE = """
import numba
import numpy as np
from montego.kernels.compiler.jit import kernel

FACTOR = 1
TABLE = np.array([1, 2, 3])

@kernel
def helper(x):
    return x * FACTOR

@numba.njit
def njitted(x):
    return x + FACTOR

@kernel
def by_helper(state):
    return float(helper(state.total))

@kernel
def by_njit(state):
    return float(njitted(state.total))

@kernel
def by_table(state):
    return float(TABLE[0])
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A user's module that can be changed."""
    made = ModuleType("of_a_user")
    exec(SOURCE, made.__dict__)
    monkeypatch.setitem(sys.modules, "of_a_user", made)
    return made


def best_of(score: Any) -> float:
    return problem(score=score).nested(start(), 1, Random(1))[0]


@pytest.mark.parametrize(("name", "before", "after"), [("by_helper", 4, 40), ("by_njit", 5, 14)])
def test_a_constant_of_a_helper_is_changed(
    module: Any, name: str, before: float, after: float
) -> None:
    assert best_of(getattr(module, name)) == before
    module.FACTOR = 10
    assert best_of(getattr(module, name)) == after
    module.FACTOR = 1
    assert best_of(getattr(module, name)) == before


def test_a_constant_of_another_module_is_changed(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "of_a_user", module)

    @kernel
    def by_module(state):
        return float(state.total * of_a_user.FACTOR)  # type: ignore[name-defined]  # noqa: F821

    assert best_of(by_module) == 4
    module.FACTOR = 3
    assert best_of(by_module) == 12


def test_an_array_is_changed(module: Any) -> None:
    assert best_of(module.by_table) == 1
    module.TABLE[0] = 7
    assert best_of(module.by_table) == 7


def test_helpers_are_written_anew(module: Any) -> None:
    assert best_of(module.by_helper) == 4
    exec("@kernel\ndef helper(x):\n    return x - FACTOR\n", module.__dict__)
    assert best_of(module.by_helper) == 3


def test_what_is_closed_over_and_defaults(module: Any) -> None:
    def times(factor: int) -> Any:
        @kernel
        def score(state):
            return float(state.total * factor)

        return score

    assert [best_of(times(factor)) for factor in (1, 2, 3)] == [4, 8, 12]
    found = []
    for factor in (1, 5):
        module.FACTOR = factor
        exec("@kernel\ndef f(state, factor=FACTOR):\n    return float(state.total * factor)\n",
             module.__dict__)  # fmt: skip
        found.append(best_of(module.f))
    assert found == [4, 20]


def test_the_sizes_of_a_problem_are_part_of_its_code() -> None:
    """The moves of its levels lie so many apart."""
    for longest, widest in ((2, 2), (50, 9)):
        one = Compiled("sizes", STATE, moves, play, score, longest=longest, widest=widest)
        assert one.nested(start(), 2, Random(1))[:2] == (4.0, [2, 2])


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (object(), "a object"),
        ({1: 2}, "a dict"),
        (np.zeros(200_000), "an array of more than a million bytes"),
        (np.zeros((8, 8))[::2, ::2], "or not in one piece"),
    ],
)
def test_objects_that_cannot_be_compared_are_refused(thing: Any, reason: str) -> None:
    @kernel
    def score(state):
        return float(thing[0])

    with pytest.raises(KernelError, match=f"score: compiled code cannot use thing, .*{reason}"):
        best_of(score)


# --- bounds and threads ----------------------------------------------------------------


@kernel
def one_move(state, buffer, at):
    buffer[at] = 1
    return 1 if state.steps < 1000 else 0


@kernel
def many_moves(state, buffer, at):
    if state.steps == 2:
        return 0
    for i in range(4):
        buffer[at + i] = i
    return 4


@kernel
def fewer_than_none(state, buffer, at):
    return -1


@kernel
def no_number(state):
    return np.nan


@kernel
def no_code(state, move):
    return 7


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"moves": one_move}, "a game of more than 5 moves"),
        ({"moves": many_moves}, "not 0 to 3 moves"),
        ({"moves": fewer_than_none}, "not 0 to 3 moves"),
        ({"score": no_number}, "the score is infinite or not a number"),
    ],
)
def test_a_problem_that_is_larger_than_it_says(changes: Any, reason: str) -> None:
    wrong = problem(codes=5, **changes)
    for level in (0, 1, 2):
        with pytest.raises(ProblemError, match=reason):
            wrong.nested(start(), level, Random(1))
    for search in (nested, nrpa):
        with pytest.raises(ProblemError, match=reason):
            search(wrong, start(), 2, evaluations=100)


def test_codes_and_states_that_are_none() -> None:
    with pytest.raises(ProblemError, match="a code is not below codes"):
        nrpa(problem(codes=3, code=no_code), start(), 2, evaluations=100)
    none: tuple[Any, ...] = (None, 3, np.zeros(1, [("steps", np.int64)])[0])
    for state in none:
        with pytest.raises(ProblemError, match="a state of this problem is a record"):
            problem().actions(state)
    for level in (-1, 3):
        with pytest.raises(PlanningError, match="levels 0 to 2"):
            problem().nested(start(), level, Random(1))


@pytest.mark.parametrize(
    "changes",
    [{"longest": 0}, {"longest": 10**12}, {"widest": -1}, {"widest": 2.5}, {"codes": None},
     {"name": ""}, {"name": None}, {"state": np.dtype(float)}, {"state": np.dtype([("a", "O")])}],
)  # fmt: skip
def test_sizes_that_make_no_sense(changes: Any) -> None:
    sane: dict[str, Any] = {"name": "a/b c", "state": STATE, "longest": 5, "widest": 3}
    with pytest.raises(PlanningError):
        Compiled(**sane | changes, moves=moves, play=play, score=score)
    assert not Compiled(**sane, moves=moves, play=play, score=score).is_terminal(start())


def test_memory_that_nobody_has() -> None:
    huge = Compiled("huge", STATE, moves, play, score, longest=10**6, widest=10**6, codes=3)
    with pytest.raises(PlanningError, match="no memory for longest 1,000,000"):
        nrpa(huge, start(), 2, evaluations=10)


def test_many_threads_use_one_problem() -> None:
    shared = problem()
    wrong: list[Any] = []

    def work(number: int) -> None:
        for seed in range(300):
            total, line, _ = shared.nested(start(), 2, Random(seed))
            state = start()
            for move in line:
                state = shared.apply(state, move)
            if (total, shared.reward(state), shared.actions(state)) != (4.0, 4.0, []):
                wrong.append((number, total, line))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
