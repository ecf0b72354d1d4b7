"""Where the numbers of a forward pass lie in memory.

Channels come in blocks of sixteen.  A layer's activations are one plane for each block, and a plane
has sixteen float32 for every point: a cache line, and one vector where registers are wide enough.
So all addresses in an inner loop are constants, whatever the width of the network, and the results
of a layer are written as the next one reads them.

The points of a plane lie row by row, with one more after each row and one before all of them.
These are always zero: a convolution may look over the left and right edge, and the zero column of
one row serves the next one too.

The scratch space of a thread is one array of float32:

    logits, by row and column | value | komi | means for the value | planes of the input
    | activations | activations of a block
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.compiler.jit import leaf
from montego.kernels.compiler.vector import features, register_bits

LANES = 16
"""Channels of a block."""
FLOAT = 4
LINE = LANES * FLOAT
"""Bytes of a float, and of a point in a plane."""
SMALLEST, LARGEST = 2, 19
"""Sizes of boards."""
VALUE_AT = LARGEST * LARGEST
"""Where the value is in scratch space; the logits begin at 0."""
KOMI_AT = VALUE_AT + 1
"""Where the caller writes the points that who is to move gives the other player."""
MEANS_AT = -(-(KOMI_AT + 1) // LANES) * LANES
"""Where the means of the value's channels are."""
INPUT_AT = MEANS_AT + LANES
"""Where the planes of the input begin."""


@dataclass(frozen=True)
class Tile:
    """What the inner loop of a convolution keeps in registers."""

    vectors: int
    """Blocks of output channels."""
    points: int
    """At most so many points of a row."""
    taps: int
    """1 or 3: the columns of the kernel that are done in one go, which share their inputs."""


def tile() -> Tile:
    """The tile for this processor: its sums, its weights and an input fit into the registers."""
    if register_bits() == 512:
        return Tile(vectors=2, points=12, taps=3)
    if register_bits() == 256 or "neon" in features():
        return Tile(vectors=1, points=6, taps=1)
    return Tile(vectors=1, points=3, taps=1)


TILE = tile()
GROUP = TILE.vectors * LANES
"""Output channels that are computed together."""
POINTS = TILE.points


def channels_of(width: int) -> int:
    """The channels that a layer computes: the width, rounded up to whole groups."""
    return -(-width // GROUP) * GROUP


def scratch_size(planes: int, width: int, size: int) -> int:
    """How many float32 of scratch space a network with so many planes and channels needs."""
    blocks = -(-planes // LANES) + 2 * channels_of(width) // LANES
    return INPUT_AT + blocks * LANES * (size * (size + 1) + 1)


def write_inputs(scratch: NDArray[np.float32], planes: NDArray[Any]) -> None:
    """Write an array [planes, size, size] where the forward pass reads its input."""
    count, size, _ = planes.shape
    blocks = -(-count // LANES)
    shape = (blocks, size * (size + 1) + 1, LANES)
    inside = scratch[INPUT_AT : INPUT_AT + blocks * shape[1] * LANES].reshape(shape)
    rows = inside[:, 1:].reshape(blocks, size, size + 1, LANES)
    for plane in range(count):
        rows[plane // LANES, :, :size, plane % LANES] = planes[plane]


@leaf
def points_of(size):
    """The points of a plane, with those round the board."""
    return size * (size + 1) + 1


@leaf
def input_at(size, row, column, plane):
    """Where a number of the input lies in scratch space."""
    point = (plane // LANES) * points_of(size) + 1 + row * (size + 1) + column
    return INPUT_AT + point * LANES + plane % LANES
