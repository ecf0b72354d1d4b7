"""Games on small boards against an opponent that plays by a script."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from montego.engine.engine import Engine
from montego.go import BLACK, WHITE, Position
from montego.terminal.game import Game, Opening
from montego.terminal.session import Session
from tests.fake_search import fake_engine


def type_lines(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the input be these lines, with a comma between two, and then end."""
    script = iter(lines.split(",") if lines else [])

    def read(prompt: str) -> str:
        line = next(script, None)
        if line is None:
            raise EOFError
        if line == "^C":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr("builtins.input", read)


ALL_BLACK = """
    X X X
    . X .
    X X X
    """
"""Nothing is left to play."""


def small_engine(replies: str, komi: float = 7.5, size: int = 3, board: str = "") -> Engine:
    """An engine that plays these moves, on an empty board or on one that is drawn."""
    engine, _ = fake_engine(size=size, script=replies)
    if board:
        drawn = Position.from_diagram(board)
        engine.set_up(drawn.stones(BLACK), drawn.stones(WHITE))
    engine.set_komi(komi)
    return engine


def play(
    lines: str,
    replies: str,
    monkeypatch: pytest.MonkeyPatch,
    user: int = BLACK,
    komi: float = 7.5,
    board: str = "",
) -> tuple[Game, str]:
    """One game on a 3x3 board; returns it, and what was printed."""
    type_lines(lines, monkeypatch)
    output = io.StringIO()
    game = Game(Opening(small_engine(replies, komi, board=board), user), Console(file=output))
    game.greet()
    game.run()
    game.keeper.release()
    return game, output.getvalue()


def play_session(
    lines: str,
    opening: Opening,
    monkeypatch: pytest.MonkeyPatch,
    review: Callable[[Path], None] = lambda path: None,
) -> str:
    """Games until the lines end; returns what was printed."""
    type_lines(lines, monkeypatch)
    output = io.StringIO()
    Session(opening, review, Console(file=output)).run()
    return output.getvalue()
