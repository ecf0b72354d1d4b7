"""T30: where the book has no move to play, the tree begins with what it knows of the position.

These are moves with too few games to be played blindly.  A game of the book was thought about at
every move, so it is worth more than a simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from montego.go import Position
from montego.mcts.seeding import PriorGames

if TYPE_CHECKING:  # books bring SQLite with them
    from montego.book.choice import Opening

SIMULATIONS_A_GAME = 10.0
"""What a game of the book is worth."""
MOST_SIMULATIONS = 300.0
"""All games of a move together are worth no more: a search may know better."""


@runtime_checkable
class Seedable(Protocol):
    """A search whose tree may begin with games; those over many machines do not."""

    def begin_with(self, position: Position, known: Mapping[int, PriorGames]) -> None: ...


def tell_tree(opening: Opening | None, search: object, position: Position) -> None:
    """Let a search begin with the book's counts, if there are any for this position."""
    if opening is None or not isinstance(search, Seedable):
        return
    known = {
        move.point: PriorGames(
            min(SIMULATIONS_A_GAME * move.games, MOST_SIMULATIONS), 2 * move.rate - 1
        )
        for move in opening.book.look_up(position)
    }
    if known:
        search.begin_with(position, known)
