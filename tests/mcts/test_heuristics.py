"""A heuristic of one's own, at native speed."""

from __future__ import annotations

from pathlib import Path
from traceback import format_exception
from types import FunctionType
from typing import Any

import pytest

from montego.go import Position
from montego.go.points import parse_vertex
from montego.kernels.board.tactics import stones_captured
from montego.mcts.heuristics import Heuristic, HeuristicError, heuristic
from montego.mcts.playouts import Orego, choose_moves, simulate
from tests.mcts.test_choices import check
from tests.positions import random_position


@heuristic
def towards_the_middle(board, point, color):
    """Prefer the centre of a 9x9 board."""
    return -abs(point // 21 - 5) - abs(point % 21 - 5)


@heuristic
def own_captures(board, point, color):
    return stones_captured(board, point, color)


def test_the_best_by_the_heuristic_is_played() -> None:
    position = Position.start(9)
    assert set(choose_moves(position, Orego(towards_the_middle, best_of=81), 20)) == {
        parse_vertex("E5", 9)
    }


def test_a_heuristic_may_call_kernels_and_equals_the_built_in_one() -> None:
    for seed in range(5):
        position = random_position(9, 50, seed)
        built_in, own = (
            choose_moves(position, Orego(h, best_of=6), 200) for h in ("capture", own_captures)
        )
        assert built_in == own
    one, two = (simulate(position, Orego(h), 100) for h in ("capture", own_captures))
    assert repr(one) == repr(two)


def test_it_can_be_tried_from_python() -> None:
    board = Position.start(9).board_copy()[0]
    assert towards_the_middle(board, parse_vertex("E5", 9), 1) == 0.0
    assert towards_the_middle(board, parse_vertex("E6", 9), 1) == -1.0
    assert isinstance(towards_the_middle, Heuristic)
    assert repr(towards_the_middle) == "heuristic(towards_the_middle)"
    assert "centre" in str(towards_the_middle.__doc__)


def test_a_constant_heuristic_is_uniform() -> None:
    @heuristic
    def indifferent(board, point, color):
        return 0

    position = Position.start(5)
    check(position, Orego(indifferent, best_of=3), dict.fromkeys(position.legal(), 1.0))


def test_nan_never_wins_but_a_move_is_still_made() -> None:
    @heuristic
    def not_a_number(board, point, color):
        return 0.0 / (color - color)

    position = Position.start(5)
    assert set(choose_moves(position, Orego(not_a_number), 50)) <= set(position.legal())


# --- mistakes --------------------------------------------------------------------------


def two_arguments(board, point):
    return 0


def unknown_field(board, point, color):
    value = 1
    return board.colour[point] + value


def field_like_no_other(board, point, color):
    return board.xyz


def text(board, point, color):
    return "good"


def forgets_to_return(board, point, color):
    board.color[point]


def forgets_sometimes(board, point, color):
    if point > 50:
        return 1.0
    return None


def pair(board, point, color):
    return 1, 2


def unknown_name(board, point, color):
    return no_such_name  # type: ignore[name-defined]  # noqa: F821


def plain_helper(board: Any) -> int:
    return 3


def calls_a_plain_function(board, point, color):
    return plain_helper(board)


def calls_a_kernel_wrongly(board, point, color):
    return stones_captured(board, point)


def opens_a_file(board, point, color):
    with open("x") as file:
        return len(file.read())


def imports(board, point, color):
    import random

    return random.random()


def bad_subscript(board, point, color):
    return board.color["E5"]


@pytest.mark.parametrize(
    ("function", "line", "reason"),
    [
        (two_arguments, 0, "it takes (board, point), and not (board, point, color)"),
        (unknown_field, 2, "board has no field 'colour'; did you mean 'color'?"),
        (field_like_no_other, 1, "board has no field 'xyz'; it has key, size, "),
        (text, 0, "it returns str, and not a number"),
        (forgets_to_return, 0, "it returns nothing, and not a number"),
        (forgets_sometimes, 0, "it returns nothing in some cases, and not a number"),
        (pair, 0, "it returns a tuple, and not a number"),
        (unknown_name, 1, "name 'no_such_name' is not defined"),
        (calls_a_plain_function, 1, "plain_helper is a plain Python function: put numba.njit over"),
        (calls_a_kernel_wrongly, 1, "a call of stones_captured: missing a required argument"),
        (opens_a_file, 0, "'with (context manager) as (variable):' construct is not supported"),
        (imports, 1, "it imports something; do that above it"),
        (bad_subscript, 1, "there is no getitem(array of uint8, str) in compiled code"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, FunctionType) else "",
)
def test_what_is_no_heuristic_is_told_in_one_line(
    function: Any, line: int, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HeuristicError) as caught:
        heuristic(function)
    told = str(caught.value)
    place = f"{__file__}:{function.__code__.co_firstlineno + line}"
    assert told.startswith(f"{place}: {function.__name__}: ")
    assert reason in told
    assert "\n" not in told
    assert len(told) < len(str(tmp_path)) + 400


def test_numbas_own_words_are_the_cause_without_its_frames() -> None:
    with pytest.raises(HeuristicError) as caught:
        heuristic(bad_subscript)
    cause = caught.value.__cause__
    assert type(cause).__module__.startswith("numba")
    assert "candidate implementations" in str(cause)
    assert "Record([" not in str(cause)
    shown = "".join(format_exception(caught.value))
    assert "site-packages/numba/core/dispatcher" not in shown
    assert shown.rstrip().endswith(str(caught.value))


def test_a_path_is_told_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent)
    with pytest.raises(HeuristicError, match=r"^test_heuristics\.py:\d+: text: "):
        heuristic(text)


def test_a_helper_is_compiled_anew_when_its_constant_changes() -> None:
    own: dict[str, Any] = {}
    code = "import numba\nWORTH = 1.0\n@numba.njit\ndef helper():\n    return WORTH\n"
    exec(code + "def value(board, point, color):\n    return helper()\n", own)
    board = Position.start(9).board_copy()[0]
    before = heuristic(own["value"])
    assert before(board, 30, 1) == 1.0
    own["WORTH"] = 2.0
    assert heuristic(own["value"])(board, 30, 1) == 2.0
    assert before(board, 30, 1) == 1.0  # what is compiled stays as it is


def test_defaults_are_allowed() -> None:
    @heuristic
    def with_a_default(board, point, color, scale=2.0):
        return scale * point

    assert with_a_default(Position.start(5).board_copy()[0], 30, 1) == 60.0


def test_a_function_without_its_decorator() -> None:
    with pytest.raises(HeuristicError, match="plain_helper is no heuristic yet: put @heuristic"):
        Orego(plain_helper)  # type: ignore[arg-type]
    others: list[Any] = ["soup", 3, None, []]
    for wrong in others:
        with pytest.raises(HeuristicError, match="unknown heuristic"):
            Orego(wrong)
    for no_function in (*others, len, Position):
        with pytest.raises(HeuristicError, match="a heuristic is a function, not"):
            heuristic(no_function)


def test_a_trial_with_the_wrong_board() -> None:
    position = Position.start(5)
    for wrong in (position, position.board_copy(), None):
        with pytest.raises(HeuristicError, match="takes a board record, such as"):
            towards_the_middle(wrong, 30, 1)
    with pytest.raises(TypeError, match="integer"):
        towards_the_middle(position.board_copy()[0], "C3", 1)  # type: ignore[arg-type]
