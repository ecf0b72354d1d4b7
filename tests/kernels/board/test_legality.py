"""Keys of moves that are not played, and verdicts, beside those of the moves played."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from montego.go import BLACK, WHITE, Position, Rules
from montego.go.points import all_points
from montego.kernels.board import legality, playable, shape
from montego.kernels.board.board import PASS, POINTS, play
from montego.kernels.board.legality import (
    LEGAL,
    OFF_BOARD,
    SIMPLE,
    SITUATIONAL,
    legal_moves,
    verdict,
)
from tests.kernels.exposed import exposed

key_after, situation_key = exposed(legality.key_after), exposed(legality.situation_key)
is_suicide, has_empty_neighbour = exposed(playable.is_suicide), exposed(shape.has_empty_neighbour)

SUICIDAL = Rules(superko="simple", suicide=True)
NO_KEYS = np.empty(0, dtype=np.uint64)


def random_position(size: int, moves: int, random: Random) -> Position:
    position = Position.start(size, SUICIDAL)
    for _ in range(moves):
        position = position.play(random.choice(position.legal() or [PASS]))
    return position


@pytest.mark.parametrize("seed", range(60))
def test_the_key_is_known_before_the_move(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 7)
    position = random_position(size, random.randint(0, 3 * size * size), random)
    for point in position.legal():
        board = position.board_copy()[0]
        color = position.to_play
        dies = not has_empty_neighbour(int(board["shape"][point]))
        dies = dies and bool(is_suicide(board, point, color))
        expected = key_after(board, point, color, dies)
        play(board, point)
        assert board["key"] == expected


def test_situations_differ_by_the_player_to_move() -> None:
    key = np.uint64(12345)
    assert situation_key(key, BLACK, SITUATIONAL) != situation_key(key, WHITE, SITUATIONAL)
    assert situation_key(key, BLACK, SIMPLE) == situation_key(key, WHITE, SIMPLE) == key


@pytest.mark.parametrize("size", [2, 9, 19])
def test_every_number_has_a_verdict(size: int) -> None:
    board = Position.start(size).board_copy()[0]
    said = {p: verdict(board, p, BLACK, False, SIMPLE, NO_KEYS) for p in range(-50, POINTS + 50)}
    on_board = {PASS, *all_points(size)}
    assert {p for p, v in said.items() if v == LEGAL} == on_board
    assert {v for p, v in said.items() if p not in on_board} == {OFF_BOARD}


def test_the_mask_is_written_everywhere() -> None:
    board = Position.start(5).play("C3").board_copy()[0]
    mask = np.full(POINTS, 7, dtype=np.uint8)
    legal_moves(board, WHITE, False, SIMPLE, NO_KEYS, mask)
    assert sorted([*np.flatnonzero(mask).tolist(), 66]) == all_points(5)
    assert set(mask.tolist()) == {0, 1}
