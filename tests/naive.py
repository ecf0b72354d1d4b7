"""Go once more, as plainly as it can be told: a list of characters, flood fill, and sets.

This is what the kernels are compared with, so it shares nothing with them: places are
numbered row by row from 0 at the top left, a move is tried on a copy of the board, and
history is the set of all boards so far, written out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

EMPTY, BLACK, WHITE = ".", "X", "O"
OTHER = {BLACK: WHITE, WHITE: BLACK}


@cache
def neighbours(size: int) -> list[list[int]]:
    """The places next to every place."""
    table = []
    for place in range(size * size):
        row, column = divmod(place, size)
        steps = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        table.append([r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size])
    return table


def group(board: list[str], place: int, size: int) -> tuple[set[int], set[int]]:
    """The places connected to this one in the same colour, and the empty places next to them.

    For an empty place that is its region, and the second set is empty.
    """
    beside = neighbours(size)
    color = board[place]
    members, liberties, waiting = {place}, set(), [place]
    while waiting:
        for near in beside[waiting.pop()]:
            if board[near] == color:
                if near not in members:
                    members.add(near)
                    waiting.append(near)
            elif board[near] == EMPTY:
                liberties.add(near)
    return members, liberties


def groups(board: list[str], size: int, colors: str) -> list[tuple[set[int], set[int]]]:
    """All groups of these colours."""
    found, seen = [], set()
    for place, color in enumerate(board):
        if color in colors and place not in seen:
            found.append(group(board, place, size))
            seen |= found[-1][0]
    return found


@dataclass
class Outcome:
    """What a stone leads to."""

    board: list[str]
    taken: int  # enemy stones
    lost: int  # own stones: suicide


class NaiveGame:
    """A game under any rules: those are asked for with every question."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.board = [EMPTY] * (size * size)
        self.to_play = BLACK
        self.captured = {BLACK: 0, WHITE: 0}
        self.passes = 0
        self.ko_board: list[str] | None = None  # that may not come back at once
        self.boards: set[str] = set()
        self.situations: set[tuple[str, str]] = set()
        self._remember()

    def _remember(self) -> None:
        text = "".join(self.board)
        self.boards.add(text)
        self.situations.add((text, self.to_play))

    def outcome(self, place: int, color: str) -> Outcome:
        """Put a stone on an empty place of a copy and take off what has no liberties."""
        board = self.board.copy()
        board[place] = color
        taken = 0
        for near in neighbours(self.size)[place]:
            if board[near] == OTHER[color]:
                taken += _take_if_dead(board, near, self.size)
        return Outcome(board, taken, _take_if_dead(board, place, self.size))

    def is_legal(self, place: int, color: str, suicide: bool, superko: str) -> bool:
        """Whether a stone may be played under these rules."""
        if self.board[place] != EMPTY:
            return False
        result = self.outcome(place, color)
        if result.lost and not suicide:
            return False
        if color == self.to_play and result.taken and result.board == self.ko_board:
            return False
        text = "".join(result.board)
        if superko == "positional":
            return text not in self.boards
        if superko == "situational":
            return (text, OTHER[color]) not in self.situations
        return True

    def ko(self) -> int | None:
        """The place where retaking would bring back the board before the last move."""
        if self.ko_board is None:
            return None
        emptied = [i for i, was in enumerate(self.ko_board) if was != EMPTY == self.board[i]]
        for place in emptied:
            result = self.outcome(place, self.to_play)
            if result.taken and result.board == self.ko_board:
                return place
        return None

    def play(self, place: int | None, color: str) -> Outcome | None:
        """Play a stone, or pass with None."""
        before, self.ko_board = self.board, None
        self.to_play = OTHER[color]
        self.passes += 1
        result = None
        if place is not None:
            result = self.outcome(place, color)
            self.board, self.passes = result.board, 0
            self.captured[OTHER[color]] += result.taken
            self.captured[color] += result.lost
            self.ko_board = before if result.taken else None
        self._remember()
        return result

    def owners(self) -> list[str]:
        """Whose area every place is."""
        owners = self.board.copy()
        for region, _ in groups(self.board, self.size, EMPTY):
            reached = {self.board[near] for p in region for near in neighbours(self.size)[p]}
            reached.discard(EMPTY)
            if len(reached) == 1:
                for place in region:
                    owners[place] = next(iter(reached))
        return owners

    def score(self) -> int:
        """Black's area minus White's."""
        owners = self.owners()
        return owners.count(BLACK) - owners.count(WHITE)


def _take_if_dead(board: list[str], place: int, size: int) -> int:
    """Take a group without liberties off a board.  Returns how many stones it had."""
    if board[place] == EMPTY:
        return 0
    members, liberties = group(board, place, size)
    if liberties:
        return 0
    for member in members:
        board[member] = EMPTY
    return len(members)
