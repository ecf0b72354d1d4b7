"""The board as it is printed: stones, and marks on points where there is something to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from montego.go import BLACK, EMPTY, PASS, WHITE, Position
from montego.go.colors import other_color
from montego.go.handicap import fixed_points, max_fixed
from montego.go.points import COLUMNS, point_at


@dataclass(frozen=True)
class Signs:
    """What stands on the board's points."""

    stones: tuple[str, str]
    """Black's and White's, as in what follows."""
    dead: tuple[str, str]
    areas: tuple[str, str]
    empty: str = "·"
    star: str = "+"


COLORFUL = Signs(("●", "●"), ("×", "×"), ("▪", "▪"))
MONOCHROME = Signs(("●", "○"), ("◉", "◎"), ("▪", "▫"))
ASCII = Signs(("X", "O"), ("x", "o"), ("b", "w"), ".")
PLAYERS = (BLACK, WHITE)

WOOD = "on #dcb35c"
STYLES = {BLACK: f"black {WOOD}", WHITE: f"bold #ffffff {WOOD}", EMPTY: f"#8a6a2a {WOOD}"}
BRACKETS = f"#b00000 {WOOD}"
NUMBERS = {BLACK: "bold #ffffff on #303030", WHITE: "bold black on #f0f0f0"}


@dataclass(frozen=True)
class Mark:
    """What is drawn on a point instead of what stands there: one sign or two."""

    text: str
    style: str


Marks = Mapping[int, Mark]


def signs_for(console: Console) -> Signs:
    """Signs that this console can show and that tell the colours apart there."""
    if console.options.ascii_only:
        return ASCII
    return MONOCHROME if console.no_color or console.color_system is None else COLORFUL


def star_points(size: int) -> list[int]:
    """The points that are marked on a wooden board: nine on a large one, else five."""
    count = min(max_fixed(size), 9 if size >= 19 else 5)
    return fixed_points(size, count) if count else []


def columns_of(size: int) -> int:
    """How wide the drawing of a board is."""
    return 2 * size + 5


def draw_board(position: Position, signs: Signs, marks: Marks | None = None) -> Text:
    """The board with coordinates; brackets stand round the last move, unless there are marks."""
    size = position.size
    header = "   " + " ".join(COLUMNS[:size]) + "\n"
    text = Text(header)
    for row in range(1, size + 1):
        text.append(f"{size + 1 - row:2}")
        _draw_row(text, position, row, signs, marks)
        text.append(f"{size + 1 - row:<2}\n")
    return text.append(header.rstrip())


def _draw_row(text: Text, position: Position, row: int, signs: Signs, marks: Marks | None) -> None:
    """Every point is two columns wide: what is before it, and its sign."""
    stars = star_points(position.size)
    after = " "
    for column in range(1, position.size + 1):
        point = point_at(row, column)
        is_last = point == position.last and not marks
        mark = (marks or {}).get(point) or _plain(position, point, point in stars, signs)
        if len(mark.text) == 1:
            text.append("(" if is_last else after, BRACKETS)
        text.append(mark.text, mark.style)
        after = ")" if is_last else " "
    text.append(after, BRACKETS)


def _plain(position: Position, point: int, is_star: bool, signs: Signs) -> Mark:
    color = position.color_at(point)
    if color == EMPTY:
        return Mark(signs.star if is_star else signs.empty, STYLES[EMPTY])
    return Mark(signs.stones[PLAYERS.index(color)], STYLES[color])


# --- marks -----------------------------------------------------------------------------


def dead_stone(color: int, signs: Signs) -> Mark:
    """A stone of this colour that is to be taken off."""
    return Mark(signs.dead[PLAYERS.index(color)], STYLES[color])


def area(color: int, signs: Signs) -> Mark:
    """An empty point that belongs to this colour."""
    return Mark(signs.areas[PLAYERS.index(color)], STYLES[color])


def legend(marks: Marks, signs: Signs) -> str:
    """What the signs of a counted board mean, those that are on it."""
    used = {mark.text for mark in marks.values()}
    kinds = {"dead": signs.dead, "territory": signs.areas}
    told = {
        kind: " ".join(sign for sign in dict.fromkeys(pair) if sign in used)
        for kind, pair in kinds.items()
    }
    return ", ".join(f"{shown} {kind}" for kind, shown in told.items() if shown)


def numbers(moves: Sequence[int], first: int) -> dict[int, Mark]:
    """The moves that are to come, numbered from 1; a point that is played twice shows the first."""
    marks: dict[int, Mark] = {}
    color = first
    for number, move in enumerate(moves, start=1):
        if move != PASS:
            marks.setdefault(move, Mark(str(number), NUMBERS[color]))
        color = other_color(color)
    return marks
