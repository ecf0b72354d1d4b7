"""A position of a game: immutable, and it remembers the game that led to it.

A position is a face over one board record.  Playing copies the record's bytes (a record's
own copy goes field by field and costs ten times as much), lets one kernel judge and play
the move, and returns a new position whose parent is the old one.  The keys that superko
asks about are shared by all positions of a game (see history): 11 MB for one of 1,000 moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from montego.go import drawing
from montego.go.colors import (
    BLACK,
    EMPTY,
    WHITE,
    Color,
    color_letter,
    color_name,
    parse_color,
)
from montego.go.errors import BadDiagram, IllegalMove, NothingToUndo, Reason
from montego.go.history import History
from montego.go.points import Move, all_points, check_size, parse_move, vertex
from montego.go.rules import Rules
from montego.kernels.board.board import BOARD, PASS, POINTS, new_boards, set_stone
from montego.kernels.board.legality import (
    LEGAL,
    legal_moves,
    play_if_legal,
    start_history,
    verdict,
)
from montego.kernels.board.scoring import area_score, scratch

DEFAULT_SIZE = 9
DEFAULT_RULES = Rules()


class Captured(NamedTuple):
    """Stones taken off the board, by their own colour."""

    black: int
    white: int


class Position:
    """The stones, whose turn it is, and all that came before."""

    __slots__ = ("_bytes", "_count", "_history", "_record", "parent", "rules")

    parent: Position | None
    """The position before the last move, or None at the start."""
    rules: Rules

    def __init__(
        self,
        board: bytearray,
        history: History,
        count: int,
        rules: Rules,
        parent: Position | None = None,
    ) -> None:
        """Take over a board's bytes; people start with ``start`` and ``play``.

        The first ``count`` situations of the history are this one and those before it.
        """
        self._bytes = board
        self._record = np.frombuffer(board, dtype=BOARD)[0]
        self._history = history
        self._count = count
        self.rules = rules
        self.parent = parent

    # --- beginning a game ---------------------------------------------------------------

    @classmethod
    def start(cls, size: int = DEFAULT_SIZE, rules: Rules = DEFAULT_RULES) -> Position:
        """The empty board, Black to play."""
        return cls.set_up(size, rules=rules)

    @classmethod
    def set_up(
        cls,
        size: int,
        black: Iterable[Move] = (),
        white: Iterable[Move] = (),
        to_play: Color = BLACK,
        rules: Rules = DEFAULT_RULES,
    ) -> Position:
        """A game that starts with these stones on the board."""
        board = new_boards(check_size(size))
        record = board[0]
        for color, moves in ((BLACK, black), (WHITE, white)):
            for move in moves:
                _set_up_stone(record, parse_move(move, size), color)
        _refuse_dead_stones(record)
        record["to_play"] = parse_color(to_play)
        keys = np.empty(1, dtype=np.uint64)
        start_history(record, rules.superko_kind, keys)
        return cls(bytearray(board.tobytes()), History(keys), 1, rules)

    @classmethod
    def from_diagram(
        cls, text: str, to_play: Color = BLACK, rules: Rules = DEFAULT_RULES
    ) -> Position:
        """A game that starts from a drawing: rows of ``.``, ``X`` and ``O``."""
        size, stones = drawing.parse_diagram(text)
        return cls.set_up(check_size(size), stones[BLACK], stones[WHITE], to_play, rules)

    # --- what there is ------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Lines of the board."""
        return int(self._record["size"])

    @property
    def komi(self) -> float:
        """Points that White gets for playing second."""
        return self.rules.komi

    @property
    def to_play(self) -> int:
        """BLACK or WHITE."""
        return int(self._record["to_play"])

    @property
    def key(self) -> int:
        """Zobrist key of the stones."""
        return int(self._record["key"])

    @property
    def last(self) -> int | None:
        """The last move, PASS included, or None at the start."""
        return None if self.parent is None else int(self._record["last"])

    @property
    def ko(self) -> int | None:
        """The point that may not be retaken now, if there is one."""
        return int(self._record["ko"]) or None

    @property
    def captured(self) -> Captured:
        """Stones of either colour taken off the board so far."""
        return Captured(*self._record["captured"][[BLACK, WHITE]].tolist())

    @property
    def is_over(self) -> bool:
        """Whether the last two moves were passes."""
        return int(self._record["passes"]) >= 2

    @property
    def moves(self) -> list[tuple[int, int]]:
        """The moves since the start as (colour, point), the first one first."""
        return self._history.moves(self._count)

    @property
    def first(self) -> Position:
        """The position that the game started from."""
        position = self
        while position.parent is not None:
            position = position.parent
        return position

    def color_at(self, move: Move) -> int:
        """BLACK, WHITE or EMPTY at a point."""
        return int(self._record["color"][parse_move(move, self.size)])

    def stones(self, color: Color) -> list[int]:
        """The points with stones of this colour."""
        wanted = parse_color(color)
        return np.flatnonzero(self._record["color"] == wanted).tolist()

    def board_copy(self) -> NDArray[np.void]:
        """A fresh array of one board record: kernels may do with it what they like."""
        return np.frombuffer(bytearray(self._bytes), dtype=BOARD)

    def history(self) -> NDArray[np.uint64]:
        """A copy of the keys that superko forbids, that of this position last."""
        return self._keys.copy()

    @property
    def _keys(self) -> NDArray[np.uint64]:
        return self._history.keys(self._count)

    # --- playing ------------------------------------------------------------------------

    def play(self, move: Move, color: Color | None = None) -> Position:
        """The position after a move; either colour may play, also out of turn."""
        point, mover = self._parse(move, color)
        rules, history = self.rules, self._history.extended(self._count, mover, point)
        after = Position(bytearray(self._bytes), history, self._count + 1, rules, self)
        said = play_if_legal(
            after._record, point, mover, rules.suicide, rules.superko_kind, after._keys
        )
        if said != LEGAL:
            history.take_back()
            raise self._illegal(point, Reason(said))
        return after

    def undo(self) -> Position:
        """The position before the last move, with the komi of this one."""
        if self.parent is None:
            raise NothingToUndo("no move has been played yet")
        return self.parent.with_komi(self.komi)

    def with_komi(self, komi: float) -> Position:
        """The same position and game with another komi."""
        if komi == self.komi:
            return self
        rules = replace(self.rules, komi=komi)
        return Position(self._bytes, self._history, self._count, rules, self.parent)

    def with_to_play(self, color: Color) -> Position:
        """The same stones and the same bans, with this colour to move and no pass before it.

        It is the start of a line of thought: it has no parent.  With the other player to
        move there is no ko to retake, and the game is never over.
        """
        mover = parse_color(color)
        board = self.board_copy()
        if mover != self.to_play:
            board[0]["ko"] = 0
        board[0]["to_play"], board[0]["passes"] = mover, 0
        history = History(self._keys)
        return Position(bytearray(board.tobytes()), history, self._count, self.rules)

    def why_illegal(self, move: Move, color: Color | None = None) -> IllegalMove | None:
        """The error that playing this move would raise, or None if it is legal."""
        try:
            point, mover = self._parse(move, color)
        except IllegalMove as off_board:
            return off_board
        rules = self.rules
        said = verdict(self._record, point, mover, rules.suicide, rules.superko_kind, self._keys)
        return None if said == LEGAL else self._illegal(point, Reason(said))

    def is_legal(self, move: Move, color: Color | None = None) -> bool:
        """Whether this move may be played."""
        return self.why_illegal(move, color) is None

    def legal(self, color: Color | None = None) -> list[int]:
        """All points where a stone may be played (a pass is always legal and not listed)."""
        mover = self.to_play if color is None else parse_color(color)
        mask = np.zeros(POINTS, dtype=np.uint8)
        rules = self.rules
        legal_moves(self._record, mover, rules.suicide, rules.superko_kind, self._keys, mask)
        return np.flatnonzero(mask).tolist()

    # --- scoring ------------------------------------------------------------------------

    def score(self) -> float:
        """Black's area minus White's minus komi; all stones count as alive."""
        return float(area_score(self._record, *scratch())) - self.komi

    def owner(self) -> NDArray[np.uint8]:
        """Whose area every point is, BLACK, WHITE or EMPTY, rows from the top."""
        owner, queue = scratch()
        area_score(self._record, owner, queue)
        return drawing.grid(owner, self.size)

    def result(self) -> str:
        """The score as people write it: "B+3.5", "W+0.5", or "0" for a draw."""
        score = self.score()
        if score == 0:
            return "0"
        return f"{color_letter(BLACK if score > 0 else WHITE)}+{abs(score):g}"

    # --- showing ------------------------------------------------------------------------

    def diagram(self) -> str:
        """The stones as ``from_diagram`` reads them."""
        return drawing.diagram(drawing.grid(self._record["color"], self.size))

    def __str__(self) -> str:
        board = drawing.board(drawing.grid(self._record["color"], self.size), self.last)
        black, white = self.captured
        return (
            f"{board}\n{color_name(self.to_play)} to play, move {self._record['moves'] + 1}, "
            f"captured: {black} black, {white} white"
        )

    def __repr__(self) -> str:
        moves = int(self._record["moves"])
        return f"<Position {self.size}x{self.size}, {moves} moves, {color_name(self.to_play)} next>"

    # --- inside -------------------------------------------------------------------------

    def _parse(self, move: Move, color: Color | None) -> tuple[int, int]:
        mover = self.to_play if color is None else parse_color(color)
        return parse_move(move, self.size), mover

    def _illegal(self, point: int, reason: Reason) -> IllegalMove:
        name = vertex(point, self.size)
        if reason == Reason.OCCUPIED:
            told = f"{name} is occupied by {color_name(self.color_at(point))}"
        else:
            told = f"{name} {_TOLD[reason]}"
        return IllegalMove(told, reason)


_TOLD = {
    Reason.KO: "would retake a ko at once",
    Reason.SUICIDE: "would be suicide",
    Reason.SUPERKO: "would repeat an earlier position",
}


def _set_up_stone(record: np.void, point: int, color: int) -> None:
    """Set a stone on an empty point of a board that nobody else sees yet."""
    size = int(record["size"])
    if point == PASS:
        raise BadDiagram("a pass cannot be set up")
    if record["color"][point] != EMPTY:
        raise BadDiagram(f"two stones are set up on {vertex(point, size)}")
    set_stone(record, point, color)


def _refuse_dead_stones(record: np.void) -> None:
    """Raise an error for the first stone whose chain has no liberty."""
    size = int(record["size"])
    for point in all_points(size):
        if record["color"][point] != EMPTY and record["liberties"][record["root"][point]] == 0:
            raise BadDiagram(f"the stone on {vertex(point, size)} has no liberty")
