"""A network as PyTorch has it: while it learns, and where it plays many games at once.

The planes are made from bytes here (see kernels/features/planes), and batch norm is folded into the
weights at the end: what comes out is what the forward pass of our own reads.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from montego.kernels.features.planes import (
    CAUGHT_CODE,
    HINT,
    HINT_RANGE,
    HINT_ROOT,
    HINT_STEPS,
    KO_CODE,
    KO_POINT,
    LADDERS,
    LAST_MOVES,
    ONES,
    OPPONENTS,
    PLANES,
    RECENT,
)
from montego.kernels.net.forward import KOMI_UNIT
from montego.kernels.net.layout import LANES, LARGEST
from montego.kernels.net.network import VALUE_INPUTS
from montego.knowledge.network import VALUE_ARRAYS, Network

VALUE_SUMS = 32
"""Of the layer before the value."""
SLOWLY = 0.01
"""What a batch counts in the averages of norms."""


def planes_of(codes: Tensor, hints: Tensor, recent: Tensor, size: int) -> Tensor:
    """The planes of examples, as kernels/features/planes has them."""
    count, area = codes.shape
    planes = torch.zeros(count, PLANES, area, device=codes.device)
    is_caught = codes > CAUGHT_CODE
    codes = torch.where(is_caught, codes - CAUGHT_CODE, codes)
    planes[:, LADDERS] = (is_caught & (codes <= OPPONENTS)).float()
    planes[:, LADDERS + 1] = (is_caught & (codes > OPPONENTS)).float()
    is_stone = (codes > 0) & (codes < KO_CODE)
    stone_plane = (codes - 1).clamp(0, LAST_MOVES - 1)
    planes.scatter_(1, stone_plane[:, None], is_stone[:, None].float())
    for k in range(RECENT):
        was_played = (recent[:, k] >= 0).float()
        planes[:, LAST_MOVES + k].scatter_(1, recent[:, k, None].clamp(min=0), was_played[:, None])
    planes[:, KO_POINT] = (codes == KO_CODE).float()
    planes[:, ONES] = 1.0
    hint = hints.float() / HINT_STEPS
    planes[:, HINT] = hint
    planes[:, HINT_ROOT] = torch.exp(HINT_RANGE / 2 * (hint - 1.0)) * (hint > 0)
    return planes.view(count, PLANES, size, size)


def precision(device: torch.device) -> torch.autocast:
    """16 bits on a GPU."""
    is_cuda = device.type == "cuda"
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=is_cuda)


class _Layer(nn.Module):
    """A convolution and its batch norm."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, width, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width, momentum=SLOWLY)

    def forward(self, x: Tensor) -> Tensor:
        normed: Tensor = self.norm(self.convolution(x))
        return normed

    def folded(self) -> tuple[Any, Any]:
        """Weights and biases of one convolution that does the same."""
        norm, weights = self.norm, self.convolution.weight
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        bias = norm.bias - norm.running_mean * scale
        return _numbers(weights * scale[:, None, None, None]), _numbers(bias)

    def unfold(self, weights: Any, bias: Any) -> None:
        """Take weights that have been folded: the norm does nothing but add the bias."""
        self.convolution.weight.data = torch.from_numpy(weights)
        self.norm.bias.data = torch.from_numpy(bias)
        self.norm.running_var = torch.full((len(bias),), 1.0 - self.norm.eps)


class Tower(nn.Module):
    """The network while it learns."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.stem = _Layer(PLANES, width)
        self.layers = nn.ModuleList(_Layer(width, width) for _ in range(2 * blocks))
        self.policy = nn.Conv2d(width, 1, 1)
        self.value = nn.Conv2d(width, LANES, 1)
        self.sums = nn.Linear(VALUE_INPUTS, VALUE_SUMS)
        self.last = nn.Linear(VALUE_SUMS, 1)
        self.owners = nn.Conv2d(width, 1, 1)  # helps the value to learn, and is left behind

    def features(self, planes: Tensor) -> Tensor:
        """The last layer of the tower."""
        x = torch.relu(self.stem(planes))
        for first, second in zip(self.layers[::2], self.layers[1::2], strict=True):
            x = torch.relu(x + second(torch.relu(first(x))))
        return x

    def forward(self, planes: Tensor) -> Tensor:
        """A logit for every point, row by row."""
        logits: Tensor = self.policy(self.features(planes))
        return logits.flatten(1)

    def judge(self, planes: Tensor, komi: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The value before its tanh, and the owners of all points before theirs, for who is to
        move, and the logits of moves; komi is what that player gives."""
        x = self.features(planes)
        logits: Tensor = self.policy(x)
        means = torch.relu(self.value(x)).float().mean(dim=(2, 3))
        size = torch.full_like(komi, planes.shape[-1] / LARGEST)
        inputs = torch.cat([means, komi[:, None] / KOMI_UNIT, size[:, None]], dim=1)
        last: Tensor = self.last(torch.relu(self.sums(inputs)))
        return last[:, 0], self.owners(x).flatten(1), logits.flatten(1)

    def train(self, mode: bool = True, norms: bool = True) -> Tower:
        """Learn, or play; norms learn too, or are left as they are."""
        super().train(mode)
        for layer in (self.stem, *self.layers):
            layer.norm.train(mode and norms)
        return self

    @classmethod
    def of(cls, network: Network) -> Tower:
        """A network that plays.  It can learn on, with its norms left as they are: folded in."""
        tower = cls(network.width, network.blocks)
        layers = zip(network.layers, network.layer_biases, strict=True)
        arrays = [(network.stem, network.stem_bias), *layers]
        for layer, (weights, bias) in zip([tower.stem, *tower.layers], arrays, strict=True):
            assert isinstance(layer, _Layer)
            layer.unfold(weights, bias)
        tower.policy.weight.data = torch.from_numpy(network.policy).reshape(1, -1, 1, 1)
        tower.policy.bias = nn.Parameter(torch.from_numpy(network.policy_bias))
        if network.value:
            tower._take_value(network.value)
        tower.eval()
        return tower

    def network(self, manifest: dict[str, Any], with_value: bool = False) -> Network:
        """What has been learned, batch norm folded in."""
        stem, stem_bias = self.stem.folded()
        folded = [layer.folded() for layer in self.layers if isinstance(layer, _Layer)]
        return Network(
            stem=stem, stem_bias=stem_bias,
            layers=np.stack([weights for weights, _ in folded]),
            layer_biases=np.stack([bias for _, bias in folded]),
            policy=_numbers(self.policy.weight).reshape(-1),
            policy_bias=_numbers(self.policy.bias),
            value=self._value() if with_value else {},
            manifest=manifest,
        )  # fmt: skip

    def _value_parts(self) -> dict[str, Tensor]:
        """What the arrays of the value in a file are here."""
        value, sums, last = self.value, self.sums, self.last
        parts = value.weight, value.bias, sums.weight, sums.bias, last.weight, last.bias
        return {name: cast(Tensor, part) for name, part in zip(VALUE_ARRAYS, parts, strict=True)}

    def _take_value(self, arrays: dict[str, Any]) -> None:
        for name, part in self._value_parts().items():
            part.data = torch.from_numpy(arrays[name]).reshape(part.shape)

    def _value(self) -> dict[str, Any]:
        arrays = {name: _numbers(part) for name, part in self._value_parts().items()}
        arrays["value_weights"] = arrays["value_weights"][:, :, 0, 0]
        arrays["value_last_weights"] = arrays["value_last_weights"][0]
        return arrays


def _numbers(tensor: Tensor | None) -> Any:
    assert tensor is not None
    return tensor.detach().float().cpu().numpy()
