"""Tic-tac-toe: the smallest game that is worth a search; a draw."""

from __future__ import annotations

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


class TicTacToe:
    """A state is the nine squares as text: ``"X.O......"``; X is player 0 and begins."""

    START = "." * 9
    bounds = (-1.0, 1.0)

    def player(self, board: str) -> int:
        return (9 - board.count(".")) % 2

    def actions(self, board: str) -> list[int]:
        return [square for square in range(9) if board[square] == "."]

    def apply(self, board: str, square: int) -> str:
        return board[:square] + "XO"[self.player(board)] + board[square + 1 :]

    def is_terminal(self, board: str) -> bool:
        return "." not in board or self.reward(board) != 0

    def reward(self, board: str) -> float:
        for a, b, c in LINES:
            if board[a] != "." and board[a] == board[b] == board[c]:
                return 1.0 if board[a] == "X" else -1.0
        return 0.0
