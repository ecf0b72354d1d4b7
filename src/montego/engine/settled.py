"""Whether a game is decided: nothing that can still be played changes who wins.

The side that is behind is given more than the rules allow: it moves first, and a second time
while the other passes.  A search looks for the best it can do with that.  The game is settled
if it still loses, and if enough points for that belong to the winner in nearly all playouts; and
if it loses with one move as well, since in a seki a second one may be forced to spoil the first.

A pass that loses a won game is the worst move on the board, and a few moves more cost nothing
under area scoring: so this asks for much.
"""

from __future__ import annotations

from functools import cached_property

from montego.engine.status import Status
from montego.go import PASS, Position
from montego.go.colors import other_color
from montego.go.points import all_points
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch

SIMULATIONS = 1_000
FEWEST = 200
"""A check of fewer simulations, for want of time, has shown nothing."""
WON, HELD = 0.9, 0.6
"""The winner's least value (-1 to 1) against two moves in a row, and against one."""
OWNED = 0.8
"""Ownership from which a point counts as the winner's: 90 % of the playouts."""
LOOK = 300
"""Simulations of a look at a game for a player who cannot judge it."""
MEMORY_MB = 32


class Verifier:
    """Looks whether a game is decided; by our strongest recipe, whichever one plays."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @cached_property
    def _search(self) -> LocalSearch:
        return LocalSearch(RECIPES["classic"], memory_mb=MEMORY_MB, seed=self.seed)

    def look(self, position: Position) -> Found:
        """What a quick search finds here."""
        self._search.clear()
        return self._search.run(position, Budget(LOOK))

    def is_settled(self, position: Position, winner: int, seconds: float | None = None) -> bool:
        """Whether a player wins though the other one moves first: twice, and once.  Where every
        move is a bad one, in a seki, the second is no gift."""
        loser, each = other_color(winner), seconds if seconds is None else seconds / 2
        found = self._best_for(
            loser, position, each,
            Avoid(winner, frozenset(all_points(position.size)), depth=2),
            Avoid(loser, frozenset({PASS}), depth=3),
        )  # fmt: skip
        if found is None or found.value > -WON:
            return False
        is_secure = Status(position, found.ownership).secure_score(winner, OWNED) > 0
        return is_secure and self.holds(position, winner, each)

    def holds(self, position: Position, winner: int, seconds: float | None = None) -> bool:
        """Whether a player wins though the other one moves first: once, as after a pass."""
        loser = other_color(winner)
        found = self._best_for(loser, position, seconds, Avoid(loser, frozenset({PASS})))
        return found is not None and found.value <= -HELD

    def _best_for(
        self, loser: int, position: Position, seconds: float | None, *avoided: Avoid
    ) -> Found | None:
        """What the losing side finds; None if there was no time to look."""
        self._search.clear()
        budget = Budget(SIMULATIONS, seconds)
        found = self._search.run(position.with_to_play(loser), budget, avoided=avoided)
        return found if found.simulations >= FEWEST else None
