"""Passing: a search that fills the board is no help to a client that waits for the end.

A search counts wins, and cares for no points: who has won or lost anyway would play on for ever.
So where nearly every point has its owner, a second search looks at a pass and at nothing else.
If that costs no points, it is the best move of the reply.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from montego.engine.engine import Progress, Search
from montego.engine.manners import turn_of
from montego.engine.status import CERTAIN
from montego.go import PASS, Position
from montego.mcts.avoid import Avoid, left_out
from montego.mcts.search import Budget, Candidate, Found

SETTLED = 0.85
"""The part of all points that has an owner when the game is nearly over."""
POINTS, VALUE = 0.75, 0.1
"""What a pass may be worth less than the best move, in points and in wins: playouts are noisy."""
SHARE = 4
"""The second search has this part of the first one's simulations."""


def with_pass(
    search: Search, game: Position, found: Found, goes_on: Progress, interval: float
) -> Found:
    """What was found; with a pass as the best move where that costs nothing."""
    if found.move == PASS or not is_settled(found):
        return found
    passed = _search_pass(search, game, found.simulations // SHARE, goes_on, interval)
    if passed is None:
        return found
    others = [c for c in found.candidates if c.move != PASS]
    candidates = sorted([passed, *others], key=lambda c: (not c.is_open, -c.visits))
    found = replace(found, candidates=tuple(candidates))
    if passed.value < found.value - VALUE or passed.score < found.score - POINTS:
        return found
    names = ("move", "visits", "value", "variation", "score", "deviation")
    return replace(found, **{name: getattr(passed, name) for name in names})


def is_settled(found: Found) -> bool:
    """Whether nearly every point has its owner."""
    return bool(np.mean(np.abs(found.ownership) >= CERTAIN) >= SETTLED)


def _search_pass(
    search: Search, game: Position, simulations: int, goes_on: Progress, interval: float
) -> Candidate | None:
    """What a search finds that may only pass."""
    only_pass = left_out([], [Avoid(game.to_play, frozenset({PASS}))], game.size)
    budget = Budget(simulations=max(simulations, 1))
    found = search.run(turn_of(game, game.to_play), budget, goes_on, interval, only_pass)
    return next((c for c in found.candidates if c.move == PASS and c.visits > 0), None)
