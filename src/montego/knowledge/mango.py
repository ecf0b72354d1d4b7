"""Mango's own knowledge: values of 3x3 shapes (P4) and chances of large patterns (P9b).

A file (``data/mango9.npz``, ``data/mango19.npz``) holds a value for every 3x3 shape that turned
up in games, and for every large pattern that was played often enough how often it was played
where it could be.  Both are learned apart from the strengths of other features (see
mango_learning.py), so that nothing else takes a part of their weight.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.features.patterns import enter_chances
from montego.kernels.features.tables import CHANCES, FREE, MOST_CHANCES
from montego.knowledge.games import UNREADABLE, check_file
from montego.knowledge.patterns import eye_shapes
from montego.knowledge.symmetry import Codes, spread

SMALL_BOARD = 11
"""Up to this size what was learned on 9x9 is used, above it that of 19x19."""
LOWEST, HIGHEST = 1, 2433
"""The range of the paper's 3x3 values (P4)."""


@dataclass(frozen=True)
class MangoShapes:
    """What Mango knows of shapes."""

    shapes: Codes
    """Canonical codes of 3x3 shapes, and their values; others have the lowest one."""
    values: NDArray[np.uint16]
    patterns: Codes
    """Codes of large patterns, and how often their move was played where it could be."""
    chances: NDArray[np.float32]
    otherwise: float
    """The same of points where no pattern is known."""
    manifest: dict[str, Any] = field(default_factory=dict)
    """What it was learned from."""

    def save(self, path: Path) -> None:
        """Write the file; sorted codes are kept as differences, which pack well."""
        order = np.argsort(self.patterns)
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                shapes=self.shapes.astype(np.uint16),
                values=self.values.astype(np.uint16),
                steps=np.diff(self.patterns[order], prepend=0).astype(np.int32),
                chances=self.chances[order].astype(np.float16),
                otherwise=self.otherwise,
                manifest=json.dumps(self.manifest),
            )

    @classmethod
    def load(cls, path: Path) -> MangoShapes:
        """Read a file that ``save`` wrote; raises ValueError if it is none."""
        check_file(path)
        try:
            with path.open("rb") as file, np.load(file) as stored:
                return cls(
                    shapes=stored["shapes"].astype(np.int64),
                    values=stored["values"],
                    patterns=np.cumsum(stored["steps"].astype(np.int64)),
                    chances=stored["chances"].astype(np.float32),
                    otherwise=float(stored["otherwise"]),
                    manifest=json.loads(str(stored["manifest"])),
                )
        except (*UNREADABLE, KeyError):
            raise ValueError(f"{path} is no file of Mango's shapes") from None

    def enter(self, tables: Any) -> None:
        """Write it into a record of tables, in all symmetries; own eyes have no value."""
        tables["urgency"] = spread(self.shapes, self.values, LOWEST)
        tables["urgency"][eye_shapes()] = 0
        know_patterns(tables, self.patterns, self.chances)
        tables["chance"][CHANCES] = self.otherwise


def know_patterns(tables: Any, patterns: Codes, chances: NDArray[np.float32]) -> None:
    """Make these the patterns that Mango knows."""
    if len(patterns) > MOST_CHANCES:
        raise ValueError(f"more than {MOST_CHANCES:,} patterns")
    tables["chance_code"] = FREE
    enter_chances(tables, patterns, chances)


def shipped_shapes(size: int) -> MangoShapes:
    """What comes with the program, for a size of board."""
    name = f"mango{9 if size <= SMALL_BOARD else 19}.npz"
    with as_file(files("montego.knowledge") / "data" / name) as path:
        return MangoShapes.load(path)
