"""The board as it is drawn, and the signs of each kind of console."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from montego.go import BLACK, PASS, WHITE, Position, parse_move
from montego.terminal.board import (
    ASCII,
    COLORFUL,
    MONOCHROME,
    NUMBERS,
    area,
    columns_of,
    dead_stone,
    draw_board,
    legend,
    numbers,
    signs_for,
    star_points,
)


def test_the_last_move_is_bracketed() -> None:
    position = Position.start(size=3).play("C3").play("B2")
    drawn = draw_board(position, ASCII).plain
    assert drawn.splitlines() == [
        "   A B C",
        " 3 . . X 3 ",
        " 2 .(O). 2 ",
        " 1 . . . 1 ",
        "   A B C",
    ]
    assert max(map(len, drawn.splitlines())) == columns_of(3)
    drawn = draw_board(position.play("A2").play("pass").play("C1"), ASCII).plain
    assert " 1 . .(X)1 " in drawn


def test_marks_take_the_place_of_stones_and_brackets() -> None:
    position = Position.start(size=3).play("C3").play("B2")
    marks = {
        parse_move("B2", 3): dead_stone(WHITE, ASCII),
        parse_move("A1", 3): area(BLACK, ASCII),
        parse_move("C1", 3): area(WHITE, ASCII),
    }
    assert draw_board(position, ASCII, marks).plain.splitlines()[1:-1] == [
        " 3 . . X 3 ",
        " 2 . o . 2 ",
        " 1 b . w 1 ",
    ]
    assert legend(marks, ASCII) == "o dead, b w territory"


def test_numbers_alternate_and_have_two_digits() -> None:
    moves = [parse_move(f"{letter}{line}", 5) for line in (1, 2) for letter in "ABCDE"]
    again = [*moves[:2], PASS, moves[0], *moves[2:]]  # A1 is played a second time
    marks = numbers(again, WHITE)
    drawn = draw_board(Position.start(size=5), ASCII, marks).plain.splitlines()
    assert drawn[-2] == " 1 1 2 5 6 7 1 "
    assert drawn[-3] == " 2 8 9101112 2 "
    assert marks[moves[0]].style == NUMBERS[WHITE]
    assert marks[moves[1]].style == NUMBERS[BLACK]


@pytest.mark.parametrize(
    ("size", "count"), [(2, 0), (5, 0), (7, 4), (8, 4), (9, 5), (13, 5), (18, 4), (19, 9)]
)
def test_star_points(size: int, count: int) -> None:
    assert len(set(star_points(size))) == count


def test_signs_tell_the_colors_apart_everywhere() -> None:
    terminal = {"force_terminal": True, "color_system": "truecolor"}
    utf8 = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert signs_for(Console(file=utf8, **terminal)) == COLORFUL  # type: ignore[arg-type]
    assert signs_for(Console(file=utf8, no_color=True, **terminal)) == MONOCHROME  # type: ignore[arg-type]
    assert signs_for(Console(file=utf8)) == MONOCHROME
    assert signs_for(Console(file=latin)) == ASCII
    for signs in (MONOCHROME, ASCII):
        assert len({*signs.stones, *signs.dead, *signs.areas, signs.empty, signs.star}) == 8
