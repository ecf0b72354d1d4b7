"""What games say about moves: for every position, how often each move was played and who won.

Counts are by colour, and follow from the games alone, so a book can be rebuilt and checked.  A game
counts once for a position and a move, though it may come by twice.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from struct import Struct
from zlib import crc32

from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import PositionKey, key_of
from montego.go import BLACK, WHITE, Position

Counts = tuple[int, int, int]
"""Games, those that Black won, and those that White won; the others were drawn."""
Moves = dict[int, Counts]
"""The counts of a position by the numbers of moves (see keys.py)."""
Tally = dict[int, Moves]
"""The moves of positions by their keys."""

NO_COUNTS = (0, 0, 0)
_ROW = Struct("<HIII")
_SUM = Struct("<I")
_KEY = Struct("<q")


@dataclass(frozen=True)
class BookMove:
    """A move of a position that is in the book."""

    point: int
    color: int
    """Who plays it."""
    games: int
    black_wins: int
    white_wins: int

    @property
    def wins(self) -> int:
        """Games that its player won."""
        return self.black_wins if self.color == BLACK else self.white_wins

    @property
    def draws(self) -> int:
        return self.games - self.black_wins - self.white_wins

    @property
    def rate(self) -> float:
        """Its player's success rate, 0 to 1; a draw is half a win."""
        return (self.wins + self.draws / 2) / self.games


def steps_of(game: BookGame) -> Iterator[tuple[int, int, Counts]]:
    """Key, move and counts of everything that a game says."""
    counts = (1, int(game.winner == BLACK), int(game.winner == WHITE))
    seen = set()
    for position, point in game.positions():
        place = key_of(position)
        step = (place.key, place.number(point))
        if step not in seen:
            seen.add(step)
            yield *step, counts


def tally(games: Iterable[BookGame]) -> Tally:
    """What all these games say."""
    found: Tally = {}
    for game in games:
        add_steps(found, steps_of(game))
    return found


def add_steps(found: Tally, steps: Iterable[tuple[int, int, Counts]]) -> None:
    """Add what a game says."""
    for key, number, counts in steps:
        moves = found.setdefault(key, {})
        moves[number] = plus(moves.get(number, NO_COUNTS), counts)


def plus(one: Counts, other: Counts) -> Counts:
    """The sum of two counts."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def on_board(position: Position, place: PositionKey, moves: Moves) -> tuple[BookMove, ...]:
    """Counts as moves of a position, the most played first."""
    found = [
        BookMove(place.point(number), position.to_play, *counts) for number, counts in moves.items()
    ]
    return tuple(sorted(found, key=lambda move: (-move.games, -move.wins, move.point)))


# --- as bytes --------------------------------------------------------------------------


def packed(key: int, moves: Moves) -> bytes:
    """The counts of a position, with a checksum that a damaged one does not pass."""
    rows = b"".join(_ROW.pack(number, *counts) for number, counts in sorted(moves.items()))
    return rows + _SUM.pack(crc32(_KEY.pack(key) + rows))


def unpacked(key: int, content: bytes) -> Moves:
    """The inverse; raises BookError for what has been changed."""
    rows, ending = content[: -_SUM.size], content[-_SUM.size :]
    try:
        if _SUM.unpack(ending)[0] == crc32(_KEY.pack(key) + rows):
            return {row[0]: (row[1], row[2], row[3]) for row in _ROW.iter_unpack(rows)}
    except struct.error:
        pass
    raise BookError(f"the counts of position {key} are damaged")
