"""Winograd's way to convolve: a tile of 3x3 points by 25 products instead of 81, or one of 4x4 by
36 instead of 144.

A row of three outputs that a kernel g of three taps makes from five inputs d,

    y_i = g_0 d_i + g_1 d_(i+1) + g_2 d_(i+2),

takes five products:  y = A ((G g) * (B d)), where * multiplies number by number.  A product of
polynomials is told by its values at 0, 1, -1, 2 and infinity, and this is the transposed problem;
for four outputs -2 is another point.  In two dimensions both sides are transformed:

    Y = A ((G g G') * (B d B')) A'.

G g G' is computed once, when a network is packed; B and A need a few sums.  The 25 or 36 numbers of
a tile are its *parts*: each is a product of matrices of its own, over all input channels, tiles and
output channels.  (Winograd: Arithmetic complexity of computations, 1980; Lavin and Gray: Fast
algorithms for convolutional neural networks, 2016.)

The larger tile needs fewer products for a point, but more memory for its weights, and more of it
may lie outside of the board: nine of the smaller ones cover 9x9 and leave no rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Tile:
    """The matrices for a tile of some size."""

    A: Matrix
    B: Matrix
    G: Matrix

    @property
    def side(self) -> int:
        """Its points along a side,"""
        return len(self.A)

    @property
    def seen(self) -> int:
        """and those that it sees."""
        return len(self.B)

    @property
    def parts(self) -> int:
        """The numbers that these become."""
        return self.seen**2

    def parts_of(self, weights: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """G g G' for weights [outputs, inputs, 3, 3], as [parts, inputs, outputs]."""
        both = np.kron(self.G, self.G)
        flat = np.ascontiguousarray(weights.reshape(*weights.shape[:2], -1).T)
        return np.einsum("pk,kio->pio", both, flat)  # threads of BLAS would be slow to start


SMALL = Tile(
    A=(
        (1, 1, 1, 1, 0),
        (0, 1, -1, 2, 0),
        (0, 1, 1, 4, 1),
    ),
    B=(
        (2, -1, -2, 1, 0),
        (0, -2, -1, 1, 0),
        (0, 2, -3, 1, 0),
        (0, -1, 0, 1, 0),
        (0, 2, -1, -2, 1),
    ),
    G=(
        (1 / 2, 0, 0),
        (-1 / 2, -1 / 2, -1 / 2),
        (-1 / 6, 1 / 6, -1 / 6),
        (1 / 6, 1 / 3, 2 / 3),
        (0, 0, 1),
    ),
)
LARGE = Tile(
    A=(
        (1, 1, 1, 1, 1, 0),
        (0, 1, -1, 2, -2, 0),
        (0, 1, 1, 4, 4, 0),
        (0, 1, -1, 8, -8, 1),
    ),
    B=(
        (4, 0, -5, 0, 1, 0),
        (0, -4, -4, 1, 1, 0),
        (0, 4, -4, -1, 1, 0),
        (0, -2, -1, 2, 1, 0),
        (0, 2, -1, -2, 1, 0),
        (0, 4, 0, -5, 0, 1),
    ),
    G=(
        (1 / 4, 0, 0),
        (-1 / 6, -1 / 6, -1 / 6),
        (-1 / 6, 1 / 6, -1 / 6),
        (1 / 24, 1 / 12, 1 / 6),
        (1 / 24, -1 / 12, 1 / 6),
        (0, 0, 1),
    ),
)
TILES = SMALL, LARGE


# --- code ------------------------------------------------------------------------------


def times(lanes: Any, matrix: Matrix, vectors: Sequence[Any]) -> list[Any]:
    """Emit the product of a matrix and a column of vectors (Lanes)."""
    return [_sum(lanes, row, vectors) for row in matrix]


def _sum(lanes: Any, row: Sequence[float], vectors: Sequence[Any]) -> Any:
    """Emit a sum of multiples; one that needs no product comes first."""
    terms = sorted(
        ((factor, vector) for factor, vector in zip(row, vectors, strict=True) if factor),
        key=lambda term: (abs(term[0]), -term[0]),
    )
    total = terms[0][1] if terms[0][0] == 1 else None
    assert total is not None, "every row has a 1"
    for factor, vector in terms[1:]:
        if factor == 1:
            total = lanes.builder.fadd(total, vector)
        elif factor == -1:
            total = lanes.builder.fsub(total, vector)
        else:
            total = lanes.fma(vector, lanes.constant(factor), total)
    return total


def both_sides(lanes: Any, matrix: Matrix, square: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Emit M X M' for a square X of vectors, row by row."""
    columns = [times(lanes, matrix, column) for column in zip(*square, strict=True)]
    return [times(lanes, matrix, row) for row in zip(*columns, strict=True)]
