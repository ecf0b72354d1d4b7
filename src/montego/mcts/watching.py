"""A playout to look at: its moves, and for each the rule that chose it.

Playouts note the rule of every move as they play (``W.rules``), so what is shown here is what a
search plays, move for move and draw for draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from montego.go import Position
from montego.kernels.board.board import POINTS
from montego.kernels.playouts import policy
from montego.kernels.playouts.playout import sample
from montego.mcts.learned import SHIPPED, Learned
from montego.mcts.playouts import Playout, Workspace

RULES: dict[int, str] = {
    policy.TAKING: "take",
    policy.SAVING: "save",
    policy.RACING: "race",
    policy.ATTACKING: "attack",
    policy.KEEPING_EYE: "eye",
    policy.NAKADE: "nakade",
    policy.REPLYING: "reply",
    policy.FILLING: "fill",
    policy.MATCHING: "pattern",
    policy.APPROACHING: "approach",
    policy.CAPTURING: "capture",
    policy.BY_NEARNESS: "near",
    policy.BY_SHAPE: "shape",
    policy.BY_HEURISTIC: "heuristic",
    policy.BY_CHANCE: "random",
}
"""The rules of all kinds of playouts by name, in the order in which they are asked."""
PASSED = "pass"
"""Where no rule has a move."""


@dataclass(frozen=True)
class PlayedOut:
    """One playout, from the position it began with to its end."""

    moves: tuple[int, ...]
    rules: tuple[str, ...]
    """What chose each move, by the names of RULES."""
    score: float
    """Black's area minus White's minus komi."""


class Watcher:
    """Plays one playout after the other, from any positions of one size."""

    def __init__(
        self, playout: Playout, size: int, seed: int = 0, learned: Learned = SHIPPED
    ) -> None:
        self._policy = playout.record()
        self._space = Workspace(seed, size, learned)
        self._owners = np.zeros(POINTS)

    def play(self, position: Position) -> PlayedOut:
        """The next playout."""
        totals, work = np.zeros(6), self._space.work
        sample(
            position.board_copy()[0], self._policy, self._space.tables, work,
            float(position.komi), 1, totals, self._owners,
        )  # fmt: skip
        length = int(work["length"])
        moves = tuple(work["sequence"][:length].tolist())
        rules = zip(moves, work["rules"][:length].tolist(), strict=True)
        named = tuple(RULES[rule] if move else PASSED for move, rule in rules)
        return PlayedOut(moves, named, float(totals[3]))
