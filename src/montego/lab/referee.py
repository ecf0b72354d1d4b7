"""Who has won when nobody resigned: area scoring once the dead stones are off the board.

Our own referee lets playouts finish the game many times and takes a chain for dead if the
opponent owns its points in the majority of them.  GNU Go, where it is installed, is a
second opinion that shares no code with us.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from montego.go import BLACK, EMPTY, WHITE, Position, color_name, vertex
from montego.go.points import all_points, row_and_column
from montego.kernels.board import STRIDE
from montego.lab.foul import Foul
from montego.lab.program import GtpProgram, Refusal, find_program
from montego.mcts.playouts import Mogo, simulate

PLAYOUTS = 1_000
SECONDS = 120.0
"""For a reply of GNU Go's."""
GNUGO = ["gnugo", "--mode", "gtp", "--chinese-rules"]
_SCORE = re.compile(r"([BW])\+(\d+(?:\.\d+)?)")


class RefereeError(Exception):
    """The referee gave no result; the game cannot be recorded."""


class Referee(StrEnum):
    """Who judges a finished game."""

    area = "area"
    gnugo = "gnugo"

    def score(self, position: Position) -> float:
        """Black's points minus White's, komi included."""
        return gnugo_score(position) if self is Referee.gnugo else area_score(position)


def area_score(position: Position, playouts: int = PLAYOUTS) -> float:
    """Black's area minus White's minus komi, without the stones that playouts take for dead."""
    dead = set(dead_stones(position, playouts))
    living = {
        color: [point for point in position.stones(color) if point not in dead]
        for color in (BLACK, WHITE)
    }
    return Position.set_up(
        position.size, living[BLACK], living[WHITE], rules=position.rules
    ).score()


def dead_stones(position: Position, playouts: int = PLAYOUTS) -> list[int]:
    """The stones that the opponent owns at the end of most playouts, whole chains only."""
    size, stones = position.size, {c: position.stones(c) for c in (BLACK, WHITE)}
    ownership = np.zeros((size, size))
    for first in (BLACK, WHITE):  # neither side may profit from being to move
        # A fresh game: the two passes at the end would end every playout at once.
        start = Position.set_up(size, stones[BLACK], stones[WHITE], first, position.rules)
        ownership += simulate(start, Mogo(), max(playouts // 2, 1)).ownership
    dead = []
    for chain in chains(position):
        places = [row_and_column(point) for point in chain]
        blackness = sum(ownership[row - 1, column - 1] for row, column in places)
        if blackness * (1 if position.color_at(chain[0]) == BLACK else -1) < 0:
            dead += chain
    return dead


def chains(position: Position) -> Iterator[list[int]]:
    """The chains on the board, each as a list of its points."""
    left = {point for point in all_points(position.size) if position.color_at(point) != EMPTY}
    while left:
        chain = [left.pop()]
        for point in chain:
            for near in (point - 1, point + 1, point - STRIDE, point + STRIDE):
                if near in left and position.color_at(near) == position.color_at(point):
                    left.remove(near)
                    chain.append(near)
        yield chain


def gnugo_score(position: Position) -> float:
    """What GNU Go says after all moves of the game have been played to it."""
    if find_program(GNUGO[0]) is None:
        raise RefereeError("GNU Go is not installed")
    program = None
    try:
        program = GtpProgram(GNUGO)
        for command in _moves_as_commands(position):
            program.ask(command, SECONDS)
        return _parse_score(program.ask("final_score", SECONDS))
    except (Foul, Refusal) as error:
        raise RefereeError(f"GNU Go as referee: {error}") from error
    finally:
        if program is not None:
            program.close()


def _moves_as_commands(position: Position) -> Iterator[str]:
    yield f"boardsize {position.size}"
    yield "clear_board"
    yield f"komi {position.komi:g}"
    for color, move in position.moves:
        yield f"play {color_name(color)} {vertex(move, position.size)}"


def _parse_score(text: str) -> float:
    if text == "0":
        return 0.0
    found = _SCORE.fullmatch(text)
    if found is None:
        raise RefereeError(f"GNU Go as referee: {text!r} is not a score")
    return float(found[2]) * (1 if found[1] == "B" else -1)
