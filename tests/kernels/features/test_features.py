"""Features of moves and the exact counts they rest on, against a naive board."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go import Position, vertex
from montego.go.points import all_points, parse_vertex
from montego.kernels.board.tactics import liberties_reached, two_liberties
from montego.kernels.compiler.jit import entry
from montego.kernels.features.classes import START
from montego.kernels.features.features import small_features
from montego.kernels.playouts.policy import WORK
from montego.knowledge.strengths import empty_tables
from tests.naive import group, neighbours
from tests.positions import naive_twin, place_of, random_position


@entry
def call_two_liberties(B, stone, found):
    found[0], found[1], found[2] = two_liberties(B, stone)


@entry
def call_liberties_reached(B, p, color, blocked, enough):
    return liberties_reached(B, p, color, blocked, enough)


@entry
def call_features(B, T, W, p, color):
    small_features(B, T, W, p, color)


def features(position: Position, move: str) -> list[int]:
    """The feature of every group, counted from 0 within its group."""
    board, work = position.board_copy()[0], np.zeros(1, dtype=WORK)[0]
    point = parse_vertex(move, position.size)
    call_features(board, empty_tables(), work, point, position.to_play)
    return [int(f) - start for f, start in zip(work["features"], START, strict=True)]


@pytest.mark.parametrize("size", [3, 5, 9])
def test_counts_of_liberties_agree_with_a_naive_board(size: int) -> None:
    compared = 0
    for seed in range(20):
        position = random_position(size, moves=seed * size * size // 12, seed=seed)
        game = naive_twin(position)
        board = position.board_copy()[0]
        for stone in [*position.stones("black"), *position.stones("white")]:
            liberties = group(game.board, place_of(stone, size), size)[1]
            found = np.zeros(3, dtype=np.int64)
            call_two_liberties(board, stone, found)
            count, a, b = found.tolist()
            assert count == min(len(liberties), 3)
            assert {place_of(p, size) for p in (a, b) if p} <= liberties
            compared += 1
        for point in position.legal():
            outcome = game.outcome(place_of(point, size), game.to_play)
            if outcome.taken == 0:
                _, liberties = group(outcome.board, place_of(point, size), size)
                free = sorted(liberties)
                reached = call_liberties_reached(board, point, position.to_play, 0, 9)
                assert reached == min(len(free), 9)
                if free:
                    blocked = next(p for p in all_points(size) if place_of(p, size) == free[0])
                    less = call_liberties_reached(board, point, position.to_play, blocked, 9)
                    assert less == min(len(free) - 1, 9)
    assert compared > 50
    assert neighbours(size)


FIGHT = """
    . . . . . . .
    . O X . . . .
    . X O X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """


def test_features_of_a_fight() -> None:
    position = Position.from_diagram(FIGHT, to_play="black").play("A1")
    capture, save, self_atari, *_ = features(position, "C4")  # saves C5, which A1 has not touched
    assert (capture, save, self_atari) == (0, 4, 0)
    capture, save, _, atari, *_ = features(position.play("G7"), "C4")  # takes it instead
    assert (capture, save, atari) == (2, 0, 0)  # it could have got away
    touched = Position.from_diagram(FIGHT.replace("O X . . . .", "O . . . . ."), to_play="black")
    assert features(touched.play("C6"), "C4")[1] == 8  # now it is the last move that threatens


def test_an_atari_on_the_last_move_and_nearness() -> None:
    position = Position.from_diagram(FIGHT, to_play="white").play("G7").play("A1").play("C4")
    *_, atari, _, line, last, before, _, _ = features(position, "C3")
    assert (atari, line, last, before) == (0, 2, 1, 5)  # White reaches three liberties
    assert features(position, "D3")[6] == 2  # diagonal
    chained = position.play("B4").play("G6")  # C5 and C4 have two liberties left
    assert features(chained, "D4")[3] == 4  # not the last move's chain, and it reaches three
    assert features(chained.play("G5").play("C3"), "D4")[3:4] == [0]


def test_self_atari_by_size() -> None:
    position = Position.from_diagram(
        """
        . X . . .
        . . . . .
        . . . . .
        . . O O .
        . O X X .
        """,
        to_play="black",
    )
    assert features(position, "E1")[2] == 2  # three stones
    assert features(position.play("E3"), "A5")[2] == 1  # one
    assert features(position, "E2")[2] == 4  # two liberties, and no way out
    assert features(position, "E4")[2] == 0


LADDER = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . O O . . .
    . . . . . . .
    """
BROKEN = LADDER.replace(". . . . . . .", ". . . . . X .", 2)


@pytest.mark.parametrize(
    ("diagram", "save", "self_atari", "capture"), [(LADDER, 2, 5, 1), (BROKEN, 3, 0, 2)]
)
def test_an_extension_into_a_ladder_or_out_of_it(
    diagram: str, save: int, self_atari: int, capture: int
) -> None:
    position = Position.from_diagram(diagram, to_play="black")
    assert features(position, "D3")[1:3] == [save, self_atari]
    assert features(position.with_to_play("white"), "D3")[0] == capture  # lost anyway, or not


@pytest.mark.parametrize(("diagram", "atari"), [(LADDER, 2), (BROKEN, 3)])
def test_an_atari_that_works_or_not(diagram: str, atari: int) -> None:
    position = Position.from_diagram(diagram, to_play="black").play("D3")
    assert features(position, "E3")[3] == 4 + atari  # the chain of the last move
    assert features(position, "D4")[3] == 4 + 4  # from the wrong side it reaches three
    later = position.play("A1").play("A7")
    assert features(later, "E3")[3] == atari


def test_a_chain_that_a_ladder_threatens_is_saved() -> None:
    position = Position.from_diagram(LADDER, to_play="black").play("D3").play("A1")
    assert features(position, "D4")[4] == 4  # safe now
    assert features(position, "E3")[4] == 4
    broken = Position.from_diagram(BROKEN, to_play="black").play("D3").play("A1")
    assert features(broken, "D4")[4] == 2  # it was not in danger


def test_how_full_the_board_is_and_whether_a_ko_stands() -> None:
    assert features(Position.start(9), "E5")[-2:] == [7, 0]
    position = random_position(9, moves=60, seed=2)
    empty = 81 - len(position.stones("black")) - len(position.stones("white"))
    move = next(vertex(p, 9) for p in position.legal() if p)
    assert features(position, move)[-2:] == [8 * empty // 81, int(position.ko is not None)]
    fight = """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        """
    taken = Position.from_diagram(fight, to_play="white").play("B4")
    assert features(taken, "E1")[-1] == 1
