"""A search's findings in one line, as Leela Zero and KataGo write them for a GUI.

All figures are seen by the player to move.  ``Wanted`` says what the line contains.  What
every report needs, also KataGo's in JSON, stands at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from montego.engine.status import SIGN
from montego.go import Position, parse_color, vertex
from montego.mcts.found import Candidate, Found

Z = 1.96
"""For the lower end of the 95 % interval of a win rate."""


class Wanted(Protocol):
    """What a line contains."""

    fewest: int
    most: int | None
    ownership: bool
    moves_ownership: bool
    line_visits: bool
    root: bool


Report = Callable[[Position, str, Found, Wanted], str]
"""From a position of this size and komi, a colour, its findings and what is wanted."""


def leela(position: Position, color: str, found: Found, wanted: Wanted) -> str:
    """Leela Zero's form: win rates and priors from 0 to 10000."""
    size = position.size

    def part(order: int, candidate: Candidate, prior: float) -> str:
        rate = candidate.win_rate
        return (
            f"info move {vertex(candidate.move, size)} visits {candidate.visits} "
            f"winrate {rate * 10_000:.0f} prior {prior * 10_000:.0f} "
            f"lcb {lower_bound(rate, candidate.visits) * 10_000:.0f} order {order} "
            f"pv {' '.join(line_of_play(candidate, size))}"
        )

    return _all_parts(found, wanted, part)


def kata(position: Position, color: str, found: Found, wanted: Wanted) -> str:
    """KataGo's form: rates and priors from 0 to 1, the lead in points, ownership."""
    sign = SIGN[parse_color(color)]

    def part(order: int, candidate: Candidate, prior: float) -> str:
        rate = candidate.win_rate
        return (
            f"info move {vertex(candidate.move, position.size)} visits {candidate.visits} "
            f"utility {candidate.value:.6f} winrate {rate:.6f} "
            f"scoreMean {candidate.score:.3f} scoreStdev {candidate.deviation:.3f} "
            f"scoreLead {candidate.score:.3f} prior {prior:.6f} "
            f"lcb {lower_bound(rate, candidate.visits):.6f} order {order} "
            f"pv {' '.join(line_of_play(candidate, position.size))}"
            + _more_of_a_move(candidate, wanted, sign)
        )

    line = _all_parts(found, wanted, part)
    if wanted.root:
        line += (
            f" rootInfo visits {found.simulations} utility {found.value:.6f} "
            f"winrate {found.win_rate:.6f} "
            f"scoreMean {found.score:.3f} scoreStdev {found.deviation:.3f} "
            f"scoreLead {found.score:.3f}"
        )
    return line + (_owners("ownership", found.ownership, sign) if wanted.ownership else "")


def _more_of_a_move(candidate: Candidate, wanted: Wanted, sign: int) -> str:
    """What KataGo writes behind a variation."""
    more = ""
    if wanted.line_visits:
        more += " pvVisits " + " ".join(map(str, candidate.variation_visits))
    if wanted.moves_ownership and candidate.ownership is not None:
        more += _owners("movesOwnership", candidate.ownership, sign)
    return more


def _owners(name: str, owners: NDArray[np.float64], sign: int) -> str:
    return f" {name} " + " ".join(f"{sign * x:.3f}" for x in owners.flat)


Part = Callable[[int, Candidate, float], str]


def _all_parts(found: Found, wanted: Wanted, part: Part) -> str:
    """The parts of all moves that are wanted, the best one first."""
    shares = priors(found)
    moves = visited_moves(found, wanted.fewest)[: wanted.most]
    return " ".join(part(order, move, shares[move.move]) for order, move in enumerate(moves))


# --- what every report needs -----------------------------------------------------------


def visited_moves(found: Found, fewest: int = 0) -> list[Candidate]:
    """The moves that were tried, but at least so many: the best one, then by their visits."""
    visited = sum(candidate.visits > 0 for candidate in found.candidates)
    moves = found.candidates[: max(visited, fewest)]
    return sorted(moves, key=lambda candidate: candidate.move != found.move)


def priors(found: Found) -> dict[int, float]:
    """The priors of all moves, as parts of 1."""
    shares = {candidate.move: max(candidate.prior, 0.0) for candidate in found.candidates}
    total = sum(shares.values()) or 1.0
    return {move: prior / total for move, prior in shares.items()}


def lower_bound(rate: float, visits: int) -> float:
    """The least win rate that the visits leave likely."""
    if visits == 0:
        return 0.0
    return max(rate - Z * math.sqrt(max(rate * (1 - rate), 0.0) / visits), 0.0)


def line_of_play(candidate: Candidate, size: int) -> list[str]:
    """The names of the expected moves, beginning with the candidate's own."""
    moves = candidate.variation
    if moves[:1] != (candidate.move,):
        moves = (candidate.move, *moves)
    return [vertex(move, size) for move in moves]
