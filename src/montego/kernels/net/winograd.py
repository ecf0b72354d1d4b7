"""Winograd's way to convolve: a tile of 3x3 points by 25 products instead of 81.

A row of three outputs that a kernel g of three taps makes from five inputs d,

    y_i = g_0 d_i + g_1 d_(i+1) + g_2 d_(i+2),

takes five products:  y = A ((G g) * (B d)), where * multiplies number by number.  A product of
polynomials is told by its values at 0, 1, -1, 2 and infinity, and this is the transposed problem.
In two dimensions both sides are transformed:  Y = A ((G g G') * (B d B')) A'.  G g G' is computed
once, when a network is packed; B and A need a few sums.  The 25 numbers of a tile are its *parts*:
each is a product of matrices of its own, over all input channels, tiles and output channels.

(Winograd: Arithmetic complexity of computations, 1980; Lavin and Gray: Fast algorithms for
convolutional neural networks, 2016.)  Larger tiles need fewer products for a point, but their
weights need more memory, and a board of 9x9 has nine tiles of this size and no rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

A = (
    (1, 1, 1, 1, 0),
    (0, 1, -1, 2, 0),
    (0, 1, 1, 4, 1),
)  # fmt: skip
B = (
    (2, -1, -2, 1, 0),
    (0, -2, -1, 1, 0),
    (0, 2, -3, 1, 0),
    (0, -1, 0, 1, 0),
    (0, 2, -1, -2, 1),
)  # fmt: skip
G = (
    (1 / 2, 0, 0),
    (-1 / 2, -1 / 2, -1 / 2),
    (-1 / 6, 1 / 6, -1 / 6),
    (1 / 6, 1 / 3, 2 / 3),
    (0, 0, 1),
)  # fmt: skip
Matrix = Sequence[Sequence[int]]


def parts_of(weights: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """G g G' for weights [outputs, inputs, 3, 3], as [parts, inputs, outputs]."""
    flat = np.ascontiguousarray(weights.reshape(*weights.shape[:2], -1).T)
    return np.einsum("pk,kio->pio", np.kron(G, G), flat)  # threads of BLAS would be slow to start


def times(lanes: Any, matrix: Matrix, vectors: Sequence[Any]) -> list[Any]:
    """Emit the product of a matrix and a column of vectors (Lanes)."""
    return [_sum(lanes, row, vectors) for row in matrix]


def _sum(lanes: Any, row: Sequence[int], vectors: Sequence[Any]) -> Any:
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
