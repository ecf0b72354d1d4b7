"""The picture of the home page: a search, as seen on the board.

    python docs/home.py      # writes docs/home.svg

The position is from a game against GNU Go (results/K3); montego is to move.  Small squares show
who will own a point, disks where the search has looked and how much of it.
"""

from __future__ import annotations

from pathlib import Path

from montego.go import BLACK, WHITE, Position, sgf
from montego.go.points import COLUMNS, all_points, is_on_board, row_and_column
from montego.lab.base.record import read_game
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

HERE = Path(__file__).parent
MATCH = HERE.parent / "results/K3/full/search-9x9-5000"
GAME, MOVE = 3, 21
SIMULATIONS = 10_000
LEAST = 0.02
"""The share of the visits that a move needs to be shown."""

CELL, MARGIN = 44, 40
WOOD, LINE, BLUE = "#e6be78", "#6b5128", "#1f5fa8"
INK = {BLACK: "#1c1c1c", WHITE: "#fafafa"}


def position_shown() -> Position:
    """The position of the picture."""
    return sgf.loads(read_game(MATCH, GAME), MOVE).position


def picture(position: Position, simulations: int) -> str:
    """Search a position and draw what was found, as SVG."""
    found = LocalSearch(RECIPES["montego"], seed=1).run(position, Budget(simulations=simulations))
    size = position.size
    side = 2 * MARGIN + (size - 1) * CELL
    visits = sum(candidate.visits for candidate in found.candidates)
    shown = {
        candidate.move: candidate.visits / visits
        for candidate in found.candidates
        if candidate.visits >= LEAST * visits and is_on_board(candidate.move, size)
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'font-family="sans-serif" text-anchor="middle">',
        f"<title>{size}×{size}, where montego would play</title>",
        f'<rect width="{side}" height="{side}" rx="6" fill="{WOOD}"/>',
        *_lines(size),
    ]
    for point in all_points(size):
        if position.color_at(point):
            parts.append(_stone(position, point))
        elif point in shown:
            parts.append(_candidate(point, shown[point]))
        else:
            row, column = row_and_column(point)
            parts.append(_owner(point, float(found.ownership[row - 1, column - 1])))
    return "\n".join([*parts, "</svg>", ""])


def _at(point: int) -> tuple[int, int]:
    """Where a point is drawn; rows and columns are counted from 1 at the top left."""
    row, column = row_and_column(point)
    return MARGIN + CELL * (column - 1), MARGIN + CELL * (row - 1)


def _lines(size: int) -> list[str]:
    first, last = MARGIN, MARGIN + (size - 1) * CELL
    lines = []
    for i in range(size):
        at, column = MARGIN + CELL * i, COLUMNS[i]
        lines += [
            f'<path d="M{first} {at}H{last}M{at} {first}V{last}" stroke="{LINE}"/>',
            f'<text x="{at}" y="{last + 32}" font-size="12" fill="{LINE}">{column}</text>',
            f'<text x="{first - 28}" y="{at + 4}" font-size="12" fill="{LINE}">{size - i}</text>',
        ]
    return lines


def _owner(point: int, owner: float) -> str:
    """A square, larger the surer the point is: black or white."""
    side = round(16 * abs(owner), 1)
    x, y = (round(at - side / 2, 1) for at in _at(point))
    ink = INK[BLACK if owner > 0 else WHITE]
    return f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{ink}" opacity=".55"/>'


def _stone(position: Position, point: int) -> str:
    x, y = _at(point)
    color = position.color_at(point)
    stone = f'<circle cx="{x}" cy="{y}" r="20" fill="{INK[color]}" stroke="#333"/>'
    if point == position.last:
        other = INK[WHITE if color == BLACK else BLACK]
        stone += f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{other}" stroke-width="2"/>'
    return stone


def _candidate(point: int, share: float) -> str:
    """A disk with the share of all visits in per cent; the darker the larger."""
    x, y = _at(point)
    opacity = round(0.45 + 0.55 * share**0.5, 2)
    return (
        f'<circle cx="{x}" cy="{y}" r="18" fill="{BLUE}" opacity="{min(opacity, 1.0)}"/>'
        f'<text x="{x}" y="{y + 5}" font-size="14" fill="white">{100 * share:.0f}</text>'
    )


if __name__ == "__main__":
    drawn = picture(position_shown(), SIMULATIONS)
    (HERE / "home.svg").write_text(drawn, encoding="utf-8")
