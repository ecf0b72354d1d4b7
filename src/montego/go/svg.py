"""Boards as SVG: stones, a line of play in numbers, and one move crossed out.

A drawing stands alone in a file or inside a page; a page may change its colours by the
classes ``wood``, ``lines`` and ``names``.  As in books, a line is drawn on the position that
it starts from: a stone that is taken stays, and a move on a point that has a stone already
is not drawn but told, by ``undrawn``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from montego.go.colors import BLACK, EMPTY, WHITE, other_color
from montego.go.handicap import fixed_points, max_fixed
from montego.go.points import COLUMNS, row_and_column, vertex
from montego.go.position import Position
from montego.kernels.board.board import PASS

CELL = 20
MARGIN = 26
RADIUS = 9.4
FACES = {BLACK: "#191919", WHITE: "#fbfbf7"}
RED = "#e0322b"
STARS = 5
STARS_OF_19 = 9


def board(
    position: Position, line: Sequence[int] = (), crossed: int | None = None, label: str = ""
) -> str:
    """A position with a line of play from it, numbered, and a move of the player crossed out."""
    size, numbers = position.size, _drawn(position, line)
    crosses = [] if crossed is None or crossed == PASS else [crossed]
    parts = [*_empty_board(size), *_stones(position)]
    parts.append(_group(position.to_play, (point for point in crosses if point not in numbers)))
    for point, number in numbers.items():
        color = position.to_play if number % 2 else other_color(position.to_play)
        parts += [_group(color, [point]), _number(point, number, color)]
    parts += [_ring(point) if point in numbers else _cross(point) for point in crosses]
    width = 2 * MARGIN + CELL * (size - 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def undrawn(position: Position, line: Sequence[int]) -> list[str]:
    """The moves of a line that ``board`` cannot show: "3 at D4", "4 pass"."""
    drawn = _drawn(position, line)
    return [
        f"{number} pass" if point == PASS else f"{number} at {vertex(point, position.size)}"
        for number, point in enumerate(line, start=1)
        if drawn.get(point) != number
    ]


def _drawn(position: Position, line: Sequence[int]) -> dict[int, int]:
    """The points that get a number, each with its first."""
    numbers: dict[int, int] = {}
    for number, point in enumerate(line, start=1):
        if point != PASS and position.color_at(point) == EMPTY:
            numbers.setdefault(point, number)
    return numbers


def _empty_board(size: int) -> Iterator[str]:
    near, far = MARGIN, MARGIN + CELL * (size - 1)
    lines = [near + CELL * i for i in range(size)]
    width = near + far
    yield f'<rect class="wood" width="{width}" height="{width}" rx="4" fill="#e2b465"/>'
    path = "".join(f"M{near} {at}H{far}M{at} {near}V{far}" for at in lines)
    yield f'<path class="lines" d="{path}" stroke="#3b2a10" fill="none" stroke-linecap="square"/>'
    for point in _stars(size):
        x, y = _place(point)
        yield f'<circle class="stars" cx="{x}" cy="{y}" r="2.4" fill="#3b2a10"/>'
    names = [(COLUMNS[i], at, edge) for i, at in enumerate(lines) for edge in (9, width - 9)]
    rows = [(str(size - i), edge, at) for i, at in enumerate(lines) for edge in (9, width - 9)]
    texts = (f'<text x="{x}" y="{y + 3.2:g}">{name}</text>' for name, x, y in [*names, *rows])
    yield f'<g class="names" {_FONT} font-size="9" fill="#6d4f1c">{"".join(texts)}</g>'


_FONT = 'font-family="system-ui, sans-serif" text-anchor="middle"'


def _stars(size: int) -> list[int]:
    count = min(max_fixed(size), STARS if size < 19 else STARS_OF_19)
    return fixed_points(size, count) if count else []


def _stones(position: Position) -> Iterator[str]:
    for color in (BLACK, WHITE):
        yield _group(color, position.stones(color))


def _place(point: int) -> tuple[int, int]:
    row, column = row_and_column(point)
    return MARGIN + CELL * (column - 1), MARGIN + CELL * (row - 1)


def _group(color: int, points: Iterable[int]) -> str:
    """Stones of one colour; what they share is said once, for boards are many on a page."""
    places = map(_place, points)
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="{RADIUS}"/>' for x, y in places)
    return f'<g fill="{FACES[color]}" stroke="#191919" stroke-width=".7">{circles}</g>'


def _number(point: int, number: int, color: int) -> str:
    x, y = _place(point)
    ink = FACES[other_color(color)]
    return (
        f'<text x="{x}" y="{y + 3.8:g}" {_FONT} font-size="11" font-weight="600" '
        f'fill="{ink}">{number}</text>'
    )


def _cross(point: int) -> str:
    x, y = _place(point)
    path = f"M{x - 4} {y - 4}l8 8m0 -8l-8 8"
    return f'<path d="{path}" stroke="{RED}" stroke-width="2.4" stroke-linecap="round"/>'


def _ring(point: int) -> str:
    x, y = _place(point)
    return f'<circle cx="{x}" cy="{y}" r="10.4" fill="none" stroke="{RED}" stroke-width="2"/>'
