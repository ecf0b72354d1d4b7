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
from montego.go.points import row_and_column
from montego.go.rules import Rules
from montego.go.rulesets import find_ruleset
from montego.go.sgf import GameRecord
from montego.web.limits import MOST_MOVES
from montego.web.messages import Settings
from montego.web.tree import MoveTree

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
    """A record, and the settings that fit it."""
    record = sgf.loads(text, None, rules_of(settings))
    if len(record.position.moves) > MOST_MOVES:
        raise GoError(f"a game has {MOST_MOVES:,} moves at most here")
    position = record.position
    changes = {"size": position.size, "komi": position.komi, "handicap": record.handicap}
    return record, _changed(settings, changes)


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
