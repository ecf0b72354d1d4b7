"""Who gives hints: the program itself, or a better player where it plays at a weak level.

A beginner who asks what to play should not be told what another beginner would.
"""

from __future__ import annotations

from montego.engine.answer import Answer
from montego.engine.engine import Engine
from montego.engine.levels import find_level
from montego.go import BLACK, WHITE, Position
from montego.terminal.interrupts import Stop, stoppable
from montego.terminal.settings import Settings

SIMULATIONS = 2_000
"""Of a hint, if the level has fewer."""


class Adviser:
    """Looks for the user's best move, once for each position."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.latest: tuple[Position, Answer] | None = None

    def search(self, engine: Engine, settings: Settings) -> Answer:
        """What to play where an engine's game stands."""
        if settings.level is None or find_level(settings.level).simulations >= SIMULATIONS:
            return engine.search()
        position = engine.position
        if self.latest is None or self.latest[0] is not position:
            self.latest = position, self._at(position, engine.seed).search()
        return self.latest[1]

    def _at(self, position: Position, seed: int) -> Engine:
        """A good player in the same game."""
        first = position.first
        better = Engine(
            size=position.size, seed=seed, rules=position.rules, simulations=SIMULATIONS,
            make_search=stoppable(self.stop),
        )  # fmt: skip
        better.set_up(first.stones(BLACK), first.stones(WHITE), first.to_play)
        for color, move in position.moves:
            better.play(move, color)
        return better
