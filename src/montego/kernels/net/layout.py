"""Where the numbers of a forward pass lie in memory.

Channels come in blocks of sixteen.  A layer's activations are one plane for each block, and a plane
has sixteen float32 for every point: a cache line, and one vector where registers are wide enough.
The results of a layer are written as the next one reads them.

A board is covered by tiles, each computed as one (winograd): of 3x3 points, and of 4x4 on large
boards.  A tile sees a point more on every side.  So a plane has room for the tiles of the largest
board and a point round them; its rows are equally long whatever the size of the board, and all
addresses in an inner loop are constants.  What is round the board is always zero.

The scratch space of a thread is one array of float32:

    logits, by row and column | value | komi | means for the value | planes of the input
    | activations | activations of a block | tiles, part by part | their products with the weights
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.compiler.jit import leaf
from montego.kernels.compiler.vector import features, register_bits
from montego.kernels.net.winograd import LARGE, SMALL, TILES, Tile

LANES = 16
"""Channels of a block."""
FLOAT = 4
LINE = LANES * FLOAT
"""Bytes of a float, and of a point in a plane."""
SMALLEST, LARGEST = 2, 19
"""Sizes of boards."""
SMALL_SIDE, LARGE_SIDE = SMALL.side, LARGE.side
"""Points along the side of a tile."""
LARGE_BOARD = 16
"""Lines from which on a board has the large tiles."""
ROW = 2 + max(-(-LARGEST // tile.side) * tile.side for tile in TILES)
"""Points of a plane, along its side."""
POINTS = ROW * ROW
PLANE = POINTS * LINE
"""Bytes."""
VALUE_AT = LARGEST * LARGEST
"""Where the value is in scratch space; the logits begin at 0."""
KOMI_AT = VALUE_AT + 1
"""Where the caller writes the points that who is to move gives the other player."""
MEANS_AT = -(-(KOMI_AT + 1) // LANES) * LANES
"""Where the means of the value's channels are."""
INPUT_AT = MEANS_AT + LANES
"""Where the planes of the input begin."""


@dataclass(frozen=True)
class Registers:
    """What the inner loop of a convolution keeps in registers."""

    vectors: int
    """Blocks of output channels."""
    tiles: int
    """At most so many tiles."""


def registers() -> Registers:
    """Those of this processor: sums, weights and an input fit into them."""
    if register_bits() == 512:
        return Registers(vectors=2, tiles=14)
    if register_bits() == 256 or "neon" in features():
        return Registers(vectors=1, tiles=6)
    return Registers(vectors=1, tiles=3)


REGISTERS = registers()
GROUP = REGISTERS.vectors * LANES
"""Output channels that are computed together."""
RUN = REGISTERS.tiles
"""At most so many tiles are."""


def blocks_for(channels: int) -> int:
    """How many blocks of sixteen hold so many channels."""
    return -(-channels // LANES)


def channels_of(width: int) -> int:
    """The channels that a layer computes: the width, rounded up to whole groups."""
    return -(-width // GROUP) * GROUP


def tile_for(size: int) -> Tile:
    """The tile of a board of this size."""
    return TILES[int(size >= LARGE_BOARD)]


def tiles_for(size: int) -> int:
    """How many of them cover it."""
    return (-(-size // tile_for(size).side)) ** 2


def scratch_size(planes: int, width: int, size: int) -> int:
    """How many float32 of scratch space a network with so many planes and channels needs, on
    boards of up to this size."""
    inputs, blocks = blocks_for(planes), blocks_for(channels_of(width))
    activations = (inputs + 2 * blocks) * POINTS
    parts = max(tiles_for(n) * tile_for(n).parts for n in range(SMALLEST, size + 1))
    return INPUT_AT + (activations + parts * (max(inputs, blocks) + blocks)) * LANES


def write_inputs(scratch: NDArray[np.float32], planes: NDArray[Any]) -> None:
    """Write an array [planes, size, size] where the forward pass reads its input."""
    count, size, _ = planes.shape
    shape = blocks_for(count), ROW, ROW, LANES
    inside = scratch[INPUT_AT : INPUT_AT + np.prod(shape)].reshape(shape)
    inside[:] = 0.0
    for plane in range(count):
        inside[plane // LANES, 1 : size + 1, 1 : size + 1, plane % LANES] = planes[plane]


@leaf
def has_large_tiles(size):
    return size >= LARGE_BOARD


@leaf
def side_of(size):
    """The points along the side of a tile."""
    return LARGE_SIDE if has_large_tiles(size) else SMALL_SIDE


@leaf
def tiles_of(size):
    """The tiles along the side of a board."""
    return (size + side_of(size) - 1) // side_of(size)


@leaf
def parts_of(size):
    """The parts of a tile."""
    return (side_of(size) + 2) * (side_of(size) + 2)


@leaf
def input_at(row, column, plane):
    """Where a number of the input lies in scratch space."""
    point = (plane // LANES) * POINTS + (1 + row) * ROW + 1 + column
    return INPUT_AT + point * LANES + plane % LANES
