"""How a network chooses moves for thousands of positions at a time, with PyTorch (self_play).

It draws a move as it guesses: with Gumbel's noise on its logits, of which the largest is a draw
from their softmax.  One that looks ahead takes the candidates with the largest ones, sees who wins
after each of them, and adds that to their logits.  What comes out is a better guess, from which it
can learn (Danihelka et al. 2022: Policy improvement by planning with Gumbel).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from montego.kernels.features.planes import NO_MOVE
from montego.knowledge.tower import Tower, planes_of, precision

COOL = 0.3
"""The temperature of moves after those that are drawn as guessed."""
TRUST = 8.0
"""What a win instead of a draw adds to the logit of a move."""
KOMI = 7.5
"""By which who wins is seen."""
SEEN = 16_384
"""Positions that a network sees at a time."""
Positions = tuple[Any, Any, Any]
"""Codes, hints and recent moves, each [positions, ...] (examples)."""


class Table(Protocol):
    """Games that wait for a move each."""

    size: int
    codes: Any
    hints: Any
    recent: Any

    def children(self, chosen: NDArray[np.int64], moves: NDArray[np.int16]) -> Positions:
        """What moves, [chosen, each], lead to in the games chosen."""
        ...


@dataclass(frozen=True)
class Choice:
    """The moves of all games, and what was learned by looking ahead."""

    moves: NDArray[np.int16]
    """NO_MOVE is a pass."""
    candidates: NDArray[np.int16]
    """[games, looked at]; NO_MOVE where there is none"""
    chances: NDArray[np.float16]
    """How often each of them should be played; what is missing to 1 is for all others."""


class Chooser:
    """A network that plays many games, and looks at so many candidates of each position."""

    def __init__(self, tower: Tower, ahead: int, seed: int) -> None:
        self.tower, self.ahead = tower.eval(), ahead
        self.device = next(tower.parameters()).device
        self.luck = torch.Generator(self.device).manual_seed(seed)

    def choose(self, table: Table, is_hot: NDArray[np.bool_], number: int) -> Choice:
        """Moves of that number: drawn as guessed where it is hot, else nearly the best of those
        that were looked at."""
        logits = self._logits((table.codes, table.hints, table.recent), table.size)
        warmth = torch.where(self._here(is_hot), 1.0, COOL)[:, None]
        noisy = logits + warmth * self._noise(logits.shape)
        each = min(self.ahead, logits.shape[1])
        candidates = np.full((len(is_hot), each), NO_MOVE, np.int16)
        chances = np.zeros((len(is_hot), each), np.float16)
        cool = np.flatnonzero(~is_hot)
        if each and len(cool):
            some = self._here(cool)
            values, points = noisy[some].topk(each, dim=1)
            candidates[cool] = _shorts(points.masked_fill(torch.isinf(values), NO_MOVE))
            gained = TRUST * self._won(table, cool, candidates[cool], number)
            chances[cool] = _chances(logits[some], points, gained).to(torch.float16).cpu().numpy()
            noisy[some] = torch.full_like(noisy[some], -torch.inf).scatter(
                1, points, values + gained
            )
        moves = noisy.argmax(dim=1).masked_fill(torch.isinf(noisy).all(dim=1), NO_MOVE)
        return Choice(_shorts(moves), candidates, chances)

    def _here(self, array: Any) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    def _noise(self, shape: torch.Size) -> Tensor:
        """Gumbel's."""
        drawn = torch.rand(shape, device=self.device, generator=self.luck)
        return -torch.log(-torch.log(drawn.clamp(1e-12, 1 - 1e-7)))

    def _planes(self, positions: Positions, size: int) -> Tensor:
        codes, hints, recent = (self._here(array) for array in positions)
        planes = planes_of(codes.long(), hints, recent.long(), size)
        return planes.to(memory_format=torch.channels_last)

    def _logits(self, positions: Positions, size: int) -> Tensor:
        """Of moves; what no playout would play has none."""
        with torch.no_grad(), precision(self.device):
            logits: Tensor = self.tower(self._planes(positions, size)).float()
        codes, hints, _ = (self._here(array) for array in positions)
        return logits.masked_fill((codes != 0) | (hints == 0), -torch.inf)

    def _won(self, table: Table, games: Any, moves: NDArray[np.int16], number: int) -> Tensor:
        """How sure it is, from -1 to 1, that who is to move wins by each of its moves."""
        positions, found = table.children(games, moves), []
        gives = -KOMI if number % 2 == 0 else KOMI  # White is to move in the children of Black
        for first in range(0, moves.size, SEEN):
            part = tuple(array[first : first + SEEN] for array in positions)
            planes = self._planes(part, table.size)
            given = torch.full((len(planes),), gives, device=self.device)
            with torch.no_grad(), precision(self.device):
                found.append(self.tower.judge(planes, given)[0].float())
        return -torch.tanh(torch.cat(found)).reshape(moves.shape)


def _chances(logits: Tensor, points: Tensor, gained: Tensor) -> Tensor:
    """How often the candidates, which are points, should be played; what is gained by others is
    what is gained by these on average."""
    known = logits.gather(1, points)
    mean = (torch.softmax(known, dim=1).nan_to_num() * gained).sum(dim=1, keepdim=True)
    others = logits.scatter(1, points, -torch.inf).logsumexp(dim=1, keepdim=True) + mean
    return torch.softmax(torch.cat([known + gained, others], dim=1), dim=1)[:, :-1].nan_to_num()


def _shorts(tensor: Tensor) -> NDArray[np.int16]:
    found: NDArray[np.int16] = tensor.to(torch.int16).cpu().numpy()
    return found
