"""Many lines of play in one game record: a tree of variations as SGF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from sgfmill import sgf

from montego import __version__
from montego.go.position import Position
from montego.go.sgf import LETTERS, place_of, write_start

Branch = TypeVar("Branch")


def dump_tree(
    start: Position,
    root: Branch,
    children: Callable[[Branch], Sequence[Branch]],
    move: Callable[[Branch], tuple[int, int]],
    comment: Callable[[Branch], str],
) -> str:
    """A tree of variations as text; of every branch its move as (colour, point), and a comment."""
    game = sgf.Sgf_game(size=start.size)
    write_start(game.get_root(), start)
    game.get_root().set("AP", ("Montego", __version__))
    game.get_root().set("KM", start.komi)
    todo = [(game.get_root(), root)]
    while todo:
        node, branch = todo.pop()
        if told := comment(branch):
            node.set("C", told)
        for child in children(branch):
            color, point = move(child)
            below = node.new_child()
            below.set_move(LETTERS[color], place_of(point, start.size))
            todo.append((below, child))
    return str(game.serialise().decode("utf-8"))
