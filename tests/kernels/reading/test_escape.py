"""What is told of ladders without reading them is what reading tells, wherever it can be asked."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import Position
from montego.kernels.board.board import PASS, play
from montego.kernels.board.tactics import (
    liberties_added,
    liberties_reached,
    two_liberties,
)
from montego.kernels.compiler.jit import entry
from montego.kernels.reading.escape import is_lost_at_once, walks_away, walks_away_after
from montego.kernels.reading.reading import (
    CAUGHT,
    LADDER_LIBERTIES,
    READING,
    SAFE,
    is_caught_after_pass,
    read_position,
)
from montego.knowledge.strengths import empty_tables
from tests.positions import random_position

MOST = 200


@entry
def call_walks_away(B, stone):
    return walks_away(B, stone, LADDER_LIBERTIES)


@entry
def call_walks_away_after(B, p):
    return walks_away_after(B, p, np.int64(B.to_play), LADDER_LIBERTIES)


@entry
def lost_at_once(B, p, stone):
    """1 where a chain attacked at p is lost at once, 0 where not, -1 where nobody asks."""
    root = np.int64(B.root[stone])
    liberties, a, b = two_liberties(B, root)
    if liberties != 2 or p not in (a, b):
        return -1
    other = b if a == p else a
    if liberties_reached(B, other, np.int64(B.color[root]), p, 3) > 1:
        return -1
    return np.int64(is_lost_at_once(B, p, other, root))


@entry
def added(B, stone):
    """Whether extensions of a chain of two liberties reach as many as are added, and one."""
    root, color = np.int64(B.root[stone]), np.int64(B.color[stone])
    liberties, a, b = two_liberties(B, root)
    if liberties != 2:
        return -1
    to_a, to_b = liberties_reached(B, a, color, 0, 3), liberties_reached(B, b, color, 0, 3)
    more_a, more_b = (
        liberties_added(B, a, color, b, root, 3),
        liberties_added(B, b, color, a, root, 3),
    )
    return np.int64(to_a == min(more_a + 1, 3) and to_b == min(more_b + 1, 3))


@entry
def call_caught_after_pass(B, T, X, stone):
    return is_caught_after_pass(B, T, X, np.int64(B.root[stone]), MOST)


def verdict(position: Position, move: int, stone: int) -> int:
    """What reading says of a chain after a move, or a pass."""
    board = position.board_copy()[0]
    play(board, move)
    return int(read_position(board, np.zeros(1, READING)[0], stone, LADDER_LIBERTIES, MOST))


def positions() -> list[Position]:
    return [random_position(9, moves, seed) for seed in range(12) for moves in (10, 20, 30, 40, 60)]


def stones_of(position: Position, color: int) -> list[int]:
    return position.stones("black" if color == 1 else "white")


def test_who_walks_away_is_safe() -> None:
    walked = 0
    for position in positions():
        for stone in stones_of(position, position.to_play):
            if call_walks_away(position.board_copy()[0], stone):
                assert verdict(position, PASS, stone) == SAFE
                walked += 1
    assert walked > 20


def test_who_walks_away_after_a_move_is_safe() -> None:
    walked = 0
    for position in positions():
        for move in position.legal():
            if call_walks_away_after(position.board_copy()[0], move):
                assert verdict(position, move, move) == SAFE
                walked += 1
    assert walked > 20


def test_who_is_lost_at_once_is_caught() -> None:
    lost = []
    for position in positions():
        for stone in stones_of(position, 3 - position.to_play):
            for move in position.legal():
                said = lost_at_once(position.board_copy()[0], move, stone)
                if said == 1:
                    assert verdict(position, move, stone) == CAUGHT
                lost.append(said)
    assert lost.count(1) > 20
    assert lost.count(0) > 10


def test_what_an_extension_adds() -> None:
    found = [
        added(position.board_copy()[0], stone)
        for position in positions()
        for stone in [*position.stones("black"), *position.stones("white")]
    ]
    assert 0 not in found
    assert found.count(1) > 100


@pytest.mark.parametrize("color", [1, 2])
def test_after_a_pass_a_position_is_read_once(color: int) -> None:
    """One scratch space for all positions: what is kept of one is not told of the next."""
    space, tables, caught = np.zeros(1, READING)[0], empty_tables(), 0
    for position in positions():
        board = position.board_copy()[0]
        for stone in stones_of(position, color) * 2:
            said = call_caught_after_pass(board, tables, space, stone)
            assert said == (verdict(position, PASS, stone) == CAUGHT)
            caught += said
    assert caught > 20
