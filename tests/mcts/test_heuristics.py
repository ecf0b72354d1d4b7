"""A heuristic of one's own, at native speed."""

from __future__ import annotations

import pytest

from montego.go import Position
from montego.go.points import parse_vertex
from montego.kernels.tactics import stones_captured
from montego.mcts.heuristics import Heuristic, heuristic
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


def test_a_function_that_numba_cannot_compile_says_so_at_once() -> None:
    with pytest.raises(Exception, match=r"undefined|Untyped|NameError"):

        @heuristic
        def broken(board, point, color):
            return no_such_name  # type: ignore[name-defined]  # noqa: F821
