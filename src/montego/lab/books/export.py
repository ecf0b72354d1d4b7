"""A book for others: SGF with comments, a picture, or text that Fuego, Pachi and Matilda read."""

from __future__ import annotations

from montego.book.choice import Opening
from montego.book.errors import BookError
from montego.book.games import start_text
from montego.book.store import Book
from montego.go import Position, vertex
from montego.go.variations import dump_tree
from montego.lab.books.picture import as_svg
from montego.lab.books.tree import Node, grow_tree, walk

TEXT, SGF, PICTURE = ".txt", ".sgf", ".svg"
KINDS = (SGF, TEXT, PICTURE)


def as_sgf(root: Node) -> str:
    """All lines as variations, with what became of every move as a comment."""
    start = _set_up(root.position)
    return dump_tree(start, root, lambda node: node.children, _played, _comment)


def _set_up(position: Position) -> Position:
    """The same stones without the moves that led to them."""
    if not position.moves:
        return position
    return Position.from_diagram(position.diagram(), position.to_play, position.rules)


def _played(node: Node) -> tuple[int, int]:
    assert node.move is not None
    return node.move.color, node.move.point


def _comment(node: Node) -> str:
    return node.told if node.move is not None else "An opening book of Montego."


def as_text(book: Book, root: Node, opening: Opening) -> str:
    """A line for every position in which the book has a move: size, moves, and its reply."""
    size = root.position.size
    if start_text(root.position.first):
        raise BookError("a text tells moves from an empty board, and these games begin with stones")
    way = [vertex(move, size) for _, move in root.position.moves]
    lines = []
    for node in walk(root):
        chosen = None if node.is_elsewhere else opening.choose(node.position)
        if chosen is not None:
            words = [str(size), *way, *node.line, "|", vertex(chosen.move.point, size)]
            lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def export(book: Book, position: Position, kind: str, depth: int, games: int, rule: str) -> bytes:
    """A book from a position on, as a file of this kind."""
    root = grow_tree(book, position, depth, games)
    if not root.children:
        raise BookError(f"{book.path} has no move of {games} games there")
    if kind == SGF:
        return as_sgf(root).encode()
    if kind == PICTURE:
        return as_svg(root).encode()
    return as_text(book, root, Opening(book, rule, games)).encode()
