"""Which learned shapes and strengths a recipe goes by: the shipped ones, or those of files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from montego.knowledge.mango import SMALL_BOARD, MangoShapes, shipped_shapes
from montego.knowledge.strengths import Strengths, make_tables, shipped_strengths, shipped_tables


@cache
def _tables_of(strengths: str, mango: str, size: int) -> Any:
    return make_tables(
        Strengths.load(Path(strengths)) if strengths else shipped_strengths(size),
        MangoShapes.load(Path(mango)) if mango else shipped_shapes(size),
    )


@dataclass(frozen=True)
class Learned:
    """What playouts and the search know of shapes and features."""

    strengths: str = ""
    """A file that ``montego learn`` wrote; without one, those that come with the program."""
    mango: str = ""
    """The same for Mango's shapes, a file of ``montego learn --mango``."""

    def __post_init__(self) -> None:
        if self.strengths or self.mango:
            self.tables(SMALL_BOARD)  # a file that is no good is told at once

    def tables(self, size: int) -> Any:
        """The tables for a size of board, made once per process."""
        if not (self.strengths or self.mango):
            return shipped_tables(size)
        return _tables_of(self.strengths, self.mango, min(max(size, SMALL_BOARD), SMALL_BOARD + 1))


SHIPPED = Learned()
