"""What the machines of one search tell each other, by any method, as one of them sees it.

Two threads of a machine take part.  The one that searches calls ``step`` between two batches of
simulations.  The main thread, which alone speaks MPI, calls ``pump``; it never waits inside MPI,
for that would burn a core that somebody searches on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from montego.cluster.crowd import InCrowd
from montego.go import Position
from montego.mcts.avoid import Avoid

MAIL = 2
"""The tag of messages that belong to a search."""


class Exchange(Protocol):
    """The messages of one search."""

    is_stopping: bool
    """This machine wants all to stop; said by the first one alone."""
    has_finished: bool
    """This machine has done all its simulations."""

    @property
    def count(self) -> int:
        """Messages that have been taken: a sign of life."""

    @property
    def all_have_finished(self) -> bool:
        """Whether all machines have done all their simulations."""

    @property
    def has_ended(self) -> bool:
        """Whether this machine is to simulate no more."""

    @property
    def is_taken(self) -> bool:
        """Whether all is over, and in the tree."""

    @property
    def waits(self) -> float:
        """Seconds that another machine has been waited for."""

    @property
    def pause(self) -> float:
        """Seconds until the main thread is to look again."""

    def hurry(self) -> None:
        """The first machine wants to stop."""

    def step(self) -> None:
        """Take what has come, give what is due."""

    def pump(self) -> None:
        """Send and receive, as far as that needs no waiting."""


class Part(Protocol):
    """What one machine does in a method, from search to search."""

    @property
    def machine(self) -> InCrowd | None:
        """The machine's own search; None if it only helps another."""

    def begin(self, search: int, position: Position, avoided: tuple[Avoid, ...]) -> Exchange:
        """Begin a search, whose number all machines know."""


class Mail:
    """Messages from machine to machine; each belongs to a search and says so.

    Searches do not begin everywhere at once: what is early is kept.  What is late is dropped.
    """

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        self.number, self.machines = int(comm.Get_rank()), int(comm.Get_size())
        self.search = 0
        self._early: list[tuple[int, int, bytes]] = []
        self._sent: list[tuple[Any, bytes]] = []

    @property
    def others(self) -> list[int]:
        """The numbers of all other machines."""
        return [number for number in range(self.machines) if number != self.number]

    def send(self, receivers: Sequence[int], data: bytes) -> None:
        """Begin to send a message of this search."""
        from mpi4py import MPI

        data = np.int64(self.search).tobytes() + data
        self._sent = [sent for sent in self._sent if not sent[0].Test()]
        for receiver in receivers:
            self._sent.append((self.comm.Isend([data, MPI.BYTE], receiver, MAIL), data))

    def receive(self) -> list[tuple[int, bytes]]:
        """The messages of this search that are there, with their senders."""
        from mpi4py import MPI

        status = MPI.Status()
        while self.comm.Iprobe(MPI.ANY_SOURCE, MAIL, status):
            data = bytearray(status.Get_count(MPI.BYTE))
            sender = status.Get_source()
            self.comm.Recv([data, MPI.BYTE], sender, MAIL)
            search = int(np.frombuffer(data[:8], dtype=np.int64)[0])
            self._early.append((search, sender, bytes(data[8:])))
        now = [(sender, data) for search, sender, data in self._early if search == self.search]
        self._early = [letter for letter in self._early if letter[0] > self.search]
        return now
