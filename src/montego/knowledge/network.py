"""A convolutional network that guesses moves, and who wins: the file, and what a search takes.

A plain residual tower: 3x3 convolutions with batch norm folded in, and a logit for every point; one
that has learned to judge positions has a value, too (kernels/net/network).
No weight belongs to a size of board, so that one network serves all of them.  Files hold 16-bit
numbers and a manifest: what it was learned from, and how well it guesses moves of games that it
has never seen.  See network_learning.py for how it is made.
"""

from __future__ import annotations

import errno
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.kernels.compiler.aligned import empty_aligned
from montego.kernels.features.planes import PLANES, PLANES_WITHOUT_LADDERS
from montego.kernels.net.layout import LANES, scratch_size
from montego.kernels.net.network import (
    VALUE_INPUTS,
    Convolution,
    Network as Packed,
    ValueHead,
    Weights as Forward,
    pack,
)
from montego.knowledge.games import UNREADABLE, check_file

Weights = NDArray[np.float32]
SHIPPED = ("32x2", "64x3", "96x5")
"""Those that come with the program, by width and blocks."""
BY_SIZE = "by-size"
"""The name of the one that is best at equal time on a board of the size that is played,"""
SMALL, LARGE, SMALL_BOARD = "64x3", "96x5", 8
"""which is the small one up to this many lines, and the large one beyond."""
DAMAGED = "the network is missing or damaged; network=none, or the recipe classic, plays without"
LARGEST = 512
"""Channels, and blocks, that a file may have."""


@dataclass(frozen=True)
class Network:
    """The weights of a tower; convolutions are indexed by output, input, row, column."""

    stem: Weights
    stem_bias: Weights
    layers: Weights
    """Two convolutions for every block."""
    layer_biases: Weights
    policy: Weights
    """From the last layer to a logit, one weight for every channel."""
    policy_bias: Weights
    value: dict[str, Weights] = field(default_factory=dict)
    """The arrays of the value, by their names in the file; none without one."""
    manifest: dict[str, Any] = field(default_factory=dict)
    """What it was learned from, and how well it guesses."""

    @property
    def width(self) -> int:
        """Channels of every layer."""
        return len(self.stem)

    @property
    def blocks(self) -> int:
        """Residual blocks of two layers each."""
        return len(self.layers) // 2

    def save(self, path: Path) -> None:
        """Write the file, under just this name: NumPy would add an ending."""
        arrays: dict[str, Any] = {}
        for name, array in self.arrays().items():
            arrays[name] = array.astype(np.float16)
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays, manifest=json.dumps(self.manifest))

    def arrays(self) -> dict[str, Weights]:
        """All weights, by their names in the file."""
        return {name: getattr(self, name) for name in _ARRAYS} | self.value

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file that ``save`` wrote; raises ValueError if it is none."""
        check_file(path)
        try:
            with path.open("rb") as file, np.load(file) as stored:
                arrays = {name: stored[name].astype(np.float32) for name in _ARRAYS}
                value = {
                    name: stored[name].astype(np.float32)
                    for name in (VALUE_ARRAYS if "value_weights" in stored else ())
                }
                manifest = json.loads(str(stored["manifest"]))
        except (*UNREADABLE, KeyError):  # NumPy's reasons would mislead
            raise ValueError(f"{path} is no file of a network") from None
        arrays["stem"] = _with_ladders(arrays["stem"])
        network = cls(**arrays, value=value, manifest=manifest)
        if not network.is_sound():
            raise ValueError(f"{path} holds a network of another kind than these")
        return network

    def is_sound(self) -> bool:
        """Whether the arrays fit together, and to the planes, and hold finite numbers."""
        width, blocks = self.width, self.blocks
        shapes: dict[str, tuple[int, ...]] = {
            "stem": (width, PLANES, 3, 3),
            "stem_bias": (width,),
            "layers": (2 * blocks, width, width, 3, 3),
            "layer_biases": (2 * blocks, width),
            "policy": (width,),
            "policy_bias": (1,),
        }
        if self.value:
            sums = len(self.value["value_last_weights"])
            shapes |= {
                "value_weights": (LANES, width),
                "value_biases": (LANES,),
                "value_sum_weights": (sums, VALUE_INPUTS),
                "value_sum_biases": (sums,),
                "value_last_weights": (sums,),
                "value_last_bias": (1,),
            }
        arrays = self.arrays()
        return (
            0 < width <= LARGEST
            and blocks <= LARGEST
            and all(arrays[name].shape == shape for name, shape in shapes.items())
            and all(bool(np.isfinite(array).all()) for array in arrays.values())
        )


def _with_ladders(stem: Weights) -> Weights:
    """The first weights of a network, which makes nothing of ladders if it has not seen them."""
    if stem.ndim != 4 or stem.shape[1] != PLANES_WITHOUT_LADDERS:
        return stem
    return np.pad(stem, ((0, 0), (0, PLANES - PLANES_WITHOUT_LADDERS), (0, 0), (0, 0)))


def packed(network: Network) -> Packed:
    """A network as kernels take it."""
    return pack(weights_of(network))


def weights_of(network: Network) -> Forward:
    """The arrays of a file in the order of the forward pass."""
    layers = [
        Convolution(weights, biases)
        for weights, biases in zip(network.layers, network.layer_biases, strict=True)
    ]
    return Forward(
        stem=Convolution(network.stem, network.stem_bias),
        blocks=list(zip(layers[::2], layers[1::2], strict=True)),
        policy_weights=network.policy,
        policy_bias=float(network.policy_bias[0]),
        value=_value_of(network.value) if network.value else None,
    )


def _value_of(arrays: dict[str, Weights]) -> ValueHead:
    weights, biases, sum_weights, sum_biases, last_weights, last_bias = (
        arrays[name] for name in VALUE_ARRAYS
    )
    last = float(last_bias[0])
    return ValueHead(weights, biases, sum_weights, sum_biases, last_weights, last)


def weights_for(name: str, size: int) -> str:
    """The network that is meant on a board of this size."""
    if name != BY_SIZE:
        return name
    return SMALL if size <= SMALL_BOARD else LARGE


def find_network(name: str) -> Network:
    """One of the networks that come with the program, or that of a file.

    A FileNotFoundError says that the program's own is missing or damaged, a ValueError what else
    is wrong.
    """
    if name in SHIPPED:
        with as_file(files("montego.knowledge") / "data" / f"network-{name}.npz") as path:
            try:
                return Network.load(path)
            except ValueError:
                raise FileNotFoundError(errno.ENOENT, DAMAGED, str(path)) from None
    if name.endswith(".npz"):
        return Network.load(Path(name))
    raise ValueError(f"{name!r} is no network: {', '.join(SHIPPED)} are, and files (.npz)")


@cache
def packed_network(name: str) -> Packed:
    """One of them as kernels take it, packed once per process."""
    return packed(find_network(name))


def new_scratch(kernel: Packed, size: int) -> NDArray[np.float32]:
    """Scratch space for a network on a board of this size."""
    shape = int(kernel.record["planes"]), int(kernel.record["width"])
    return empty_aligned(scratch_size(*shape, size), np.float32)


_ARRAYS = ("stem", "stem_bias", "layers", "layer_biases", "policy", "policy_bias")
VALUE_ARRAYS = (
    "value_weights", "value_biases", "value_sum_weights", "value_sum_biases", "value_last_weights",
    "value_last_bias",
)  # fmt: skip
