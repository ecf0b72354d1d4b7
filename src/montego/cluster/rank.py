"""A process of an MPI job: ``python -m montego.cluster.rank``, started by mpiexec.

The first one has a link to the player (see job), hears what is to be searched, tells the others,
and sends what is found.  What each of them does in a search, and what they tell each other, is a
matter of the method (see parts, exchange).  Only the main thread speaks MPI, and it never waits
there.

A job ends with its player: the first process ends all when the link is gone, and every process
ends when the one that started it does.
"""

from __future__ import annotations

import hashlib
import math
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from montego import __version__
from montego.cluster import wire
from montego.cluster.crowd import InCrowd
from montego.cluster.exchange import Exchange, Part
from montego.cluster.job import ADDRESS
from montego.cluster.link import Frame, Link, LinkLost, enter, pack, unpack
from montego.cluster.parts import make_part
from montego.cluster.shared_memory import forget_own
from montego.go import Position
from montego.kernels.board.board import BOARD
from montego.kernels.tree.tree import NODE
from montego.mcts.found import Budget, Found
from montego.mcts.ready import warm_up

HEAD = 0
COMMAND = 1
"""The tag of messages that are frames."""
IDLE, PENDING = 0.01, 0.002
"""Seconds between two looks: nothing to do, something that others have to do."""
ALIVE = 0.5
"""Seconds between two signs of life."""
PULSE, DEAF = 5.0, 180.0
"""Seconds between two signs of life of the first process to all others, and without any after which
they leave: nobody may be there to end them.  While it compiles there is none."""
SNAPSHOT = 0.25
"""Seconds between two findings that the player gets in case the job dies."""
LEAVING = 2.0
"""Seconds that the end of a process may take."""
LAST_SHARE, LATEST, LATE_PART = 0.03, 0.2, 0.1
"""Seconds that the last exchange of a move with a time usually takes, and at the most; neither is
more than this part of the time."""


class Stopped(Exception):  # noqa: N818 - no error
    """The search is to end before its budget does."""


class Rank:
    """One process of the job."""

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        self.link: Link | None = None
        self.number, self.ranks = comm.Get_rank(), comm.Get_size()
        self.exchange: Exchange | None = None
        self.part: Part | None = None
        self._position: Position | None = None
        self._thread: threading.Thread | None = None
        self._waiting: list[Frame] = []  # searches that have to wait for the one before
        self._sent: list[Any] = []  # what MPI is still sending
        self._id = self._stopped = self._hurried = 0
        """The number of the search, and up to which number searches are to stop, and to hurry."""
        self._preparing: Any = None  # until all processes have what a search takes
        self._shown = 0.0
        self._step_cost = 0.0  # processor time that the search has spent on messages
        self.is_over = False
        self._pulse = time.monotonic()

    # --- the main thread ----------------------------------------------------------------

    def meet_the_player(self) -> None:
        """The first process speaks for all; raises LinkLost."""
        if self.number == HEAD:
            self.link = enter(os.environ[ADDRESS])

    def serve(self) -> None:
        """Obey until the player leaves."""
        while not self.is_over:
            if self.exchange is not None:
                self._pump(self.exchange)
            if self._preparing is not None and self._preparing.Test():
                self._preparing = None
                if self.link is not None:
                    self.link.send({"ready": self.ranks})
            frame = self._next_frame()
            if frame is not None:
                self._tell_others(frame)
                self._obey(frame)
            self._feel_the_pulse(frame is not None)
            if self._waiting and self._is_free():
                self._begin(self._waiting.pop(0))

    def _feel_the_pulse(self, has_heard: bool) -> None:
        """Give a sign of life as the first process; leave as another if that gives none."""
        now = time.monotonic()
        if self.number == HEAD:
            if now - self._pulse > PULSE:
                self._pulse = now
                self._tell_others(Frame({"do": "pulse"}))
        elif has_heard:
            self._pulse = now
        elif now - self._pulse > DEAF:
            self.is_over = True

    def _pump(self, exchange: Exchange) -> None:
        exchange.pump()
        self._hurry_others(exchange)
        is_due = time.monotonic() - self._shown > ALIVE
        if self.link is not None and self._thread is not None and is_due:
            self._shown = time.monotonic()
            cost = self._step_cost + time.thread_time()
            self.link.send({"alive": exchange.count, "waits": exchange.waits, "cost": cost})

    def _hurry_others(self, exchange: Exchange) -> None:
        """Say once that the first process has stopped, as soon as it has."""
        if self.number == HEAD and exchange.is_stopping and self._hurried < self._id:
            self._hurried = self._id
            self._tell_others(Frame({"do": "hurry", "id": self._id}))

    def _is_free(self) -> bool:
        """Whether all are ready, and the last search and its messages have ended."""
        if self._preparing is not None:
            return False
        if self._thread is not None and self._thread.is_alive():
            return False
        self._thread = None
        return self.exchange is None or self.exchange.is_taken

    def _pause(self) -> float:
        if self._thread is not None and not self._thread.is_alive():
            self._thread = None
        return IDLE if self.exchange is None else self.exchange.pause

    def _next_frame(self) -> Frame | None:
        """What the player says, or to the others, the first process."""
        if self.link is not None:
            return self.link.receive(self._pause())
        from mpi4py import MPI

        status = MPI.Status()
        if not self.comm.Iprobe(HEAD, COMMAND, status):
            time.sleep(self._pause())
            return None
        data = bytearray(status.Get_count(MPI.BYTE))
        self.comm.Recv([data, MPI.BYTE], HEAD, COMMAND)
        return unpack(data)[0]

    def _tell_others(self, frame: Frame) -> None:
        """Pass a command on; nobody waits for it to arrive."""
        if self.number != HEAD:
            return
        from mpi4py import MPI

        data = pack(*frame)
        self._sent = [sent for sent in self._sent if not sent[0].Test()]
        for other in range(1, self.ranks):
            self._sent.append((self.comm.Isend([data, MPI.BYTE], other, COMMAND), data))

    def say_goodbye(self) -> None:
        """Let all others know that this is the end, as far as they listen."""
        self._tell_others(Frame({"do": "quit"}))
        deadline = time.monotonic() + LEAVING / 2
        while self._sent and time.monotonic() < deadline:
            self._sent = [sent for sent in self._sent if not sent[0].Test()]
            time.sleep(PENDING)

    def _obey(self, frame: Frame) -> None:
        told = frame.told
        if told["do"] == "quit":
            self.is_over = True
        elif told["do"] in ("set", "search"):
            self._waiting.append(frame)
        elif told["do"] == "stop":
            self._stopped = max(self._stopped, told["id"])
        elif told["do"] == "hurry":
            self._hurried = max(self._hurried, told["id"])
            if self.exchange is not None and self._id == told["id"]:
                self.exchange.hurry()

    def _begin(self, frame: Frame) -> None:
        told = frame.told
        if told["do"] == "set":
            self._position, self.exchange = None, None
            self.part = make_part(self.comm, told)  # which may have to compile
            self._preparing = self.comm.Ibarrier()
            return
        assert self.part is not None
        if self.exchange is not None:
            self._hurry_others(self.exchange)  # which may have stopped since it was looked at
        self._id = told["id"]
        self._position = wire.unpack_position(frame, self._position)
        avoided = wire.unpack_avoided(told["avoided"])
        self.exchange = self.part.begin(self._id, self._position, avoided)
        if self.number != HEAD and self._hurried >= self._id:
            self.exchange.hurry()
        if self.part.machine is not None:
            work = (told, self.part.machine, self.exchange)
            self._thread = threading.Thread(target=self._search, args=work, daemon=True)
            self._thread.start()

    # --- the thread that searches -------------------------------------------------------

    def _search(self, told: dict[str, Any], machine: InCrowd, exchange: Exchange) -> None:
        try:
            self._search_and_tell(told, machine, exchange)
        except LinkLost:
            os._exit(1)
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def _search_and_tell(self, told: Any, machine: InCrowd, exchange: Exchange) -> None:
        begin = time.perf_counter()
        budget = wire.unpack_budget(told["budget"])
        done = self._simulate(told, budget, machine, exchange, begin)
        exchange.has_finished = True
        if self.number == HEAD:
            if budget.seconds is None:
                self._wait(lambda: exchange.all_have_finished or self._is_stopped, exchange)
            exchange.is_stopping = True
            self._wait(lambda: exchange.is_taken, exchange, part_of(budget.seconds, LATEST))
            self._send(machine.found(done, time.perf_counter() - begin), is_last=True)
        self._wait(lambda: exchange.is_taken, exchange)

    @property
    def _is_stopped(self) -> bool:
        return self.number == HEAD and self._stopped >= self._id

    def _simulate(
        self, told: Any, budget: Budget, machine: InCrowd, exchange: Exchange, begin: float
    ) -> int:
        """Search until the budget is used up, or the first machine says that it is enough."""
        done = 0
        own = less_last_share(budget)
        if self.number != HEAD:
            own = Budget(simulations=budget.simulations or 1 << 60)

        def progress(found: Found) -> bool:
            self._send(found)
            return True

        with ThreadPoolExecutor(len(machine.workspaces)) as pool:

            def simulate(batch: int) -> None:
                nonlocal done
                machine.simulate(batch, pool)
                done += batch
                before = time.thread_time()
                exchange.step()
                self._step_cost += time.thread_time() - before
                if self._is_stopped or exchange.has_ended or self.is_over:
                    raise Stopped

            try:
                hook = progress if self.number == HEAD else None
                machine.drive(simulate, own, hook, min(told["interval"], SNAPSHOT), begin)
            except Stopped:
                pass
        return done

    def _wait(
        self, until: Callable[[], bool], exchange: Exchange, seconds: float = math.inf
    ) -> None:
        """Take part until something has come about, or for so many seconds."""
        deadline = time.monotonic() + seconds
        while not (until() or self.is_over) and time.monotonic() < deadline:
            exchange.step()
            time.sleep(PENDING)
        exchange.step()

    def _send(self, found: Found, is_last: bool = False) -> None:
        assert self.link is not None
        told, data = wire.pack_found(found)
        self.link.send({"id": self._id, "is_last": is_last, "found": told}, data)


def part_of(seconds: float | None, most: float) -> float:
    """What something may take of a move with a time; there is no bound if it has none."""
    return math.inf if seconds is None else min(most, LATE_PART * seconds)


def less_last_share(budget: Budget) -> Budget:
    """The time of a budget without that of the last exchange."""
    if budget.seconds is None:
        return budget
    taken = part_of(budget.seconds, LAST_SHARE)
    longest = None if budget.longest is None else budget.longest - taken
    return replace(budget, seconds=budget.seconds - taken, longest=longest)


# --- the process -----------------------------------------------------------------------


def end_with_parent() -> None:
    """End when the process that started this one has gone."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def check_versions(comm: Any) -> None:
    """End the job in one line if its machines have different programs."""
    from mpi4py import MPI

    told = f"{__version__} {BOARD!r} {NODE!r} {sys.byteorder}".encode()
    own = np.frombuffer(hashlib.sha256(told).digest()[:8], dtype=np.int64)
    least, most = np.zeros_like(own), np.zeros_like(own)
    comm.Allreduce(own, least, op=MPI.MIN)
    comm.Allreduce(own, most, op=MPI.MAX)
    if least[0] != most[0]:
        print("the machines have different versions of montego", file=sys.stderr, flush=True)
        comm.Abort(2)


def meet() -> Any:
    """All processes of the job, as soon as all of them are there."""
    from mpi4py import MPI

    check_versions(MPI.COMM_WORLD)
    forget_own()
    return MPI.COMM_WORLD


def give_up() -> None:
    """End the job, in place of the process that should take part."""
    meet().Abort(2)


def main() -> None:
    """Take part in a job until its player leaves."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever ends the job this way wants no traceback
    threading.Thread(target=end_with_parent, daemon=True).start()
    warm_up()
    comm = meet()
    rank = Rank(comm)
    try:
        with suppress(LinkLost):
            rank.meet_the_player()
            rank.serve()
    except BaseException:
        traceback.print_exc()  # now, for the end of the job is the end of this process
    finally:  # also where the player or MPI is gone: nothing is waited for
        threading.Timer(LEAVING, os._exit, (1,)).start()
        rank.say_goodbye()
        comm.Abort(0)


if __name__ == "__main__":
    main()
