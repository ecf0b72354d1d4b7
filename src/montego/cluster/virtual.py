"""The virtual cluster: many machines in one process, in virtual time.

The unit of time is one simulation of a machine of common speed.  Every so many units all machines
tell each other what they have found; a message takes its time, and may be lost.  Everything
follows from the seed: a cluster of a thousand machines plays the same game on any computer.

The machines are those of the real cluster (machine, broadcaster).  Only time and the network are
made up; the threads of this process take turns at the machines, and never change a result.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from montego.go import Position
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found, Progress
from montego.mcts.search import Simulate

Each = Callable[[Callable[[int], None], Iterable[int]], Iterable[None]]
"""Does something for each machine, by its number: ``map``, of one thread or of many."""


class Member(Protocol):
    """A machine of the cluster."""

    crowd: int

    def clear(self) -> None: ...

    def set_position(self, position: Position, avoided: tuple[Avoid, ...] = ()) -> None: ...

    def simulate(self, batch: int) -> None: ...

    def tell(self) -> Any: ...

    def hear(self, sender: int, message: Any, /) -> None: ...

    def join(self, messages: Any, /) -> Any: ...

    def hear_all(self, joined: Any, number: int, /) -> None: ...

    def take_in(self) -> None: ...

    def drive(
        self,
        simulate: Simulate,
        budget: Budget,
        progress: Progress | None,
        interval: float,
        begin: float,
    ) -> int: ...

    def found(self, simulations: int, seconds: float) -> Found: ...


class Network:
    """Messages on their way: each arrives after a delay, or is lost, as chance has it."""

    def __init__(self, machines: int, delay: float, loss: float, seed: int) -> None:
        self.machines, self.delay, self.loss = machines, delay, loss
        self._rng = np.random.default_rng(seed)
        self._under_way: deque[tuple[float, list[Any], Any]] = deque()

    def clear(self) -> None:
        """Lose everything that is under way."""
        self._under_way.clear()

    def send(self, now: float, messages: list[Any]) -> None:
        """One message of every machine to all others."""
        self._under_way.append((now + self.delay, messages, self._luck()))

    def _luck(self) -> Any:
        """Which messages arrive, by sender and receiver; None for all of them."""
        shape = (self.machines, self.machines)
        return self._rng.random(shape) >= self.loss if self.loss else None

    @property
    def next_arrival(self) -> float:
        """When the next messages arrive."""
        return self._under_way[0][0] if self._under_way else math.inf

    def arrived(self) -> tuple[list[Any], Any]:
        """The messages that arrive next, and which of them do, by sender and receiver."""
        return self._under_way.popleft()[1:]

    def at_last(self, messages: list[Any]) -> tuple[list[Any], Any]:
        """As ``arrived``, for messages that are waited for at the end of a search."""
        return messages, self._luck()


class VirtualCluster:
    """Machines that search for one move; the first one plays it."""

    def __init__(
        self,
        members: Sequence[Member],
        network: Network,
        between: float,
        speeds: Sequence[float] | None = None,
        threads: int = 1,
    ) -> None:
        """``between`` is the time between two shares; it may be infinite."""
        self.members, self.network, self.between = members, network, between
        self.head = members[0]
        self._speeds = speeds or [1.0] * len(members)
        self._done = [0] * len(members)
        self._threads = threads
        for member in members:
            member.crowd = len(members)

    def clear(self) -> None:
        """Forget everything."""
        for member in self.members:
            member.clear()
        self.network.clear()

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found:
        """Search a position; the simulations of the budget are those of each machine."""
        begin = time.perf_counter()
        for member in self.members:
            member.set_position(position, tuple(avoided))
        self.network.clear()
        self._now, self._next_share = 0.0, 0.0 if math.isfinite(self.between) else math.inf
        self._done = [0] * len(self.members)
        with ThreadPoolExecutor(self._threads) as pool:
            each = map if self._threads == 1 else pool.map  # a thread that waits costs as well
            advance: Simulate = lambda batch: self._advance(self._now + batch, each)  # noqa: E731
            done = self.head.drive(advance, budget, progress, interval, begin)
        self._collect()
        return self.head.found(done, time.perf_counter() - begin)

    @property
    def simulations(self) -> list[int]:
        """What each machine has done in the latest search."""
        return list(self._done)

    # --- virtual time -------------------------------------------------------------------

    def _advance(self, end: float, each: Each) -> None:
        """Let everything happen that happens until then."""
        while self._now < end:
            stop = min(end, self._next_share, self.network.next_arrival)
            self._simulate_until(stop, each)
            self._now = stop
            if stop == self._next_share:
                self.network.send(stop, [member.tell() for member in self.members])
                self._next_share += self.between
            while self.network.next_arrival <= stop:
                self._deliver(each)

    def _simulate_until(self, stop: float, each: Each) -> None:
        def simulate(number: int) -> None:
            missing = int(stop * self._speeds[number]) - self._done[number]
            if missing > 0:
                self.members[number].simulate(missing)
                self._done[number] += missing

        list(each(simulate, range(len(self.members))))

    def _deliver(self, each: Each) -> None:
        receive = self._receiver(*self.network.arrived())
        list(each(receive, range(len(self.members))))

    def _receiver(self, messages: list[Any], arrives: Any) -> Callable[[int], None]:
        """How a machine hears messages: all of them joined, where none is lost."""
        joined = self.head.join(messages) if arrives is None else None

        def receive(number: int) -> None:
            member = self.members[number]
            if arrives is None:
                member.hear_all(joined, number)
            else:
                for sender, message in enumerate(messages):
                    if sender != number and arrives[sender, number]:
                        member.hear(sender, message)
            member.take_in()

        return receive

    def _collect(self) -> None:
        """At the end the head hears everybody once more: its move is everybody's."""
        last = self.network.at_last([member.tell() for member in self.members])
        self._receiver(*last)(0)
