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
    clear_line,
    convolve_run,
    number_at,
    sum_of_channels,
    sum_of_products,
)
from montego.kernels.net.layout import (
    FLOAT,
    GROUP,
    INPUT_AT,
    KOMI_AT,
    LANES,
    LARGEST,
    LINE,
    MEANS_AT,
    POINTS,
    VALUE_AT,
    points_of,
)
from montego.kernels.net.network import VALUE_INPUTS

KOMI_UNIT = 10.0  # points that are 1 for the layer of sums


@leaf
def clear_planes(scratch, planes, size):
    """Set the whole input to zero."""
    for i in range(INPUT_AT, INPUT_AT + blocks_of(planes) * points_of(size) * LANES):
        scratch[U(i)] = np.float32(0.0)


@entry
def clear_inputs(E, scratch, size):
    """The same, for a network."""
    clear_planes(scratch, E.planes, size)


@entry
def forward(E, scratch, size):
    """Write the logits of all points, by row and column, and return the value for who is to move.

    The value is between -1 and 1, and 0 for a network that has none.
    """
    plane = points_of(size) * LINE
    source = address_of_data(scratch) + INPUT_AT * FLOAT
    first = source + blocks_of(E.planes) * plane
    second = first + blocks_of(E.channels) * plane
    clear_edges(source, second + blocks_of(E.channels) * plane, size)
    convolve(E, source, E.stem, 0, first, E.planes, size)
    weights, layer = E.tower, E.channels * (1 + 9 * E.width) * FLOAT
    for _ in range(E.blocks):
        convolve(E, first, weights, 0, second, E.width, size)
        convolve(E, second, weights + layer, first, first, E.width, size)
        weights += 2 * layer
    for row in range(size):
        for column in range(size):
            point = first + (1 + row * (size + 1) + column) * LINE
            scratch[U(row * size + column)] = weighted_sum(E, point, E.policy, size)
    value = value_of(E, first, scratch, size)
    scratch[U(VALUE_AT)] = value
    return np.float64(value)


@leaf
def blocks_of(channels):
    return (channels + LANES - 1) // LANES


@leaf
def clear_edges(first, end, size):
    """Set the points round the board to zero in all planes between two addresses."""
    plane = points_of(size) * LINE
    while first < end:
        for row in range(size + 1):
            clear_line(first + row * (size + 1) * LINE)
        first += plane


@kernel
def convolve(E, source, weights, skip, target, inputs, size):
    """A layer: convolution, plus what skips it (0 for nothing), ReLU."""
    step = GROUP // LANES * points_of(size) * LINE
    runs = (size + POINTS - 1) // POINTS
    for _ in range(E.channels // GROUP):
        for row in range(size):
            for run in range(runs):
                first = run * size // runs
                count = (run + 1) * size // runs - first
                convolve_run(source, weights, skip, target, inputs, size, row, first, count)
        weights += GROUP * (1 + 9 * inputs) * FLOAT
        target += step
        if skip != 0:
            skip += step


@leaf
def weighted_sum(E, point, weights, size):
    """A 1×1 convolution to one channel at one point."""
    return number_at(weights) + sum_of_products(point, weights + LINE, E.width, size)


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
