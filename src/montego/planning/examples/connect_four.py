"""Connect Four on any size, as bit boards: MCTS against alpha-beta.

A state holds the stones of both players as bits; every column has one bit more than the board
has rows, so that lines never run over an edge.  Player 0 begins; four in a row win.
"""

from __future__ import annotations

from typing import NamedTuple


class Board(NamedTuple):
    """The stones of player 0 and of player 1."""

    first: int
    second: int


class ConnectFour:
    """Columns × rows, 7 × 6 by default."""

    START = Board(0, 0)
    bounds = (-1.0, 1.0)

    def __init__(self, columns: int = 7, rows: int = 6) -> None:
        self.columns, self.rows, self.height = columns, rows, rows + 1
        self.full = sum(((1 << rows) - 1) << (column * self.height) for column in range(columns))
        middle = (columns - 1) / 2
        self.order = sorted(range(columns), key=lambda column: abs(column - middle))
        self.shifts = (1, self.height, self.height - 1, self.height + 1)

    def player(self, board: Board) -> int:
        return (board.first | board.second).bit_count() & 1

    def actions(self, board: Board) -> list[int]:
        taken = board.first | board.second
        top = 1 << (self.rows - 1)
        return [c for c in self.order if not taken & (top << (c * self.height))]

    def apply(self, board: Board, column: int) -> Board:
        taken = board.first | board.second
        bottom = 1 << (column * self.height)
        stone = (taken + bottom) & ~taken & (((1 << self.rows) - 1) << (column * self.height))
        if self.player(board) == 0:
            return Board(board.first | stone, board.second)
        return Board(board.first, board.second | stone)

    def has_line(self, stones: int) -> bool:
        for shift in self.shifts:
            pairs = stones & (stones >> shift)
            if pairs & (pairs >> (2 * shift)):
                return True
        return False

    def is_terminal(self, board: Board) -> bool:
        if board.first | board.second == self.full:
            return True
        return self.has_line(board.second if self.player(board) == 0 else board.first)

    def reward(self, board: Board) -> float:
        if self.has_line(board.first):
            return 1.0
        return -1.0 if self.has_line(board.second) else 0.0

    def heuristic(self, board: Board) -> float:
        """Lines of four that are still open, those with more stones for more; within (-1, 1)."""
        score = self.open_lines(board.first, board.second)
        score -= self.open_lines(board.second, board.first)
        return score / (200.0 + abs(score))

    def open_lines(self, own: int, other: int) -> int:
        score = 0
        for shift in self.shifts:
            free = self.full & ~other
            places = free & (free >> shift) & (free >> 2 * shift) & (free >> 3 * shift)
            for offset in range(4):
                score += (places & (own >> offset * shift)).bit_count()
            pairs = own & (own >> shift)
            score += 3 * (places & (pairs & (own >> 2 * shift))).bit_count()
            score += 3 * (places & (pairs >> shift & (own >> 3 * shift))).bit_count()
        return score

    def drawn(self, board: Board) -> str:
        """The board for people."""
        rows = []
        for row in reversed(range(self.rows)):
            bits = [1 << (column * self.height + row) for column in range(self.columns)]
            rows.append(
                " ".join("X" if board.first & b else "O" if board.second & b else "." for b in bits)
            )
        return "\n".join(rows)
