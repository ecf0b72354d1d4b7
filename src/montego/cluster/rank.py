"""A process of an MPI job: ``python -m montego.cluster.rank``, started by mpiexec.

The first one has a link to the player (see job), hears what is to be searched, tells the others,
and sends what is found.  All of them search, each in a tree of its own with threads of its own,
and sum up what is near the root (T24, see sums).  Only the main thread speaks MPI.  It never waits
inside MPI, for that would burn a core that somebody searches on.

A job ends with its player: the first process ends all when the link is gone, and every process
ends when the one that started it does.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np

from montego import __version__
from montego.cluster import wire
from montego.cluster.job import ADDRESS
from montego.cluster.layout import Layout
from montego.cluster.link import Frame, Link, LinkLost, enter, pack, unpack
from montego.cluster.machine import Machine, Sharing, seeds_of
from montego.cluster.sums import Sums
from montego.go import Position
from montego.go.points import all_points
from montego.kernels.board.board import BOARD, PASS
from montego.kernels.tree.tree import NODE
from montego.mcts.ready import warm_up
from montego.mcts.search import Budget, Found

HEAD = 0
COMMAND = 1
"""The tag of messages that are frames."""
IDLE, BUSY, PENDING = 0.01, 0.005, 0.002
"""Seconds between two looks at MPI: nothing to do, a search, a sum that is under way."""
ALIVE = 0.5
"""Seconds between two signs of life."""
SNAPSHOT = 0.25
"""Seconds between two findings that the player gets in case the job dies."""
LEAVING = 2.0
"""Seconds that the end of a process may take."""
LATEST, LATE_PART = 0.2, 0.1
"""What the last sum may take of a move that has a time, in seconds and as a part of it."""


class Stopped(Exception):  # noqa: N818 - no error
    """The search is to end before its budget does."""


class Rank:
    """One process of the job."""

    def __init__(self, comm: Any, link: Link | None) -> None:
        self.comm, self.link = comm, link
        self.number, self.ranks = comm.Get_rank(), comm.Get_size()
        self.sums: Sums | None = None
        self.machine: Machine | None = None
        self._set: dict[str, Any] = {}
        self._position: Position | None = None
        self._thread: threading.Thread | None = None
        self._waiting: list[Frame] = []  # searches that have to wait for the one before
        self._sent: list[Any] = []  # what MPI is still sending
        self._stop_asked = self._hurry_told = False
        self._shown = 0.0
        self._id = 0
        self.is_over = False

    # --- the main thread ----------------------------------------------------------------

    def serve(self) -> None:
        """Obey until the player leaves."""
        while not self.is_over:
            if self.sums is not None:
                self._go_on(self.sums)
            frame = self._next_frame()
            if frame is not None:
                self._tell_others(frame)
                self._obey(frame)
            if self._waiting and self._is_free():
                self._begin(self._waiting.pop(0))

    def _go_on(self, sums: Sums) -> None:
        sums.pump(self.comm)
        if self.number == HEAD and sums.is_stopping and not self._hurry_told:
            self._hurry_told = True
            self._tell_others(Frame({"do": "hurry"}))
        if self.link is not None and time.monotonic() - self._shown > ALIVE:
            self._shown = time.monotonic()
            self.link.send({"alive": sums.count, "waits": sums.waits})

    def _is_free(self) -> bool:
        """Whether the last search and its sums have ended."""
        if self._thread is not None and self._thread.is_alive():
            return False
        self._thread = None
        return self.sums is None or not self.sums.is_pending

    def _pause(self) -> float:
        if self.sums is None or self.sums.has_ended:
            return IDLE
        return PENDING if self.sums.is_pending else BUSY

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
            self._stop_asked = self.is_over = True
        elif told["do"] in ("set", "search"):
            self._waiting.append(frame)
        elif told["do"] == "stop":
            self._stop_asked |= told["id"] == self._id
        elif told["do"] == "hurry" and self.sums is not None:
            self.sums.in_a_hurry = True

    def _begin(self, frame: Frame) -> None:
        if frame.told["do"] == "set":
            self._make_machine(frame.told)
            return
        assert self.machine is not None
        told = frame.told
        self._position = wire.unpack_position(frame, self._position)
        self.machine.set_position(self._position, wire.unpack_avoided(told["avoided"]))
        moves = np.array([PASS, *all_points(self._position.size)], dtype=np.int64)
        layout = Layout(self.machine.key, moves, self.machine.sharing)
        self._id, self._stop_asked, self._hurry_told = told["id"], False, False
        self.sums = Sums(self.machine, layout, self._set["period"] or math.inf)
        self.sums.in_a_hurry = self._set["period"] is not None
        self._thread = threading.Thread(target=self._search, args=(told, self.sums), daemon=True)
        self._thread.start()

    def _make_machine(self, told: dict[str, Any]) -> None:
        self._set = told
        self._position = None
        recipe, seed = wire.unpack_recipe(told["recipe"]), seeds_of(told["seed"], self.ranks)
        self.machine = Machine(
            recipe, told["threads"], told["memory"], seed[self.number], Sharing(**told["sharing"])
        )
        self.machine.crowd = self.ranks
        if self.link is not None:
            self.link.send({"ready": self.ranks})

    # --- the thread that searches -------------------------------------------------------

    def _search(self, told: dict[str, Any], sums: Sums) -> None:
        try:
            self._search_and_tell(told, sums)
        except LinkLost:
            os._exit(1)
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def _search_and_tell(self, told: dict[str, Any], sums: Sums) -> None:
        begin = time.perf_counter()
        budget = wire.unpack_budget(told["budget"])
        done = self._simulate(told, budget, sums, begin)
        sums.has_finished = sums.in_a_hurry = True
        if self.number == HEAD:
            if budget.seconds is None:
                self._wait(lambda: sums.all_have_finished or self._stop_asked, sums, math.inf)
            sums.is_stopping = sums.in_a_hurry = True
            latest = min(LATEST, LATE_PART * budget.seconds) if budget.seconds else math.inf
            self._wait(lambda: sums.is_taken, sums, latest)
            self._send(done, begin, is_last=True)
        self._wait(lambda: sums.is_taken, sums, math.inf)

    def _simulate(self, told: dict[str, Any], budget: Budget, sums: Sums, begin: float) -> int:
        """Search until the budget is used up, or the first machine says that it is enough."""
        assert self.machine is not None
        machine, done = self.machine, 0
        if self.number != HEAD:
            budget = Budget(simulations=budget.simulations or 1 << 60)

        def progress(found: Found) -> bool:
            self._send(0, begin, found)
            return True

        with ThreadPoolExecutor(len(machine.workspaces)) as pool:

            def simulate(batch: int) -> None:
                nonlocal done
                machine.simulate(batch, pool)
                done += batch
                sums.step()
                if self._stop_asked or sums.has_ended or self.is_over:
                    raise Stopped

            try:
                hook = progress if self.number == HEAD else None
                machine.drive(simulate, budget, hook, min(told["interval"], SNAPSHOT), begin)
            except Stopped:
                pass
        return done

    def _wait(self, until: Any, sums: Sums, seconds: float) -> None:
        """Take part in sums until something has come about, or for so many seconds."""
        deadline = time.monotonic() + seconds
        while not (until() or self.is_over) and time.monotonic() < deadline:
            sums.step()
            time.sleep(PENDING)
        sums.step()

    def _send(
        self, done: int, begin: float, found: Found | None = None, is_last: bool = False
    ) -> None:
        assert self.machine is not None
        assert self.link is not None
        found = found or self.machine.found(done, time.perf_counter() - begin)
        told, data = wire.pack_found(found)
        self.link.send({"id": self._id, "is_last": is_last, "found": told}, data)


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


def main() -> None:
    """Take part in a job until its player leaves."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    warm_up()
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    check_versions(comm)
    rank = Rank(comm, enter(os.environ[ADDRESS]) if comm.Get_rank() == HEAD else None)
    try:
        with suppress(LinkLost):
            rank.serve()
    finally:  # also where the player or MPI is gone: nothing is waited for
        threading.Timer(LEAVING, os._exit, (1,)).start()
        rank.say_goodbye()
        comm.Abort(0)


if __name__ == "__main__":
    main()
