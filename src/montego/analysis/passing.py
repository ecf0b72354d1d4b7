"""Passing: a search that fills the board is no help to a client that waits for the end.

A search counts wins, and cares for no points: who has won or lost anyway would play on for ever.
So where the engine would pass, a pass is the best move of the reply, with figures of its own.
"""

from __future__ import annotations

from dataclasses import replace

from montego.engine.answer import Search
from montego.engine.manners import Turn, may_pass, turn_of
from montego.engine.settled import Verifier
from montego.go import PASS, Position
from montego.mcts.avoid import Avoid, left_out
from montego.mcts.found import Budget, Candidate, Found, Progress

SHARE = 4
"""What the search has not tried, a second one looks at with this part of its simulations."""


def with_pass(
    search: Search, game: Position, found: Found, goes_on: Progress, interval: float
) -> Found:
    """What was found; with a pass as the best move where the engine would pass."""
    if found.move == PASS or not may_pass(Turn(game, game.to_play, found), Verifier()):
        return found
    passed = _passes(found) or _passes(_search_pass(search, game, found, goes_on, interval))
    if passed is None:
        return found
    others = tuple(c for c in found.candidates if c.move != PASS)
    names = ("move", "visits", "value", "variation", "score", "deviation")
    chosen = {name: getattr(passed, name) for name in names}
    return replace(found, candidates=(passed, *others), **chosen)


def _passes(found: Found) -> Candidate | None:
    """The pass among the moves that were tried."""
    return next((c for c in found.candidates if c.move == PASS and c.visits > 0), None)


def _search_pass(
    search: Search, game: Position, found: Found, goes_on: Progress, interval: float
) -> Found:
    """What a search finds that may only pass."""
    only_pass = left_out([], [Avoid(game.to_play, frozenset({PASS}))], game.size)
    budget = Budget(simulations=max(found.simulations // SHARE, 1))
    return search.run(turn_of(game, game.to_play), budget, goes_on, interval, only_pass)
