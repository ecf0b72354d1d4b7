"""Learning a network from games, with PyTorch: the move that was played is to be guessed, and who
wins, if there are games whose ends are known (self_play).

Batches are drawn at random, each of one size of board, every position turned by a random one of
the eight symmetries.  Steps follow AdamW with a rate that rises and then falls along a cosine; on a
GPU numbers have 16 bits where that is enough.  What has been learned is written down now and then,
and the same command resumes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence, Sized
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from montego.knowledge.course import Course
from montego.knowledge.examples import ARRAYS, Examples
from montego.knowledge.network import find_network
from montego.knowledge.tower import Tower, planes_of, precision

if TYPE_CHECKING:
    from montego.knowledge.self_play import Outcomes

WATCH_EVERY = 50
"""Steps between two looks at the loss."""
SETTLED = 0.25
"""Part of the steps, the last ones, in which norms are as they will be folded in: positions of
people's games and of games against itself differ, and each kind alone would be normed by itself."""
VALUE_WEIGHT, OWNERS_WEIGHT = 1.0, 0.5
"""Of their losses, beside that of moves."""
USUAL_KOMI, OTHER_KOMI, KOMI_SPREAD = 7.5, 0.4, 8.0
"""Komi, the part of examples that have another one, and how far that is from it."""


# --- examples ----------------------------------------------------------------------------


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
        held = {name: torch.from_numpy(getattr(examples, name)).to(device) for name in ARRAYS}
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


@dataclass(frozen=True)
class Ends:
    """Positions whose games have ended, where the network is (self_play: Outcomes)."""

    shelf: Shelf
    games: Tensor
    scores: Tensor
    owners: Tensor
    """From -1 to 1, Black's."""
    candidates: Tensor
    chances: Tensor
    """How often candidates should be played, where they were looked at (choosing)."""

    @classmethod
    def of(cls, outcomes: Outcomes, device: torch.device) -> Ends:
        """Bring the positions to a device."""
        owners = outcomes.owners / np.float32(outcomes.scores.shape[1])
        return cls(
            Shelf.of(outcomes.examples, device),
            *(
                torch.from_numpy(array).to(device)
                for array in (
                    outcomes.games, outcomes.scores, owners, outcomes.candidates, outcomes.chances
                )
            ),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.games)

    def batch(
        self, chosen: Tensor, turns: Tensor, komi: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Planes of some positions, each turned; what who is to move gives the other, how often
        that player wins, and owns every point."""
        planes, _, _ = self.shelf.batch(chosen, turns)
        side = 1.0 - 2.0 * (self.shelf.numbers[chosen] % 2)  # Black is to move at even numbers
        games = self.games[chosen].long()
        lead = side[:, None] * (self.scores[games] - komi[:, None])
        owners = side[:, None] * self.owners[games].gather(1, self.shelf.sources[turns])
        return planes, side * komi, (0.5 + 0.5 * lead.sign()).mean(dim=1), owners

    def better_moves(self, chosen: Tensor, turns: Tensor) -> tuple[Tensor, Tensor]:
        """Candidates of some positions, each turned, and how often they should be played."""
        points = self.candidates[chosen].long().clamp(min=0)  # what is none has no chance
        return self.shelf.aims[turns].gather(1, points), self.chances[chosen].float()


def drawn_komi(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Komi of so many positions: mostly the usual one, else near it."""
    others = np.round(rng.normal(0.0, KOMI_SPREAD, size=count))
    return (USUAL_KOMI + others * (rng.random(count) < OTHER_KOMI)).astype(np.float32)


# --- learning --------------------------------------------------------------------------


class Learning:
    """A network that learns from examples."""

    def __init__(
        self,
        course: Course,
        shelves: Sequence[Shelf],
        device: torch.device,
        ends: Sequence[Ends] = (),
    ) -> None:
        torch.manual_seed(course.seed)
        self.course, self.shelves, self.device = course, shelves, device
        self.tower = _tower_of(course).to(device)
        self.tower.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(
            self.tower.parameters(), lr=course.rate, weight_decay=course.decay
        )
        self.step, self.seconds = 0, 0.0
        self.curve: list[tuple[int, float]] = []
        """The mean loss at some steps."""
        self.players: list[str] = []
        """Who has played the games, by generation (played)."""
        self._shares = _shares(shelves)
        self.learn_from(ends)
        self._loss = _Mean(device)

    def learn_from(self, ends: Sequence[Ends]) -> None:
        """Take other games that have ended."""
        self.ends, self._end_shares = ends, _shares(ends)

    def rate_at(self, step: int) -> float:
        """The length of a step."""
        rising = self.course.warm_up * self.course.steps
        if step < rising:
            return self.course.rate * (step + 1) / rising
        done = (step - rising) / max(self.course.steps - rising, 1.0)
        return self.course.rate * 0.5 * (1.0 + math.cos(math.pi * done))

    def learn(
        self,
        watch: Callable[[Learning], None] = lambda learning: None,
        until: int | None = None,
    ) -> None:
        """Take the steps up to one, or all that are left; ``watch`` sees every so many of them."""
        begin, end = time.monotonic() - self.seconds, self.course.steps if until is None else until
        while self.step < end:
            self._take_step()
            if self.step % WATCH_EVERY == 0 or self.step == end:
                self.curve.append((self.step, round(self._loss.mean(), 4)))
                self._loss.clear()
                self.seconds = time.monotonic() - begin
                watch(self)

    def _take_step(self) -> None:
        rng = np.random.default_rng((self.course.seed, self.step))
        self.tower.train(norms=self.step < self._settled_at())
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate_at(self.step)
        loss = torch.zeros((), device=self.device)
        if self.shelves:
            loss = loss + self._loss_of_moves(rng)
        if self.ends:
            loss = loss + self._loss_of_ends(rng)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self._loss.add(loss.detach())
        self.step += 1

    def _settled_at(self) -> float:
        """The step from which norms stay; a network that learns on has none of its own left."""
        return 0.0 if self.course.start else (1.0 - SETTLED) * self.course.steps

    def _drawn(self, rng: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        """Examples out of so many, and how each of them is turned."""
        chosen, turns = (rng.integers(most, size=self.course.batch) for most in (count, 8))
        return torch.from_numpy(chosen).to(self.device), torch.from_numpy(turns).to(self.device)

    def _loss_of_moves(self, rng: np.random.Generator) -> Tensor:
        shelf = self.shelves[rng.choice(len(self.shelves), p=self._shares)]
        planes, is_free, targets = shelf.batch(*self._drawn(rng, len(shelf)))
        with precision(self.device):
            logits = self.tower(planes.to(memory_format=torch.channels_last)).float()
        return nn.functional.cross_entropy(logits.masked_fill(~is_free, -1e4), targets)

    def _loss_of_ends(self, rng: np.random.Generator) -> Tensor:
        """Who wins, and who owns which point."""
        ends = self.ends[rng.choice(len(self.ends), p=self._end_shares)]
        chosen, turns = self._drawn(rng, len(ends.shelf))
        komi = torch.from_numpy(drawn_komi(rng, len(chosen))).to(self.device)
        planes, given, chance, owners = ends.batch(chosen, turns, komi)
        planes = planes.to(memory_format=torch.channels_last)
        with precision(self.device):
            value, owned, logits = self.tower.judge(planes, given)
        loss = nn.functional.binary_cross_entropy_with_logits
        found = VALUE_WEIGHT * loss(2.0 * value.float(), chance)
        found = found + OWNERS_WEIGHT * loss(2.0 * owned.float(), 0.5 + 0.5 * owners)
        if ends.chances.shape[1]:
            is_free = ends.shelf.codes[chosen].gather(1, ends.shelf.sources[turns]) == 0
            logits = logits.float().masked_fill(~is_free, -1e4)
            found = found + loss_of_chances(logits, *ends.better_moves(chosen, turns))
        return found

    # --- written down -------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write down where the learning stands; whole, or not at all."""
        unfinished = path.with_name(f"{path.name}.unfinished")
        torch.save(
            {
                "course": asdict(self.course), "step": self.step, "seconds": self.seconds,
                "curve": self.curve, "players": self.players, "tower": self.tower.state_dict(),
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
        self.players = list(kept["players"])
        self.curve = [(step, loss) for step, loss in kept["curve"]]


class _Mean:
    """Of numbers on a device, which is not waited for while they come."""

    def __init__(self, device: torch.device) -> None:
        self.sum, self.count = torch.zeros((), device=device), 0

    def add(self, number: Tensor) -> None:
        self.sum += number
        self.count += 1

    def mean(self) -> float:
        return float(self.sum) / max(self.count, 1)

    def clear(self) -> None:
        self.sum.zero_()
        self.count = 0


def loss_of_chances(logits: Tensor, points: Tensor, chances: Tensor) -> Tensor:
    """Cross-entropy of how often some points should be played; what is missing to 1 is for all
    others together."""
    told = torch.log_softmax(logits, dim=1).gather(1, points)
    others = (1.0 - (told.exp() * (chances > 0)).sum(dim=1)).clamp(min=1e-6)
    left = (1.0 - chances.sum(dim=1)).clamp(min=0.0)
    return -((chances * told).sum(dim=1) + left * others.log()).mean()


def _tower_of(course: Course) -> Tower:
    """The network that a course begins with."""
    if not course.start:
        return Tower(course.width, course.blocks)
    network = find_network(course.start)
    found, wanted = (f"{one.width}x{one.blocks}" for one in (network, course))
    if found != wanted:
        raise ValueError(f"{course.start} is {found}, not {wanted}")
    return Tower.of(network)


def _shares(parts: Sequence[Sized]) -> NDArray[np.float64]:
    """How often each is drawn from: by the square root of what it has."""
    roots = np.sqrt([len(part) for part in parts])
    return roots / max(float(roots.sum()), 1.0)


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
