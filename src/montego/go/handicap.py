"""Handicap stones, where version 2 of the Go Text Protocol puts them, or where a player likes.

Fixed stones stand on the third line from the edge, from 13 lines on the fourth.  Boards
with a middle line have nine such points; 7x7 and boards of an even size only the corners.
"""

from __future__ import annotations

from collections.abc import Iterable

from montego.go.colors import BLACK, WHITE
from montego.go.errors import BadHandicap
from montego.go.points import (
    Move,
    all_points,
    check_size,
    parse_move,
    point_at,
    row_and_column,
    vertex,
)
from montego.go.position import DEFAULT_RULES, Position
from montego.go.rules import Rules
from montego.kernels.board.board import PASS

MIN_FIXED_SIZE = 7
MIN_STONES = 2
FAR = 10_000
"""More than any squared distance on a board."""


def max_fixed(size: int) -> int:
    """The most stones that can be placed on fixed points."""
    if check_size(size) < MIN_FIXED_SIZE:
        return 0
    return 9 if size % 2 == 1 and size > MIN_FIXED_SIZE else 4


def fixed_points(size: int, stones: int) -> list[int]:
    """The fixed points for this many stones."""
    most = max_fixed(size)
    if not MIN_STONES <= stones <= most:
        allowed = f"{MIN_STONES} to {most}" if most else "no"
        raise BadHandicap(f"a {size}x{size} board has {allowed} fixed handicap stones")
    low, middle, high = _handicap_lines(size)
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    places = corners[:stones]
    if stones > len(corners):
        places += sides[: (stones - 4) // 2 * 2]
        places += [(middle, middle)] * (stones % 2)
    return [point_at(size - line + 1, column) for column, line in places]


def _handicap_lines(size: int) -> tuple[int, int, int]:
    """The lines of handicap points, counted from an edge: low, middle and high."""
    distance = 3 if size < 13 else 4
    return distance, (size + 1) // 2, size + 1 - distance


def free_points(size: int, stones: int) -> list[int]:
    """A proposal for free placement: the fixed points, then always the point farthest
    from all stones, off the first line while there is room, nearer the centre in doubt."""
    if not MIN_STONES <= stones < check_size(size) ** 2:
        raise BadHandicap(
            f"a {size}x{size} board has room for {MIN_STONES} to {size**2 - 1} stones"
        )
    distances = dict.fromkeys(all_points(size), FAR)
    most = min(stones, max_fixed(size))
    placed = fixed_points(size, most) if most else []
    for point in placed:
        _note_distances(point, distances)

    def merit(point: int) -> tuple[bool, int, int]:
        line = _edge_distance(point, size)
        return line > 1, distances[point], line

    while len(placed) < stones:
        placed.append(max((p for p in distances if distances[p] > 0), key=merit))
        _note_distances(placed[-1], distances)
    return placed


def _note_distances(stone: int, distances: dict[int, int]) -> None:
    """Keep the squared distance of every point to its nearest stone, now that there is one more."""
    row, column = row_and_column(stone)
    for point, known in distances.items():
        r, c = row_and_column(point)
        distances[point] = min(known, (row - r) ** 2 + (column - c) ** 2)


def _edge_distance(point: int, size: int) -> int:
    """On which line from the nearest edge a point lies, from 1."""
    row, column = row_and_column(point)
    return min(row, column, size + 1 - row, size + 1 - column)


def fixed_handicap(size: int, stones: int, rules: Rules = DEFAULT_RULES) -> Position:
    """A game with handicap stones on the fixed points, White to play."""
    return Position.set_up(size, fixed_points(size, stones), to_play=WHITE, rules=rules)


def free_handicap(size: int, moves: Iterable[Move], rules: Rules = DEFAULT_RULES) -> Position:
    """A game with handicap stones where the players want them, White to play."""
    points = [parse_move(move, check_size(size)) for move in moves]
    if not MIN_STONES <= len(points) < size * size:
        raise BadHandicap(
            f"a {size}x{size} board takes {MIN_STONES} to {size**2 - 1} stones, not {len(points)}"
        )
    if PASS in points:
        raise BadHandicap("a pass is no handicap stone")
    for i, point in enumerate(points):
        if point in points[:i]:
            raise BadHandicap(f"{vertex(point, size)} is given twice")
    return Position.set_up(size, points, to_play=WHITE, rules=rules)


def place_free(size: int, stones: int, rules: Rules = DEFAULT_RULES) -> Position:
    """A game with handicap stones where ``free_points`` proposes them, White to play."""
    return free_handicap(size, free_points(size, stones), rules)


def handicap_stones(position: Position) -> int:
    """Black's stones at the start, if there were only such and White began; else 0."""
    first = position.first
    black = len(first.stones(BLACK))
    is_handicap = first.to_play == WHITE and not first.stones(WHITE) and black >= MIN_STONES
    return black if is_handicap else 0


def moves_made(position: Position) -> int:
    """How far the game is: its moves, and the stones of a start in its middle; a handicap's are
    none of them."""
    first = position.first
    set_up = len(first.stones(BLACK)) + len(first.stones(WHITE))
    return len(position.moves) + set_up - handicap_stones(position)
