"""A look into the tree of a search: all moves of the root, and below them what is visited most."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from montego.go import BLACK, Position, vertex
from montego.go.colors import other_color
from montego.kernels.tree.tree import NONE, ONE, ROOT
from montego.mcts.search import LocalSearch
from montego.web.jobs import Job
from montego.web.messages import Inside, TreeNode

SHOWN = 60
"""Nodes below the moves of the root."""
FEWEST = 2
"""Visits of a node that is worth showing there."""


def look_inside(job: Job, position: Position, search: LocalSearch, simulations: int) -> Inside:
    """The tree as it is now."""
    visits, mover = search.pool["visits"], position.to_play
    first = [(ROOT, child, mover) for child in _children(search, ROOT)]
    shown, waiting = list(first), list[tuple[int, int, int, int]]()

    def grow(parent: int, color: int) -> None:
        for child in _children(search, parent):
            if visits[child] >= FEWEST:
                heapq.heappush(waiting, (-int(visits[child]), parent, child, color))

    for _, child, color in first:
        grow(child, other_color(color))
    while waiting and len(shown) < len(first) + SHOWN:
        _, parent, child, color = heapq.heappop(waiting)
        shown.append((parent, child, color))
        grow(child, other_color(color))
    nodes = [_node(search, *place, position.size) for place in shown]
    return Inside(node=job.node, simulations=simulations, size=search.nodes, nodes=nodes)


def _children(search: LocalSearch, node: int) -> Iterator[int]:
    child = int(search.pool["first_child"][node])
    while child != NONE:
        yield child
        child = int(search.pool["sibling"][child])


def _node(search: LocalSearch, parent: int, number: int, color: int, size: int) -> TreeNode:
    node = search.pool[number]
    visits, rave_visits = int(node["visits"]), int(node["rave_visits"])
    rave = float(node["rave_total"]) / ONE / rave_visits if rave_visits else None
    return TreeNode(
        id=number,
        parent=None if parent == ROOT else parent,
        move=vertex(int(node["move"]), size),
        color="black" if color == BLACK else "white",
        visits=visits,
        win_rate=round((float(node["value"]) + 1) / 2, 4) if visits else None,
        rave=None if rave is None else round((rave + 1) / 2, 4),
        rave_visits=rave_visits,
        h=round(float(node["h"]), 4),
    )
