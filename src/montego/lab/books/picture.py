"""A book as a picture: its main lines as a tree of boards, from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from montego.go import svg
from montego.lab.books.tree import Node

BOARD, GAP, TEXT = 132, 26, 30
"""Pixels: a board, the way to the next one, and the lines under it."""
WIDTHS = (3, 2, 1)
"""How many of the most played moves are drawn, by depth; from then on the last number."""


FONT = 'font-size="10" font-family="system-ui, sans-serif" text-anchor="middle" fill="#888"'


@dataclass
class Place:
    """Where a position stands; rows are counted in boards."""

    node: Node
    depth: int
    row: float = 0.0
    children: list[Place] = field(default_factory=list)

    @property
    def corner(self) -> tuple[float, float]:
        """Left and top, in pixels."""
        return self.depth * (BOARD + GAP), self.row * (BOARD + TEXT)


def as_svg(root: Node) -> str:
    """The main lines of a tree."""
    places = list(_places(root))
    rows = 1 + max(place.row for place in places)
    depth = max(place.depth for place in places)
    width, height = (depth + 1) * (BOARD + GAP) - GAP, rows * (BOARD + TEXT)
    parts = [*map(_branches, places), *(_drawn(place, root) for place in places)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" role="img" '
        f'aria-label="The main lines of an opening book">{"".join(parts)}</svg>'
    )


def _places(root: Node) -> Iterator[Place]:
    """All positions that are drawn; each stands in the middle of those that follow."""
    first = _chosen(root, 0)
    used = 0
    todo = [(first, False)]
    while todo:
        place, is_done = todo.pop()
        if not is_done:
            todo += [(place, True), *((child, False) for child in reversed(place.children))]
        elif place.children:
            place.row = (place.children[0].row + place.children[-1].row) / 2
            yield place
        else:
            place.row, used = float(used), used + 1
            yield place


def _chosen(node: Node, depth: int) -> Place:
    width = WIDTHS[min(depth, len(WIDTHS) - 1)]
    return Place(node, depth, children=[_chosen(c, depth + 1) for c in node.children[:width]])


def _branches(place: Place) -> str:
    x, y = place.corner
    lines = []
    for child in place.children:
        to_x, to_y = child.corner
        lines.append(f"M{x + BOARD} {y + BOARD / 2:g}L{to_x} {to_y + BOARD / 2:g}")
    return f'<path d="{"".join(lines)}" stroke="#8d6e4b" fill="none"/>' if lines else ""


def _drawn(place: Place, root: Node) -> str:
    x, y = place.corner
    node = place.node
    moves = [move for _, move in node.position.moves[len(root.position.moves) :]]
    board = svg.board(root.position, moves, label=" ".join(node.line))
    frame = f'<svg x="{x}" y="{y:g}" width="{BOARD}" height="{BOARD}" '
    text = "".join(
        f'<text x="{x + BOARD / 2:g}" y="{y + BOARD + 11 + 12 * number:g}" {FONT}>'
        f"{escape(line)}</text>"
        for number, line in enumerate(_words(node))
    )
    return board.replace("<svg ", frame, 1) + text


def _words(node: Node) -> list[str]:
    if node.move is None:
        return []
    low, high = node.interval
    games = "1 game" if node.move.games == 1 else f"{node.move.games:,} games"
    name = node.told.partition(":")[0]
    rate = f"{100 * node.move.rate:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
    return [f"{name}, {games}", rate]
