"""A game as people see it: moves and mistakes, undo, komi, results."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    BadRules,
    BadSize,
    GoError,
    IllegalMove,
    MalformedColor,
    MalformedMove,
    NothingToUndo,
    Position,
    Reason,
    Rules,
    vertex,
)
from montego.kernels.board.board import play
from tests.go.boards import KO, ONE_POINT, SENDING_TWO, played

# --- wrong moves ----------------------------------------------------------------------------

WRONG_MOVES = [
    ("A4", Reason.SUICIDE, "A4 would be suicide"),
    ("B4", Reason.OCCUPIED, "B4 is occupied by White"),
    ("E1", Reason.OFF_BOARD, "E1 lies off the 4x4 board"),
    ("a9", Reason.OFF_BOARD, "A9 lies off the 4x4 board"),
    (-1, Reason.OFF_BOARD, "point -1 lies off the 4x4 board"),
    (10**30, Reason.OFF_BOARD, "lies off the 4x4 board"),
    (21, Reason.OFF_BOARD, "point 21 lies off the 4x4 board"),
]


@pytest.mark.parametrize(("move", "reason", "told"), WRONG_MOVES)
def test_illegal_moves_say_why_and_change_nothing(
    move: str | int, reason: Reason, told: str
) -> None:
    position = Position.from_diagram(ONE_POINT)
    before = position.board_copy().tobytes()
    with pytest.raises(IllegalMove, match=told) as error:
        position.play(move)
    assert error.value.reason == reason
    assert position.board_copy().tobytes() == before
    assert not position.is_legal(move)


@pytest.mark.parametrize(
    "move", ["", "D", "4", "I1", "D04", "D4x", "resign", "D٣", "DD4", 1.5, None]
)
def test_malformed_moves(move: object) -> None:
    position = Position.start()
    before = position.board_copy().tobytes()
    with pytest.raises(MalformedMove):
        position.play(move)  # type: ignore[arg-type]
    assert position.board_copy().tobytes() == before


@pytest.mark.parametrize("color", ["", "x", "blackish", 0, 3, 1.5])
def test_malformed_colors(color: object) -> None:
    with pytest.raises(MalformedColor):
        Position.start().play("D4", color)  # type: ignore[arg-type]


def test_all_errors_are_value_errors() -> None:
    assert issubclass(GoError, ValueError)
    for error in (BadSize, MalformedMove, MalformedColor, IllegalMove, NothingToUndo):
        assert issubclass(error, GoError)


# --- a game ---------------------------------------------------------------------------------


def test_a_new_game() -> None:
    position = Position.start()
    assert (position.size, position.komi, position.to_play) == (9, 7.5, BLACK)
    assert (position.key, position.moves, position.last, position.ko) == (0, [], None, None)
    assert position.parent is None
    assert not position.is_over
    assert len(position.legal()) == 81


@pytest.mark.parametrize("size", [-1, 0, 1, 20, 100])
def test_sizes_that_cannot_be_played(size: int) -> None:
    with pytest.raises(BadSize):
        Position.start(size)


def test_moves_in_and_out_of_turn_are_remembered() -> None:
    position = Position.start(5).play("C3").play("d4", "b").play("pass").play(22, "White")
    names = [(color, vertex(point, 5)) for color, point in position.moves]
    assert names == [(BLACK, "C3"), (BLACK, "D4"), (WHITE, "pass"), (WHITE, "A5")]
    assert position.to_play == BLACK
    assert position.last == 22
    assert [vertex(p, 5) for p in position.stones("black")] == ["D4", "C3"]


def test_two_passes_end_the_game_but_it_may_go_on() -> None:
    position = Position.start(5).play("pass")
    assert not position.is_over
    position = position.play(PASS)
    assert position.is_over
    assert not position.play("C3").is_over


def test_undo_leads_back_to_the_start() -> None:
    start = Position.start(5)
    first = start.play("C3")
    second = first.play("C4")
    assert second.undo() is first
    assert second.undo().undo() is start
    with pytest.raises(NothingToUndo):
        start.undo()


def test_undo_keeps_the_komi() -> None:
    position = Position.start(5).play("C3").with_komi(0.5)
    assert position.moves == [(BLACK, 66)]
    assert position.undo().komi == 0.5
    assert position.undo().diagram() == Position.start(5).diagram()


def test_kernels_cannot_damage_a_position() -> None:
    position = Position.start(5)
    board = position.board_copy()
    play(board[0], 22)
    position.history()[:] = 1
    position.owner()[:] = BLACK
    assert position.color_at("A5") == EMPTY
    assert position.is_legal("A5")
    assert position.diagram() == Position.start(5).diagram()


def test_branches_of_a_game_do_not_see_each_other() -> None:
    root = played(Position.from_diagram(SENDING_TWO), "C5 A5")
    other = root.play("E5").play("E4")
    assert root.why_illegal("B5") is not None
    assert other.parent is not None
    assert other.parent.parent is root
    assert len(other.history()) == len(root.history()) + 2


def test_positions_are_equal_only_to_themselves() -> None:
    one, other = Position.start(5), Position.start(5)
    assert one != other
    assert len({one, other, one}) == 2


def test_a_long_game_can_be_played_and_forgotten() -> None:
    position = Position.start(2, Rules(superko="simple"))
    for _ in range(3000):
        position = position.play("pass")
    assert len(position.moves) == 3000


@pytest.mark.parametrize(
    ("komi", "result"), [(7.5, "W+7.5"), (0, "0"), (-3.5, "B+3.5"), (1, "W+1"), (-25, "B+25")]
)
def test_results(komi: float, result: str) -> None:
    assert Position.start(5, Rules(komi=komi)).result() == result


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), -float("inf")])
def test_komi_is_finite(komi: float) -> None:
    with pytest.raises(BadRules):
        Position.start().with_komi(komi)


def test_owner_has_its_first_row_on_top() -> None:
    owner = Position.from_diagram(". X . O .\n X X . O O" + "\n. . . . ." * 3).owner()
    assert owner.shape == (5, 5)
    assert owner[0].tolist() == [BLACK, BLACK, EMPTY, WHITE, WHITE]
    assert owner[1].tolist() == [BLACK, BLACK, EMPTY, WHITE, WHITE]
    assert not np.any(owner[2:])


def test_the_first_position_of_a_game() -> None:
    start = Position.start(5)
    assert start.first is start
    assert start.play("A1").play("B1").first is start


def test_another_player_to_move() -> None:
    position = Position.start(5).play("A1").play("pass").play("pass")
    assert position.is_over
    turned = position.with_to_play("black")
    assert (turned.to_play, turned.is_over, turned.parent) == (BLACK, False, None)
    assert turned.diagram() == position.diagram()
    assert not turned.play("B1").undo().is_over
    assert position.is_over


def test_a_ko_binds_only_the_player_it_was_laid_on() -> None:
    position = Position.from_diagram(KO).play("C3")
    assert position.ko is not None
    assert position.with_to_play(position.to_play).ko == position.ko
    assert position.with_to_play(BLACK).ko is None
