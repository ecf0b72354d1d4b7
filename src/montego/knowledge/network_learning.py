"""Learning a network from games, with PyTorch: the move that was played is to be guessed.

Batches are drawn at random, each of one size of board, every position turned by a random one of
the eight symmetries.  Steps follow AdamW with a rate that rises and then falls along a cosine; on a
GPU numbers have 16 bits where that is enough.  What has been learned is written down now and then,
and the same command resumes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from montego.kernels.features.planes import (
    HINT,
    HINT_RANGE,
    HINT_ROOT,
    HINT_STEPS,
    KO_CODE,
    KO_POINT,
    LAST_MOVES,
    ONES,
    PLANES,
    RECENT,
)
from montego.knowledge.course import Course
from montego.knowledge.examples import Examples
from montego.knowledge.network import Network

WATCH_EVERY = 50
"""Steps between two looks at the loss."""


# --- planes ----------------------------------------------------------------------------


def symmetries(size: int) -> Tensor:
    """For each of the eight, where every point comes from."""
    points = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(points, k) for k in range(4)]
    return torch.from_numpy(np.stack([b for a in turned for b in (a, a.T)]).reshape(8, -1).copy())


@dataclass(frozen=True)
class Shelf:
    """The examples of one size of board, where the network is."""

    size: int
    codes: Tensor
    hints: Tensor
    recent: Tensor
    targets: Tensor
    numbers: Tensor
    sources: Tensor
    """Of points, by symmetry,"""
    aims: Tensor
    """and where points go."""

    @classmethod
    def of(cls, examples: Examples, device: torch.device) -> Shelf:
        """Bring examples to a device."""
        names = ("codes", "hints", "recent", "targets", "numbers")
        held = {name: torch.from_numpy(getattr(examples, name)).to(device) for name in names}
        sources = symmetries(examples.size).to(device)
        return cls(size=examples.size, **held, sources=sources, aims=sources.argsort(dim=1))

    def __len__(self) -> int:
        return len(self.targets)

    def batch(self, chosen: Tensor, turns: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Planes of some examples, each turned; which points are free; the moves played."""
        sources, aims = self.sources[turns], self.aims[turns]
        codes = self.codes[chosen].long().gather(1, sources)
        hints = self.hints[chosen].gather(1, sources)
        recent = self.recent[chosen].long()
        recent = torch.where(recent < 0, recent, aims.gather(1, recent.clamp(min=0)))
        targets = aims.gather(1, self.targets[chosen].long()[:, None])[:, 0]
        return planes_of(codes, hints, recent, self.size), codes == 0, targets


def planes_of(codes: Tensor, hints: Tensor, recent: Tensor, size: int) -> Tensor:
    """The planes of examples, as kernels/features/planes has them."""
    count, area = codes.shape
    planes = torch.zeros(count, PLANES, area, device=codes.device)
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


# --- the network -----------------------------------------------------------------------


class _Layer(nn.Module):
    """A convolution and its batch norm."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, width, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        normed: Tensor = self.norm(self.convolution(x))
        return normed

    def folded(self) -> tuple[Any, Any]:
        """Weights and biases of one convolution that does the same."""
        norm, weights = self.norm, self.convolution.weight
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        bias = norm.bias - norm.running_mean * scale
        return _numbers(weights * scale[:, None, None, None]), _numbers(bias)


class Tower(nn.Module):
    """The network while it learns."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.stem = _Layer(PLANES, width)
        self.layers = nn.ModuleList(_Layer(width, width) for _ in range(2 * blocks))
        self.policy = nn.Conv2d(width, 1, 1)

    def forward(self, planes: Tensor) -> Tensor:
        """A logit for every point, row by row."""
        x = torch.relu(self.stem(planes))
        for first, second in zip(self.layers[::2], self.layers[1::2], strict=True):
            x = torch.relu(x + second(torch.relu(first(x))))
        logits: Tensor = self.policy(x)
        return logits.flatten(1)

    def network(self, manifest: dict[str, Any]) -> Network:
        """What has been learned, batch norm folded in."""
        stem, stem_bias = self.stem.folded()
        folded = [layer.folded() for layer in self.layers if isinstance(layer, _Layer)]
        assert self.policy.bias is not None
        return Network(
            stem=stem, stem_bias=stem_bias,
            layers=np.stack([weights for weights, _ in folded]),
            layer_biases=np.stack([bias for _, bias in folded]),
            policy=_numbers(self.policy.weight).reshape(-1),
            policy_bias=_numbers(self.policy.bias),
            manifest=manifest,
        )  # fmt: skip


def _numbers(tensor: Tensor) -> Any:
    return tensor.detach().float().cpu().numpy()


# --- learning --------------------------------------------------------------------------


class Learning:
    """A network that learns from examples."""

    def __init__(self, course: Course, shelves: Sequence[Shelf], device: torch.device) -> None:
        torch.manual_seed(course.seed)
        self.course, self.shelves, self.device = course, shelves, device
        self.tower = Tower(course.width, course.blocks).to(device)
        self.tower.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(
            self.tower.parameters(), lr=course.rate, weight_decay=course.decay
        )
        self.step, self.seconds = 0, 0.0
        self.curve: list[tuple[int, float]] = []
        """The mean loss at some steps."""
        sizes = np.sqrt([len(shelf) for shelf in shelves])
        self._shares = sizes / sizes.sum()
        self._loss = torch.zeros((), device=device)

    def rate_at(self, step: int) -> float:
        """The length of a step."""
        rising = self.course.warm_up * self.course.steps
        if step < rising:
            return self.course.rate * (step + 1) / rising
        done = (step - rising) / max(self.course.steps - rising, 1.0)
        return self.course.rate * 0.5 * (1.0 + math.cos(math.pi * done))

    def learn(self, watch: Callable[[Learning], None] = lambda learning: None) -> None:
        """Take all steps that are left; ``watch`` sees every so many of them."""
        self.tower.train()
        begin = time.monotonic() - self.seconds
        while self.step < self.course.steps:
            self._take_step()
            if self.step % WATCH_EVERY == 0 or self.step == self.course.steps:
                self.curve.append((self.step, round(float(self._loss) / WATCH_EVERY, 4)))
                self._loss.zero_()
                self.seconds = time.monotonic() - begin
                watch(self)

    def _take_step(self) -> None:
        rng = np.random.default_rng((self.course.seed, self.step))
        shelf = self.shelves[rng.choice(len(self.shelves), p=self._shares)]
        chosen = torch.from_numpy(rng.integers(len(shelf), size=self.course.batch))
        turns = torch.from_numpy(rng.integers(8, size=self.course.batch))
        planes, is_free, targets = shelf.batch(chosen.to(self.device), turns.to(self.device))
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate_at(self.step)
        with self._precision():
            logits = self.tower(planes.to(memory_format=torch.channels_last)).float()
        loss = nn.functional.cross_entropy(logits.masked_fill(~is_free, -1e4), targets)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self._loss += loss.detach()
        self.step += 1

    def _precision(self) -> torch.autocast:
        """16 bits on a GPU."""
        is_cuda = self.device.type == "cuda"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=is_cuda)

    # --- written down -------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write down where the learning stands; whole, or not at all."""
        unfinished = path.with_name(f"{path.name}.unfinished")
        torch.save(
            {
                "course": asdict(self.course), "step": self.step, "seconds": self.seconds,
                "curve": self.curve, "tower": self.tower.state_dict(),
                "optimiser": self.optimiser.state_dict(),
            },
            unfinished,
        )  # fmt: skip
        unfinished.replace(path)

    def resume(self, path: Path) -> None:
        """Go on from what ``save`` wrote; raises ValueError if that was another course."""
        try:
            kept = torch.load(path, map_location=self.device, weights_only=True)
            course = kept["course"]
        except Exception:
            raise ValueError(f"{path} cannot be resumed; remove it to begin again") from None
        if course != asdict(self.course):
            raise ValueError(f"{path} is of another course; remove it to begin again")
        self.tower.load_state_dict(kept["tower"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.step, self.seconds = kept["step"], kept["seconds"]
        self.curve = [(step, loss) for step, loss in kept["curve"]]


def chosen_device(name: str) -> torch.device:
    """A device by its name; ``auto`` is a GPU where there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise ValueError(f"PyTorch has no device {name!r} here") from None
    return device
