"""Flat Monte Carlo: a bandit over the moves of one position, playouts below (T4, T5).

No tree: every simulation plays one move, chosen by UCB1, and finishes the game by a
playout.  The most visited move is the answer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from montego.go import Position
from montego.kernels.board import PASS
from montego.kernels.flat import flat_batch, playable_mask
from montego.mcts.playouts import Playout, Room

BATCH = 200  # simulations between two looks at the clock


@dataclass(frozen=True)
class Found:
    """What a search found; the value is in [-1, 1], seen by the player to move."""

    move: int
    value: float
    visits: int
    simulations: int


def flat_search(
    position: Position,
    playout: Playout,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Found:
    """The best move by a bandit over the position's moves; stops at whichever limit is first."""
    moves = _sensible_moves(position)
    if not moves:
        return Found(PASS, 0.0, 0, 0)
    if simulations is None and seconds is None:
        simulations = 10_000
    room, record, start = Room(seed), playout.record(), position.board_copy()
    arms = np.array(moves, dtype=np.int64)
    visits, sums = np.zeros(len(moves), dtype=np.int64), np.zeros(len(moves))
    deadline = time.perf_counter() + (seconds if seconds is not None else np.inf)
    left = simulations if simulations is not None else 2**62
    while left > 0 and time.perf_counter() < deadline:
        flat_batch(
            start, room.boards, record, room.tables, room.work,
            float(position.komi), arms, visits, sums, min(BATCH, left),
        )  # fmt: skip
        left -= BATCH
    best = int(visits.argmax())
    value = float(sums[best] / max(visits[best], 1))
    return Found(moves[best], value, int(visits[best]), int(visits.sum()))


def _sensible_moves(position: Position) -> list[int]:
    """The legal moves that do not fill an own eye."""
    moves = np.array(position.legal(), dtype=np.int64)
    playable = np.zeros(len(moves), dtype=np.bool_)
    playable_mask(position.board_copy()[0], moves, playable)
    return [int(move) for move in moves[playable]]
