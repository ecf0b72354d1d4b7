"""A book that is loaded: what it knows of a position, and of what may follow."""

from __future__ import annotations

from pathlib import Path

from montego.book.errors import BookError
from montego.book.statistics import BookMove
from montego.book.store import Book
from montego.go import BLACK, WHITE, GoError, Position
from montego.lab.books.tree import Node, grow_tree, walk
from montego.web.messages import BookLine, BookShown

DEPTH = 3
"""Moves ahead that are shown."""
SMALLEST_PART = 0.01
"""Of the games here, that a move needs to be shown: so there are a few hundred at most."""


class FittedBook:
    """A book that answers for its own board and komi, whichever ko rule a game is played by.

    Ko rules are part of a position's key; in the openings that a book holds they hardly matter.
    """

    def __init__(self, path: Path) -> None:
        self._book = Book(path)
        self._rules = {(start.size, start.komi): start.rules for start in self._book.starts()}

    def fitted(self, position: Position) -> Position:
        """The same game by the rules of the book, where it can be played by them."""
        rules = self._rules.get((position.size, position.komi), position.rules)
        if rules == position.rules:
            return position
        first = position.first
        fitted = Position.set_up(
            first.size, first.stones(BLACK), first.stones(WHITE), first.to_play, rules
        )
        try:
            for color, move in position.moves:
                fitted = fitted.play(move, color)
        except GoError:
            return position
        return fitted

    def look_up(self, position: Position) -> tuple[BookMove, ...]:
        """What was played in a position."""
        return self._book.look_up(self.fitted(position))

    def version(self) -> int:
        """Another number after every change."""
        return self._book.version()

    def lines(self, position: Position, depth: int, games: int) -> Node:
        """The lines that go on from a position."""
        return grow_tree(self._book, self.fitted(position), depth, games)

    def close(self) -> None:
        """Let go of the file."""
        self._book.close()


class Library:
    """One book, open to be looked at."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self._book = FittedBook(path)

    def look_up(self, node: int, position: Position) -> BookShown:
        """The lines of the book from here on; raises GoError."""
        try:
            games = sum(move.games for move in self._book.look_up(position))
            root = self._book.lines(position, DEPTH, max(1, round(SMALLEST_PART * games)))
        except BookError as error:
            raise GoError(str(error)) from None
        lines = [_line(found) for found in walk(root) if found.move is not None]
        return BookShown(node=node, games=games, lines=lines)

    def close(self) -> None:
        """Done."""
        self._book.close()


def _line(node: Node) -> BookLine:
    assert node.move is not None
    low, high = node.interval
    return BookLine(
        line=list(node.line), move=node.line[-1],
        color="black" if node.move.color == BLACK else "white", games=node.move.games,
        rate=round(node.move.rate, 4), low=round(low, 4), high=round(high, 4),
        elsewhere=node.is_elsewhere,
    )  # fmt: skip
