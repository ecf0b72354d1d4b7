"""3x3 patterns: the file, its notation, and the tables made from it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from montego.kernels.board.shape import is_eye, seen_by
from montego.kernels.compiler.jit import U, entry
from montego.kernels.features.tables import HOLE, MATCH, SHAPES
from montego.kernels.playouts.policy import LARGEST_HOLE
from montego.knowledge.patterns import (
    Pattern,
    PatternError,
    eye_shapes,
    matching_shapes,
    parse_patterns,
    promising_shapes,
    shipped_patterns,
)

CELLS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
FIELDS = [4, 0, 5, 1, 2, 6, 3, 7]


def shape_of(drawing: str) -> int:
    """The code of a drawn neighbourhood, own stones X, enemies O, - beyond the edge."""
    cells = [symbol for symbol in drawing if not symbol.isspace()]
    del cells[4]
    return sum(
        ".XO-".index(symbol) << (2 * field) for symbol, field in zip(cells, FIELDS, strict=True)
    )


@entry
def eyes_by_masks(out):
    for shape in range(SHAPES):
        out[U(shape)] = is_eye(shape, 1)


@entry
def swapped(out):
    for shape in range(SHAPES):
        out[U(shape)] = seen_by(shape, 2)


def test_bit_masks_and_tables_agree_on_eyes() -> None:
    by_masks = np.zeros(SHAPES, dtype=np.bool_)
    eyes_by_masks(by_masks)
    assert (by_masks == eye_shapes()).all()


def test_seen_by_the_other_player_twice_is_seen_by_oneself() -> None:
    once = np.zeros(SHAPES, dtype=np.int64)
    swapped(once)
    assert (once[once] == np.arange(SHAPES)).all()
    assert once[shape_of("X O . X * O - - -")] == shape_of("O X . O * X - - -")


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("hane-between", "X O X . * . . . ."),
        ("hane-between", "O X O . * . X X X"),  # colours exchanged
        ("hane-between", ". . X . * O . . X"),  # turned
        ("crosscut", "X O . O * . . . ."),
        ("cut-through", ". X . O * O . . ."),
        ("edge-cut", ". O X X * O - - -"),
        ("edge-cut", "- . . - * . - . ."),  # not: no stones at all
    ],
)
def test_shipped_patterns_match_what_they_say(name: str, drawing: str) -> None:
    pattern = next(p for p in shipped_patterns() if p.name == name)
    assert pattern.shapes()[shape_of(drawing)] == (set(drawing) & set("XO") != set())


def test_a_crosscut_that_is_protected_does_not_match() -> None:
    crosscut = next(p for p in shipped_patterns() if p.name == "crosscut")
    assert not crosscut.shapes()[shape_of("X O . O * O . . .")]


@pytest.mark.parametrize("pattern", shipped_patterns(), ids=lambda p: p.name)
def test_every_pattern_is_closed_under_symmetry_and_colour(pattern: Pattern) -> None:
    shapes = pattern.shapes()
    exchanged = np.zeros(SHAPES, dtype=np.int64)
    swapped(exchanged)
    assert shapes.any()
    assert (shapes == shapes[exchanged]).all()
    turned = Pattern("turned", "".join(np.rot90(_grid(pattern)).ravel()))
    assert (shapes == turned.shapes()).all()


def _grid(pattern: Pattern) -> np.ndarray:
    return np.array(list(pattern.cells)).reshape(3, 3)


def test_matching_shapes() -> None:
    matches = matching_shapes(shipped_patterns())
    assert matches[shape_of("X O . O * . . . .")]
    assert not matches[shape_of(". . . . * . . . .")]
    assert matches.sum() > 1000
    assert not matching_shapes([]).any()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hane 5\nX O X\n. * .\n? ? ?", "line 1: expected a name"),
        ("\nhane\nX O X\n. . .\n? ? ?", "line 2: expected three rows"),
        ("hane\nX O\n. * .\n? ? ?", "three rows of three symbols"),
        ("hane\nX O Z\n. * .\n? ? ?", "unknown symbols Z"),
        ("hane\nX O X\n. * .", "not complete"),
    ],
)
def test_bad_files_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(PatternError, match=complaint):
        list(parse_patterns(text))


# --- promises --------------------------------------------------------------------------


def hole_round(rows: list[str], row: int, column: int) -> set[tuple[int, int]] | None:
    """The empty points connected with one, None if an own stone is next to them."""
    hole, waiting = {(row, column)}, [(row, column)]
    while waiting:
        r, c = waiting.pop()
        for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            symbol = rows[near[0]][near[1]]
            if symbol == "X":
                return None
            if symbol == "." and near not in hole:
                hole.add(near)
                waiting.append(near)
    return hole


def test_every_hole_is_promised() -> None:
    promises = promising_shapes(matching_shapes(shipped_patterns()), LARGEST_HOLE)
    rng, counted = random.Random(1), Counter[str]()
    for _ in range(300):
        inside = ["-" + "".join(rng.choices(".XO", (4, 1, 5), k=7)) + "-" for _ in range(7)]
        rows = ["-" * 9, *inside, "-" * 9]
        for row, column in product(range(1, 8), repeat=2):
            if rows[row][column] == ".":
                drawing = "".join(rows[row + step][column - 1 : column + 2] for step in (-1, 0, 1))
                is_promised = bool(promises[shape_of(drawing)] & HOLE)
                hole = hole_round(rows, row, column)
                is_hole = hole is not None and 3 <= len(hole) <= LARGEST_HOLE
                assert is_promised or not is_hole
                counted.update(points=1, holes=is_hole, promised=is_promised)
    assert counted["holes"] > 500
    assert counted["promised"] < counted["points"] / 2


def test_patterns_are_promised() -> None:
    matches = matching_shapes(shipped_patterns())
    assert ((promising_shapes(matches, LARGEST_HOLE) & MATCH) == matches).all()
