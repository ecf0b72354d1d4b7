"""Dynamic komi: with what extra komi the engine searches, far ahead or far behind.

``linear``, in handicap games: so many points a stone, fewer from move to move.  ``value``, in
all: while the tree wins too seldom or too often, the extra komi moves a step, and another one.
Both return to the real komi while the game is still open.  Sources: P. Baudiš, "Balancing MCTS
by dynamically adjusting the komi value", ICGA Journal 34(3), 2011, and his program Pachi.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from montego.engine.adjustable import Adjustable
from montego.engine.status import SIGN
from montego.go import BLACK, Position
from montego.go.handicap import handicap_stones, moves_made
from montego.mcts.balance import EVEN, Balance
from montego.mcts.ranges import Range


@dataclass(frozen=True)
class DynamicKomi(Adjustable):
    """How komi moves; the names are those of the parameters."""

    RANGES: ClassVar[dict[str, Range]] = {
        "white_stone": (0, 1000),
        "black_stone": (0, 1000),
        "until": (0, 10),
        "low": (0, 1),
        "high": (0, 1),
        "step": (0, 100),
        "most_taken": (0, 2),
        "most_given": (0, 2),
    }
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"rule": ("none", "linear", "value")}

    rule: str = "value"
    white_stone: float = 8.0
    """Points for a handicap stone when White thinks.  Pachi's number for 19x19; on 9x9 and 13x13 it
    makes the game look even to our playouts as well, without being scaled by the area."""
    black_stone: float = 0.0
    """The same when Black does, who then has to win by so much.  Pachi has 12; with that Black won
    rather fewer games, 16 of 60 for 25 of 60 (results/handicap/black.json): so none."""
    until: float = 0.5
    """When this part of the board's points has been played, the komi is the real one."""
    low: float = 0.2
    """Below this rate of won playouts the player to move takes a step of komi (with 0.45, Pachi's
    number, it lost 38 of 53 games to who takes none),"""
    high: float = 0.6
    """and above this one gives a step."""
    step: float = 1.0
    """Points."""
    most_taken: float = 0.5
    """The most that a player behind takes, as a part of the board's points,"""
    most_given: float = 0.0
    """and that a player ahead gives."""

    def balance(self, game: Position, mover: int, before: float | None) -> Balance:
        """The extra komi of this player's next search; ``before`` is what the last one ended
        with, None if there was none."""
        if self.rule == "none":
            return EVEN
        start = self._linear(game, mover)
        if self.rule == "linear":
            return Balance(start)
        adjust = partial(self._adjusted, game, mover)
        return Balance(self._bounded(game, mover, start if before is None else before), adjust)

    def _linear(self, game: Position, mover: int) -> float:
        """Points for the handicap; whole ones, for a komi that allows no draw stays so."""
        stone = self.black_stone if mover == BLACK else self.white_stone
        return float(round(stone * handicap_stones(game) * self._rest(game)))

    def _rest(self, game: Position) -> float:
        """Which part of the moves is left until the komi is the real one."""
        last = self.until * game.size**2
        return max(1 - moves_made(game) / last, 0.0) if last > 0 else 0.0

    def _adjusted(self, game: Position, mover: int, extra_komi: float, mean: float) -> float:
        """A step, if the player to move wins too seldom or too often; Black's mean result."""
        rate = (1 + mean * SIGN[mover]) / 2
        taken = self.step * ((rate < self.low) - (rate > self.high))
        return self._bounded(game, mover, extra_komi - taken * SIGN[mover])

    def _bounded(self, game: Position, mover: int, extra_komi: float) -> float:
        """What is neither too much to take nor to give at this time of the game."""
        points = self._rest(game) * game.size**2
        given = extra_komi * SIGN[mover]
        most_taken, most_given = int(self.most_taken * points), int(self.most_given * points)
        return float(SIGN[mover] * min(max(given, -most_taken), most_given))
