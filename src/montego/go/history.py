"""The history of a game, which all its positions share: the moves, and the keys for superko.

A position knows how many moves of its history are its own.  The latest one appends in place; a
position that somebody has gone on from already begins a branch with a copy.  So a game of n moves
takes memory in proportion to n, and a position never changes.
"""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from montego.go.errors import TooLong

MAX_MOVES = 4_000
"""Of one game; the longest that were ever played have some 400, and a match stops at 1,083."""
_ROOM = 64

Keys = NDArray[np.uint64]


class History:
    """Keys of situations and the moves between them; both only ever grow."""

    __slots__ = ("_before", "_keys", "_lock", "_moves")

    def __init__(self, keys: Keys, moves: list[tuple[int, int]] | None = None) -> None:
        """``keys`` are those of all situations so far, ``moves`` the last ones that led there."""
        self._keys = np.empty(keys.size + _ROOM, dtype=np.uint64)
        self._keys[: keys.size] = keys
        self._moves = moves or []
        self._before = keys.size - len(self._moves)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[History], tuple[Keys, list[tuple[int, int]]]]:
        return History, (self.keys(self._before + len(self._moves)).copy(), self._moves)

    def keys(self, count: int) -> Keys:
        """The first keys, as a view that nobody may write to."""
        return self._keys[:count]

    def moves(self, count: int) -> list[tuple[int, int]]:
        """The moves as (colour, point) that lead to the last of so many keys."""
        return self._moves[: count - self._before]

    def extended(self, count: int, mover: int, point: int) -> History:
        """A history with room for one more situation than ``count``: this one, or a copy."""
        if count > MAX_MOVES:
            raise TooLong(f"a game has at most {MAX_MOVES:,} moves")
        with self._lock:
            if count == self._before + len(self._moves):
                self._moves.append((mover, point))
                self._make_room(count + 1)
                return self
        branch = History(self.keys(count), self.moves(count))
        branch._moves.append((mover, point))
        return branch

    def take_back(self) -> None:
        """The move that was entered last is none; nobody has gone on from it yet."""
        self._moves.pop()

    def _make_room(self, count: int) -> None:
        if count > self._keys.size:
            keys = np.empty(2 * count, dtype=np.uint64)
            keys[: self._keys.size] = self._keys
            self._keys = keys  # who has a view of the old one keeps it
