"""``montego book show`` and ``export``: a book on the terminal, and as a file for others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.tree import Tree

from montego.book.errors import BookError
from montego.book.store import Book
from montego.lab.base import outputs
from montego.lab.base.console import plain_console
from montego.lab.books.export import SGF, TEXT, export
from montego.lab.books.tree import Node, grow_tree, start_of, walk


def show(
    path: Path,
    moves: Sequence[str],
    size: int | None,
    komi: float | None,
    depth: int,
    games: int,
    as_json: bool,
) -> None:
    """Print the board and the lines that go on from it."""
    with Book(path) as book:
        position = start_of(book, size, komi)
        for move in moves:
            position = position.play(move)
        root = grow_tree(book, position, depth, games)
    if as_json:
        print(json.dumps(root.as_json(), indent=2))
        return
    console = plain_console()
    console.print(str(position))
    if not root.children:
        console.print("nothing is known of this position")
    else:
        console.print(_drawn(root))


def _drawn(root: Node) -> Tree:
    drawn = {id(root): Tree("the book", hide_root=True)}
    for node in walk(root):
        for child in node.children:
            drawn[id(child)] = drawn[id(node)].add(child.told)
    return drawn[id(root)]


def write(
    path: Path,
    out: Path,
    size: int | None,
    komi: float | None,
    depth: int,
    games: int,
    rule: str,
    force: bool,
) -> None:
    """Write a book as SGF or text; the name of the file says which."""
    if out.suffix not in (SGF, TEXT):
        raise BookError(f"{out} is neither {SGF} nor {TEXT}")
    outputs.check([out], [path], force)
    with Book(path) as book:
        content = export(book, start_of(book, size, komi), out.suffix, depth, games, rule)
    outputs.write(out, content)
