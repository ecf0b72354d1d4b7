"""Which learned strengths a recipe goes by: those that come with the program, or a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from montego.knowledge.strengths import Strengths, make_tables, shipped_tables


@cache
def _tables_of(strengths: str) -> Any:
    return make_tables(Strengths.load(Path(strengths)))


@dataclass(frozen=True)
class Learned:
    """What playouts and the search know of shapes and features."""

    strengths: str = ""
    """A file that ``montego learn`` wrote; without one, those that come with the program."""

    def __post_init__(self) -> None:
        if self.strengths:
            _tables_of(self.strengths)  # a file that is no good is told at once

    def tables(self, size: int) -> Any:
        """The tables for a size of board, made once per process."""
        return _tables_of(self.strengths) if self.strengths else shipped_tables(size)


SHIPPED = Learned()
