"""Boards as text: plain diagrams to read back, and boards with coordinates to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.go.colors import BLACK, EMPTY, WHITE
from montego.go.errors import BadDiagram
from montego.go.points import COLUMNS, point_at, row_and_column
from montego.kernels.board.board import POINTS, STRIDE

_LETTERS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}


def grid(points: NDArray[Any], size: int) -> NDArray[np.uint8]:
    """The playing area of an array over all points, rows from the top; a copy."""
    square = points[:POINTS].reshape(STRIDE, STRIDE)
    return square[1 : size + 1, 1 : size + 1].astype(np.uint8)


def diagram(colors: NDArray[np.uint8]) -> str:
    """Rows of ``.``, ``X`` and ``O``, the top row first."""
    return "\n".join(" ".join(_LETTERS[color] for color in row) for row in colors.tolist())


def parse_diagram(text: str) -> tuple[int, dict[int, list[int]]]:
    """The size of a drawn board and its points by colour."""
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    stones: dict[int, list[int]] = {color: [] for color in _LETTERS}
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows):
            raise BadDiagram(f"row {number} has {len(row)} points on a board of {len(rows)} rows")
        for column, letter in enumerate(row, start=1):
            if letter not in _COLORS:
                raise BadDiagram(f"{letter!r} in row {number} is none of . X O")
            stones[_COLORS[letter]].append(point_at(number, column))
    return len(rows), stones


def board(colors: NDArray[np.uint8], last: int | None = None) -> str:
    """The board with coordinates; brackets stand round the last move."""
    size = len(colors)
    header = "   " + " ".join(COLUMNS[:size])
    marked = row_and_column(last) if last else None
    lines = [header]
    for row, line in enumerate(colors.tolist(), start=1):
        letters = "".join(f" {_LETTERS[color]}" for color in line) + " "
        if marked and marked[0] == row:
            at = 2 * marked[1] - 1
            letters = f"{letters[: at - 1]}({letters[at]}){letters[at + 2 :]}"
        lines.append(f"{size - row + 1:2}{letters}{size - row + 1:<2}".rstrip())
    lines.append(header)
    return "\n".join(lines)
