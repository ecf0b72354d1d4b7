"""Winograd's matrices, against the sums that they stand for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, strategies as st

from montego.kernels.net.layout import PARTS, SEEN, SIDE
from montego.kernels.net.winograd import A, B, G, parts_of

NUMBERS = st.integers(-50, 50)


@given(
    st.lists(NUMBERS, min_size=SEEN, max_size=SEEN),
    st.lists(NUMBERS, min_size=3, max_size=3),
)
def test_a_row_of_outputs_is_exact(inputs: list[int], kernel: list[int]) -> None:
    def times(matrix: object, column: list[Fraction]) -> list[Fraction]:
        rows = np.array(matrix, dtype=float)
        exact = [[Fraction(x).limit_denominator(6) for x in row] for row in rows]
        return [sum((a * b for a, b in zip(row, column, strict=True)), Fraction()) for row in exact]

    seen = times(B, [Fraction(x) for x in inputs])
    weights = times(G, [Fraction(x) for x in kernel])
    found = times(A, [one * other for one, other in zip(seen, weights, strict=True)])
    assert found == [sum(kernel[k] * inputs[i + k] for k in range(3)) for i in range(SIDE)]


def test_parts_of_weights_convolve_a_tile() -> None:
    rng = np.random.default_rng(1)
    weights, seen = rng.standard_normal((4, 3, 3, 3)), rng.standard_normal((3, SEEN, SEEN))
    parts = parts_of(weights)
    assert parts.shape == (PARTS, 3, 4)
    moved = np.einsum("ia,cab,jb->ijc", B, seen, B).reshape(PARTS, 3)
    products = np.einsum("pc,pco->po", moved, parts).reshape(SEEN, SEEN, 4)
    found = np.einsum("ia,abo,jb->oij", A, products, A)
    for i in range(SIDE):
        for j in range(SIDE):
            plain = np.einsum("ocab,cab->o", weights, seen[:, i : i + 3, j : j + 3])
            assert np.allclose(found[:, i, j], plain)
