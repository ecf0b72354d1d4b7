"""The weights of a network, as the forward pass reads them.

    planes of the input → convolution, ReLU → residual blocks → policy: a logit for each point
                                                              → value: of who is to move

Every convolution is 3×3 and has a bias; a block is two of them and adds what came in before the
last ReLU (He, Zhang, Ren, Sun: Deep residual learning, 2016).  Edges are padded by zeros, and
nothing depends on the size of a board.  The policy's logits are a 1×1 convolution.  The value is
one, too, of sixteen channels: ReLU, their means over the board, a layer that also sees komi and
the size of the board, ReLU, a sum with weights, tanh.

A convolution is packed in the order of the inner loop: its biases and then, for each part of a tile
(winograd), group of output channels and input channel, the weights of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.compiler.aligned import empty_aligned
from montego.kernels.compiler.native import address_of
from montego.kernels.net.layout import FLOAT, GROUP, LANES, channels_of
from montego.kernels.net.winograd import TILES, Tile

Floats = NDArray[np.floating[Any]]
VALUE_INPUTS = LANES + 2
"""What the layer of sums sees: the means of the channels, komi, the size of the board."""

NETWORK = np.dtype(
    [
        ("planes", np.int64),  # of the input
        ("width", np.int64),  # channels of a layer
        ("channels", np.int64),  # the same, rounded up to whole groups
        ("blocks", np.int64),
        ("value_sums", np.int64),  # of the layer before the value; 0 for a network without one
        # addresses of weights; of convolutions those for small tiles, and those for large ones
        ("stem", np.int64, 2),  # the first convolution
        ("tower", np.int64, 2),  # those of the blocks, one after the other
        ("policy", np.int64),  # bias, and a weight for each channel
        ("value", np.int64),  # biases and weights of its channels, then each sum's, and the last
    ],
    align=True,
)
"""A network: its shape, and where its weights are."""


@dataclass(frozen=True)
class Convolution:
    """A 3×3 convolution: weights [outputs, inputs, 3, 3], biases [outputs]."""

    weights: Floats
    biases: Floats


@dataclass(frozen=True)
class ValueHead:
    """The value: a 1×1 convolution, a layer of sums, and the last sum."""

    weights: Floats
    """[16, width]"""
    biases: Floats
    sum_weights: Floats
    """[sums, 18]: of the means of the channels, then of komi and size (``komi_seen``)."""
    sum_biases: Floats
    last_weights: Floats
    """[sums]"""
    last_bias: float


@dataclass(frozen=True)
class Weights:
    """A network's weights as plain arrays, in PyTorch's order."""

    stem: Convolution
    blocks: Sequence[tuple[Convolution, Convolution]]
    policy_weights: Floats
    """[width]"""
    policy_bias: float
    value: ValueHead | None = None

    def __post_init__(self) -> None:
        width, planes = self.width, self.planes
        expect("stem", self.stem.weights, (width, planes, 3, 3))
        for layer in (layer for block in self.blocks for layer in block):
            expect("weights of a block", layer.weights, (width, width, 3, 3))
            expect("biases of a block", layer.biases, (width,))
        expect("policy", self.policy_weights, (width,))
        if self.value is not None:
            sums = len(self.value.sum_biases)
            expect("weights of the value", self.value.weights, (LANES, width))
            expect("biases of the value", self.value.biases, (LANES,))
            expect("sums of the value", self.value.sum_weights, (sums, VALUE_INPUTS))
            expect("last weights of the value", self.value.last_weights, (sums,))

    @property
    def width(self) -> int:
        return len(self.stem.biases)

    @property
    def planes(self) -> int:
        return int(self.stem.weights.shape[1])


def expect(name: str, array: Floats, shape: tuple[int, ...]) -> None:
    """Kernels trust the shapes of weights: wrong ones are refused here."""
    if array.shape != shape:
        raise ValueError(f"{name}: an array of shape {array.shape}, not {shape}")


@dataclass(frozen=True)
class Network:
    """A packed network: the record that kernels take, and the memory that it points to."""

    record: Any
    memory: NDArray[np.float32] = field(repr=False)

    @property
    def address(self) -> int:
        """Where the record is, as long as this lives: what another record can hold."""
        return address_of(self.record)

    @property
    def has_value(self) -> bool:
        """Whether it says who wins."""
        return bool(self.record["value_sums"])


def pack(weights: Weights) -> Network:
    """A network for this processor."""
    tower = [layer for block in weights.blocks for layer in block]
    parts = [
        *(packed_convolutions([weights.stem], tile) for tile in TILES),
        *(packed_convolutions(tower, tile) for tile in TILES),
        packed_sum(weights.policy_weights, weights.policy_bias),
        packed_value(weights.value) if weights.value else np.empty(0),
    ]
    ends = np.cumsum([len(part) for part in parts])
    memory = empty_aligned(int(ends[-1]), np.float32)
    for part, end in zip(parts, ends, strict=True):
        memory[end - len(part) : end] = part
    at = memory.ctypes.data + FLOAT * np.append(0, ends[:-1])
    record = np.zeros(1, NETWORK)[0]
    record["planes"], record["width"] = weights.planes, weights.width
    record["channels"], record["blocks"] = channels_of(weights.width), len(weights.blocks)
    record["value_sums"] = len(weights.value.sum_biases) if weights.value else 0
    record["stem"], record["tower"] = at[:2], at[2:4]
    record["policy"], record["value"] = at[4:]
    return Network(record, memory)


def packed_convolutions(layers: Sequence[Convolution], tile: Tile) -> Floats:
    """One after the other."""
    return np.concatenate(
        [np.empty(0, np.float32), *(packed_convolution(layer, tile) for layer in layers)]
    )


def packed_convolution(layer: Convolution, tile: Tile) -> Floats:
    """The biases of a convolution, and the weights of its parts, group by group."""
    outputs, inputs = layer.weights.shape[:2]
    channels = channels_of(outputs)
    weights, biases = np.zeros((channels, inputs, 3, 3)), np.zeros(channels, np.float32)
    weights[:outputs], biases[:outputs] = layer.weights, layer.biases
    split = tile.parts_of(weights).astype(np.float32).reshape(tile.parts, inputs, -1, GROUP)
    return np.concatenate([biases, split.transpose(0, 2, 1, 3).ravel()])


def packed_sum(weights: Floats, bias: float) -> Floats:
    """A bias in a line of its own, and a weight for each channel."""
    packed = np.zeros(LANES + channels_of(len(weights)))
    packed[0], packed[LANES : LANES + len(weights)] = bias, weights
    return packed


def packed_value(head: ValueHead) -> Floats:
    """The 1×1 convolution input by input; for every sum bias, weights and last weight; the end."""
    width = head.weights.shape[1]
    weights = np.zeros((channels_of(width), LANES))
    weights[:width] = head.weights.T
    sums = np.column_stack([head.sum_biases, head.sum_weights, head.last_weights])
    return np.concatenate([head.biases, weights.ravel(), sums.ravel(), [head.last_bias]])
