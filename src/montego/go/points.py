"""Names of points as players write them: "D4", "pass"; columns skip the letter I.

A point is 21 * row + column with rows from 1 at the top of the printed board; players
count rows from the bottom, so D4 on a 9x9 board lies in row 6, column 4.
"""

from __future__ import annotations

import re
from numbers import Integral
from operator import index
from typing import SupportsIndex

from montego.go.errors import BadSize, IllegalMove, MalformedMove, Reason
from montego.kernels.board.board import MAX_SIZE, PASS, STRIDE

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
MIN_SIZE = 2

Move = str | SupportsIndex
"""A move as people and programs give one: "D4", "pass", or a point's number."""

_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)")


def check_size(size: int) -> int:
    """The size itself, if boards can have it."""
    if not isinstance(size, Integral) or not MIN_SIZE <= size <= MAX_SIZE:
        raise BadSize(f"a board is {MIN_SIZE} to {MAX_SIZE} lines wide, not {size!r}")
    return int(size)


def point_at(row: int, column: int) -> int:
    """The point in this row and column, both from 1 at the top left."""
    return STRIDE * row + column


def row_and_column(point: int) -> tuple[int, int]:
    """Row and column of a point, both from 1 at the top left."""
    return divmod(point, STRIDE)


def is_on_board(point: int, size: int) -> bool:
    """Whether a point lies on a board of this size."""
    row, column = row_and_column(point)
    return 1 <= row <= size and 1 <= column <= size


def all_points(size: int) -> list[int]:
    """All points of a board, row by row from the top left."""
    lines = range(1, size + 1)
    return [point_at(row, column) for row in lines for column in lines]


def vertex(point: int, size: int) -> str:
    """A point's name, "pass" for PASS."""
    if point == PASS:
        return "pass"
    if not is_on_board(point, size):
        raise _off_board(f"point {point}", size)
    row, column = row_and_column(point)
    return f"{COLUMNS[column - 1]}{size - row + 1}"


def parse_vertex(text: str, size: int) -> int:
    """The point, or PASS, that a name means on a board of this size."""
    name = text.strip().upper()
    if name == "PASS":
        return PASS
    found = _VERTEX.fullmatch(name)
    if found is None:
        raise MalformedMove(f'{text!r} is not a move: give a point such as D4, or "pass"')
    column, line = COLUMNS.index(found[1]) + 1, int(found[2])
    if column > size or line > size:
        raise _off_board(name, size)
    return point_at(size - line + 1, column)


def parse_move(move: Move, size: int) -> int:
    """The point, or PASS, from a name or from the point's own number."""
    if isinstance(move, str):
        return parse_vertex(move, size)
    try:
        point = index(move)
    except TypeError:
        raise MalformedMove(f"{move!r} is not a move: give a name or a point's number") from None
    if point != PASS and not is_on_board(point, size):
        raise _off_board(f"point {point}", size)
    return point


def _off_board(name: str, size: int) -> IllegalMove:
    return IllegalMove(f"{name} lies off the {size}x{size} board", Reason.OFF_BOARD)
