"""``montego book show``, ``games``, ``extract`` and ``export``: a book to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from rich.table import Table
from rich.tree import Tree

from montego.book.errors import BookError
from montego.book.store import Book
from montego.book.upkeep import games_through
from montego.go import Position, sgf, vertex
from montego.go.sgf import GameRecord
from montego.lab.base import outputs
from montego.lab.base.console import plain_console
from montego.lab.books.export import KINDS, export
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
        position = _position(book, moves, size, komi)
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


def list_games(
    path: Path, moves: Sequence[str], size: int | None, komi: float | None, most: int
) -> None:
    """Print the games that came through a position: what was played there, by whom, and how."""
    with Book(path) as book:
        position = _position(book, moves, size, komi)
        found = list(islice(games_through(book, position), most))
    table = Table("game", "move", "result", "Black", "White", "source", box=None, pad_edge=False)
    for number, game, move in found:
        black = f"{game.black} {game.black_thinking}".strip()
        white = f"{game.white} {game.white_thinking}".strip()
        name = vertex(move, game.size)
        table.add_row(str(number), name, game.result, black, white, game.source)
    plain_console().print(table if found else "no game came through this position")


def extract(path: Path, number: int) -> str:
    """A game of a book as SGF."""
    with Book(path) as book:
        found = next(book.numbered_games(number - 1), None)
    if found is None or found[0] != number:
        raise BookError(f"{path} holds no game {number}")
    game = found[1]
    position = game.first
    for color, move in game.moves:
        position = position.play(move, color)
    told = [f"{name}: {value}" for name, value in game.about.items()]
    told += [f"source: {game.source}"] if game.source else []
    return sgf.dumps(
        GameRecord(position, game.black, game.white, game.result, {0: "\n".join(told)})
    )


def _position(book: Book, moves: Sequence[str], size: int | None, komi: float | None) -> Position:
    position = start_of(book, size, komi)
    for move in moves:
        position = position.play(move)
    return position


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
    """Write a book as SGF, text or a picture; the name of the file says which."""
    if out.suffix not in KINDS:
        raise BookError(f"{out} is none of {', '.join(KINDS)}")
    outputs.check([out], [path], force)
    with Book(path) as book:
        content = export(book, start_of(book, size, komi), out.suffix, depth, games, rule)
    outputs.write(out, content)
