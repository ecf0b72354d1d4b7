"""One machine of a cluster: a search that tells what it has found, and takes in what others have.

All messages are of one kind: all that a machine has found itself of the nodes that are shared,
since its tree began.  The latest message of a machine takes the place of the one before, so that
messages may be late or lost.  See kernels/tree/sharing for how own and others' are kept apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.cluster.crowd import InCrowd
from montego.go import Position
from montego.kernels.tree.sharing import (
    FOREIGN,
    NUMBERED,
    PLACE,
    STATISTICS,
    add_up,
    enter_again,
    hear,
    path_key,
    take_in,
    tell,
)
from montego.mcts.avoid import Avoid
from montego.mcts.recipes import Recipe

MOST_OPEN, MOST_ROWS = 1 << 10, 1 << 14
"""Nodes whose children are shared, and rows of a message; the nodes nearest to the root count."""
FIRST_TABLE = 1 << 12
NEVER = 1e9
"""A share of the root's visits that no node has."""

Message = NDArray[np.void]
"""What a machine has found itself, a row a node."""
NOTHING: Message = np.zeros(0, dtype=STATISTICS)
OTHERS, ALL = -1, -2
"""The senders of what all others have found, and of what all have found."""


@dataclass(frozen=True)
class Sharing:
    """What of a tree is shared (T24)."""

    share: float = 0.05
    """The children of nodes with more than this part of the root's visits."""
    depth: int = 10
    """Down to this depth; 1 is the root's children alone."""
    rave: bool = True
    """RAVE counts as well."""


class Machine(InCrowd):
    """A tree in which everybody's simulations count, and that knows which are its own."""

    def __init__(
        self,
        recipe: Recipe,
        threads: int = 1,
        memory_mb: int = 512,
        seed: int = 0,
        sharing: Sharing = Sharing(),  # noqa: B008 - a value
    ) -> None:
        self.sharing = sharing
        self._table = np.zeros(FIRST_TABLE, dtype=FOREIGN)
        self._entered = 0  # rows of the table in use, at most
        self._key = 0
        self._places = np.zeros(MOST_OPEN, dtype=PLACE)
        self._rows = np.zeros(MOST_ROWS, dtype=STATISTICS)
        self._heard: dict[int, Message] = {}
        self._own_heard = NOTHING  # what of it is this machine's own
        super().__init__(recipe, threads, memory_mb, seed)
        hear.prepare(self._table, NOTHING, NOTHING)  # not within the first move
        tell.prepare(*self._arguments(), 0.0, 0, 0)
        take_in.prepare(*self._arguments(with_rows=False))
        summed([NOTHING])

    def _arguments(self, with_rows: bool = True) -> tuple[Any, ...]:
        rows = (self._rows,) if with_rows else ()
        return (self._strategy, self.pool, self._table, self._places, *rows, self._key)

    def clear(self) -> None:
        super().clear()
        self._forget()

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        """A new root; of the tree that is kept, only what is this machine's own.

        What others have found since their trees began comes back with their next message.
        """
        self.withdraw()
        super().set_position(position, avoided)
        moves = np.array([move for _, move in position.moves], dtype=np.int64)
        self._key = _signed(path_key(moves))

    def withdraw(self) -> None:
        """Take everything that came from others out of the tree."""
        if self._heard:
            for sender in list(self._heard):
                self.hear(sender, NOTHING)
            self._leave_out(NOTHING)
            self.take_in()
        self._forget()

    def _forget(self) -> None:
        self._heard, self._own_heard = {}, NOTHING
        self._table[:] = 0
        self._entered = 0

    # --- sharing ------------------------------------------------------------------------

    def tell(self, opens: bool = True) -> Message:
        """All that this machine has found itself; without ``opens``, of nodes that are open now."""
        self._make_room(MOST_OPEN)
        sharing = self.sharing
        share = sharing.share if opens else NEVER
        count = tell(*self._arguments(), share, sharing.depth, int(sharing.rave))
        return copied(self._rows[:count])

    def hear(self, sender: int, message: Message) -> None:
        """Take note of what another machine tells; ``take_in`` puts it into the tree."""
        self._replace(self._heard.get(sender, NOTHING), message)
        self._heard[sender] = message

    def _replace(self, before: Message, now: Message) -> None:
        """Bring the table from what was told before to what is told now."""
        self._make_room(len(now))
        self._entered += hear(self._table, before, now) - len(now)

    def join(self, messages: Sequence[Message]) -> tuple[Message, Sequence[Message]]:
        """The messages of all machines, for ``hear_all``: with their sum."""
        return summed(messages), messages

    def hear_all(self, joined: tuple[Message, Sequence[Message]], number: int) -> None:
        """Take note of what all machines tell, of which this one is that number.

        On one machine either this is called or ``hear``, never both.
        """
        total, messages = joined
        self.hear(ALL, total)
        self._leave_out(messages[number])

    def _leave_out(self, own: Message) -> None:
        """Take what is this machine's own out of what all have found, which has all its names."""
        self._replace(own, self._own_heard)
        self._own_heard = own

    def take_in(self) -> None:
        """Bring the tree to what has been heard; no simulation may run meanwhile."""
        self._make_room(1)
        take_in(*self._arguments(with_rows=False))

    def _make_room(self, rows: int) -> None:
        """See that so many more rows leave the table half empty."""
        self._entered += rows
        if 2 * self._entered <= len(self._table):
            return
        self._entered = int(np.count_nonzero(self._table["key"])) + rows
        while 2 * self._entered > len(self._table):
            larger = np.zeros(2 * len(self._table), dtype=FOREIGN)
            enter_again(self._table, larger)
            self._table = larger

    @property
    def key(self) -> int:
        """The name of the root, the same on all machines."""
        return self._key & (2**64 - 1)

    @property
    def own_visits(self) -> int:
        """Simulations of the tree that are this machine's own."""
        root: Any = self._table[self._table["key"] == np.uint64(self.key)]
        return self.root_visits - int(root["in_visits"].sum())


def copied(message: Message) -> Message:
    """A copy; as bytes, for NumPy copies records one by one."""
    return message.view(np.uint8).copy().view(STATISTICS)


def summed(messages: Sequence[Message]) -> Message:
    """What some machines have found, added up, a row a node."""
    most = sum(map(len, messages))
    total = np.empty(most, dtype=STATISTICS)
    numbered = np.zeros(1 << (2 * most).bit_length(), dtype=NUMBERED)
    count = 0
    for message in messages:
        count = add_up(numbered, message, total, count)
    return total[:count]


def seeds_of(seed: int, machines: int) -> list[int]:
    """A seed for every machine; that of the first is the seed itself."""
    others = np.random.SeedSequence(seed).generate_state(machines, np.uint64)[1:]
    return [seed, *(int(other) >> 1 for other in others)]


def _signed(key: int) -> int:
    """A name as kernels take it: 64 bits with a sign."""
    return key - 2**64 if key >= 2**63 else key
