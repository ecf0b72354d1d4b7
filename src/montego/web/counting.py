"""A finished game counted, with the stones that both take for dead.

Areas are counted as in China; or territories and prisoners, as in Japan.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from montego.engine.status import SIGN, neighbours
from montego.go import BLACK, EMPTY, PASS, WHITE, GoError, Position, color_letter, vertex
from montego.go.points import parse_move, row_and_column
from montego.web.messages import Count


def toggled(position: Position, dead: frozenset[int], name: str) -> frozenset[int]:
    """The dead stones after the fate of one group has been changed."""
    point = parse_move(name, position.size)
    if point == PASS or position.color_at(point) == EMPTY:
        raise GoError(f"there is no stone on {name}")
    group = _group(position, point)
    return dead - group if point in dead else dead | group


def _group(position: Position, point: int) -> frozenset[int]:
    """The stones of one colour that no enemy stone parts from this one."""
    color = position.color_at(point)
    seen, todo = {point}, [point]
    while todo:
        for beside in neighbours(todo.pop(), position.size):
            if beside not in seen and position.color_at(beside) in (color, EMPTY):
                seen.add(beside)
                todo.append(beside)
    return frozenset(p for p in seen if position.color_at(p) == color)


def count(position: Position, dead: Iterable[int], territory: bool) -> Count:
    """Both sides' points with these stones taken off."""
    gone = frozenset(dead)
    stones = {color: {*position.stones(color)} for color in (BLACK, WHITE)}
    left = Position.set_up(
        position.size, sorted(stones[BLACK] - gone), sorted(stones[WHITE] - gone), BLACK,
        position.rules,
    )  # fmt: skip
    owners = left.owner()
    prisoners = {
        BLACK: position.captured.white + len(stones[WHITE] & gone),
        WHITE: position.captured.black + len(stones[BLACK] & gone),
    }
    points = {
        color: int(np.count_nonzero(owners == color))
        + (prisoners[color] - len(stones[color] - gone) if territory else 0)
        for color in (BLACK, WHITE)
    }
    lead = points[BLACK] - points[WHITE] - position.komi
    return Count(
        dead=[vertex(point, position.size) for point in sorted(gone)],
        owners=signs(owners.tolist()),
        black=points[BLACK], white=points[WHITE], komi=position.komi,
        result=told(lead), territory=territory,
    )  # fmt: skip


def told(lead: float) -> str:
    """Black's lead as a result: "B+3.5", "W+0.5", or "0" for a draw."""
    if lead == 0:
        return "0"
    return f"{color_letter(BLACK if lead > 0 else WHITE)}+{abs(lead):g}"


def signs(colors: list[list[int]]) -> list[list[int]]:
    """Rows of colours as the page has them: 1 for Black, -1 for White."""
    return [[SIGN.get(color, 0) for color in row] for row in colors]


def stones_of(position: Position) -> list[list[int]]:
    """The board in rows from the top."""
    rows = [[0] * position.size for _ in range(position.size)]
    for color in (BLACK, WHITE):
        for point in position.stones(color):
            row, column = row_and_column(point)
            rows[row - 1][column - 1] = SIGN[color]
    return rows
