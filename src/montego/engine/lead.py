"""Which of several moves that win as surely is played by who is ahead.

A search that counts wins alone sees no difference between them, and plays slack moves.  Values
are by the real komi here.
"""

from __future__ import annotations

from montego.engine.status import SIGN
from montego.go import PASS
from montego.mcts.found import Candidate, Found

WITHIN = 0.02
"""Value (-1 to 1) that a move may be worse than the best: 1 % of wins."""
AHEAD = 0.6
"""Value from which somebody is far ahead: 80 % of wins."""
ENOUGH = 0.25
"""Part of the most visited move's visits that a move needs to be judged."""


def preferred(found: Found, mover: int, for_points: bool) -> int:
    """The search's move, or another that wins at least as surely.

    Who gives extra komi plays for more than a win, and must not risk it for that.
    """
    gives = found.extra_komi * SIGN[mover] > 0
    if not gives and not (for_points and found.value >= AHEAD):
        return found.move
    sure = sure_moves(found)
    if for_points and found.value >= AHEAD:
        return max(sure, key=lambda c: c.score).move if sure else found.move
    is_sure = not sure or found.move in [c.move for c in sure]
    return found.move if is_sure else sure[0].move


def sure_moves(found: Found) -> list[Candidate]:
    """The moves of enough visits that are hardly worse than the best of them, the most visited
    first; no pass, for that needs proof."""
    moves = [c for c in found.candidates if c.is_open and c.move != PASS and c.visits > 0]
    enough = ENOUGH * max((c.visits for c in moves), default=0)
    judged = [c for c in moves if c.visits >= enough]
    best = max((c.value for c in judged), default=0.0)
    return [c for c in judged if c.value >= best - WITHIN]
