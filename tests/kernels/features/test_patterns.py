"""Large patterns (P9b): codes against patterns written out, symmetries, the walk outwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego.go import Position
from montego.go.points import row_and_column
from montego.kernels.compiler.jit import entry
from montego.kernels.features.patterns import (
    NO_PATTERN,
    enter_patterns,
    largest_pattern,
    pattern_code,
    pattern_place,
    sums_of_square,
    with_ring,
)
from montego.kernels.features.tables import FREE, LEVELS, RING_POINTS, TABLES
from montego.knowledge.rings import PLACES, SMALLEST, distance, enter_rings
from montego.knowledge.symmetry import SYMMETRIES, turned
from tests.positions import drawn_rows, random_position


@entry
def list_codes(B, T, p, color, out):
    sums = sums_of_square(B, T, p, color)
    for level in range(LEVELS):
        sums = with_ring(B, T, p, color, level, sums)
        out[level] = pattern_code(sums, level)


@entry
def call_largest(B, T, p, color):
    return largest_pattern(B, T, p, color)[0]


@entry
def call_place(T, code):
    return pattern_place(T, code)


@pytest.fixture
def tables() -> Any:
    """Rings, and no pattern."""
    made = np.zeros(1, dtype=TABLES)[0]
    made["pattern_code"] = FREE
    made["pattern_mask"] = 2**12 - 1
    enter_rings(made)
    return made


def codes(position: Position, point: int, tables: Any) -> list[int]:
    """The code of every level."""
    found = np.zeros(LEVELS, dtype=np.int64)
    list_codes(position.board_copy()[0], tables, point, position.to_play, found)
    return found.tolist()


def written_out(position: Position, point: int, level: int) -> tuple[str, ...]:
    """A pattern as the smallest of what the symmetries make of it."""
    own, other = "XO" if position.to_play == 1 else "OX"
    rows, size = drawn_rows(position), position.size
    row, column = (number - 1 for number in row_and_column(point))

    def seen(place: tuple[int, int]) -> str:
        r, c = row + place[0], column + place[1]
        if not (0 <= r < size and 0 <= c < size):
            return "#"
        return {own: "a", other: "b"}.get(rows[r][c], ".")

    places = [place for place in PLACES if distance(place) <= SMALLEST + level]
    return min(tuple(seen(turned(place, *s)) for place in places) for s in SYMMETRIES)


def test_the_rings() -> None:
    assert len(PLACES) == RING_POINTS
    sizes = [sum(distance(p) <= SMALLEST + level for p in PLACES) for level in range(LEVELS)]
    assert sizes == [12, 20, 28, 36, 48, 60, 72, 88, 104]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_codes_are_equal_where_patterns_are(size: int, tables: Any) -> None:
    by_code: dict[tuple[int, int], tuple[str, ...]] = {}
    by_pattern: dict[tuple[str, ...], int] = {}
    for seed in range(8):
        position = random_position(size, moves=2 * seed, seed=seed)
        for point in position.legal()[:40]:
            for level, code in enumerate(codes(position, point, tables)):
                pattern = written_out(position, point, level)
                assert by_code.setdefault((level, code), pattern) == pattern
                assert by_pattern.setdefault(pattern, code) == code
    assert len(by_pattern) > 200
    assert len(by_pattern) == len(set(by_pattern.values()))  # levels differ too


def test_codes_do_not_change_for_ever(tables: Any) -> None:
    # Files of strengths know patterns by these numbers.
    position = Position.start(9).play("C3").play("D4")
    point = position.play("E3").last or 0
    assert codes(position, point, tables)[::4] == [58951149, 1215742993, 1314090648]


def test_the_walk_ends_at_the_first_unknown_pattern(tables: Any) -> None:
    position = random_position(9, moves=20, seed=3)
    point, board = position.legal()[0], position.board_copy()[0]
    known = codes(position, point, tables)

    def largest() -> int:
        return int(call_largest(board, tables, point, position.to_play))

    def enter(level: int) -> int:
        enter_patterns(tables, np.array([known[level]]), np.ones(1, dtype=np.float32))
        return int(call_place(tables, known[level]))

    assert largest() == NO_PATTERN
    enter(1)
    assert largest() == NO_PATTERN  # the smallest is not known
    enter(3)
    smallest = enter(0)
    assert largest() != smallest
    assert largest() == call_place(tables, known[1])
    enter(2)
    assert largest() == call_place(tables, known[3])
