"""A process with an engine: what it says is what the engine found."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from montego.engine.engine import Engine
from montego.engine.status import SIGN
from montego.go import BLACK, Position, vertex
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from montego.web.inside import look_inside
from montego.web.jobs import Job, Judged, Moved, Progress, Reply, Start
from montego.web.messages import Analysis, Hinted, Inside, TreeNode
from montego.web.pool import EngineFailed, Pool, Ticket
from montego.web.worker import INTERVAL, LOOKS, Worker, analysis, follow

GAME = Position.start(5).play("C3").play("D4")


def a_job(work: str, position: Position = GAME, game: str = "one", **player: object) -> Job:
    return Job.model_validate(
        {
            "id": 1, "game": game, "work": work, "node": 7, "start": Start.of(position),
            "player": {"simulations": 200, "seed": 5} | player,
            "moves": [tuple(move) for move in position.moves],
        }
    )  # fmt: skip


def replies_to(*jobs: Job) -> list[Reply]:
    replies: list[Reply] = []
    worker = Worker(replies.append, memory_mb=4)
    for job in jobs:
        worker.do(job)
    return replies


def test_the_overlay_shows_the_numbers_of_the_search() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=4, seed=5)
    found = search.run(GAME, Budget(simulations=300))
    told = analysis(a_job("analyse"), GAME, found, running=False)
    assert (told.node, told.to_play, told.simulations) == (7, "black", 300)
    assert told.move == vertex(found.move, 5) == told.candidates[0].move
    assert told.win_rate == pytest.approx(found.win_rate, abs=1e-5)
    by_move = {vertex(c.move, 5): c for c in found.candidates}
    for candidate in told.candidates:
        real = by_move[candidate.move]
        assert candidate.visits == real.visits
        assert candidate.win_rate == pytest.approx(real.win_rate, abs=1e-5)
        assert candidate.lead == pytest.approx(real.score, abs=0.01)
        assert candidate.line[1:] == [vertex(move, 5) for move in real.variation[1:16]]
    assert sum(c.prior for c in told.candidates) <= 1.0001
    assert told.ownership == found.ownership.round(2).tolist()


def test_the_tree_shows_the_numbers_of_the_search() -> None:
    search = LocalSearch(RECIPES["montego"], memory_mb=4, seed=5)
    found = search.run(GAME, Budget(simulations=2000))
    told = look_inside(7, GAME, search, found)
    first = {node.move: node for node in told.nodes if node.parent is None}
    assert len(first) == len(found.candidates)
    for real in found.candidates:
        node = first[vertex(real.move, 5)]
        assert (node.visits, node.color) == (real.visits, "black")
        assert node.h == pytest.approx(real.prior, abs=1e-4)
        if real.visits:
            assert node.win_rate == pytest.approx(real.win_rate, abs=1e-4)
        if node.rave is not None:
            assert 0 <= node.rave <= 1
    by_id = {node.id: node for node in told.nodes}
    line: list[str] = []
    step: TreeNode | None = max(first.values(), key=lambda node: node.visits)
    while step:
        line.append(step.move)
        below = [node for node in told.nodes if node.parent == step.id]
        step = max(below, key=lambda node: node.visits, default=None)
    assert line == [vertex(move, 5) for move in found.variation][: len(line)]
    assert len(line) >= 3
    for node in told.nodes:
        if node.parent is not None:
            assert node.color != by_id[node.parent].color
            assert node.visits <= by_id[node.parent].visits


def test_whose_view_figures_have() -> None:
    position = GAME.play("B2")  # White to move
    search = LocalSearch(RECIPES["montego"], memory_mb=4, seed=5)
    found = search.run(position, Budget(simulations=300))
    told = analysis(a_job("analyse", position), position, found, running=False)
    assert told.win_rate == pytest.approx(1 - found.win_rate, abs=1e-5)
    assert told.lead == pytest.approx(-found.score, abs=0.01)
    assert told.candidates[0].win_rate == pytest.approx(found.win_rate, abs=1e-5)


def test_a_weak_player_does_not_say_who_is_ahead() -> None:
    """Its few simulations would: 0, 50 and 100 %.  A search of 300 does, with Black's chances."""
    from montego.engine.levels import TABLE
    from montego.engine.settled import Verifier

    level = TABLE[3]
    parameters = {name: float(value) for name, value in level.parameters.items()}
    for position in (GAME, GAME.play("C4")):
        weak: Any = {"simulations": level.simulations, "parameters": parameters}
        (reply,) = replies_to(a_job("move", position, **weak))
        assert isinstance(reply.done, Moved)
        looked = Verifier().look(position)
        rate = looked.win_rate if position.to_play == BLACK else 1 - looked.win_rate
        assert reply.done.win_rate == pytest.approx(rate, abs=1e-6)
        assert reply.done.lead * SIGN[position.to_play] == pytest.approx(looked.score, abs=1e-6)


def test_the_move_is_the_engines() -> None:
    engine = Engine("montego", 5, seed=5, memory_mb=4, simulations=200, seconds=60)
    for color, move in GAME.moves:
        engine.play(move, color)
    answer = engine.genmove()
    done = replies_to(a_job("move"))[-1].done
    assert isinstance(done, Moved)
    assert done.move == answer.move
    assert done.win_rate == pytest.approx(answer.win_rate)
    assert done.lead == pytest.approx(answer.score)


def test_an_analysis_ends_at_its_limit_and_goes_on_in_the_same_tree() -> None:
    replies = replies_to(a_job("analyse", simulations=3000), a_job("hint", simulations=10))
    ended = [reply.done for reply in replies if reply.done is not None]
    assert isinstance(ended[0], Analysis)
    assert ended[0].simulations >= 3000
    assert isinstance(ended[1], Hinted)
    assert ended[1].move == ended[0].move  # ten simulations alone would not know


def test_the_tree_is_shown_twice_a_second_on_a_busy_machine_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a look costs is the work, not how long others kept it waiting."""
    looks: list[float] = []
    clock = [0.0]  # as the worker read it last: others may run before a look is noted here

    def monotonic() -> float:
        clock[0] = time.monotonic()
        return clock[0]

    def delayed(*asked: Any) -> Inside:
        looks.append(clock[0])
        time.sleep(0.25)
        return look_inside(*asked)

    own_time = SimpleNamespace(monotonic=monotonic, thread_time=time.thread_time)
    monkeypatch.setattr("montego.web.worker.time", own_time)
    monkeypatch.setattr("montego.web.worker.look_inside", delayed)
    job = a_job("analyse", simulations=1_000_000).model_copy(update={"inside": True})
    worker = Worker(lambda reply: None, memory_mb=4)
    timer = threading.Timer(4 + LOOKS, worker.stopped.set)
    timer.start()
    worker.do(job)
    timer.join()
    assert len(looks) >= 3
    assert min(later - before for before, later in pairwise(looks)) >= LOOKS


def test_stones_are_judged() -> None:
    done = replies_to(a_job("count"))[-1].done
    assert isinstance(done, Judged)
    assert len(done.ownership) == 5
    assert -30 < done.lead < 30


def test_what_cannot_be_done_is_said() -> None:
    replies = replies_to(a_job("move", recipe="stew"), a_job("move"))
    assert "not a recipe" in (replies[0].failed or "")
    assert replies[-1].done is not None


def test_an_engine_follows_a_game_by_the_shortest_way() -> None:
    engine = Engine("uct", 5, memory_mb=4)
    follow(engine, tuple(GAME.moves))
    before = engine.position
    follow(engine, tuple(GAME.play("A1").moves))
    assert engine.position.parent is before
    follow(engine, tuple(GAME.undo().play("B2").moves))
    assert engine.position.moves == GAME.undo().play("B2").moves
    follow(engine, ())
    assert engine.position.to_play == BLACK


def test_what_is_cancelled_is_not_heard_of_any_more() -> None:
    async def try_it() -> tuple[int, int]:
        pool = Pool(1, memory_mb=4)
        told: list[Progress] = []
        endless = Ticket(a_job("analyse", simulations=None))
        first = asyncio.ensure_future(pool.run(endless, told.append))
        while not told:
            await asyncio.sleep(0.01)
        first.cancel()
        before = len(told)
        job = a_job("move").model_copy(update={"id": 2})
        await pool.run(Ticket(job), lambda progress: None)  # by the same process, so later
        await pool.close()
        return before, len(told)

    before, after = asyncio.run(try_it())
    assert before == after


def test_a_job_whose_process_cannot_live_is_given_up() -> None:
    async def try_it() -> str:
        pool = Pool(1, memory_mb=-1)  # an engine without memory cannot be
        told: list[Progress] = []
        try:
            await pool.run(Ticket(a_job("move")), told.append)
        except EngineFailed as error:
            return str(error)
        finally:
            await pool.close()
        return ""

    assert "memory_mb" in asyncio.run(try_it())


def test_a_report_takes_less_than_three_hundredths_of_its_interval() -> None:
    """On the largest board, from the state of the search to the line on the pipe."""
    position = Position.start(19)
    search = LocalSearch(RECIPES["montego"], memory_mb=32, seed=5)
    search.run(position, Budget(simulations=2000))
    job = a_job("analyse")
    times = []
    for _ in range(15):
        begin = time.process_time()
        found = search.found(2000, 1.0)
        told = analysis(job, position, found, running=True)
        Reply(id=1, progress=told).model_dump_json()
        times.append(time.process_time() - begin)
    assert statistics.median(times) < 0.03 * INTERVAL
