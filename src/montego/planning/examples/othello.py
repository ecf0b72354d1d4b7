"""Othello on 8 × 8 or smaller, as bit boards: MCTS against alpha-beta.

A state holds the stones of both players and who moves; a player without a move passes (PASS).
"""

from __future__ import annotations

from typing import NamedTuple

PASS = -1


class Board(NamedTuple):
    """The stones of player 0 (Black, who begins) and of player 1, and who moves."""

    black: int
    white: int
    to_play: int


class Othello:
    """An even side of 4 to 8; the reward is the sign of Black's stones minus White's."""

    bounds = (-1.0, 1.0)

    def __init__(self, side: int = 8) -> None:
        self.side, area = side, side * side
        self.full = (1 << area) - 1
        left = sum(1 << (row * side) for row in range(side))
        not_left, not_right = self.full & ~left, self.full & ~(left << (side - 1))
        all_cells = self.full
        # shift and where a stone may have come from: east, south-east, south, south-west; and back
        self.rays = [
            (1, not_left), (side + 1, not_left), (side, all_cells), (side - 1, not_right),
            (-1, not_right), (-side - 1, not_right), (-side, all_cells), (1 - side, not_left),
        ]  # fmt: skip
        middle = side // 2
        at = [r * side + c for r in (middle - 1, middle) for c in (middle - 1, middle)]
        self.START = Board(1 << at[1] | 1 << at[2], 1 << at[0] | 1 << at[3], 0)
        corners = (0, side - 1, area - side, area - 1)
        self.corners = sum(1 << corner for corner in corners)

    def shifted(self, bits: int, shift: int, mask: int) -> int:
        moved = bits << shift if shift > 0 else bits >> -shift
        return moved & mask & self.full

    def places(self, own: int, other: int) -> int:
        """Where the player may set a stone."""
        empty, found = self.full & ~(own | other), 0
        for shift, mask in self.rays:
            run = self.shifted(own, shift, mask) & other
            for _ in range(self.side - 3):
                run |= self.shifted(run, shift, mask) & other
            found |= self.shifted(run, shift, mask) & empty
        return found

    def sides(self, board: Board) -> tuple[int, int]:
        black, white, to_play = board
        return (black, white) if to_play == 0 else (white, black)

    def player(self, board: Board) -> int:
        return board.to_play

    def actions(self, board: Board) -> list[int]:
        places = self.places(*self.sides(board))
        found = []
        while places:
            lowest = places & -places
            found.append(lowest.bit_length() - 1)
            places ^= lowest
        return found or [PASS]

    def apply(self, board: Board, action: int) -> Board:
        if action == PASS:
            return Board(board.black, board.white, 1 - board.to_play)
        own, other = self.sides(board)
        stone, turned = 1 << action, 0
        for shift, mask in self.rays:
            run, cell = 0, self.shifted(stone, shift, mask)
            while cell & other:
                run |= cell
                cell = self.shifted(cell, shift, mask)
            if cell & own:
                turned |= run
        own, other = own | stone | turned, other & ~turned
        return Board(own, other, 1) if board.to_play == 0 else Board(other, own, 0)

    def is_terminal(self, board: Board) -> bool:
        own, other = self.sides(board)
        return not self.places(own, other) and not self.places(other, own)

    def reward(self, board: Board) -> float:
        difference = board.black.bit_count() - board.white.bit_count()
        return float((difference > 0) - (difference < 0))

    def heuristic(self, board: Board) -> float:
        """Corners, then the number of moves; within (-1, 1)."""
        black, white = board.black, board.white
        corners = (black & self.corners).bit_count() - (white & self.corners).bit_count()
        freedom = self.places(black, white).bit_count() - self.places(white, black).bit_count()
        score = 10 * corners + freedom
        return score / (50 + abs(score))
