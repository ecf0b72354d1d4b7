"""Winograd's matrices, against the sums that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from montego.kernels.net.layout import LARGEST, ROW, SMALLEST, tile_for
from montego.kernels.net.winograd import TILES, Matrix, Tile

each_tile = pytest.mark.parametrize("tile", TILES, ids=lambda tile: f"{tile.side}x{tile.side}")


def exactly(matrix: Matrix, column: Sequence[Fraction | int]) -> list[Fraction]:
    rows = [[Fraction(x).limit_denominator(24) for x in row] for row in matrix]
    return [sum((a * b for a, b in zip(row, column, strict=True)), Fraction()) for row in rows]


@each_tile
@given(st.data())
def test_a_row_of_outputs_is_exact(tile: Tile, data: st.DataObject) -> None:
    numbers = st.integers(-50, 50)
    inputs = data.draw(st.lists(numbers, min_size=tile.seen, max_size=tile.seen))
    kernel = data.draw(st.lists(numbers, min_size=3, max_size=3))
    products = [
        a * b for a, b in zip(exactly(tile.B, inputs), exactly(tile.G, kernel), strict=True)
    ]
    plain = [sum(kernel[k] * inputs[i + k] for k in range(3)) for i in range(tile.side)]
    assert exactly(tile.A, products) == plain


@each_tile
def test_parts_of_weights_convolve_a_tile(tile: Tile) -> None:
    rng = np.random.default_rng(1)
    weights, seen = (
        rng.standard_normal((4, 3, 3, 3)),
        rng.standard_normal((3, tile.seen, tile.seen)),
    )
    parts = tile.parts_of(weights)
    assert parts.shape == (tile.parts, 3, 4)
    transformed = np.einsum("ia,cab,jb->ijc", tile.B, seen, tile.B).reshape(tile.parts, 3)
    products = np.einsum("pc,pco->po", transformed, parts).reshape(tile.seen, tile.seen, 4)
    found = np.einsum("ia,abo,jb->oij", tile.A, products, tile.A)
    for i in range(tile.side):
        for j in range(tile.side):
            plain = np.einsum("ocab,cab->o", weights, seen[:, i : i + 3, j : j + 3])
            assert np.allclose(found[:, i, j], plain)


def test_the_tiles_of_every_board_have_room_in_a_plane() -> None:
    for size in range(SMALLEST, LARGEST + 1):
        side = tile_for(size).side
        assert -(-size // side) * side + 2 <= ROW
