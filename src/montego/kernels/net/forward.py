"""The forward pass: one position, from the planes of its input to logits and a value.

The caller has a scratch space of its own, writes the input into it (layout: ``input_at``; komi too,
if the network has a value), and finds the logits there.  Nothing is allocated, and nothing of an
earlier pass matters: the same scratch space serves boards of any size that it is large enough for.
"""

from __future__ import annotations

import math

import numpy as np

from montego.kernels.compiler.address import address_of_data
from montego.kernels.compiler.jit import U, entry, kernel, leaf
from montego.kernels.net.convolution import (
    invert_large_tile,
    invert_small_tile,
    multiply_run,
    transform_large_tile,
    transform_small_tile,
)
from montego.kernels.net.heads import clear_line, number_at, sum_of_channels, sum_of_products
from montego.kernels.net.layout import (
    FLOAT,
    GROUP,
    INPUT_AT,
    KOMI_AT,
    LANES,
    LARGEST,
    LINE,
    MEANS_AT,
    PLANE,
    POINTS,
    ROW,
    RUN,
    VALUE_AT,
    has_large_tiles,
    parts_of,
    side_of,
    tiles_of,
)
from montego.kernels.net.network import VALUE_INPUTS

KOMI_UNIT = 10.0  # points that are 1 for the layer of sums


@leaf
def clear_planes(scratch, planes):
    """Set the whole input to zero."""
    for i in range(INPUT_AT, INPUT_AT + blocks_of(planes) * POINTS * LANES):
        scratch[U(i)] = np.float32(0.0)


@entry
def clear_inputs(E, scratch):
    """The same, for a network."""
    clear_planes(scratch, E.planes)


@entry
def forward(E, scratch, size):
    """Write the logits of all points, by row and column, and return the value for who is to move.

    The value is between -1 and 1, and 0 for a network that has none.
    """
    source = address_of_data(scratch) + INPUT_AT * FLOAT
    first = source + blocks_of(E.planes) * PLANE
    second = first + blocks_of(E.channels) * PLANE
    parts = second + blocks_of(E.channels) * PLANE
    clear_edges(source, parts, size)
    large = 1 if has_large_tiles(size) else 0
    convolve(E, source, E.stem[U(large)], 0, first, parts, E.planes, size)
    weights, layer = E.tower[U(large)], E.channels * (1 + parts_of(size) * E.width) * FLOAT
    for _ in range(E.blocks):
        convolve(E, first, weights, 0, second, parts, E.width, size)
        convolve(E, second, weights + layer, first, first, parts, E.width, size)
        weights += 2 * layer
    for row in range(size):
        for column in range(size):
            point = first + ((1 + row) * ROW + 1 + column) * LINE
            scratch[U(row * size + column)] = weighted_sum(E, point, E.policy)
    value = value_of(E, first, scratch, size)
    scratch[U(VALUE_AT)] = value
    return np.float64(value)


@leaf
def blocks_of(channels):
    return (channels + LANES - 1) // LANES


@leaf
def clear_edges(first, end, size):
    """Set the points round the tiles to zero in all planes between two addresses."""
    last = side_of(size) * tiles_of(size) + 1
    while first < end:
        for i in range(last + 1):
            clear_line(first + i * LINE)
            clear_line(first + (last * ROW + i) * LINE)
            clear_line(first + i * ROW * LINE)
            clear_line(first + (i * ROW + last) * LINE)
        first += PLANE


# --- a layer ---------------------------------------------------------------------------


@kernel
def convolve(E, source, weights, skip, target, parts, inputs, size):
    """A layer: convolution, plus what skips it (0 for nothing), ReLU.

    At ``parts`` is room for the parts of all tiles, and for their products with the weights.
    """
    tiles = tiles_of(size) * tiles_of(size)
    products = parts + parts_of(size) * blocks_of(max(inputs, E.channels)) * tiles * LINE
    transform(source, parts, inputs, size)
    multiply(E, parts, weights + E.channels * FLOAT, products, inputs, size)
    invert(E, products, weights, skip, target, size)


@leaf
def transform(source, parts, inputs, size):
    """Write the parts of all tiles of a layer's input."""
    tiles, side = tiles_of(size), side_of(size)
    step = blocks_of(inputs) * tiles * tiles * LINE
    for _ in range(blocks_of(inputs)):
        for row in range(tiles):
            for column in range(tiles):
                at = source + (row * ROW + column) * side * LINE
                if has_large_tiles(size):
                    transform_large_tile(at, parts, step)
                else:
                    transform_small_tile(at, parts, step)
                parts += LINE
        source += PLANE


@leaf
def multiply(E, parts, weights, products, inputs, size):
    """Multiply the parts of all tiles by the weights."""
    tiles = tiles_of(size) * tiles_of(size)
    step = tiles * LINE
    runs = (tiles + RUN - 1) // RUN
    for _ in range(parts_of(size)):
        for _ in range(E.channels // GROUP):
            for run in range(runs):
                first = run * tiles // runs
                count = (run + 1) * tiles // runs - first
                at = first * LINE
                multiply_run(parts + at, weights, products + at, inputs, step, count)
            weights += GROUP * inputs * FLOAT
            products += GROUP // LANES * step
        parts += blocks_of(inputs) * step


@leaf
def invert(E, products, biases, skip, target, size):
    """Write all tiles of a layer's output."""
    tiles, side = tiles_of(size), side_of(size)
    step = blocks_of(E.channels) * tiles * tiles * LINE
    for _ in range(blocks_of(E.channels)):
        for row in range(0, tiles * side, side):
            for column in range(0, tiles * side, side):
                at = ((1 + row) * ROW + 1 + column) * LINE
                over = skip + at if skip != 0 else 0
                rows, columns = size - row, size - column
                if has_large_tiles(size):
                    invert_large_tile(products, step, biases, over, target + at, rows, columns)
                else:
                    invert_small_tile(products, step, biases, over, target + at, rows, columns)
                products += LINE
        biases += LINE
        target += PLANE
        if skip != 0:
            skip += PLANE


# --- heads -----------------------------------------------------------------------------


@leaf
def weighted_sum(E, point, weights):
    """A 1×1 convolution to one channel at one point."""
    return number_at(weights) + sum_of_products(point, weights + LINE, E.width)


@leaf
def seen_by_sums(scratch, i, size):
    """An input of the value's layer of sums: the mean of a channel, komi, the size."""
    if i < LANES:
        return scratch[U(MEANS_AT + i)] / np.float32(size * size)
    if i == LANES:
        return scratch[U(KOMI_AT)] / np.float32(KOMI_UNIT)
    return np.float32(size) / np.float32(LARGEST)


@kernel
def value_of(E, source, scratch, size):
    """The value of the position for who is to move."""
    if E.value_sums == 0:
        return np.float32(0.0)
    means = address_of_data(scratch) + MEANS_AT * FLOAT
    sum_of_channels(source, E.value, means, E.channels, size)
    row = E.value + (1 + E.channels) * LINE
    last = np.float32(0.0)
    for _ in range(E.value_sums):
        total = number_at(row)
        for i in range(VALUE_INPUTS):
            total += seen_by_sums(scratch, i, size) * number_at(row + (1 + i) * FLOAT)
        last += max(np.float32(0.0), total) * number_at(row + (1 + VALUE_INPUTS) * FLOAT)
        row += (2 + VALUE_INPUTS) * FLOAT
    return np.float32(math.tanh(last + number_at(row)))
