"""Reading for people: ladders, small fights, self-ataris, life.

See kernels/reading/reading.py, selfatari.py and life.py beside it for how it is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from montego.go import PASS, Position, vertex
from montego.go.colors import Color, parse_color
from montego.go.points import Move, all_points, parse_move
from montego.kernels.board.board import POINTS
from montego.kernels.reading.life import LIFE, LIVES, living_stones, read_life
from montego.kernels.reading.reading import (
    CAUGHT,
    LADDER_LIBERTIES,
    MOST_LIBERTIES,
    READING,
    SAFE,
    UNKNOWN,
    read_position,
)
from montego.kernels.reading.selfatari import judge_self_atari

NODES = 20_000
"""Moves that are tried before the answer is unknown."""


class Verdict(Enum):
    """What becomes of a chain."""

    CAUGHT = CAUGHT
    SAFE = SAFE
    UNKNOWN = UNKNOWN


@dataclass(frozen=True)
class Reading:
    """A verdict, a line of play that leads to it, and how many moves were tried."""

    verdict: Verdict
    line: tuple[str, ...]
    """The last line that was tried; a chain that is caught is taken by the next move."""
    nodes: int

    @property
    def is_caught(self) -> bool:
        """Whether the chain is lost."""
        return self.verdict is Verdict.CAUGHT


def ladder(position: Position, chain: Move, to_play: Color | None = None) -> Reading:
    """Whether a chain is caught by a ladder, with the player to move, or another one, to begin."""
    return _read(position, chain, to_play, LADDER_LIBERTIES, NODES)


def captures(
    position: Position,
    chain: Move,
    to_play: Color | None = None,
    liberties: int = 3,
    nodes: int = NODES,
) -> Reading:
    """Whether a chain can be caught as long as it has at most so many liberties (2 to 4)."""
    if not LADDER_LIBERTIES <= liberties <= MOST_LIBERTIES:
        raise ValueError(
            f"liberties have to be {LADDER_LIBERTIES} to {MOST_LIBERTIES}, not {liberties}"
        )
    return _read(position, chain, to_play, liberties, nodes)


def _read(position: Position, chain: Move, to_play: Color | None, limit: int, most: int) -> Reading:
    if to_play is not None and parse_color(to_play) != position.to_play:
        position = position.with_to_play(to_play)
    point = _stone(position, chain)
    scratch = np.zeros(1, dtype=READING)[0]
    verdict = read_position(position.board_copy()[0], scratch, point, limit, most)
    line = scratch["line"][: scratch["length"]].tolist()
    return Reading(
        Verdict(verdict), tuple(vertex(p, position.size) for p in line), int(scratch["nodes"])
    )


def _stone(position: Position, chain: Move) -> int:
    point = parse_move(chain, position.size)
    if not position.color_at(point):
        raise ValueError(f"there is no stone at {vertex(point, position.size)}")
    return point


def lives(position: Position, chain: Move, nodes: int = NODES) -> bool:
    """Whether a chain is proved to live by two eyes though the enemy moves first."""
    scratch = np.zeros(1, dtype=LIFE)[0]
    point = _stone(position, chain)
    return bool(read_life(position.board_copy()[0], scratch, point, nodes) == LIVES)


def never_taken(position: Position, color: Color) -> frozenset[str]:
    """The stones of a player that live even if he always passes (Benson's theorem)."""
    scratch, found = np.zeros(1, dtype=LIFE)[0], np.zeros(POINTS, dtype=np.uint8)
    living_stones(position.board_copy()[0], scratch, parse_color(color), found)
    return frozenset(vertex(p, position.size) for p in all_points(position.size) if found[p])


def is_bad_self_atari(position: Position, move: Move, color: Color | None = None) -> bool:
    """Whether a stone would be suicide, or a self-atari that serves no purpose."""
    point = parse_move(move, position.size)
    if point == PASS or position.color_at(point):
        raise ValueError(f"{vertex(point, position.size)} is no empty point")
    player = position.to_play if color is None else parse_color(color)
    return bool(judge_self_atari(position.board_copy()[0], point, player))
