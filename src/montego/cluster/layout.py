"""Which nodes are summed over all machines, and where each is in the vector that is summed (T24).

An all-reduce adds vectors, so all machines have to agree on what stands where.  They do without a
word: the nodes of the next sum follow from the last one, which all of them have.  The first is the
root with its children; a child with more than a share of the root's visits brings its own
children into the next sum.  Nodes are never left out again within a search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from montego.cluster.machine import MOST_OPEN, Message, Sharing
from montego.kernels.tree.sharing import GOLDEN, MIX_1, MIX_2, MOVE_BITS, STATISTICS

FINE = 1 << 10
"""Squares of results are summed as integers, in this fraction of one."""
PLAIN = ("visits", "total", "squares")
WITH_RAVE = (*PLAIN, "rave_visits", "rave_total")

Vector = NDArray[np.int64]
Keys = NDArray[np.uint64]


def child_keys(keys: Keys, moves: NDArray[np.int64]) -> Keys:
    """The names of all children, by node and move; the kernels have the same formula."""
    mixed = keys * GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX_2
    names = (mixed ^ (mixed >> np.uint64(31))) << np.uint64(MOVE_BITS)
    keyed: Keys = names[:, None] | (moves.astype(np.uint64) + np.uint64(1))[None, :]
    return keyed


class Layout:
    """The nodes of one search that are shared."""

    def __init__(self, root_key: int, moves: NDArray[np.int64], sharing: Sharing) -> None:
        """``moves`` are all that a player may have, the pass among them."""
        self.sharing = sharing
        self.fields = WITH_RAVE if sharing.rave else PLAIN
        self._moves = moves
        self._open = np.array([root_key], dtype=np.uint64)
        self._keys = np.array([root_key], dtype=np.uint64)
        self._key_depths = np.zeros(1, dtype=np.int64)
        self._add_children(self._open, self._key_depths)

    def _add_children(self, keys: Keys, depths: NDArray[np.int64]) -> None:
        children = child_keys(keys, self._moves).ravel()
        self._keys = np.concatenate([self._keys, children])
        below = np.repeat(depths + 1, len(self._moves))
        self._key_depths = np.concatenate([self._key_depths, below])
        self._order = np.argsort(self._keys, kind="stable")
        self._sorted = self._keys[self._order]
        self._told = np.zeros(0, dtype=np.uint64)
        self._places = np.zeros(0, dtype=np.int64)

    @property
    def size(self) -> int:
        """Numbers of a vector."""
        return len(self._keys) * len(self.fields)

    @property
    def digest(self) -> int:
        """A number that tells layouts apart."""
        mixed = self._open * GOLDEN  # siblings have names that begin in the same way
        return int(np.bitwise_xor.reduce(mixed) >> np.uint64(32)) + len(self._open)

    def vector(self, message: Message) -> Vector:
        """What a machine has found itself, each number in its place."""
        keys = message["key"].copy()
        if not np.array_equal(keys, self._told):  # mostly a machine tells of the same nodes again
            self._told, self._places = keys, self._find(keys)
        vector = np.zeros((len(self.fields), len(self._keys) + 1), dtype=np.int64)
        for row, name in zip(vector, self.fields, strict=True):
            row[self._places] = message[name] * FINE if name == "squares" else message[name]
        return vector[:, :-1].ravel()

    def _find(self, keys: Keys) -> NDArray[np.int64]:
        """Where nodes stand; behind all others if they are not shared."""
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        found: NDArray[np.int64] = np.where(
            self._sorted[at] == keys, self._order[at], len(self._keys)
        )
        return found

    def take(self, sums: Vector, own: Vector) -> tuple[Message, bool]:
        """What others have found, as a machine hears it; whether the next sum has more nodes."""
        keys, others = self._keys, (sums - own).reshape(len(self.fields), -1)
        has_grown = self._grow(sums[: len(keys)])
        is_open = np.isin(keys, self._open)
        rows = np.flatnonzero(others.any(axis=0) | is_open)
        message = np.zeros(len(rows), dtype=STATISTICS)
        message["key"] = keys[rows]
        message["is_open"] = is_open[rows]
        for row, name in zip(others, self.fields, strict=True):
            message[name] = row[rows] / FINE if name == "squares" else row[rows]
        return message, has_grown

    def _grow(self, visits: Vector) -> bool:
        """Take up the children of nodes that have become busy; whether there are any."""
        busy = (visits > self.sharing.share * visits[0]) & (self._key_depths < self.sharing.depth)
        busy[0] = False
        new = np.flatnonzero(busy & ~np.isin(self._keys, self._open))
        new = new[: MOST_OPEN - len(self._open)]
        if not len(new):
            return False
        self._open = np.concatenate([self._open, self._keys[new]])
        self._add_children(self._keys[new], self._key_depths[new])
        return True
