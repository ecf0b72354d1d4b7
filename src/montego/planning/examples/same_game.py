"""SameGame: take groups of one colour; a group of n stones scores (n − 2)² points.

Stones above a hole fall, columns to the right of an empty one move left.  An empty board scores
1,000 points more; stones that are left cost (n − 2)² for each colour.  The 20 boards of the
standard set (15 × 15, five colours; Schadd et al. 2008) come with the package in same_game.txt.

Playouts avoid the most frequent colour as long as they can (Schadd's tabu colour), so that its
stones form large groups.  A move is the first cell of its group; cells count upwards in
columns.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from montego.kernels.compiler.jit import U, kernel
from montego.kernels.compiler.rng import MIX_1, MIX_2, below
from montego.planning.compiled import Compiled

SIDE = 15
STRIDE = 16
"""Between columns: below each there is one cell that is always empty, and a column at each end."""
AREA = (SIDE + 2) * STRIDE
FIRST = STRIDE + 1
COLOURS = 5
LONGEST, WIDEST = 128, 128
BONUS = 1000
CODE_BITS = 16
STATE = np.dtype(
    [
        ("cell", np.uint8, (AREA,)),  # 0 where it is empty, else 1 + the colour
        ("rest", np.uint8, (AREA,)),  # those of them that are not yet in a group
        ("stack", np.int16, (AREA,)),
        ("name", np.uint16, (AREA,)),  # at the first cell of a group: a hash of its stones
        ("columns", np.int64),
        ("left", np.int64, (COLOURS + 1,)),
        ("tabu", np.int64),  # the most frequent colour
        ("score", np.int64),
    ]
)


@kernel
def take(state, cells, start):
    """Remove a group; its cells are left on the stack.  Returns their number."""
    colour = cells[U(start)]
    state.stack[U(0)] = start
    cells[U(start)] = 0
    count = 1
    i = 0
    while i < count:
        p = np.int64(state.stack[U(i)])
        i += 1
        for step in (-STRIDE, -1, 1, STRIDE):
            if cells[U(p + step)] == colour:
                cells[U(p + step)] = 0
                state.stack[U(count)] = p + step
                count += 1
    return count


@kernel
def name_of(state, colour, size):
    """A hash of the group on the stack: its cells and its colour."""
    name = U(0)
    for i in range(size):
        word = (U(state.stack[U(i)]) * U(8) + U(colour)) * MIX_1
        name += (word ^ (word >> U(29))) * MIX_2
    return name >> U(64 - CODE_BITS)


@kernel
def moves(state, buffer, at):
    state.tabu = 1
    for colour in range(2, COLOURS + 1):
        if state.left[U(colour)] > state.left[U(state.tabu)]:
            state.tabu = colour
    end = FIRST + state.columns * STRIDE
    for p in range(end):
        state.rest[U(p)] = state.cell[U(p)]
    count = 0
    for p in range(FIRST, end):
        colour = state.rest[U(p)]
        if colour != 0:
            size = take(state, state.rest, p)
            if size > 1:
                buffer[U(at + count)] = p
                count += 1
                state.name[U(p)] = name_of(state, colour, size)
    return count


@kernel
def fall(state, first):
    """The stones of a column fall; returns whether there are any."""
    height = first
    for p in range(first, first + SIDE):
        stone = state.cell[U(p)]
        if stone != 0:
            state.cell[U(p)] = 0
            state.cell[U(height)] = stone
            height += 1
    return height > first


@kernel
def play(state, move):
    colour = np.int64(state.cell[U(move)])
    n = take(state, state.cell, move)
    state.score += (n - 2) * (n - 2)
    state.left[U(colour)] -= n
    column = 0
    for x in range(state.columns):
        if fall(state, FIRST + x * STRIDE):
            if column < x:
                target, source = FIRST + column * STRIDE, FIRST + x * STRIDE
                for y in range(SIDE):
                    state.cell[U(target + y)] = state.cell[U(source + y)]
                    state.cell[U(source + y)] = 0
            column += 1
    state.columns = column


@kernel
def score(state):
    if state.columns == 0:
        return state.score + BONUS
    total = state.score
    for colour in range(1, COLOURS + 1):
        n = state.left[U(colour)]
        if n > 0:
            total -= (n - 2) * (n - 2)
    return total


@kernel
def choose(state, buffer, at, count, W):
    """Any move but those of the most frequent colour; those, if there are no others."""
    others = 0
    for i in range(count):
        if state.cell[U(buffer[U(at + i)])] != state.tabu:
            others += 1
    if others == 0:
        return buffer[U(at + below(W, count))]
    place = below(W, others)
    for i in range(count):
        if state.cell[U(buffer[U(at + i)])] != state.tabu:
            if place == 0:
                return buffer[U(at + i)]
            place -= 1
    return buffer[U(at)]


@kernel
def code(state, move):
    return state.name[U(move)]


@kernel
def prior(state, move):
    """The most frequent colour last."""
    return 1e-6 if state.cell[U(move)] == state.tabu else 1.0


class SameGame(Compiled):
    """SameGame; the reward is the score."""

    def __init__(self) -> None:
        super().__init__(
            "same_game", STATE, moves, play, score,
            longest=LONGEST, widest=WIDEST, choose=choose,
            codes=1 << CODE_BITS, code=code, prior=prior,
        )  # fmt: skip

    def board(self, rows: list[list[int]]) -> np.void:
        """A state from rows of colours, the top one first."""
        state = np.zeros(1, STATE)[0]
        for y, row in enumerate(reversed(rows)):
            for x, colour in enumerate(row):
                state["cell"][FIRST + x * STRIDE + y] = colour + 1
                state["left"][colour + 1] += 1
        state["columns"] = SIDE
        return state


def standard_set() -> list[list[list[int]]]:
    """The 20 boards."""
    text = (Path(__file__).parent / "same_game.txt").read_text(encoding="utf-8")
    boards = text.strip().split("\n\n")[1:]
    return [[[int(sign) for sign in row] for row in board.split()] for board in boards]


def check(rows: list[list[int]], line: list[int]) -> int:
    """Replay a sequence by a second implementation of the rules; returns the score."""
    columns = [[row[x] for row in reversed(rows)] for x in range(len(rows[0]))]
    total = 0
    for move in line:
        x, y = divmod(move - FIRST, STRIDE)
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
