"""Game records: SGF in and out, with sgfmill doing the grammar.

Only the main line of a record is read, and of a file with several games the first; ``split``
finds the others.  A file that cannot be read raises ``BadSgf``, which names it; a record,
``BadSgf`` or another ``GoError`` that says what is wrong with the game in it.

A record may come from anywhere, so what it can cost is bounded: its bytes, its nodes and values,
the stones that it sets up, its moves, and the encodings that it may be written in.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sgfmill import sgf, sgf_grammar

from montego import __version__
from montego.files import SGF_BYTES, read_limited, write_through
from montego.go.colors import BLACK, WHITE
from montego.go.errors import BadSgf, GoError
from montego.go.handicap import handicap_stones
from montego.go.points import check_size, point_at, row_and_column
from montego.go.position import DEFAULT_RULES, Position
from montego.go.rules import Rules
from montego.kernels.board.board import PASS

_COLORS = {"b": BLACK, "w": WHITE}
LETTERS = {color: letter for letter, color in _COLORS.items()}
MAX_PARTS = 300_000
"""Brackets, nodes and values of a record; a game with all its variations has fewer."""
MAX_GAMES = 100_000
"""Games of a file."""
MAX_SET_UP = 1_000_000
"""Points of all boards that a main line sets up, each as if it were 19×19: 2,770 of them."""
LARGEST = 19**2
ABOUT = ("BR", "WR", "DT", "EV")
"""Ranks, date and event: what books ask of a game."""
LONGEST_ABOUT = 100
ENCODINGS = frozenset(
    {"ascii", "big5", "big5hkscs", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "hz", "johab"}
    | {"koi8-r", "koi8-u", "mac-roman", "shift_jis", "tis-620", "utf-8", "utf-8-sig"}
    | {f"iso8859-{number}" for number in range(1, 17)}
    | {f"cp{page}" for page in (437, 850, 852, 855, 866, 874, 932, 949, 950, *range(1250, 1259))}
)
"""What texts are written in, by Python's names; its other codecs are slow, or none of text."""
_START = re.compile(rb"\(\s*;")
_TOKEN = re.compile(rb"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?|[()]", re.DOTALL)
"""What matters for finding the end of a game: values, whatever they hold, and brackets."""
_PART = re.compile(rb"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?|[();]", re.DOTALL)
"""What takes time to read."""
_DEEPER = {b"(": 1, b")": -1}


@dataclass(frozen=True)
class GameRecord:
    """A game and what is told about it."""

    position: Position
    """Where the game stands; it remembers the moves."""
    black: str = ""
    white: str = ""
    result: str = ""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments by move, the first move is 1; 0 is the start."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else was read of ABOUT, by SGF's names."""

    @property
    def handicap(self) -> int:
        """Handicap stones that the game started with."""
        return handicap_stones(self.position)


# --- reading ---------------------------------------------------------------------------


def split(data: bytes) -> list[bytes]:
    """The games of a file, each as a record of its own; none of them has been checked."""
    games: list[bytes] = []
    at = 0
    while start := _START.search(data, at):
        if len(games) == MAX_GAMES:
            raise BadSgf(f"more than {MAX_GAMES:,} games in one file")
        at = _end_of_game(data, start.start())
        games.append(data[start.start() : at])
    return games


def _end_of_game(data: bytes, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(data, start):
        depth += _DEEPER.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(data)


def read(path: Path | str) -> bytes:
    """What is in a file."""
    try:
        return read_limited(path, SGF_BYTES)
    except OSError as error:
        raise BadSgf(f"cannot read {path}: {error.strerror}") from None


def load(
    path: Path | str, move_number: int | None = None, rules: Rules = DEFAULT_RULES
) -> GameRecord:
    """Read a file; with a move number, only up to the position before that move (1 the first)."""
    data = read(path)
    try:
        return loads(data, move_number, rules)
    except GoError as error:
        raise BadSgf(f"{path}: {error}") from error


def loads(
    data: bytes | str, move_number: int | None = None, rules: Rules = DEFAULT_RULES
) -> GameRecord:
    """Read a record; the komi is the record's, the other rules are those given."""
    data = data.encode() if isinstance(data, str) else data
    if len(data) > SGF_BYTES:
        raise BadSgf("too long for a game record")
    try:
        return _read(parse(data), move_number, rules)
    except GoError:
        raise
    except (ValueError, LookupError, RecursionError) as error:  # all that sgfmill raises
        raise BadSgf(f"not a readable game record: {reason_of(error)}") from None


def parse(data: bytes) -> Any:
    """A game by sgfmill; where the record does not tell its encoding, UTF-8 if it can be."""
    _check_amount(data)
    coarse = sgf_grammar.parse_sgf_game(data)
    encoding = None
    if "CA" in coarse.sequence[0]:
        _check_encoding(coarse.sequence[0]["CA"][0].decode("ascii", "replace"))
    elif _is_utf8(data):
        encoding = "UTF-8"
    return sgf.Sgf_game.from_coarse_game_tree(coarse, encoding)


def _check_amount(data: bytes) -> None:
    """Refuse what would take long to read, before it is."""
    start, depth = _START.search(data), 0
    parts = _PART.finditer(data, start.start() if start else len(data))
    for number, part in enumerate(parts, start=1):
        depth += _DEEPER.get(part[0], 0)
        if depth == 0:  # more games may follow, which are not read
            return
        if number > MAX_PARTS:
            raise BadSgf(f"too long for a game record: more than {MAX_PARTS:,} nodes and values")


def _check_encoding(name: str) -> None:
    try:
        known = codecs.lookup(name.strip()).name in ENCODINGS
    except (LookupError, ValueError):
        known = False
    if not known:
        raise BadSgf(f"its encoding, {name[:40]!r}, is not known")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _read(game: Any, move_number: int | None, rules: Rules) -> GameRecord:
    size, root = check_size(game.get_size()), game.get_root()
    if root.has_property("GM") and root.get("GM") != 1:
        raise BadSgf("a record of another game than Go")
    if root.has_property("KM"):
        rules = replace(rules, komi=game.get_komi())
    empty = Position.start(size, rules)
    nodes = list(game.main_sequence_iter())  # which builds no variation
    _check_set_up(nodes, size)
    position, comments = _follow(nodes, empty, move_number)
    result = root.get("RE") if root.has_property("RE") else ""
    black_name, white_name = (game.get_player_name(letter) or "" for letter in "bw")
    about = {name: _text(root, name) for name in ABOUT if root.has_property(name)}
    return GameRecord(position, black_name, white_name, result, comments, about)


def _text(root: Any, name: str) -> str:
    return " ".join(str(root.get(name)).split())[:LONGEST_ABOUT]


def _follow(
    nodes: Sequence[Any], position: Position, move_number: int | None
) -> tuple[Position, dict[int, str]]:
    """Play the main line, as far as is wanted, and collect the comments.

    Where stones are set up, the game starts over: what was before is not part of it.
    """
    comments: dict[int, str] = {}
    movers = _next_movers(nodes)
    played = before = 0
    for number, node in enumerate(nodes):
        color, move = node.get_move()
        if begins_game(number, node):
            position = _set_up(position, node, movers[number])
            comments, before = {}, played
        if color is not None:
            if move_number is not None and played >= max(move_number - 1, 0):
                break
            played += 1
            position = _play(position, color, move, played)
        if node.has_property("C"):
            comments[played - before] = node.get("C")
    return position, comments


def _check_set_up(nodes: Sequence[Any], size: int) -> None:
    """Refuse more than anybody sets up; a rectangle counts as if it were the board, and a board as
    if it were the largest: most of the time does not depend on its size."""
    points = 0
    for node in nodes:
        names = [name for name in ("AB", "AW", "AE") if node.has_property(name)]
        values = (raw for name in names for raw in node.get_raw_list(name))
        points += bool(names) * LARGEST + sum(size**2 if b":" in raw else 1 for raw in values)
    if points > MAX_SET_UP:
        raise BadSgf(f"too much is set up: more than {MAX_SET_UP:,} points")


def begins_game(number: int, node: Any) -> bool:
    """Whether a game begins with this node of the main line: the first, or one with set-up."""
    return number == 0 or (node.get_move()[0] is None and node.has_setup_stones())


def _set_up(position: Position, node: Any, mover: int | None) -> Position:
    """The stones as a node changes them; who moves next in the record is to move."""
    size = position.size
    added = dict(zip((BLACK, WHITE, None), node.get_setup_stones(), strict=True))
    changed = {point for places in added.values() for point in _points(places, size)}
    black, white = (
        sorted({*position.stones(color)} - changed | {*_points(added[color], size)})
        for color in (BLACK, WHITE)
    )
    to_play = _COLORS[node.get("PL")] if node.has_property("PL") else mover
    if to_play is None:
        is_handicap = bool(black) and not white and not position.moves
        to_play = WHITE if is_handicap else position.to_play
    return Position.set_up(size, black, white, to_play, position.rules)


def _next_movers(nodes: Sequence[Any]) -> list[int | None]:
    """For every node, who makes the next move from there on."""
    movers: list[int | None] = []
    following: int | None = None
    for node in reversed(nodes):
        color = node.get_move()[0]
        following = following if color is None else _COLORS[color]
        movers.append(following)
    return movers[::-1]


def _play(position: Position, color: str, move: tuple[int, int] | None, number: int) -> Position:
    point = PASS if move is None else _point(move, position.size)
    try:
        return position.play(point, _COLORS[color])
    except GoError as error:
        raise BadSgf(f"move {number} is illegal: {error}") from None


def _points(places: set[tuple[int, int]], size: int) -> list[int]:
    return sorted(_point(place, size) for place in places)


def _point(place: tuple[int, int], size: int) -> int:
    """sgfmill counts rows from 0 at the bottom."""
    row, column = place
    return point_at(size - row, column + 1)


def reason_of(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or "a property has a senseless value"


# --- writing ---------------------------------------------------------------------------


def save(path: Path | str, record: GameRecord) -> None:
    """Write a file, whole or not at all."""
    try:
        write_through(path, dumps(record).encode())
    except (OSError, ValueError) as error:  # ValueError: a name that is no text
        reason = getattr(error, "strerror", None) or "not a text"
        raise BadSgf(f"cannot write {path}: {reason}") from None


def dumps(record: GameRecord) -> str:
    """The record as text."""
    position = record.position
    game = sgf.Sgf_game(size=position.size)
    root = game.get_root()
    write_start(root, position)
    root.set("AP", ("Montego", __version__))
    root.set("KM", position.komi)
    root.set("RU", "Chinese")
    for name, text in (("PB", record.black), ("PW", record.white), ("RE", record.result)):
        if text:
            root.set(name, text)
    if record.handicap:
        root.set("HA", record.handicap)
    nodes = [root]
    for color, point in position.moves:
        nodes.append(nodes[-1].new_child())
        nodes[-1].set_move(LETTERS[color], place_of(point, position.size))
    for number, comment in record.comments.items():
        if comment and 0 <= number < len(nodes):
            nodes[number].set("C", comment)
    return str(game.serialise().decode("utf-8"))


def write_start(root: Any, position: Position) -> None:
    first = position.first
    black, white = (
        [place_of(point, first.size) for point in first.stones(color)] for color in (BLACK, WHITE)
    )
    if black or white:
        root.set_setup_stones(black, white)
    begins = position.moves[0][0] if position.moves else first.to_play
    if black or white or {first.to_play, begins} != {BLACK}:
        root.set("PL", LETTERS[first.to_play])  # or else a reader has to guess


def place_of(point: int, size: int) -> tuple[int, int] | None:
    if point == PASS:
        return None
    row, column = row_and_column(point)
    return size - row, column - 1
