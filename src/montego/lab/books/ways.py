"""A way to grow a book, as it is asked for: by name, and with a few numbers."""

from __future__ import annotations

from dataclasses import dataclass

from montego.lab.base.errors import LabError
from montego.lab.books.buro import TREES, BuroGrowth
from montego.lab.books.plans import METHODS, BookPlan, Growth, Sparring, Start
from montego.lab.matches.entrants import Entrant

ITSELF, NOBODY = "itself", "none"
AGAINST: dict[str, type[Growth]] = {ITSELF: Growth, NOBODY: Sparring}
"""By who the opponent is: the same book, or nobody's."""


@dataclass(frozen=True)
class Way:
    """What is followed, against whom, and how far; LabError if that does not go together."""

    method: str = "mvbm"
    """One of METHODS or TREES."""
    against: str = ITSELF
    moves: int | None = None
    """Only so many moves of a game are followed."""
    least: int = 1
    """Games that a position needs before one of its moves is followed."""

    def __post_init__(self) -> None:
        if self.method not in (*METHODS, *TREES) or self.against not in AGAINST:
            raise LabError(f"no book is grown by {self.method} against {self.against}")
        if self.method in TREES and (self.against, self.moves, self.least) != (ITSELF, None, 1):
            raise LabError(
                f"--against, --moves and --least are for other methods: {self.method} plays "
                "against itself, and knows how far to go"
            )

    def plan(self, player: Entrant, start: Start, seed: int = 0) -> BookPlan:
        """The games of this way."""
        if self.method in TREES:
            return BuroGrowth(player, start, seed, self.method)
        kind = AGAINST[self.against]
        return kind(player, start, seed, self.method, self.moves, self.least)
