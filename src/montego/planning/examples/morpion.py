"""Morpion Solitaire 5D: draw lines of five points, each with one new point; as many as you can.

It begins with a cross of 36 points.  A line runs in one of four directions through five
neighbouring points, four of which exist already.  In the disjoint variant (5D) two lines of the
same direction have no point in common.  Nested search set a world record in 2008 (80 lines,
Cazenave); the record today is 82 (Rosin 2010).

A move is ((start × 4 + direction) × 5 + which of the five points is new).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from montego.kernels.compiler.jit import U, kernel
from montego.planning.compiled import Compiled

SIDE = 40
AREA = SIDE * SIDE
STEP_0, STEP_1, STEP_2, STEP_3 = 1, SIDE, SIDE + 1, SIDE - 1
LONGEST, WIDEST = 200, 256
CROSS = (
    "...####...",
    "...#..#...",
    "...#..#...",
    "####..####",
    "#........#",
    "#........#",
    "####..####",
    "...#..#...",
    "...#..#...",
    "...####...",
)
STATE = np.dtype(
    [
        ("point", np.uint8, (AREA,)),  # 1 where there is a point
        ("used", np.uint8, (AREA,)),  # a bit for each direction in which a line runs through it
        ("move", np.int32, (WIDEST,)),  # all moves
        ("count", np.int64),
        ("lines", np.int64),
    ]
)


@kernel
def step_of(direction):
    if direction == 0:
        return STEP_0
    if direction == 1:
        return STEP_1
    return STEP_2 if direction == 2 else STEP_3


@kernel
def is_possible(state, move):
    """Whether a move that was legal before still is."""
    k = move % 5
    direction = (move // 5) % 4
    start = move // 20
    step = step_of(direction)
    if state.point[U(start + k * step)]:
        return False
    taken = 0
    for i in range(5):
        taken |= state.used[U(start + i * step)]
    return not (taken >> direction) & 1


@kernel
def add_moves(state, new):
    """Add the moves that a new point makes possible."""
    for direction in range(4):
        step = step_of(direction)
        for back in range(5):
            start = new - back * step
            missing = -1
            count = 0
            for i in range(5):
                p = start + i * step
                if (state.used[U(p)] >> direction) & 1:
                    count = 9
                    break
                if not state.point[U(p)]:
                    count += 1
                    missing = i
            if count == 1 and state.count < WIDEST:
                state.move[U(state.count)] = (start * 4 + direction) * 5 + missing
                state.count += 1


@kernel
def moves(state, buffer, at):
    for i in range(state.count):
        buffer[U(at + i)] = state.move[U(i)]
    return state.count


@kernel
def play(state, move):
    k = move % 5
    direction = (move // 5) % 4
    start = move // 20
    step = step_of(direction)
    new = start + k * step
    state.point[U(new)] = 1
    for i in range(5):
        state.used[U(start + i * step)] |= 1 << direction
    state.lines += 1
    kept = 0
    for i in range(state.count):
        old = np.int64(state.move[U(i)])
        if is_possible(state, old):
            state.move[U(kept)] = old
            kept += 1
    state.count = kept
    add_moves(state, new)


@kernel
def score(state):
    return state.lines


class Morpion(Compiled):
    """Morpion Solitaire 5D; the reward is the number of lines."""

    def __init__(self) -> None:
        super().__init__(
            "morpion", STATE, moves, play, score,
            longest=LONGEST, widest=WIDEST, codes=AREA * 20,
        )  # fmt: skip

    @property
    def START(self) -> np.void:  # noqa: N802 - as in the other examples
        state = np.zeros(1, STATE)[0]
        corner = (SIDE - len(CROSS)) // 2
        for y, row in enumerate(CROSS):
            for x, sign in enumerate(row):
                state["point"][(corner + y) * SIDE + corner + x] = sign == "#"
        first = first_moves(state)
        state["move"][: len(first)] = first
        state["count"] = len(first)
        return state


def first_moves(state: np.void) -> list[int]:
    """All moves of the cross, found without kernels."""
    point = state["point"]
    found = []
    for start in range(4 * SIDE, AREA - 5 * SIDE):
        for direction, step in enumerate((STEP_0, STEP_1, STEP_2, STEP_3)):
            missing = [i for i in range(5) if not point[start + i * step]]
            if len(missing) == 1:
                found.append((start * 4 + direction) * 5 + missing[0])
    return found


def line_of(move: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The five points of a move as (x, y), and the new one."""
    step = (STEP_0, STEP_1, STEP_2, STEP_3)[move // 5 % 4]
    points = [move // 20 + i * step for i in range(5)]
    places = [(p % SIDE, p // SIDE) for p in points]
    return places, places[move % 5]


def check(line: list[int]) -> int:
    """Replay a sequence by a second implementation of the rules; returns its length."""
    corner = (SIDE - len(CROSS)) // 2
    points = {
        (corner + x, corner + y)
        for y, row in enumerate(CROSS)
        for x, sign in enumerate(row)
        if sign == "#"
    }
    used: set[tuple[int, tuple[int, int]]] = set()
    for number, move in enumerate(line):
        places, new = line_of(move)
        direction = move // 5 % 4
        if new in points or any(p not in points for p in places if p != new):
            raise ValueError(f"line {number + 1} does not have exactly one new point")
        if any((direction, p) in used for p in places):
            raise ValueError(f"line {number + 1} overlaps another of its direction")
        points.add(new)
        used.update((direction, p) for p in places)
    return len(line)


def draw(line: list[int], path: Path, title: str) -> None:
    """The grid with its lines, new points numbered in their order."""
    from montego.planning.figures import canvas, save

    picture, (axis,) = canvas(inches=(6.0, 6.2))
    corner = (SIDE - len(CROSS)) // 2
    for number, move in enumerate(line, 1):
        places, (x, y) = line_of(move)
        axis.plot(*zip(places[0], places[-1], strict=True), c="#1f5fa8", lw=1)
        axis.plot(x, y, "o", ms=11, c="white", mec="#888888")
        axis.text(x, y, str(number), ha="center", va="center", fontsize=7)
    for y, row in enumerate(CROSS):
        for x, sign in enumerate(row):
            if sign == "#":
                axis.plot(corner + x, corner + y, "o", ms=6, c="black")
    axis.set_aspect("equal")
    axis.invert_yaxis()
    axis.axis("off")
    axis.set_title(title, loc="left")
    save(picture, path)
