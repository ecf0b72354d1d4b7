"""Sudoku of 16 × 16 by nested Monte-Carlo search, as in Cazenave (2009).

The next cell is the one with the fewest values left, a move is one of them, and values that a
neighbour takes are crossed out.  A playout ends when a cell has none left; the reward is the number
of cells that are filled, and 256 is a solution.
"""

from __future__ import annotations

from random import Random

import numpy as np

from montego.kernels.compiler.jit import U, kernel
from montego.planning.compiled import Compiled

BOX = 4
SIDE = BOX * BOX
AREA = SIDE * SIDE
STATE = np.dtype(
    [
        ("value", np.int8, (AREA,)),  # -1 where it is empty
        ("options", np.uint16, (AREA,)),  # a bit for each value that is left
        ("filled", np.int64),
    ]
)


@kernel
def bits(x):
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count


@kernel
def tightest(state):
    """The empty cell with the fewest values left; -1 if all are filled."""
    best, cell = 99, -1
    for p in range(AREA):
        if state.value[U(p)] < 0:
            count = bits(np.int64(state.options[U(p)]))
            if count < best:
                best, cell = count, p
                if count <= 1:
                    break
    return cell


@kernel
def moves(state, buffer, at):
    cell = tightest(state)
    count = 0
    if cell >= 0:
        for value in range(SIDE):
            if (state.options[U(cell)] >> value) & 1:
                buffer[U(at + count)] = cell * SIDE + value
                count += 1
    return count


@kernel
def play(state, move):
    cell = move // SIDE
    value = move % SIDE
    state.value[U(cell)] = value
    state.filled += 1
    keep = np.uint16(0xFFFF ^ (1 << value))
    row = cell // SIDE
    column = cell % SIDE
    corner = row // BOX * BOX * SIDE + column // BOX * BOX
    for i in range(SIDE):
        state.options[U(row * SIDE + i)] &= keep
        state.options[U(i * SIDE + column)] &= keep
        state.options[U(corner + i // BOX * SIDE + i % BOX)] &= keep


@kernel
def score(state):
    return state.filled


class Sudoku(Compiled):
    """Sudoku of 16 × 16; the reward is the number of filled cells."""

    def __init__(self) -> None:
        super().__init__("sudoku", STATE, moves, play, score, longest=AREA, widest=SIDE)

    def grid(self, values: list[int]) -> np.void:
        """A state from 256 values from 0 to 15, -1 where it is empty."""
        state = np.zeros(1, STATE)[0]
        state["value"][:] = -1
        state["options"][:] = 0xFFFF
        for cell, value in enumerate(values):
            if value >= 0:
                state = self.apply(state, cell * SIDE + value)
        return state


def full_grid(rng: Random) -> list[int]:
    """A solved grid: a pattern with bands, stacks, rows, columns and values shuffled."""

    def shuffled(items: list[int]) -> list[int]:
        rng.shuffle(items)
        return items

    def lines() -> list[int]:
        bands = shuffled(list(range(BOX)))
        return [b * BOX + i for b in bands for i in shuffled(list(range(BOX)))]

    rows, columns, values = lines(), lines(), shuffled(list(range(SIDE)))
    return [values[(r % BOX * BOX + r // BOX + c) % SIDE] for r in rows for c in columns]


def puzzle(rng: Random, empty: float = 0.66) -> list[int]:
    """A grid with a solution, and this share of its cells empty."""
    grid = full_grid(rng)
    for cell in rng.sample(range(AREA), round(empty * AREA)):
        grid[cell] = -1
    return grid


def is_solved(values: list[int]) -> bool:
    """Whether every row, column and box holds every value once."""
    everything = set(range(SIDE))
    for i in range(SIDE):
        row = values[i * SIDE : (i + 1) * SIDE]
        column = values[i::SIDE]
        corner = i // BOX * BOX * SIDE + i % BOX * BOX
        box = [values[corner + y * SIDE + x] for y in range(BOX) for x in range(BOX)]
        if set(row) != everything or set(column) != everything or set(box) != everything:
            return False
    return True


def filled_in(values: list[int], line: list[int]) -> list[int]:
    """A grid after the moves of a line."""
    grid = list(values)
    for move in line:
        grid[move // SIDE] = move % SIDE
    return grid
