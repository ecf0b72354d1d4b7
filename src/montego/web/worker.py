"""A process with an engine: ``python -m montego.web.worker``, started by the pool.

It reads jobs, one at a time, and an order to stop the one that it works on.  It keeps the engine
of its last game: if the next job is for the same game, the search goes on in its tree.  When nobody
holds the other end of the pipe any more, it ends.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from montego.book import shipped
from montego.book.choice import Opening
from montego.engine.answer import Answer, note_of
from montego.engine.engine import Engine
from montego.engine.reports import line_of_play, lower_bound, priors, visited_moves
from montego.engine.settled import Verifier
from montego.engine.status import SIGN
from montego.go import BLACK, Position, vertex
from montego.mcts.found import Found
from montego.mcts.search import LocalSearch
from montego.web.inside import look_inside
from montego.web.jobs import (
    ORDERS,
    Done,
    Job,
    Judged,
    Moved,
    Progress,
    Reply,
    StopJob,
    Thinker,
    position_of,
)
from montego.web.known import asked_network, known_moves
from montego.web.library import FittedBook
from montego.web.limits import ANALYSIS_SECONDS, MOST_SECONDS, MOST_SIMULATIONS
from montego.web.messages import Analysis, Candidate, Hinted, Thinking
from montego.web.playing_out import play_out

INTERVAL = 0.1
"""Seconds between two reports."""
LOOKS = 0.5
"""Seconds between two looks into the tree."""
LOOKS_COST = 0.015
"""Part of the time that they may take; larger trees are looked at less often."""
CANDIDATES = 24
LONGEST_LINE = 16
POLITE = 5
"""How much the server goes before."""


class Worker:
    """Works on jobs, one after the other."""

    def __init__(
        self, write: Callable[[Reply], None], memory_mb: int, book: Opening | None = None
    ) -> None:
        self.write = write
        self.memory_mb = memory_mb
        self.book = book
        self.stopped = threading.Event()
        self._key: object = None
        self._engine: Engine | None = None
        self._search: LocalSearch | None = None
        self._verifier = Verifier()

    def do(self, job: Job) -> None:
        """Do a job, and tell what came of it."""
        try:
            done = WORKS[job.work](self, job)
            self.write(Reply(id=job.id, done=done))
        except (ValueError, MemoryError) as error:
            self._key = None
            self.write(Reply(id=job.id, failed=str(error) or type(error).__name__))

    def _engine_for(self, job: Job) -> Engine:
        """The engine, at the job's position; the one of the last job if the game is the same."""
        player = job.player
        key = (job.game, job.start, player.recipe, player.seed, player.parameters)
        if self._engine is None or self._key != key:
            self._key, self._engine = None, None  # its memory, before there is another
            self._engine = Engine(
                player.recipe, job.start.size, seed=player.seed, memory_mb=self.memory_mb,
                rules=job.start.position().rules, parameters=player.parameters,
                make_search=self._make_search, book=self.book,
            )  # fmt: skip
            self._engine.set_up(job.start.black, job.start.white, job.start.to_play)
            self._key = key
        follow(self._engine, job.moves)
        set_limit(self._engine, player)
        return self._engine

    def _make_search(self, *settings: Any) -> LocalSearch:
        """The engine's search, to be looked into."""
        self._search = LocalSearch(*settings)
        return self._search

    def tell(self, job: Job, progress: Progress) -> bool:
        """Report, and look whether to go on."""
        self.write(Reply(id=job.id, progress=progress))
        return not self.stopped.is_set()

    # --- the works --------------------------------------------------------------------

    def move(self, job: Job) -> Done:
        """The engine's move."""
        engine, begin = self._engine_for(job), time.monotonic()
        position = engine.position
        answer = engine.genmove(progress=self._thinking(job, position), interval=INTERVAL)
        seconds = round(time.monotonic() - begin, 2)
        sign, told = SIGN[position.to_play], self._who_is_ahead(engine, position, answer)
        return Moved(
            move=answer.move, resigned=answer.resigned, seconds=seconds,
            win_rate=told.win_rate if sign > 0 else 1 - told.win_rate, lead=sign * told.score,
            note=note_of(answer, position.to_play),
        )  # fmt: skip

    def _who_is_ahead(self, engine: Engine, position: Position, answer: Answer) -> Found:
        """A weak player hardly knows: a better search looks at the position that it moved in."""
        if not engine.manners.leaves_to_chance:
            return answer
        return self._verifier.look(position)

    def hint(self, job: Job) -> Done:
        """What the engine would play."""
        answer = self._engine_for(job).search()
        return Hinted(
            node=job.node, move=answer.vertex, win_rate=answer.win_rate,
            simulations=answer.simulations, line=_line(answer),
        )  # fmt: skip

    def judge(self, job: Job) -> Done:
        """Dead stones and owners."""
        engine = self._engine_for(job)
        status = engine.status()
        owners = status.ownership
        return Judged(
            dead=tuple(status.dead()), ownership=owners.round(3).tolist(),
            lead=float(owners.sum()) - engine.position.komi,
        )  # fmt: skip

    def analyse(self, job: Job) -> Done:
        """Search until stopped."""
        engine = self._engine_for(job)
        begin, position = time.monotonic(), engine.position
        look = self._look(job, position) if job.inside else lambda found: None

        def report(found: Found) -> bool:
            goes_on = self.tell(job, analysis(job, position, found, running=True))
            look(found)
            is_long = time.monotonic() - begin > ANALYSIS_SECONDS
            most = job.player.simulations or MOST_SIMULATIONS
            return goes_on and not is_long and found.simulations < most

        found = engine.analyse(report, interval=INTERVAL)
        return analysis(job, position, found, running=False)

    def _look(self, job: Job, position: Position) -> Callable[[Found], None]:
        """Show the tree now and then, and what is known of moves, at first and from a network."""
        again, told = 0.0, ""

        def look(found: Found) -> None:
            nonlocal again, told
            assert self._search is not None
            begin, worked = time.monotonic(), time.thread_time()
            if begin >= again:
                self.tell(job, look_inside(job.node, position, self._search, found))
                took = time.thread_time() - worked  # not what a busy machine made of it
                again = begin + max(LOOKS, took / LOOKS_COST)
            source = asked_network(position, self._search) or "cheap knowledge"
            if source != told:
                self.tell(job, known_moves(job.node, position, self._search))
                told = source

        return look

    def review(self, job: Job) -> Done:
        """Every position of the game."""
        from montego.web.review import review_game  # the laboratory: not before it is needed

        return review_game(
            job, position_of(job.start, job.moves), lambda told: self.tell(job, told),
            self.stopped.is_set,
        )  # fmt: skip

    def play_out(self, job: Job) -> Done:
        """Playouts to look at."""
        return play_out(job, position_of(job.start, job.moves))

    def _thinking(self, job: Job, position: Position) -> Callable[[Found], bool]:
        """Reports of a search for a move."""
        player, is_black = job.player, position.to_play == BLACK

        def report(found: Found) -> bool:
            parts = [
                found.simulations / player.simulations if player.simulations else 0.0,
                found.seconds / player.seconds if player.seconds else 0.0,
            ]
            rate = found.win_rate if is_black else 1 - found.win_rate
            progress = Thinking(
                work="move", simulations=found.simulations, seconds=found.seconds,
                share=min(max(parts), 1.0), win_rate=rate, move=vertex(found.move, position.size),
            )  # fmt: skip
            return self.tell(job, progress)

        return report


Work = Callable[[Worker, Job], Done]
WORKS: dict[str, Work] = {
    "move": Worker.move,
    "hint": Worker.hint,
    "estimate": Worker.judge,
    "count": Worker.judge,
    "analyse": Worker.analyse,
    "review": Worker.review,
    "playout": Worker.play_out,
}


def follow(engine: Engine, moves: tuple[tuple[int, int], ...]) -> None:
    """Bring an engine to the end of these moves, by the shortest way."""
    known = engine.position.moves
    same = 0
    while same < min(len(known), len(moves)) and tuple(known[same]) == moves[same]:
        same += 1
    for _ in known[same:]:
        engine.undo()
    for color, move in moves[same:]:
        engine.play(move, color)


def set_limit(engine: Engine, player: Thinker) -> None:
    """How long to think; a search by simulations ends some time, too."""
    engine.clock.simulations = player.simulations
    engine.clock.seconds = player.seconds or MOST_SECONDS


def analysis(job: Job, position: Position, found: Found, running: bool) -> Analysis:
    """What was found, for the page."""
    is_black, shares, size = position.to_play == BLACK, priors(found), position.size
    candidates = [
        Candidate(
            move=vertex(c.move, size), visits=c.visits, win_rate=round(c.win_rate, 5),
            lower=round(lower_bound(c.win_rate, c.visits), 5), lead=round(c.score, 2),
            prior=round(shares[c.move], 5), line=line_of_play(c, size)[:LONGEST_LINE],
        )
        for c in visited_moves(found)[:CANDIDATES]
    ]  # fmt: skip
    return Analysis(
        node=job.node, beside=job.beside, recipe=job.player.recipe,
        to_play="black" if is_black else "white", running=running,
        simulations=found.simulations, seconds=round(found.seconds, 2),
        win_rate=round(found.win_rate if is_black else 1 - found.win_rate, 5),
        lead=round(found.score if is_black else -found.score, 2),
        move=vertex(found.move, size), candidates=candidates,
        ownership=found.ownership.round(2).tolist(),
    )  # fmt: skip


def _line(answer: Answer) -> list[str]:
    return [vertex(move, answer.size) for move in answer.variation[:LONGEST_LINE]]


# --- the process -----------------------------------------------------------------------


def serve(
    orders: IO[bytes], replies: IO[bytes], memory_mb: int, book: Opening | None = None
) -> None:
    """Work until the other end of the pipe is closed."""
    lock = threading.Lock()

    def write(reply: Reply) -> None:
        with lock:
            replies.write(reply.model_dump_json().encode() + b"\n")
            replies.flush()

    worker, jobs = Worker(write, memory_mb, book), queue.SimpleQueue[Job]()
    latest = [0]

    def read() -> None:
        for line in orders:
            order = ORDERS.validate_json(line)
            if isinstance(order, StopJob):
                if order.stop == latest[0]:
                    worker.stopped.set()
            else:
                worker.stopped.clear()
                latest[0] = order.id
                jobs.put(order)
        os._exit(0)  # nobody waits for an answer

    threading.Thread(target=read, daemon=True).start()
    while True:
        worker.do(jobs.get())


def opening_of(path: Path) -> Opening:
    """A book as it is used against people; the shipped one shows more than one opening."""
    book = FittedBook(path)
    if path == shipped.FILE:
        return Opening(book, shipped.RULE, shipped.GAMES, is_asked_for=False)
    return Opening(book)


def main() -> None:
    """Take over the pipes; whatever else prints must not disturb them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's affair
    with suppress(OSError):
        os.nice(POLITE)
    orders, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    from montego.mcts.ready import warm_up

    warm_up()
    with suppress(BrokenPipeError):
        book = opening_of(Path(sys.argv[2])) if len(sys.argv) > 2 else None
        serve(orders, replies, int(sys.argv[1]), book)


if __name__ == "__main__":
    main()
