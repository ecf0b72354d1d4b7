"""Learned strengths of features and shapes: the file, and the tables that kernels read.

A file (``data/strengths9.npz``, ``data/strengths19.npz``) holds one number for every
feature that is no shape, and one for every 3x3 shape and every large pattern that was played
often enough, by its code.  Its manifest tells what it was learned from and how well it
guesses moves of games it has never seen.  See learning.py for how it is made.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.features.classes import FEATURES
from montego.kernels.features.patterns import enter_patterns
from montego.kernels.features.tables import FACTORS, FREE, MOST_PATTERNS, PATTERNS, TABLES
from montego.kernels.playouts.policy import LARGEST_HOLE
from montego.kernels.reading.reading import reader_address
from montego.kernels.reading.selfatari import judge_address
from montego.knowledge.games import UNREADABLE, check_file
from montego.knowledge.mango import SMALL_BOARD, MangoShapes, shipped_shapes
from montego.knowledge.patterns import matching_shapes, promising_shapes, shipped_patterns
from montego.knowledge.rings import enter_rings
from montego.knowledge.symmetry import Codes, canonical, spread

Gammas = NDArray[np.float32]


@dataclass(frozen=True)
class Strengths:
    """Strengths gamma; what is not listed has strength 1."""

    features: Gammas
    shapes: Codes
    """Canonical codes of 3x3 shapes, and their strengths."""
    shape_gammas: Gammas
    factors: Gammas
    """By which features work together, a row for each of them,"""
    shape_factors: Gammas
    """and for each 3x3 shape."""
    patterns: Codes
    """Codes of large patterns."""
    pattern_gammas: Gammas
    ratio_shapes: Codes
    """Canonical codes of the 3x3 shapes that were played often, and how often they were, of all
    times that they could have been (H5)."""
    ratios: Gammas
    manifest: dict[str, Any] = field(default_factory=dict)
    """What they were learned from, and how well they guess."""

    def save(self, path: Path) -> None:
        """Write the file, under just this name: NumPy would add an ending."""
        with path.open("wb") as file:
            self._write(file)

    def _write(self, file: IO[bytes]) -> None:
        np.savez_compressed(
            file,
            features=self.features,
            shapes=self.shapes.astype(np.int32),
            shape_gammas=self.shape_gammas,
            factors=self.factors.astype(np.float16),
            shape_factors=self.shape_factors.astype(np.float16),
            patterns=self.patterns.astype(np.int32),
            pattern_gammas=self.pattern_gammas.astype(np.float16),
            ratio_shapes=self.ratio_shapes.astype(np.int32),
            ratios=self.ratios,
            manifest=json.dumps(self.manifest),
        )

    @classmethod
    def load(cls, path: Path) -> Strengths:
        """Read a file that ``save`` wrote; raises ValueError if it is none."""
        check_file(path)
        try:
            with path.open("rb") as file, np.load(file) as arrays:
                stored = dict(arrays)
            manifest = json.loads(str(stored.get("manifest", "{}")))
        except UNREADABLE:  # NumPy's reasons would mislead
            raise ValueError(f"{path} is no file of strengths") from None
        own = {one.name for one in fields(cls)}
        if not own <= stored.keys() or len(stored["features"]) != FEATURES:
            raise ValueError(f"{path} was learned for other features than these")
        if len(stored["patterns"]) > MOST_PATTERNS:
            raise ValueError(f"{path} holds more than {MOST_PATTERNS:,} patterns")
        return cls(
            features=stored["features"],
            shapes=stored["shapes"].astype(np.int64),
            shape_gammas=stored["shape_gammas"],
            factors=stored["factors"].astype(np.float32),
            shape_factors=stored["shape_factors"].astype(np.float32),
            patterns=stored["patterns"].astype(np.int64),
            pattern_gammas=stored["pattern_gammas"].astype(np.float32),
            ratio_shapes=stored["ratio_shapes"].astype(np.int64),
            ratios=stored["ratios"],
            manifest=manifest,
        )

    def enter(self, tables: Any) -> None:
        """Write the strengths into a record of tables, in all their symmetries."""
        tables["gamma"] = self.features
        tables["shape_gamma"] = spread(self.shapes, self.shape_gammas, 1.0)
        tables["ratio"] = spread(self.ratio_shapes, self.ratios, 0.0)
        tables["factor"] = self.factors.ravel()
        numbered, tables["shape_number"] = np.unique(canonical(), return_inverse=True)
        of_shapes = np.zeros((len(numbered), FACTORS), dtype=np.float32)
        of_shapes[np.searchsorted(numbered, self.shapes)] = self.shape_factors
        tables["shape_factor"] = of_shapes.ravel()
        enter_rings(tables)
        enter_patterns(tables, self.patterns, self.pattern_gammas)


def empty_tables() -> Any:
    """A record of tables that knows how to read, and nothing else."""
    tables = np.zeros(1, dtype=TABLES)[0]
    tables["reader"], tables["judge"] = reader_address(), judge_address()
    tables["pattern_code"] = tables["chance_code"] = FREE
    tables["pattern_mask"] = PATTERNS - 1
    return tables


def mask_for(patterns: int) -> int:
    """The last place of the smallest table for so many patterns, of which a third stays free."""
    return min((1 << (3 * patterns // 2).bit_length()), PATTERNS) - 1


def make_tables(strengths: Strengths, shapes: MangoShapes) -> Any:
    """The record of tables: the shipped 3x3 patterns, learned strengths and Mango's shapes."""
    tables = empty_tables()
    matches = matching_shapes(shipped_patterns())
    tables["matches"], tables["promise"] = matches, promising_shapes(matches, LARGEST_HOLE)
    tables["pattern_mask"] = mask_for(len(strengths.patterns))
    strengths.enter(tables)
    shapes.enter(tables)
    return tables


def shipped_strengths(size: int) -> Strengths:
    """The strengths that come with the program, for a size of board."""
    name = f"strengths{9 if size <= SMALL_BOARD else 19}.npz"
    with as_file(files("montego.knowledge") / "data" / name) as path:
        return Strengths.load(path)


@cache
def _shipped_tables(is_small: bool) -> Any:
    size = SMALL_BOARD if is_small else SMALL_BOARD + 1
    return make_tables(shipped_strengths(size), shipped_shapes(size))


def shipped_tables(size: int) -> Any:
    """The tables for a size of board, made once per process."""
    return _shipped_tables(size <= SMALL_BOARD)
