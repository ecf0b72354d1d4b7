"""How the time of a game is divided among its moves: most of it for the middle game.

A move has a weight by how many moves have been played for each point of the board.  The first
moves on a large board are known, and the last ones count for little: both get less than what is
fought about in between.  Time that is left is divided by the weights of the moves to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

KNOWN = 0.7
"""What the first move on 19x19 has less than one of the middle game; on smaller boards it decides
more, and has the less taken off it the fewer points they have."""
OPENED, LATE, END = 0.06, 0.42, 0.75
"""Moves for each point of the board: nothing is known any more; less and less is left to decide;
the game may be over soon."""
LAST = 0.3
"""The weight of a move from then on."""
OVERHEAD = 0.02
"""Seconds that a move takes besides the search, mostly in the controller."""
MOST_OVERHEAD = 0.25
"""But no more than this part of a move's time, or a short clock would be all overhead."""
LARGEST = 361
FEWEST, FEWEST_PART = 8, 8
"""Moves of one's own that are always expected to come: this many, or a part of all points."""


def weight(area: int, played: int) -> float:
    """How much time a move has after so many, if one of the middle game has 1."""
    stage = played / area
    if stage < OPENED:
        return 1 - KNOWN * area / LARGEST * (1 - stage / OPENED)
    return 1 - (1 - LAST) * min(max(stage - LATE, 0) / (END - LATE), 1)


@cache
def _weights_to_come(area: int, played: int) -> float:
    """The weights of the next move of one's own and of all those after it."""
    if played >= END * area:
        return LAST * max(area // FEWEST_PART, FEWEST)
    return weight(area, played) + _weights_to_come(area, played + 2)


@dataclass(frozen=True)
class ToCome:
    """The moves of one's own that are to come."""

    moves: int
    """How many, guessed from how full the board is."""
    shares: float
    """How many as long as the next one the time that is left would be enough for."""


def moves_to_come(area: int, played: int) -> ToCome:
    """What is expected of the game after so many moves of both."""
    moves = max((area - played) // 2, area // FEWEST_PART, FEWEST)
    shares = _weights_to_come(area, played) / weight(area, played)
    return ToCome(moves, max(shares, FEWEST))


def overhead(seconds: float) -> float:
    """What a move takes besides the search if it has so many seconds in all."""
    return min(OVERHEAD, MOST_OVERHEAD * seconds)
