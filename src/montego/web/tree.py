"""A game with its variations: a tree of moves, and the position that is looked at.

Nodes hold moves, not boards: the position of a node is found by playing the moves that lead to
it, which takes milliseconds.  Every node remembers which way was last taken from it, so a line
goes from the start through the position that is looked at, and on to its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from montego.go import GoError, Position
from montego.go.colors import Color
from montego.go.points import Move
from montego.web.limits import MOST_MOVES, MOST_NODES

ROOT = 0


@dataclass
class MoveNode:
    """A move, what came after it, and what a search thought of the position."""

    id: int
    parent: int | None
    color: int = 0
    move: int = 0
    children: list[int] = field(default_factory=list)
    next: int | None = None
    """The child that was visited last."""
    win_rate: float | None = None
    """Black's."""
    lead: float | None = None
    """Black's."""
    seconds: float | None = None
    """That the program thought about the move, if it is the program's."""
    note: str = ""


class MoveTree:
    """All moves of a game, and where one is."""

    def __init__(self, start: Position) -> None:
        self.start = start.first
        self.nodes = {ROOT: MoveNode(ROOT, None)}
        self.at = ROOT
        self.position = self.start
        self._count = 1
        for color, move in start.moves:
            self.play(move, color)

    @property
    def node(self) -> MoveNode:
        """The node that one is at."""
        return self.nodes[self.at]

    def play(self, move: Move, color: Color | None = None) -> MoveNode:
        """Play a move here, by a way that is known or by a new one."""
        found, position = self.branch(self.at, self.position, move, color)
        self.node.next = found.id
        self.at, self.position = found.id, position
        return found

    def branch(
        self, at: int, position: Position, move: Move, color: Color | None = None
    ) -> tuple[MoveNode, Position]:
        """A move from any node, whose position is given; one stays where one is."""
        after = position.play(move, color)
        mover, point = after.moves[-1]
        known = (self.nodes[child] for child in self.nodes[at].children)
        found = next((n for n in known if (n.color, n.move) == (mover, point)), None)
        if found is None:
            found = self._grow(at, mover, point, len(after.moves))
        return found, after

    def _grow(self, at: int, color: int, move: int, length: int) -> MoveNode:
        if length > MOST_MOVES:
            raise GoError(f"a game has {MOST_MOVES:,} moves at most here")
        if len(self.nodes) >= MOST_NODES:
            raise GoError(f"a game has {MOST_NODES:,} positions at most here: remove a variation")
        node = MoveNode(self._count, at, color, move)
        self._count += 1
        self.nodes[node.id] = node
        self.nodes[at].children.append(node.id)
        return node

    def path(self, to: int | None = None) -> list[int]:
        """The nodes from the start to this one."""
        path: list[int] = []
        step = self.at if to is None else to
        while (parent := self._known(step).parent) is not None:
            path.append(step)
            step = parent
        return [ROOT, *reversed(path)]

    def line(self) -> list[int]:
        """The path to where one is, and on by the ways that were taken last."""
        line = self.path()
        while (after := self._after(line[-1])) is not None:
            line.append(after)
        return line

    def _after(self, number: int) -> int | None:
        node = self.nodes[number]
        return node.next if node.next is not None else next(iter(node.children), None)

    def goto(self, to: int) -> None:
        """Look at another position."""
        self.position = self.position_of(to)
        self.at = to
        for before, number in pairwise(self.path()):
            self.nodes[before].next = number

    def position_of(self, to: int) -> Position:
        """The position of a node."""
        position = self.start
        for number in self.path(to)[1:]:
            position = position.play(self.nodes[number].move, self.nodes[number].color)
        return position

    def remove(self, number: int) -> None:
        """Forget a move and all that comes after it."""
        parent = self._known(number).parent
        if parent is None:
            raise GoError("the start of a game cannot be removed")
        if number in self.path():
            self.goto(parent)
        before = self.nodes[parent]
        before.children.remove(number)
        before.next = None if before.next == number else before.next
        todo = [number]
        while todo:
            todo += self.nodes.pop(todo.pop()).children

    def _known(self, number: int) -> MoveNode:
        if number not in self.nodes:
            raise GoError("there is no such position")
        return self.nodes[number]
