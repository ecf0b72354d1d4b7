"""Leaf parallelization (T20) on real machines: one tree, and every machine plays from each leaf.

The first machine has the tree.  It descends to some leaves, sends them to all others, plays a game
from each itself and descends again; a few such batches are under way at a time, for a message
takes longer than a game.  When the results of a machine come, they count as one more simulation
from each of those leaves.  A machine that is late costs its simulations, and nothing else.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from montego.cluster.exchange import Mail
from montego.cluster.remote import LEAVES, PATIENCE, Client, Server, Waiting
from montego.go import Position
from montego.kernels.tree.delayed import WAITING
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Progress
from montego.mcts.recipes import Recipe
from montego.mcts.search import Simulate

HEAD = 0
AHEAD = 4
"""Batches under way."""
LONG_PATIENCE = 10.0
"""Seconds that the last results are waited for when there is no clock."""
SOON, LATER, REST = 0.0002, 0.005, 0.01
"""Seconds between two looks at MPI: messages come, none has come for a while, all is over."""
A_WHILE = 0.05
NUMBERS = np.dtype([("batch", np.int64), ("count", np.int64)])
Counts = NDArray[np.int32]
LEAF = np.dtype([("depth", np.int32), ("length", np.int32), ("result", np.float64)])


# --- what is sent ----------------------------------------------------------------------


def _within(begin: Counts, end: Counts) -> NDArray[np.bool_]:
    """Which moves of some games are from one number on and before another, a row a game."""
    at = np.arange(int(end.max(initial=0)))
    chosen: NDArray[np.bool_] = (at >= begin[:, None]) & (at < end[:, None])
    return chosen


def _pack(batch: int, waiting: Waiting, begin: Counts, end: Counts) -> bytes:
    leaves = np.zeros(len(waiting), dtype=LEAF)
    for name in ("depth", "length", "result"):
        leaves[name] = waiting[name]
    chosen = _within(begin, end)
    moves = waiting["sequence"][:, : chosen.shape[1]][chosen]
    numbers = np.array([(batch, len(waiting))], dtype=NUMBERS)
    return numbers.tobytes() + leaves.tobytes() + moves.tobytes()


def _unpack(data: bytes) -> tuple[int, NDArray[np.void], NDArray[np.int16]]:
    numbers = np.frombuffer(data, dtype=NUMBERS, count=1)[0]
    end = NUMBERS.itemsize + int(numbers["count"]) * LEAF.itemsize
    leaves = np.frombuffer(data[NUMBERS.itemsize : end], dtype=LEAF)
    return int(numbers["batch"]), leaves, np.frombuffer(data[end:], dtype=np.int16)


def pack_leaves(batch: int, waiting: Waiting) -> bytes:
    """The ways to some leaves."""
    return _pack(batch, waiting, np.zeros_like(waiting["depth"]), waiting["depth"])


def unpack_leaves(data: bytes) -> tuple[int, Waiting]:
    """The leaves again, as a server takes them."""
    batch, leaves, moves = _unpack(data)
    waiting = np.zeros(len(leaves), dtype=WAITING)
    waiting["depth"] = leaves["depth"]
    chosen = _within(np.zeros_like(leaves["depth"]), leaves["depth"])
    waiting["sequence"][:, : chosen.shape[1]][chosen] = moves
    return batch, waiting


def pack_results(batch: int, waiting: Waiting) -> bytes:
    """The games that have been played from some leaves."""
    return _pack(batch, waiting, waiting["depth"], waiting["length"])


def batch_of(data: bytes) -> int:
    """Which batch a message is about."""
    return int(np.frombuffer(data, dtype=NUMBERS, count=1)[0]["batch"])


def unpack_results(data: bytes, waiting: Waiting) -> Waiting:
    """The games of some leaves, as the client learns from them."""
    _, leaves, moves = _unpack(data)
    played = waiting.copy()
    played["length"], played["result"], played["is_there"] = leaves["length"], leaves["result"], 1
    chosen = _within(leaves["depth"], leaves["length"])
    played["sequence"][:, : chosen.shape[1]][chosen] = moves
    return played


# --- the machine with the tree ---------------------------------------------------------


@dataclass
class Sent:
    """A batch of leaves, and how many machines have not answered yet."""

    waiting: Waiting
    missing: int
    since: float = field(default_factory=time.monotonic)


class LeafClient(Client):
    """The tree, whose leaves everybody plays from."""

    def __init__(self, recipe: Recipe, memory_mb: int, seed: int) -> None:
        super().__init__(recipe, memory_mb, seed)
        self.out: SimpleQueue[bytes] = SimpleQueue()
        self.results: SimpleQueue[bytes] = SimpleQueue()
        self.under_way: dict[int, Sent] = {}
        self.answers = 0
        self._batch = 0

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None:
        super().set_position(position, avoided)
        self.under_way = {}
        self.out, self.results = SimpleQueue(), SimpleQueue()

    def simulate(self, batch: int, pool: ThreadPoolExecutor | None = None) -> None:
        """Descend so often; every machine plays a game from each leaf."""
        for begin in range(0, batch, LEAVES):
            self._wait_for_room(AHEAD - 1, PATIENCE)
            self._batch += 1
            waiting = self._begin(min(LEAVES, batch - begin))
            if self.crowd > 1:
                self.under_way[self._batch] = Sent(waiting.copy(), self.crowd - 1)
                self.out.put(pack_leaves(self._batch, waiting))
            self._play_here(waiting)
            self._learn(waiting)

    def _wait_for_room(self, most: int, patience: float) -> None:
        """Take results until no more than so many batches are under way; one that nobody answers
        in time is given up."""
        deadline = time.monotonic() + patience
        while not self.results.empty():
            self._take(self.results.get())
        while len(self.under_way) > most:
            try:
                self._take(self.results.get(timeout=max(deadline - time.monotonic(), 0.0)))
            except Empty:
                del self.under_way[min(self.under_way)]

    def _take(self, data: bytes) -> None:
        sent = self.under_way.get(batch_of(data))
        if sent is None:
            return
        played = unpack_results(data, sent.waiting)
        self._begin_again(played)
        self._learn(played)
        self.answers += 1
        sent.missing -= 1
        if sent.missing == 0:
            del self.under_way[batch_of(data)]

    def drive(
        self,
        simulate: Simulate,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        begin: float,
    ) -> int:
        """At the end the last results are waited for."""
        done = super().drive(simulate, budget, progress, interval, begin)
        self._wait_for_room(0, LONG_PATIENCE if budget.seconds is None else PATIENCE)
        return done


class Calls:
    """One search as the machine with the tree sees it; an Exchange."""

    def __init__(self, machine: LeafClient, mail: Mail) -> None:
        self.machine, self.mail = machine, mail
        self.is_stopping = self.has_finished = False

    def hurry(self) -> None:
        """It is this machine that stops."""

    def step(self) -> None:
        """The search itself takes and gives, leaf by leaf."""

    def pump(self) -> None:
        """Send leaves, receive results."""
        while not self.machine.out.empty():
            self.mail.send(self.mail.others, self.machine.out.get())
        for _, data in self.mail.receive():
            self.machine.results.put(data)

    @property
    def count(self) -> int:
        return self.machine.answers

    @property
    def all_have_finished(self) -> bool:
        return self.has_finished

    @property
    def has_ended(self) -> bool:
        return self.is_stopping

    @property
    def is_taken(self) -> bool:
        return self.is_stopping

    @property
    def waits(self) -> float:
        """Seconds that the oldest batch has been under way."""
        since = [sent.since for sent in list(self.machine.under_way.values())]
        return time.monotonic() - min(since) if since and not self.is_stopping else 0.0

    @property
    def pause(self) -> float:
        return REST if self.is_stopping else SOON


# --- all others ------------------------------------------------------------------------


class Answers:
    """One search as a machine without a tree sees it: it plays what it is sent; an Exchange."""

    def __init__(self, server: Server, mail: Mail, position: Position) -> None:
        self.server, self.mail = server, mail
        self._board, self._komi = position.board_copy(), float(position.komi)
        self.count = 0
        self.is_stopping = self.has_finished = self.has_ended = False
        self._latest = time.monotonic()

    def hurry(self) -> None:
        """No more leaves come."""
        self.has_ended = True

    def step(self) -> None:
        """There is no search."""

    def pump(self) -> None:
        """Play from the leaves that have come."""
        for _, data in self.mail.receive():
            batch, waiting = unpack_leaves(data)
            self.server.play(self._board, self._komi, waiting)
            self.mail.send([HEAD], pack_results(batch, waiting))
            self.count += 1
            self._latest = time.monotonic()

    @property
    def all_have_finished(self) -> bool:
        return self.has_ended

    @property
    def is_taken(self) -> bool:
        return self.has_ended

    @property
    def waits(self) -> float:
        return 0.0

    @property
    def pause(self) -> float:
        if self.has_ended:
            return REST
        return SOON if time.monotonic() - self._latest < A_WHILE else LATER


class LeafPart:
    """The machine with the tree; a Part."""

    def __init__(self, machine: LeafClient, mail: Mail) -> None:
        self.machine, self._mail = machine, mail

    def begin(self, search: int, position: Position, avoided: tuple[Avoid, ...]) -> Calls:
        self._mail.search = search
        self.machine.set_position(position, avoided)
        return Calls(self.machine, self._mail)


class ServerPart:
    """A machine that plays games from the leaves of another; a Part."""

    machine = None

    def __init__(self, server: Server, mail: Mail) -> None:
        self._server, self._mail = server, mail

    def begin(self, search: int, position: Position, avoided: tuple[Avoid, ...]) -> Answers:
        self._mail.search = search
        return Answers(self._server, self._mail, position)
