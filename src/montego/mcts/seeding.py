"""A tree that begins with games from elsewhere: what an opening book knows of a position (T30).

Games of a move count as prior games of the root's child, in the mixture of Gelly and Silver and in
P11's rule; where RAVE counts begin with prior games (T12), these do, too.  The root gets its
children with its first simulation, so one is run before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from montego.go import Position
from montego.kernels.tree.strategy import MOGO_KNOWLEDGE
from montego.kernels.tree.tree import NONE, ONE, ROOT, child_of_root

if TYPE_CHECKING:
    from montego.mcts.search import LocalSearch


class PriorGames(NamedTuple):
    """What is known of a move before it is searched."""

    games: float
    """How many simulations it is worth."""
    value: float
    """-1 to 1, seen by who plays it."""


def seed_root(search: LocalSearch, position: Position, known: Mapping[int, PriorGames]) -> None:
    """Make a position the root, and let its moves begin with games; once for each position."""
    search.set_position(position)
    has_children = int(search.pool[ROOT]["first_child"]) != NONE
    if has_children and search.seeded is position:
        return
    if not has_children:
        search.simulate(1)
    for move, games in known.items():
        _add(search, child_of_root(search.pool, move), games)
    search.seeded = position


def _add(search: LocalSearch, child: int, known: PriorGames) -> None:
    if child == NONE:
        return  # a move that the search leaves out, such as one into an own eye
    node = search.pool[child]
    before = float(node["prior"])
    node["prior"] = before + known.games
    node["q"] = (before * node["q"] + known.games * known.value) / (before + known.games)
    if search.recipe.knowledge.KIND == MOGO_KNOWLEDGE:
        games = int(known.games)
        node["rave_visits"] += games
        node["rave_total"] += int(games * known.value * ONE)
