"""Share everything (T23) on real machines: every machine sends its games to all others.

Every period a machine sends the games since the last time, to each of the others by itself, so a
slow machine keeps nobody waiting.  The last message of a machine says that it is the last: a
search is over when everybody has everybody's games.
"""

from __future__ import annotations

import struct
import time
from queue import SimpleQueue

import numpy as np

from montego.cluster.broadcaster import Broadcaster, Games
from montego.cluster.exchange import Mail
from montego.go import Position
from montego.kernels.tree.replay import GAME
from montego.mcts.avoid import Avoid

HEADER = struct.Struct("=qq")
"""Of a message: what it says besides, and how many games it holds."""
FINISHED, LAST = 1, 2
PAUSE, REST = 0.005, 0.01


def pack(says: int, told: Games) -> bytes:
    """Games as bytes."""
    return HEADER.pack(says, len(told.games)) + told.games.tobytes() + told.moves.tobytes()


def unpack(data: bytes) -> tuple[int, Games]:
    """The games again, and what is said with them."""
    says, count = HEADER.unpack_from(data)
    end = HEADER.size + count * GAME.itemsize
    games = np.frombuffer(bytearray(data[HEADER.size : end]), dtype=GAME)
    return says, Games(games, np.frombuffer(bytearray(data[end:]), dtype=np.int16))


class Broadcasts:
    """The games of one search; an Exchange."""

    def __init__(self, machine: Broadcaster, mail: Mail, period: float) -> None:
        self.machine, self.mail, self.period = machine, mail, period
        self.count = 0
        self.is_stopping = self.has_finished = self.has_ended = False
        self._said = 0  # what the latest message said
        self._next = time.monotonic() + period
        self._out: SimpleQueue[bytes] = SimpleQueue()
        self._in: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        self._finished: set[int] = set()
        self._left: set[int] = set()
        self._since = 0.0

    def hurry(self) -> None:
        """Stop, and send the last games."""
        self.is_stopping = True

    def step(self) -> None:
        """Play the games again that have come; send those that are due."""
        while not self._in.empty():
            self._hear(*self._in.get())
        says = FINISHED * self.has_finished | LAST * self.is_stopping
        is_due = time.monotonic() >= self._next or says != self._said
        if is_due and not self.has_ended:
            self._next = time.monotonic() + self.period
            self._since = time.monotonic()
            self._out.put(pack(says, self.machine.tell()))
            self._said, self.has_ended = says, self.is_stopping

    def _hear(self, sender: int, data: bytes) -> None:
        says, told = unpack(data)
        self.machine.hear(sender, told)
        self.count += 1
        if says & FINISHED:
            self._finished.add(sender)
        if says & LAST:
            self._left.add(sender)

    def pump(self) -> None:
        """Send what is there to be sent, and receive."""
        while not self._out.empty():
            self.mail.send(self.mail.others, self._out.get())
        for letter in self.mail.receive():
            self._in.put(letter)

    @property
    def all_have_finished(self) -> bool:
        return self.has_finished and len(self._finished) == self.mail.machines - 1

    @property
    def is_taken(self) -> bool:
        return self.has_ended and self._out.empty() and len(self._left) == self.mail.machines - 1

    @property
    def waits(self) -> float:
        """Seconds that the last message of another machine has been waited for."""
        return time.monotonic() - self._since if self.has_ended and not self.is_taken else 0.0

    @property
    def pause(self) -> float:
        return REST if self.is_taken else PAUSE


class BroadcastsPart:
    """A machine that takes part; a Part."""

    def __init__(self, machine: Broadcaster, mail: Mail, period: float) -> None:
        self.machine, self._mail, self._period = machine, mail, period

    def begin(self, search: int, position: Position, avoided: tuple[Avoid, ...]) -> Broadcasts:
        self._mail.search = search
        self.machine.set_position(position, avoided)
        return Broadcasts(self.machine, self._mail, self._period)
