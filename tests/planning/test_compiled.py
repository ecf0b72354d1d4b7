"""Problems of a user's own kernels: what is wrong with them, in one line."""

from __future__ import annotations

import os
from random import Random
from traceback import format_exception
from typing import Any

import numpy as np
import pytest

from montego.kernels.jit import kernel
from montego.planning import KernelError, PlanningError
from montego.planning.compiled import Compiled

STATE = np.dtype([("steps", np.int64), ("total", np.int64)])


@kernel
def moves(S, room, at):
    if S.steps == 2:
        return 0
    room[at] = 1
    room[at + 1] = 2
    return 2


@kernel
def play(S, move):
    S.steps += 1
    S.total += move


@kernel
def score(S):
    return float(S.total)


def plain(S):
    return 1.0


@kernel
def unknown_field(S):
    return float(S.totla)


@kernel
def two_arguments(S, move):
    return 1.0


@kernel
def forgets_to_return(S):
    S.total  # noqa: B018


@kernel
def allocates(S):
    return np.zeros(3).sum() + S.total


@kernel
def unknown_name(S):
    return no_such_name  # type: ignore[name-defined]  # noqa: F821


@kernel
def half_a_move(S, room, at):
    return 1.5


def problem(**changes: Any) -> Compiled:
    parts = {"moves": moves, "play": play, "score": score} | changes
    return Compiled("steps", STATE, **parts, longest=5, widest=3)


def start() -> Any:
    return np.zeros(1, STATE)[0]


@pytest.mark.parametrize(
    ("role", "wrong", "line", "reason"),
    [
        ("score", unknown_field, 2, "S has no field 'totla'; did you mean 'total'?"),
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
    with pytest.raises(KernelError, match="score: plain is no kernel: put @kernel over it"):
        problem(score=plain)
    with pytest.raises(KernelError, match="moves: 3 is no kernel"):
        problem(moves=3)
    with pytest.raises(KernelError, match=r"two_arguments: it takes \(S, move\), and not \(S\)"):
        problem(score=two_arguments)
    assert issubclass(KernelError, PlanningError)


def test_kernels_that_were_typed_in_have_no_source_and_work() -> None:
    own = {"kernel": kernel}
    exec("@kernel\ndef score(S):\n    return S.total * 10.0\n", own)
    total, line, _ = problem(score=own["score"]).nested(start(), 1, Random(1))
    assert (total, line) == (40.0, [2, 2])
