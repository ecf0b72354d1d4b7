"""What a search has found, as KataGo tells it in JSON.

The search sees everything with the eyes of the player to move, but ownership with Black's.  A
reply has one view for all of it, ``Settings.side``.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from montego.analysis.query import Task
from montego.engine.reports import line_of_play, lower_bound, priors, visited_moves
from montego.engine.status import SIGN
from montego.go import BLACK, PASS, WHITE, Position, color_letter, vertex
from montego.go.points import all_points
from montego.mcts.found import Candidate, Found

DIGITS, OWNER_DIGITS = 6, 3


class View:
    """From the figures of a search to those of a reply."""

    def __init__(self, side: str, to_play: int) -> None:
        seen_by = {"BLACK": BLACK, "WHITE": WHITE}.get(side, to_play)
        self.sign = 1 if seen_by == to_play else -1
        self._owner_sign = SIGN[seen_by]

    def value(self, value: float) -> float:
        """A value or a score of the player to move."""
        return round(self.sign * value, DIGITS)

    def rate(self, rate: float) -> float:
        """A chance to win of the player to move."""
        return round(rate if self.sign > 0 else 1 - rate, DIGITS)

    def ownership(self, owners: NDArray[Any]) -> list[float]:
        """Owners, row by row from the top."""
        seen: list[float] = (self._owner_sign * owners).round(OWNER_DIGITS).ravel().tolist()
        return seen


def result(task: Task, found: Found, during: bool) -> dict[str, Any]:
    """The reply to a task."""
    position = task.game
    view = View(task.settings.side, position.to_play)
    shares = priors(found)
    told: dict[str, Any] = {
        "id": task.id,
        "isDuringSearch": during,
        "turnNumber": task.turn,
        "moveInfos": [
            _move_info(task, view, order, candidate, shares[candidate.move])
            for order, candidate in enumerate(visited_moves(found))
        ],
        "rootInfo": _root_info(position, view, found),
    }
    if task.wanted.ownership:
        told["ownership"] = view.ownership(found.ownership)
    if task.wanted.policy:
        told["policy"] = _policy(position, shares)
    return told


def no_result(task: Task) -> dict[str, Any]:
    """The reply to a task that was stopped before its search began."""
    return {"id": task.id, "isDuringSearch": False, "turnNumber": task.turn, "noResults": True}


def _figures(view: View, told: Candidate | Found) -> dict[str, Any]:
    """What is told of a move, and of the whole position."""
    bound = lower_bound(told.win_rate, told.visits)
    return {
        "visits": told.visits,
        "winrate": view.rate(told.win_rate),
        "lcb": view.rate(bound),
        "utility": view.value(told.value),
        "utilityLcb": view.value(2 * bound - 1),
        "scoreLead": view.value(told.score),
        "scoreMean": view.value(told.score),
        "scoreSelfplay": view.value(told.score),
        "scoreStdev": round(told.deviation, DIGITS),
    }


def _move_info(
    task: Task, view: View, order: int, candidate: Candidate, prior: float
) -> dict[str, Any]:
    size = task.game.size
    told: dict[str, Any] = {
        "move": vertex(candidate.move, size),
        "order": order,
        "prior": round(prior, DIGITS),
        "pv": line_of_play(candidate, size),
    }
    told |= _figures(view, candidate)
    if task.wanted.line_visits:
        told["pvVisits"] = list(candidate.variation_visits)
    if task.wanted.moves_ownership and candidate.ownership is not None:
        told["ownership"] = view.ownership(candidate.ownership)
    return told


def _root_info(position: Position, view: View, found: Found) -> dict[str, Any]:
    """The position as a whole: what its best move promises."""
    told = {
        "currentPlayer": color_letter(position.to_play),
        "thisHash": f"{position.key:016X}{position.to_play:02X}{position.ko or 0:04X}",
    }
    return told | _figures(view, found) | {"visits": found.simulations}


def _policy(position: Position, shares: dict[int, float]) -> list[float]:
    """The prior of every point, -1 where no stone may be played, and that of a pass."""
    legal = set(position.legal())
    moves = [*all_points(position.size), PASS]
    known = sum(shares.values()) > 0
    even = 0.0 if known else 1 / (len(legal) + 1)
    return [
        round(shares.get(move, 0.0) or even, DIGITS) if move in legal or move == PASS else -1.0
        for move in moves
    ]
