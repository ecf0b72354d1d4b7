"""What a move would do, foreseen by kernels and then done on a naive board."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import Position
from montego.go.points import vertex
from montego.kernels.board.liberties import is_single, pseudo_liberties
from montego.kernels.board.tactics import (
    count_liberties,
    is_self_atari,
    liberties_after,
    stones_captured,
    stones_saved,
)
from montego.kernels.compiler.jit import U, entry
from tests.naive import EMPTY, NaiveGame, group, neighbours
from tests.positions import naive_twin, place_of, random_position

FORESEEN = 5  # figures about a move


@entry
def foresee(B, points, out):
    color = np.int64(B.to_play)
    for i in range(points.size):
        p = points[U(i)]
        first = FORESEEN * i
        out[first] = stones_captured(B, p, color)
        out[first + 1] = stones_saved(B, p, color)
        out[first + 2] = is_self_atari(B, p, color)
        word = liberties_after(B, p, color)
        out[first + 3] = pseudo_liberties(word)
        out[first + 4] = is_single(word)


@entry
def liberties_of(B, stone, enough):
    return count_liberties(B, stone, enough)


def expected(game: NaiveGame, place: int) -> tuple[int, int, bool, int, bool]:
    """The same by playing: captured, saved, self-atari, pseudo-liberties, single."""
    own, size = game.to_play, game.size
    threatened: set[int] = set()
    for near in neighbours(size)[place]:
        if game.board[near] == own:
            members, liberties = group(game.board, near, size)
            if liberties == {place}:
                threatened |= members
    outcome = game.outcome(place, own)
    members, liberties = group(outcome.board, place, size)
    pairs = sum(
        outcome.board[near] == EMPTY for stone in members for near in neighbours(size)[stone]
    )
    single = len(liberties) == 1
    return outcome.taken, 0 if single else len(threatened), single, pairs, single


@pytest.mark.parametrize("size", [2, 3, 5, 7, 9, 13])
def test_foreseen_and_done_agree(size: int) -> None:
    compared = captures = saves = 0
    for seed in range(30 if size < 9 else 12):
        position = random_position(size, moves=seed * size * size // 12, seed=seed)
        game = naive_twin(position)
        points = np.array(position.legal(), dtype=np.int64)
        out = np.zeros((len(points), FORESEEN), dtype=np.int64)
        foresee(position.board_copy()[0], points, out.ravel())
        for point, row in zip(points.tolist(), out.tolist(), strict=True):
            assert tuple(row) == expected(game, place_of(point, size)), (position, point)
            compared += 1
            captures += row[0] > 0
            saves += row[1] > 0
    assert compared > 40
    assert captures > 0
    assert size < 5 or saves > 0


def test_a_capture_that_leaves_two_liberties_far_apart() -> None:
    # White's C5 takes two stones, and all its liberties are where they stood.
    position = Position.from_diagram(
        """
        X X . X .
        O O O X .
        X X X . .
        . . . . .
        . . . . .
        """,
        to_play="white",
    )
    game = naive_twin(position)
    points = np.array(position.legal(), dtype=np.int64)
    out = np.zeros((len(points), FORESEEN), dtype=np.int64)
    foresee(position.board_copy()[0], points, out.ravel())
    for point, row in zip(points.tolist(), out.tolist(), strict=True):
        assert tuple(row) == expected(game, place_of(point, 5))
        if vertex(point, 5) == "C5":
            assert row == [2, 3, 0, 3, 0]


@pytest.mark.parametrize("enough", [1, 2, 3, 400])
def test_exact_liberties(enough: int) -> None:
    for seed in range(8):
        position = random_position(9, moves=20 + 8 * seed, seed=seed)
        board, game = position.board_copy()[0], naive_twin(position)
        for color in (1, 2):
            for stone in position.stones(color):
                _, liberties = group(game.board, place_of(stone, 9), 9)
                assert liberties_of(board, stone, enough) == min(len(liberties), enough)


def test_marks_survive_many_rounds() -> None:
    position = random_position(9, moves=40, seed=1)
    board, game = position.board_copy()[0], naive_twin(position)
    stone = position.stones(1)[0]
    _, liberties = group(game.board, place_of(stone, 9), 9)
    assert {liberties_of(board, stone, 400) for _ in range(600)} == {len(liberties)}


def test_a_kernel_that_python_calls_by_mistake_says_so() -> None:
    with pytest.raises(TypeError, match="compiled code"):
        count_liberties(Position.start(9).board_copy()[0], 110, 3)
