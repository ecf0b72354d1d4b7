"""Games as text: SGF with all variations, and links to a position.

A link holds all that a position is: settings, stones that were set up, and the moves.  It opens in
any Montego, and nothing has to be kept for it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from pydantic import ValidationError
from sgfmill.sgf import Sgf_game

from montego.go import BLACK, PASS, WHITE, GoError, Position, color_letter, sgf, vertex
from montego.go.points import point_at, row_and_column
from montego.go.rules import Rules
from montego.go.rulesets import find_ruleset
from montego.go.sgf import GameRecord
from montego.web.limits import MOST_MOVES, MOST_NODES
from montego.web.messages import Settings
from montego.web.tree import MoveTree

MOST_SGF_NODES = 20_000
"""Of records with more nodes only the main line is read."""
LONGEST_NOTE = 2_000
"""Characters of a comment that are kept."""
KNOWN = ("size", "komi", "rules", "user", "black", "white", "first", "moves")


def rules_of(settings: Settings) -> Rules:
    """What is played under these settings."""
    return find_ruleset(settings.rules).rules(settings.komi)


def tell_problem(error: ValidationError) -> str:
    """What is wrong with something that was sent, in one line."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}"[:300]


# --- SGF -------------------------------------------------------------------------------


def write_sgf(tree: MoveTree, black: str, white: str, result: str, rules: str) -> str:
    """The whole tree; its line comes first, with what was thought of its moves."""
    line = tree.line()
    notes = {i: tree.nodes[number].note for i, number in enumerate(line)}
    record = GameRecord(tree.position_of(line[-1]), black, white, result, notes)
    game = Sgf_game.from_string(sgf.dumps(record))
    game.get_root().set("RU", rules)
    for node, number in zip(game.get_main_sequence(), line, strict=True):
        _write_variations(tree, node, number, {*line})
    return str(game.serialise().decode("utf-8"))


def _write_variations(tree: MoveTree, node: Any, number: int, written: set[int]) -> None:
    """What branches off a node; a deep line must not need a deep stack."""
    todo = [(node, child) for child in tree.nodes[number].children if child not in written]
    while todo:
        parent, child = todo.pop(0)
        told, size = tree.nodes[child], tree.start.size
        new = parent.new_child()
        new.set_move("b" if told.color == BLACK else "w", _place(told.move, size))
        if told.note:
            new.set("C", told.note)
        todo[:0] = [(new, after) for after in told.children]


def _place(point: int, size: int) -> tuple[int, int] | None:
    """As sgfmill has it: rows from 0 at the bottom."""
    if point == PASS:
        return None
    row, column = row_and_column(point)
    return size - row, column - 1


def read_sgf(text: str, settings: Settings) -> tuple[GameRecord, Settings]:
    """The main line of a record, and the settings that fit it."""
    record = sgf.loads(text, None, rules_of(settings))
    if len(record.position.moves) > MOST_MOVES:
        raise GoError(f"a game has {MOST_MOVES:,} moves at most here")
    position = record.position
    changes = {"size": position.size, "komi": position.komi, "handicap": record.handicap}
    return record, _changed(settings, changes)


def read_variations(text: str, tree: MoveTree) -> None:
    """Add what branches off the main line, which the tree holds already.

    A variation ends where stones are set up, where a move cannot be played, and where the tree is
    full: the rest of the record is as good without it.
    """
    if text.count(";") > MOST_SGF_NODES:
        return
    nodes, first = _game_in(Sgf_game.from_string(text), len(tree.path()) - 1)
    line, at, position = tree.path(), 0, tree.start
    todo = list[Branch]()
    for number, node in enumerate(nodes):
        if number >= first and node.get_move()[0] is not None:
            at += 1
            told = tree.nodes[line[at]]
            position = position.play(told.move, told.color)
        todo += [(child, line[at], position) for child in node[1:]]
    _grow_variations(tree, todo[::-1])


Branch = tuple[Any, int, Position]
"""A node of a record, the node of the tree that it follows, and the position there."""


def _game_in(game: Any, moves: int) -> tuple[list[Any], int]:
    """The main line from the node on that the game begins with, and the place of its first move.

    The game is the last ``moves`` moves: where stones are set up, it starts over.
    """
    nodes = game.get_main_sequence()
    places = [i for i, node in enumerate(nodes) if node.get_move()[0] is not None]
    first = places[len(places) - moves] if moves else len(nodes)
    begin = max((i for i in range(first) if nodes[i].has_setup_stones()), default=0)
    return nodes[begin:], first - begin


def _grow_variations(tree: MoveTree, todo: list[Branch]) -> None:
    """The last of those that are to be done comes first."""
    while todo and len(tree.nodes) < MOST_NODES:
        node, at, position = todo.pop()
        color, move = node.get_move()
        if node.has_setup_stones():
            continue
        if color is not None:
            try:
                found, position = tree.branch(at, position, _point(move, tree.start.size), color)
            except GoError:
                continue
            if node.has_property("C") and not found.note:
                found.note = node.get("C")[:LONGEST_NOTE]
            at = found.id
        todo += [(child, at, position) for child in reversed(list(node))]


def _point(place: tuple[int, int] | None, size: int) -> int:
    return PASS if place is None else point_at(size - place[0], place[1] + 1)


def _changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    try:
        return Settings.model_validate(settings.model_dump() | changes)
    except ValidationError as error:
        raise GoError(tell_problem(error)) from None


# --- links -----------------------------------------------------------------------------


def write_link(tree: MoveTree, settings: Settings) -> str:
    """The position that is looked at, with the moves that led there."""
    start, size = tree.start, tree.start.size
    parts = {"size": size, "komi": f"{settings.komi:g}", "rules": settings.rules,
             "user": settings.user}  # fmt: skip
    told = {color: [vertex(p, size) for p in start.stones(color)] for color in (BLACK, WHITE)}
    parts |= {"black": ".".join(told[BLACK])} if told[BLACK] else {}
    parts |= {"white": ".".join(told[WHITE])} if told[WHITE] else {}
    parts |= {"first": "white"} if start.to_play == WHITE else {}
    moves = [f"{color_letter(color)}{vertex(move, size)}" for color, move in tree.position.moves]
    return urlencode(parts | ({"moves": ".".join(moves)} if moves else {}))


def read_link(link: str) -> tuple[Position, Settings]:
    """The position of a link, with its game."""
    try:
        parts = dict(parse_qsl(link, max_num_fields=len(KNOWN)))
    except ValueError:
        raise GoError("not a link to a position: too long") from None
    if unknown := set(parts) - set(KNOWN):
        raise GoError(f"not a link to a position: {sorted(unknown)[0][:40]!r} is unknown")
    names = {"size", "komi", "rules", "user"} & set(parts)
    settings = _changed(Settings(), {name: parts[name] for name in names})
    black, white = (_split(parts.get(color, "")) for color in ("black", "white"))
    first = parts.get("first", "black")
    position = Position.set_up(settings.size, black, white, first, rules_of(settings))
    for move in _split(parts.get("moves", "")):
        if len(position.moves) >= MOST_MOVES:
            raise GoError(f"a game has {MOST_MOVES:,} moves at most here")
        position = position.play(move[1:], move[:1])
    return position, settings


def _split(text: str) -> list[str]:
    return [part for part in text.split(".") if part]
