"""SameGame: take groups of one colour; a group of n stones brings (n − 2)² points.

Stones above a hole fall, columns to the right of an empty one move left.  An empty board brings
1,000 points more; stones that are left cost (n − 2)² for each colour.  The 20 boards of the
standard set (15 × 15, five colours; Schadd et al. 2008) come with the package in same_game.txt.

Playouts leave the most frequent colour alone as long as they can (Schadd's tabu colour), so that
its stones meet in large groups.  A move is the first cell of its group; cells count upwards in
columns.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from montego.kernels.jit import U, kernel
from montego.kernels.rng import below
from montego.planning.compiled import Compiled

SIDE = 15
AREA = SIDE * SIDE
COLOURS = 5
LONGEST, WIDEST = 128, 128
BONUS = 1000
STATE = np.dtype(
    [
        ("cell", np.uint8, (AREA,)),  # 0 where it is empty, else 1 + the colour
        ("seen", np.uint8, (AREA,)),
        ("stack", np.int16, (AREA,)),
        ("height", np.int64, (SIDE,)),  # of each column
        ("columns", np.int64),
        ("left", np.int64, (COLOURS + 1,)),
        ("score", np.int64),
    ]
)


@kernel
def fill(S, start, mark):
    """Find the group of a cell: its cells are on the stack, marked; returns their number."""
    colour = S.cell[U(start)]
    S.stack[U(0)] = start
    S.seen[U(start)] = mark
    count = 1
    i = 0
    while i < count:
        p = np.int64(S.stack[U(i)])
        i += 1
        y = p % SIDE
        if y > 0 and S.seen[U(p - 1)] != mark and S.cell[U(p - 1)] == colour:
            S.seen[U(p - 1)] = mark
            S.stack[U(count)] = p - 1
            count += 1
        if y < SIDE - 1 and S.seen[U(p + 1)] != mark and S.cell[U(p + 1)] == colour:
            S.seen[U(p + 1)] = mark
            S.stack[U(count)] = p + 1
            count += 1
        if p >= SIDE and S.seen[U(p - SIDE)] != mark and S.cell[U(p - SIDE)] == colour:
            S.seen[U(p - SIDE)] = mark
            S.stack[U(count)] = p - SIDE
            count += 1
        if p < AREA - SIDE and S.seen[U(p + SIDE)] != mark and S.cell[U(p + SIDE)] == colour:
            S.seen[U(p + SIDE)] = mark
            S.stack[U(count)] = p + SIDE
            count += 1
    return count


@kernel
def forget(S):
    """No cell has been seen."""
    for x in range(S.columns):
        for p in range(x * SIDE, x * SIDE + S.height[U(x)]):
            S.seen[U(p)] = 0


@kernel
def moves(S, room, at):
    forget(S)
    count = 0
    for x in range(S.columns):
        for p in range(x * SIDE, x * SIDE + S.height[U(x)]):
            if S.seen[U(p)] == 0 and fill(S, p, 1) > 1:
                room[U(at + count)] = p
                count += 1
    return count


@kernel
def play(S, move):
    forget(S)
    colour = np.int64(S.cell[U(move)])
    n = fill(S, move, 2)
    S.score += (n - 2) * (n - 2)
    S.left[U(colour)] -= n
    column = 0
    for x in range(S.columns):
        height = 0
        old = S.height[U(x)]
        for y in range(old):
            p = x * SIDE + y
            if S.seen[U(p)] != 2:
                S.cell[U(column * SIDE + height)] = S.cell[U(p)]
                height += 1
        if height > 0:
            above = max(old, S.height[U(column)])
            for y in range(height, above):
                S.cell[U(column * SIDE + y)] = 0
            S.height[U(column)] = height
            column += 1
    for x in range(column, S.columns):
        for p in range(x * SIDE, x * SIDE + S.height[U(x)]):
            S.cell[U(p)] = 0
        S.height[U(x)] = 0
    S.columns = column


@kernel
def score(S):
    if S.cell[U(0)] == 0:
        return S.score + BONUS
    total = S.score
    for colour in range(1, COLOURS + 1):
        n = S.left[U(colour)]
        if n > 0:
            total -= (n - 2) * (n - 2)
    return total


@kernel
def choose(S, room, at, count, W):
    """Any move but those of the most frequent colour; those, if there are no others."""
    tabu = 1
    for colour in range(2, COLOURS + 1):
        if S.left[U(colour)] > S.left[U(tabu)]:
            tabu = colour
    others = 0
    for i in range(count):
        if S.cell[U(room[U(at + i)])] != tabu:
            others += 1
    if others == 0:
        return room[U(at + below(W, count))]
    place = below(W, others)
    for i in range(count):
        if S.cell[U(room[U(at + i)])] != tabu:
            if place == 0:
                return room[U(at + i)]
            place -= 1
    return room[U(at)]


class SameGame(Compiled):
    """SameGame; the reward is the score."""

    def __init__(self) -> None:
        super().__init__(
            "same_game", STATE, moves, play, score,
            longest=LONGEST, widest=WIDEST, choose=choose,
        )  # fmt: skip

    def board(self, rows: list[list[int]]) -> np.void:
        """A state from rows of colours, the top one first."""
        state = np.zeros(1, STATE)[0]
        for y, row in enumerate(reversed(rows)):
            for x, colour in enumerate(row):
                state["cell"][x * SIDE + y] = colour + 1
                state["left"][colour + 1] += 1
        state["columns"], state["height"][:] = SIDE, SIDE
        return state


def standard_set() -> list[list[list[int]]]:
    """The 20 boards."""
    text = (Path(__file__).parent / "same_game.txt").read_text(encoding="utf-8")
    boards = text.strip().split("\n\n")[1:]
    return [[[int(sign) for sign in row] for row in board.split()] for board in boards]


def check(rows: list[list[int]], line: list[int]) -> int:
    """Play a sequence by the rules, written once more without kernels; returns the score."""
    columns = [[row[x] for row in reversed(rows)] for x in range(len(rows[0]))]
    total = 0
    for move in line:
        x, y = divmod(move, SIDE)
        colour, group, waiting = columns[x][y], {(x, y)}, [(x, y)]
        while waiting:
            a, b = waiting.pop()
            for c, d in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                inside = 0 <= c < len(columns) and 0 <= d < len(columns[c])
                if inside and columns[c][d] == colour and (c, d) not in group:
                    group.add((c, d))
                    waiting.append((c, d))
        if len(group) < 2:
            raise ValueError(f"a group of one stone cannot be taken: move {move}")
        total += (len(group) - 2) ** 2
        columns = [
            [s for b, s in enumerate(column) if (a, b) not in group]
            for a, column in enumerate(columns)
        ]
        columns = [column for column in columns if column]
    if not columns:
        return total + BONUS
    left = [s for column in columns for s in column]
    return total - sum((left.count(c) - 2) ** 2 for c in set(left))
