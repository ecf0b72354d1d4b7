"""Who has won when nobody resigned: area scoring once the dead stones are off the board.

Our own referee takes off what the engine itself takes for dead (engine/status).  GNU Go, where
it is installed, is a second opinion that shares no code with us.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from montego.engine.status import judge
from montego.go import Position, color_name, vertex
from montego.go.handicap import handicap_stones
from montego.lab.matches.foul import Foul
from montego.lab.matches.program import GtpProgram, Refusal, find_program

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


def area_score(position: Position) -> float:
    """Black's area minus White's minus komi, without the stones that the engine takes for dead."""
    return judge(position).cleared().score()


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
    if handicap_stones(position):
        stones = position.first.stones("black")
        yield "set_free_handicap " + " ".join(vertex(p, position.size) for p in stones)
    for color, move in position.moves:
        yield f"play {color_name(color)} {vertex(move, position.size)}"


def _parse_score(text: str) -> float:
    if text == "0":
        return 0.0
    found = _SCORE.fullmatch(text)
    if found is None:
        raise RefereeError(f"GNU Go as referee: {text!r} is not a score")
    return float(found[2]) * (1 if found[1] == "B" else -1)
