"""A search's findings in one line, as Leela Zero and KataGo write them for a GUI.

All figures are seen by the player to move.  ``Wanted`` says what the line shall hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from montego.engine.status import SIGN
from montego.go import Position, parse_color, vertex
from montego.mcts.search import Candidate, Found

Z = 1.96
"""For the lower end of the 95 % interval of a win rate."""


class Wanted(Protocol):
    """What a line shall hold."""

    fewest: int
    most: int | None
    ownership: bool
    root: bool


Report = Callable[[Position, str, Found, Wanted], str]
"""From a position of this size and komi, a colour, its findings and what is wanted."""


def leela(position: Position, color: str, found: Found, wanted: Wanted) -> str:
    """Leela Zero's form: win rates and priors from 0 to 10000."""
    size = position.size

    def part(order: int, candidate: Candidate, prior: float) -> str:
        rate = win_rate(candidate.value)
        return (
            f"info move {vertex(candidate.move, size)} visits {candidate.visits} "
            f"winrate {rate * 10_000:.0f} prior {prior * 10_000:.0f} "
            f"lcb {lower_bound(rate, candidate.visits) * 10_000:.0f} order {order} "
            f"pv {_line_of_play(candidate, size)}"
        )

    return _all_parts(found, wanted, part)


def kata(position: Position, color: str, found: Found, wanted: Wanted) -> str:
    """KataGo's form: rates and priors from 0 to 1, the lead in points, ownership."""
    sign = SIGN[parse_color(color)]

    def part(order: int, candidate: Candidate, prior: float) -> str:
        rate = win_rate(candidate.value)
        return (
            f"info move {vertex(candidate.move, position.size)} visits {candidate.visits} "
            f"utility {candidate.value:.6f} winrate {rate:.6f} "
            f"scoreMean {candidate.score:.3f} scoreLead {candidate.score:.3f} prior {prior:.6f} "
            f"lcb {lower_bound(rate, candidate.visits):.6f} order {order} "
            f"pv {_line_of_play(candidate, position.size)}"
        )

    line = _all_parts(found, wanted, part)
    if wanted.root:
        line += (
            f" rootInfo visits {found.simulations} utility {found.value:.6f} "
            f"winrate {win_rate(found.value):.6f} "
            f"scoreMean {found.score:.3f} scoreLead {found.score:.3f}"
        )
    if wanted.ownership:
        line += " ownership " + " ".join(f"{sign * x:.3f}" for x in found.ownership.flat)
    return line


Part = Callable[[int, Candidate, float], str]


def _all_parts(found: Found, wanted: Wanted, part: Part) -> str:
    """The parts of all moves that are wanted, the most visited first."""
    total = sum(max(candidate.prior, 0.0) for candidate in found.candidates) or 1.0
    parts = [
        part(order, candidate, max(candidate.prior, 0.0) / total)
        for order, candidate in enumerate(_wanted_moves(found, wanted))
    ]
    return " ".join(parts)


def _wanted_moves(found: Found, wanted: Wanted) -> tuple[Candidate, ...]:
    visited = sum(candidate.visits > 0 for candidate in found.candidates)
    return found.candidates[: max(visited, wanted.fewest)][: wanted.most]


def win_rate(value: float) -> float:
    """A value in [-1, 1] as a chance to win."""
    return (value + 1) / 2


def lower_bound(rate: float, visits: int) -> float:
    """The least win rate that the visits leave likely."""
    if visits == 0:
        return 0.0
    return max(rate - Z * math.sqrt(max(rate * (1 - rate), 0.0) / visits), 0.0)


def _line_of_play(candidate: Candidate, size: int) -> str:
    """The expected moves, beginning with the candidate's own."""
    moves = candidate.variation
    if moves[:1] != (candidate.move,):
        moves = (candidate.move, *moves)
    return " ".join(vertex(move, size) for move in moves)
