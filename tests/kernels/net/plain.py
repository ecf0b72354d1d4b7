"""The forward pass a second time, plainly: one sum for each tap, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.compiler.aligned import empty_aligned
from montego.kernels.net.forward import forward
from montego.kernels.net.layout import KOMI_AT, VALUE_AT, scratch_size, write_inputs
from montego.kernels.net.network import Convolution, Network, ValueHead, Weights

Array = NDArray[Any]


def random_weights(
    planes: int, width: int, blocks: int, value_sums: int = 0, seed: int = 1
) -> Weights:
    """A network of random weights, scaled so that activations stay of one size."""
    rng = np.random.default_rng(seed)

    def convolution(inputs: int) -> Convolution:
        scale = np.sqrt(2.0 / (9 * inputs))
        weights = scale * rng.standard_normal((width, inputs, 3, 3))
        return Convolution(weights, 0.3 * rng.standard_normal(width))

    return Weights(
        convolution(planes),
        [(convolution(width), convolution(width)) for _ in range(blocks)],
        rng.standard_normal(width) / np.sqrt(width),
        0.25,
        ValueHead(
            rng.standard_normal((16, width)) / np.sqrt(width),
            rng.standard_normal(16),
            rng.standard_normal((value_sums, 18)) / 4,
            rng.standard_normal(value_sums),
            rng.standard_normal(value_sums) / value_sums,
            0.1,
        )
        if value_sums
        else None,
    )


def random_planes(planes: int, size: int, seed: int = 2) -> Array:
    """Stones and distances: most planes of a position are zeros and ones."""
    rng = np.random.default_rng(seed)
    stones = rng.integers(0, 2, (planes, size, size)).astype(np.float32)
    stones[::3] *= rng.standard_normal((size, size)).astype(np.float32)
    return stones


def convolved(x: Array, layer: Convolution) -> Array:
    """Edges are padded by zeros."""
    size = x.shape[1]
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    total = np.repeat(layer.biases, size * size).reshape(-1, size, size)
    for row in range(3):
        for column in range(3):
            seen = padded[:, row : row + size, column : column + size]
            total = total + np.tensordot(layer.weights[:, :, row, column], seen, 1)
    return total


def plain_forward(weights: Weights, planes: Array, komi: float = 0.0) -> tuple[Array, float]:
    """The logits [size, size] and the value."""
    x = np.maximum(convolved(planes.astype(np.float64), weights.stem), 0)
    for one, other in weights.blocks:
        x = np.maximum(convolved(np.maximum(convolved(x, one), 0), other) + x, 0)
    logits = np.tensordot(weights.policy_weights, x, 1) + weights.policy_bias
    head = weights.value
    if head is None:
        return logits, 0.0
    seen = np.tensordot(head.weights, x, 1) + head.biases[:, None, None]
    means = np.maximum(seen, 0).mean(axis=(1, 2))
    inputs = np.append(means, [komi / 10, planes.shape[1] / 19])
    sums = np.maximum(head.sum_weights @ inputs + head.sum_biases, 0)
    return logits, float(np.tanh(sums @ head.last_weights + head.last_bias))


def new_scratch(network: Network, size: int) -> NDArray[np.float32]:
    """Scratch space full of what must not matter."""
    record = network.record
    length = scratch_size(int(record["planes"]), int(record["width"]), size)
    scratch = empty_aligned(length, np.float32)
    scratch[:] = np.nan
    return scratch


def compiled_forward(network: Network, planes: Array, komi: float = 0.0) -> tuple[Array, float]:
    """The same by the kernels."""
    size = planes.shape[1]
    scratch = new_scratch(network, size)
    write_inputs(scratch, planes)
    scratch[KOMI_AT] = komi
    value = forward(network.record, scratch, size)
    assert value == scratch[VALUE_AT]
    return scratch[: size * size].reshape(size, size).copy(), value


def error(found: Array, expected: Array) -> float:
    """Relative to the largest."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())
