"""A game of a book: one individual of the population (T32), or a piece of advice.

A game holds all that its statistics follow from, and who played it with what thinking.  Advice, as
in a book that was written by hand, is a line of play of which only the last move counts, as won by
its player.

A game is one and the same wherever it comes from: two books that hold it are merged into one that
holds it once.  What tells grown games apart, though they may have the same moves, is their name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import blake2b
from struct import Struct
from typing import Any

from montego.book.errors import BookError
from montego.go import BLACK, PASS, WHITE, GoError, Position, Rules
from montego.go.colors import color_letter, parse_color
from montego.go.points import point_at, row_and_column

LETTERS = {"B": BLACK, "W": WHITE, "0": None, "D": None, "J": None}
"""What a result begins with: Black or White has won, or it is a draw (0, Draw, Jigo)."""
COLUMNS = (
    "moves, result, size, rules, start, counted_from, black, white, black_thinking, "
    "white_thinking, source, name, about"
)
"""A game as a row of a table."""
WHITE_MOVED = 1 << 15
_SHORT = Struct("<H")


@dataclass(frozen=True)
class BookGame:
    """A game that was played to its end."""

    moves: tuple[tuple[int, int], ...]
    """Colour and point of every move."""
    result: str
    """As SGF has it: ``B+3.5``, ``W+R``, ``0``."""
    size: int = 9
    rules: Rules = field(default_factory=Rules)
    start: str = ""
    """Who moves first and the stones that are set up, ``W`` and a diagram; empty: none, Black."""
    counted_from: int = 0
    """Moves before this one are only the way there: advice counts its last move alone."""
    black: str = ""
    white: str = ""
    black_thinking: str = ""
    """What a move may take, such as ``simulations=1000``."""
    white_thinking: str = ""
    source: str = ""
    """Where it comes from: a file, or how it was grown.  No part of what the game is."""
    name: str = ""
    """Tells games apart that are otherwise the same."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else a record tells, by SGF's names: ranks (BR, WR), date (DT), event (EV)."""

    def __post_init__(self) -> None:
        if self.result[:1].upper() not in LETTERS:
            raise BookError(f"{self.result!r} is not the result of a game")
        if not 0 <= self.counted_from <= len(self.moves):
            raise BookError(f"a game of {len(self.moves)} moves cannot count from another one")

    @property
    def winner(self) -> int | None:
        """BLACK, WHITE, or None for a draw."""
        return LETTERS[self.result[:1].upper()]

    @property
    def first(self) -> Position:
        """Where it begins."""
        if not self.start:
            return Position.start(self.size, self.rules)
        return Position.from_diagram(self.start[1:], parse_color(self.start[0]), self.rules)

    def positions(self) -> Iterator[tuple[Position, int]]:
        """Every position that counts, and the move that was played there."""
        position = self.first
        for number, (color, move) in enumerate(self.moves):
            try:
                after = position.play(move, color)
            except GoError as error:
                raise BookError(f"move {number + 1} is illegal: {error}") from None
            if number >= self.counted_from:
                yield position if position.to_play == color else position.with_to_play(color), move
            position = after

    @cached_property
    def digest(self) -> bytes:
        """The same for the same game, wherever it comes from."""
        parts = {item.name: getattr(self, item.name) for item in fields(self)}
        parts |= {"rules": rules_text(self.rules), "about": dict(sorted(self.about.items()))}
        del parts["source"]
        return blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def start_text(position: Position) -> str:
    """What ``start`` has to be for games from this position."""
    is_usual = position.to_play == BLACK and not (position.stones(BLACK) + position.stones(WHITE))
    return "" if is_usual else color_letter(position.to_play) + position.diagram()


# --- as bytes and text -----------------------------------------------------------------


def packed_moves(moves: tuple[tuple[int, int], ...], size: int) -> bytes:
    """Two bytes a move: its place on the board row by row, 0 a pass, and who played it."""
    packed = bytearray()
    for color, point in moves:
        row, column = row_and_column(point)
        place = 0 if point == PASS else (row - 1) * size + column
        packed += _SHORT.pack(place | (WHITE_MOVED if color == WHITE else 0))
    return bytes(packed)


def unpacked_moves(packed: bytes, size: int) -> tuple[tuple[int, int], ...]:
    """The inverse; raises BookError for what is no game."""
    if len(packed) % _SHORT.size:
        raise BookError("a game whose moves are cut off")
    moves = []
    for (word,) in _SHORT.iter_unpack(packed):
        color, place = WHITE if word & WHITE_MOVED else BLACK, word & ~WHITE_MOVED
        if place > size * size:
            raise BookError(f"a game with a move beyond its board of {size} lines")
        row, column = divmod(place - 1, size)
        moves.append((color, PASS if place == 0 else point_at(row + 1, column + 1)))
    return tuple(moves)


def rules_text(rules: Rules) -> str:
    """Rules as a book writes them: ``7.5 positional``, with ``suicide`` behind if it is allowed."""
    return f"{float(rules.komi)!r} {rules.superko}{' suicide' * rules.suicide}"


def parse_rules(text: str) -> Rules:
    """The inverse; raises BookError."""
    try:
        komi, superko, *suicide = text.split()
        return Rules(float(komi), suicide == ["suicide"], superko)  # type: ignore[arg-type]
    except ValueError as error:
        raise BookError(f"{text!r} are no rules: {error}") from None


def row_of(game: BookGame) -> tuple[object, ...]:
    """The values of COLUMNS."""
    return (
        packed_moves(game.moves, game.size), game.result, game.size, rules_text(game.rules),
        game.start, game.counted_from, game.black, game.white, game.black_thinking,
        game.white_thinking, game.source, game.name,
        json.dumps(dict(sorted(game.about.items())), ensure_ascii=False) if game.about else "",
    )  # fmt: skip


def game_of(row: list[Any]) -> BookGame:
    """The inverse."""
    values = dict(zip(COLUMNS.split(", "), row, strict=True))
    values["moves"] = unpacked_moves(values["moves"], values["size"])
    values["rules"] = parse_rules(values["rules"])
    values["about"] = json.loads(values["about"]) if values["about"] else {}
    return BookGame(**values)
