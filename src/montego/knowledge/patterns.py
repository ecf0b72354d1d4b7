"""3x3 patterns from a readable text file to the table that playouts look shapes up in.

The file (``data/patterns3x3.txt``) explains its own notation.  The table has one entry for
each of the 65,536 shapes (see kernels/board/shape.py), seen by the player to move: own stones
are BLACK there, enemy stones WHITE.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from montego.kernels.board.shape import ALL_LOW_BITS, BLACK, BORDER, LOW_BITS, WHITE
from montego.kernels.features.tables import HOLE, MATCH, SHAPES

Shapes = NDArray[np.bool_]
"""A set of shapes: for each code, whether it belongs."""

# The eight neighbours of a cell list "row by row, centre left out", as fields of a shape.
FIELD_OF_CELL = {0: 4, 1: 0, 2: 5, 3: 1, 5: 2, 6: 6, 7: 3, 8: 7}
CENTRE = 4
COLORS_OF_SYMBOL = {
    ".": (0,),
    "X": (1,),
    "O": (2,),
    "-": (3,),
    "x": (0, 2, 3),
    "o": (0, 1, 3),
    "?": (0, 1, 2, 3),
}
EXCHANGED = str.maketrans("XOxo", "OXox")


class PatternError(ValueError):
    """A pattern file that cannot be read; the message names the line."""


@dataclass(frozen=True)
class Pattern:
    """A named 3x3 shape: nine symbols, row by row, ``*`` in the middle."""

    name: str
    cells: str

    def variants(self) -> set[str]:
        """The cells under the eight symmetries and with the colours exchanged."""
        grid = np.array(list(self.cells)).reshape(3, 3)
        turned = [np.rot90(side, turns) for side in (grid, grid.T) for turns in range(4)]
        cells = {"".join(view.ravel()) for view in turned}
        return cells | {view.translate(EXCHANGED) for view in cells}

    def shapes(self) -> Shapes:
        """Every shape that matches the pattern."""
        matching = np.zeros(SHAPES, dtype=np.bool_)
        for cells in self.variants():
            matching[_matching(cells)] = True
        return matching


def _matching(cells: str) -> NDArray[np.int64]:
    """The codes of the shapes that agree with nine symbols as they stand."""
    codes = np.zeros(1, dtype=np.int64)
    for cell, field in FIELD_OF_CELL.items():
        colors = np.array(COLORS_OF_SYMBOL[cells[cell]]) << (2 * field)
        codes = (codes[:, None] + colors).ravel()
    return codes


@cache
def _field(field: int) -> NDArray[np.uint8]:
    """The colour in one field, for every shape."""
    return ((np.arange(SHAPES) >> (2 * field)) & 3).astype(np.uint8)


def eye_shapes() -> Shapes:
    """The shapes of own eyes, the same that kernels/board/shape.py tells by bit masks."""
    own, enemy = BLACK, WHITE
    diagonal = np.stack([_field(k) for k in range(4, 8)])
    bad = np.sum(diagonal == enemy, axis=0) + np.any(diagonal == BORDER, axis=0)
    surrounded = np.all([np.isin(_field(k), (own, BORDER)) for k in range(4)], axis=0)
    eyes: Shapes = np.logical_and(surrounded, bad < 2)
    return eyes


# --- reading the file ------------------------------------------------------------------


def parse_patterns(text: str, source: str = "patterns") -> Iterator[Pattern]:
    """The patterns in a text; a bad line raises a PatternError that names it."""
    lines = [
        (number, line.split())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    if len(lines) % 4:
        raise PatternError(f"{source}: the last pattern is not complete")
    for start in range(0, len(lines), 4):
        number, header = lines[start]
        rows = lines[start + 1 : start + 4]
        yield _parse_pattern(f"{source}, line {number}", header, [row for _, row in rows])


def _parse_pattern(where: str, header: list[str], rows: list[list[str]]) -> Pattern:
    if len(header) != 1:
        raise PatternError(f"{where}: expected a name, found {' '.join(header)!r}")
    cells = "".join(symbol for row in rows for symbol in row)
    if any(len(row) != 3 for row in rows) or cells[CENTRE] != "*":
        raise PatternError(f"{where}: expected three rows of three symbols, * in the middle")
    unknown = set(cells) - set(COLORS_OF_SYMBOL) - {"*"}
    if unknown or cells.count("*") != 1:
        raise PatternError(f"{where}: unknown symbols {' '.join(sorted(unknown or '*'))}")
    return Pattern(header[0], cells)


def shipped_patterns() -> list[Pattern]:
    """The patterns that come with the program."""
    source = files("montego.knowledge") / "data" / "patterns3x3.txt"
    return list(parse_patterns(source.read_text(encoding="utf-8"), source.name))


# --- tables ----------------------------------------------------------------------------


def matching_shapes(patterns: list[Pattern]) -> Shapes:
    """Every shape that matches one of the patterns."""
    matches = np.zeros(SHAPES, dtype=np.bool_)
    for pattern in patterns:
        matches |= pattern.shapes()
    return matches


def promising_shapes(matches: Shapes, largest_hole: int) -> NDArray[np.uint8]:
    """What every shape promises (see kernels/playouts/surroundings): a pattern, or the hole round
    an empty point, of three points or more, that touches no own stone."""
    shapes = np.arange(SHAPES)
    empty = ~(shapes | (shapes >> 1)) & ALL_LOW_BITS
    beyond = (  # corners next to an empty point that is next to this one
        (((empty << 8) | (empty << 6)) & 0x0100)
        | (((empty << 10) | (empty << 6)) & 0x1400)
        | (((empty << 10) | (empty << 8)) & 0x4000)
    )
    own = shapes & ~(shapes >> 1)
    points = 1 + np.bitwise_count(empty & (beyond | LOW_BITS))
    is_touched = (own & (beyond | LOW_BITS)) != 0
    is_hole = ~is_touched & ((empty & LOW_BITS) != 0) & (points <= largest_hole)
    promises: NDArray[np.uint8] = (MATCH * matches + HOLE * is_hole).astype(np.uint8)
    return promises
