"""Players for tests."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from montego.go import PASS, Position
from montego.lab.matches.players import Choice

SCRIPT = Path(__file__).with_name("moody.py")


def moody_command(*behaviours: str) -> list[str]:
    """The command of a program with these behaviours."""
    return [sys.executable, "-S", str(SCRIPT), *behaviours]


def moody(*behaviours: str) -> str:
    """The same as a player of a match."""
    return f"gtp:{shlex.join(moody_command(*behaviours))}"


def is_running(process: int) -> bool:
    """Whether it is there and no mere entry that nobody has waited for."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Scripted:
    """A player that plays the moves it was given, then passes; an error is raised in its turn."""

    def __init__(self, moves: Sequence[int | Exception] = (), win_rate: float = 0.5) -> None:
        self.moves = moves
        self.win_rate = win_rate
        self.heard: list[tuple[int, int]] = []
        self.left: list[int | Exception] = []

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.left = list(self.moves)
        self.first: Position | None = None

    def set_up(self, first: Position) -> None:
        self.first = first

    def play(self, color: int, move: int) -> None:
        self.heard.append((color, move))

    def genmove(self, color: int) -> Choice:
        move = self.left.pop(0) if self.left else PASS
        if isinstance(move, Exception):
            raise move
        return Choice(move, self.win_rate, simulations=10)

    def close(self) -> None:
        pass
