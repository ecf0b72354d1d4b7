"""Notes in a game record: comments, verdicts and variations added to its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from montego.go.errors import BadSgf
from montego.go.sgf import begins_game, parse, place_of, reason_of

VERDICTS = ("BM", "DO", "IT", "TE")
"""What SGF calls a move: bad, doubtful, interesting, good; a move has one of them at most."""
_OF_A_MOVE = ("B", "W", "KO", "MN", *VERDICTS, "BL", "WL", "OB", "OW")


@dataclass(frozen=True)
class Note:
    """What is told about a move."""

    comment: str = ""
    mark: str = ""
    """One of VERDICTS, or nothing; a verdict that the record has already is kept."""
    instead: tuple[int, ...] = ()
    """A line of play in place of the move."""
    about_instead: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    """Other properties of SGF, and their values."""


def annotate(data: bytes, notes: Mapping[int, Note]) -> bytes:
    """The record with all that it holds, and notes added to its moves, 1 the first, 0 the start.

    The moves are those of ``loads``: where stones are set up, the game starts over.
    """
    try:
        game = parse(data)
        _move_out_of_root(game.get_root())
        for number, node in enumerate(_nodes_of_game(game.get_main_sequence())):
            if number in notes:
                _add_note(node, notes[number], game.get_size())
        return bytes(game.serialise())
    except (ValueError, LookupError, RecursionError) as error:
        raise BadSgf(f"not a game record that can be written: {reason_of(error)}") from None


def _move_out_of_root(root: Any) -> None:
    """Give a move that stands in the root a node of its own: only so it can have variations."""
    if root.get_move()[0] is None:
        return
    children, first = list(root), root.new_child()
    for child in children:
        child.reparent(first)
    for name in _OF_A_MOVE:
        if root.has_property(name):
            first.set_raw_list(name, root.get_raw_list(name))
            root.unset(name)


def _nodes_of_game(nodes: Sequence[Any]) -> list[Any]:
    """The node with which the game begins, and then that of every move."""
    begin = max(number for number, node in enumerate(nodes) if begins_game(number, node))
    moves = (node for node in nodes[begin + 1 :] if node.get_move()[0] is not None)
    return [nodes[begin], *moves]


def _add_note(node: Any, note: Note, size: int) -> None:
    _add_comment(node, note.comment)
    if note.mark and not any(map(node.has_property, VERDICTS)):
        node.set(note.mark, 1)
    for name, value in note.properties.items():
        node.set(name, value)
    color, at = node.get_move()[0], node.parent
    for step, point in enumerate(note.instead):
        at = at.new_child()
        at.set_move(color, place_of(point, size))
        color = "w" if color == "b" else "b"
        if step == 0:
            _add_comment(at, note.about_instead)


def _add_comment(node: Any, text: str) -> None:
    """Behind what is there already."""
    if text:
        before = node.get("C") if node.has_property("C") else ""
        node.set("C", f"{before}\n{text}".strip())
