"""How many positions are legal, counted twice, beside the numbers of Tromp and Farnebäck.

Once by setting up every colouring of the board and looking for chains without liberties;
once by playing from the empty board, whoever's turn it is, and collecting keys.
"""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import BLACK, WHITE, Position, Rules
from montego.go.points import all_points
from montego.kernels.board.board import new_boards, set_stone
from montego.kernels.board.shape import EMPTY
from montego.kernels.compiler.jit import U, entry, kernel

KNOWN = {2: 57, 3: 12_675, 4: 24_318_165}


@kernel
def _all_chains_live(board, points):
    for p in points:
        if board.color[U(p)] != EMPTY and board.liberties[U(board.root[U(p)])] == 0:
            return False
    return True


@entry
def _count_legal_colorings(boards, points, next_color):
    """Try all colours point by point; ``boards[depth]`` has the first ``depth`` points set."""
    legal = depth = 0
    while depth >= 0:
        if depth == points.size:
            legal += _all_chains_live(boards[depth], points)
            depth -= 1
            continue
        color = np.int64(next_color[depth])
        next_color[depth] += 1
        if color > WHITE:
            next_color[depth] = EMPTY
            depth -= 1
            continue
        boards[depth + 1] = boards[depth]
        if color != EMPTY:
            set_stone(boards[depth + 1], points[depth], color)
        depth += 1
    return legal


def count_by_setting_up(size: int) -> int:
    points = np.array(all_points(size))
    boards = new_boards(size, count=points.size + 1)
    return int(_count_legal_colorings(boards, points, np.zeros(points.size, dtype=np.int64)))


def count_by_playing(size: int) -> int:
    start = Position.start(size, Rules(superko="simple"))
    seen, waiting = {start.key}, [start]
    while waiting:
        position = waiting.pop()
        for color in (BLACK, WHITE):
            for point in position.legal(color):
                after = position.play(point, color)
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append(after)
    return len(seen)


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_colorings_without_dead_chains(size: int) -> None:
    assert count_by_setting_up(size) == KNOWN[size]


@pytest.mark.parametrize("size", [2, 3])
def test_positions_reached_by_playing(size: int) -> None:
    assert count_by_playing(size) == KNOWN[size]
