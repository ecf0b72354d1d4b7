"""A book as a tree of lines, for people: what was played, how often, and how it went.

Counts are those of positions, however they were reached.  A position that several lines lead to is
gone on from once, where it comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from montego.book.errors import BookError
from montego.book.games import start_text
from montego.book.keys import key_of
from montego.book.statistics import BookMove
from montego.book.store import Book
from montego.go import Position, color_letter, vertex
from montego.lab.base.statistics import Interval, wilson


@dataclass
class Node:
    """A position of the book, and the move that led to it."""

    position: Position
    move: BookMove | None = None
    children: list[Node] = field(default_factory=list)
    is_elsewhere: bool = False
    """It is gone on from in another line."""
    line: tuple[str, ...] = ()
    """The names of the moves from the start on."""

    @property
    def interval(self) -> Interval:
        """Of the success rate of who played the move."""
        assert self.move is not None
        return wilson(self.move.wins + self.move.draws / 2, self.move.games)

    @property
    def told(self) -> str:
        """The move in a line of text."""
        assert self.move is not None
        low, high = self.interval
        name = f"{color_letter(self.move.color)} {vertex(self.move.point, self.position.size)}"
        rate = f"{100 * self.move.rate:.1f} % won ({100 * low:.0f} to {100 * high:.0f})"
        games = "1 game" if self.move.games == 1 else f"{self.move.games:,} games"
        return f"{name}: {games}, {rate}{', continued elsewhere' * self.is_elsewhere}"

    def as_json(self) -> dict[str, object]:
        """In the shape that is promised to programs."""
        found: dict[str, object] = {"line": list(self.line)}
        if self.move is not None:
            found |= {
                "move": self.line[-1], "color": color_letter(self.move.color),
                "games": self.move.games, "black_wins": self.move.black_wins,
                "white_wins": self.move.white_wins, "rate": round(self.move.rate, 4),
                "interval": [round(bound, 4) for bound in self.interval],
            }  # fmt: skip
        return found | {"moves": [child.as_json() for child in self.children]}


def grow_tree(book: Book, position: Position, depth: int, games: int) -> Node:
    """The lines of a book from a position on, so many moves deep, of moves with enough games."""
    root = Node(position)
    seen, layer = {key_of(position).key}, [root]
    for _ in range(depth):
        following: list[Node] = []
        for node in layer:
            for move in book.look_up(node.position):
                if move.games >= games and node.position.is_legal(move.point):
                    node.children.append(_child(node, move, seen))
            following += [child for child in node.children if not child.is_elsewhere]
        layer = following
    return root


def _child(node: Node, move: BookMove, seen: set[int]) -> Node:
    position = node.position.play(move.point)
    key = key_of(position).key
    name = vertex(move.point, position.size)
    child = Node(position, move, is_elsewhere=key in seen, line=(*node.line, name))
    seen.add(key)
    return child


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, line by line."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(node.children)


def start_of(book: Book, size: int | None, komi: float | None) -> Position:
    """Where the games of a book begin; of several boards, one has to be named."""
    starts = book.starts()
    if not starts:
        raise BookError(f"{book.path} holds no games")
    fitting = [
        start for start in starts
        if size in (None, start.size) and komi in (None, start.komi)
    ]  # fmt: skip
    if not fitting:
        raise BookError(f"{book.path} has no such board, but {_boards(starts)}")
    if len({(start.size, start.rules) for start in fitting}) > 1:
        raise BookError(f"{book.path} has several boards, name one by --size and --komi: "
                        f"{_boards(fitting)}")  # fmt: skip
    return _counted_start(book, fitting[0])


def _counted_start(book: Book, start: Position) -> Position:
    """Games that were grown from a position have a way to it that is not counted: behind that.

    Pieces of advice have many ways, and begin where the board is empty.
    """
    if book.look_up(start):
        return start
    board = (start.size, start.rules, start_text(start))
    here = (game for game in book.games() if (game.size, game.rules, game.start) == board)
    ways = {game.moves[: game.counted_from] for game in here}
    for color, move in ways.pop() if len(ways) == 1 else ():
        start = start.play(move, color)
    return start


def _boards(starts: list[Position]) -> str:
    named = (f"{start.size}x{start.size} with komi {start.komi:g}" for start in starts)
    return ", ".join(dict.fromkeys(named))
