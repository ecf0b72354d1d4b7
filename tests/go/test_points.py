"""Names of points and players, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from montego.go.colors import BLACK, WHITE, color_letter, color_name, other_color, parse_color
from montego.go.errors import GoError, IllegalMove
from montego.go.points import all_points, parse_move, parse_vertex, row_and_column, vertex

PLACES = [
    # name, size, row from the top, column
    ("A1", 9, 9, 1),
    ("A9", 9, 1, 1),
    ("J9", 9, 1, 9),
    ("H1", 9, 9, 8),
    ("D4", 9, 6, 4),
    ("T19", 19, 1, 19),
    ("q16", 19, 4, 16),
    (" b2 ", 2, 1, 2),
]


@pytest.mark.parametrize(("name", "size", "row", "column"), PLACES)
def test_places(name: str, size: int, row: int, column: int) -> None:
    assert row_and_column(parse_vertex(name, size)) == (row, column)
    assert vertex(21 * row + column, size) == name.strip().upper()


@pytest.mark.parametrize("size", range(2, 20))
def test_all_names_lead_back(size: int) -> None:
    points = all_points(size)
    assert len(set(points)) == size * size
    assert [parse_vertex(vertex(p, size), size) for p in points] == points


@pytest.mark.parametrize("name", ["pass", "PASS", " Pass "])
def test_pass(name: str) -> None:
    assert parse_move(name, 9) == 0
    assert vertex(0, 9) == "pass"


def test_points_off_the_board_have_no_name() -> None:
    with pytest.raises(IllegalMove):
        vertex(21, 9)


@given(st.text(max_size=5), st.integers(2, 19))
def test_any_text_is_a_point_or_a_typed_error(text: str, size: int) -> None:
    try:
        point = parse_move(text, size)
    except GoError:
        return
    assert point == 0 or point in all_points(size)


@given(st.integers(), st.integers(2, 19))
def test_any_number_is_a_point_or_a_typed_error(number: int, size: int) -> None:
    try:
        assert parse_move(number, size) == number
    except IllegalMove:
        assert number not in all_points(size)


@pytest.mark.parametrize(
    ("name", "color"),
    [("b", BLACK), ("B", BLACK), ("Black", BLACK), ("w", WHITE), ("WHITE", WHITE), (2, WHITE)],
)
def test_colors(name: str | int, color: int) -> None:
    assert parse_color(name) == color


def test_names_of_colors() -> None:
    assert (color_name(BLACK), color_letter(WHITE)) == ("Black", "W")
    assert other_color(BLACK) == WHITE
    assert other_color(WHITE) == BLACK
