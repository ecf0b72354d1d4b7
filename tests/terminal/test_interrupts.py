"""Ctrl-C while the program thinks: the best move so far, or leaving; never half a search."""

from __future__ import annotations

import io
import os
import signal
from typing import Any

import pytest
from rich.console import Console

from montego.engine.engine import Engine
from montego.go import BLACK
from montego.mcts.found import Budget, Found
from montego.mcts.search import LocalSearch
from montego.terminal.game import Game, Opening
from montego.terminal.interrupts import Stop, StoppableSearch
from tests.fake_search import FakeSearch
from tests.terminal.games import type_lines


def interrupt() -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


class Interrupted(FakeSearch):
    """Is interrupted at its first report, as often as it is told to."""

    times = 1
    looks = 0

    def run(self, position: Any, budget: Budget, progress: Any = None, *more: Any) -> Found:
        def report(found: Found) -> bool:
            self.looks += 1
            if self.looks == 1:
                for _ in range(self.times):
                    interrupt()
            return bool(progress(found))

        return super().run(position, budget, report, *more)


def game_of(search: Any, stop: Stop) -> tuple[Game, io.StringIO]:
    engine = Engine(size=3, make_search=lambda *_: StoppableSearch(search, stop))
    output = io.StringIO()
    return Game(Opening(engine, BLACK, stop=stop), Console(file=output)), output


def test_an_interrupt_plays_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines("A1,B1,quit", monkeypatch)
    search = Interrupted()
    game, _ = game_of(search, Stop())
    game.run()
    assert len(game.position.moves) == 4
    assert search.looks == 1 + search.reports  # the first search was cut short, not the second


def test_two_interrupts_leave_with_the_game_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines("A1,B1,quit", monkeypatch)
    search = Interrupted()
    search.times = 2
    game, output = game_of(search, Stop())
    game.run()
    assert len(game.position.moves) == 2
    assert output.getvalue().endswith("The game is kept: montego play --resume goes on.\n")


@pytest.mark.parametrize("command", ["hint", "moves", "variation"])
def test_advice_can_be_cut_short(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines(f"{command},A1,quit", monkeypatch)
    search = Interrupted()
    game, _ = game_of(search, Stop())
    game.run()
    assert search.looks == 1 + search.reports
    assert len(game.position.moves) == 2


def test_two_interrupts_have_to_be_close() -> None:
    times = iter([1.0, 2.5, 3.2])
    stop = Stop(now=lambda: next(times))
    asked: list[tuple[bool, bool]] = []
    with stop.listening():
        for _ in range(3):
            interrupt()
            asked.append((stop.is_asked, stop.leaves))
    assert asked == [(True, False), (True, False), (True, True)]
    with stop.listening():
        assert not stop.is_asked


def test_afterwards_interrupts_are_as_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(RuntimeError), Stop().listening():
        raise RuntimeError
    assert signal.getsignal(signal.SIGINT) is before


def test_a_real_search_ends_at_once_and_goes_on_well() -> None:
    """What it found is a legal move, and the tree serves the next search."""
    stop, looks = Stop(), 0

    def look(found: Found) -> bool:
        nonlocal looks
        looks += 1
        stop.times.append(0.0)
        return True

    search = StoppableSearch(LocalSearch(Engine(size=5).recipe, 2, 16), stop)
    position = Engine(size=5).position
    found = search.run(position, Budget(simulations=10_000_000), look, interval=0.0)
    assert looks == 1
    assert 0 < found.simulations < 10_000_000
    stop.times.clear()
    after = position.play(found.move)
    assert search.run(after, Budget(simulations=50)).simulations == 50


def test_a_search_reports_to_others_too() -> None:
    seen: list[Found] = []

    def see(found: Found) -> bool:
        seen.append(found)
        return len(seen) < 2

    StoppableSearch(FakeSearch(), Stop()).run(Engine(size=3).position, Budget(simulations=1), see)
    assert len(seen) == 2
