"""Our own playout: every rule on drawn positions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from montego.go import Position
from montego.kernels.board.shape import seen_by
from montego.kernels.playouts.mogo import approach_move
from montego.knowledge.strengths import shipped_tables
from montego.mcts.playouts import Expert, choose_moves, simulate
from tests.kernels.exposed import exposed
from tests.mcts.test_cascade import chosen
from tests.mcts.test_choices import is_pattern
from tests.positions import random_position

NONE = Expert(
    atari=0, race=0, hole=0, fill_tries=0, local=0, local_before=0, anywhere=0,
    veto=0, veto_random=0, judged=False, poor=0,
)  # fmt: skip
ATARI, RACE, HOLE = replace(NONE, atari=1.0), replace(NONE, race=1.0), replace(NONE, hole=1.0)


def drawn(drawing: str, to_play: str = "white") -> Position:
    return Position.from_diagram(drawing, to_play=to_play)


# --- atari -----------------------------------------------------------------------------


def test_the_last_move_is_taken_if_it_is_in_atari() -> None:
    position = drawn(
        """
        . . . . .
        . . X . .
        . X . . .
        . . X . .
        . . . . .
        """
    ).play("C3")
    assert chosen(position, ATARI) == {"D3"}


# --- races -----------------------------------------------------------------------------


def test_a_chain_of_two_liberties_is_attacked_where_it_reaches_less() -> None:
    edge = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X X X . .
        . X . O . . .
        . . X . . . .
        """
    )
    # White has joined two stones on the second line: from E2 they would get away.
    assert chosen(edge.play("C2"), RACE) == {"E2"}


def test_a_chain_that_gets_away_both_ways_is_left_alone() -> None:
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    ).play("D4")
    assert len(chosen(position, RACE)) > 10


def test_a_chain_of_two_liberties_is_defended_while_it_can_be() -> None:
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O O O . . .
        . O X X . . .
        . . . . . . .
        """,
        to_play="white",
    ).play("D1")
    assert chosen(position, RACE) == {"E1", "E2"}  # or against the attacker


def test_a_chain_that_is_closed_in_attacks_its_neighbour() -> None:
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O O . X . .
        X X X O X . .
        . . . O X . .
        """
    )
    victim = replace(NONE, victim=1.0)
    assert chosen(position.play("A3"), victim) == {"D3"}  # C1 would let them out
    assert len(chosen(position.play("G7"), victim)) > 10  # nobody is closed in


# --- eyes ------------------------------------------------------------------------------

EYE = replace(NONE, eye=1.0)


def test_the_last_corner_keeps_an_eye() -> None:
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . X X X . .
        . . X . X . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        """
    )
    assert chosen(position.play("E3"), EYE) == {"C3"}
    assert len(chosen(position.play("E2"), EYE)) > 10  # two corners are left


def test_an_eye_is_mended_by_taking_a_corner() -> None:
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . X X X . .
        . . X . X . .
        . . O X . . .
        . . . . X . .
        . . . . . . .
        """
    )
    assert chosen(position.play("E3"), EYE) == {"F3"}


# --- patterns --------------------------------------------------------------------------


def test_patterns_are_drawn_by_their_strength() -> None:
    gamma, seen = np.ravel(shipped_tables(9)["shape_gamma"]), exposed(seen_by)
    checked = 0
    for seed in range(40):
        position = random_position(9, 20, seed)
        moves = choose_moves(position, replace(NONE, local=1.0, weighted=True), 4000)
        shapes = position.board_copy()[0]["shape"]
        strengths = {
            move: float(gamma[seen(int(shapes[move]), position.to_play)])
            for move in set(moves)
            if is_pattern(position, move)
        }
        if len(strengths) < len(set(moves)) or len(strengths) < 2:
            continue
        checked += max(strengths.values()) > 2 * min(strengths.values())
        for move, strength in strengths.items():
            share = strength / sum(strengths.values())
            assert moves.count(move) / 4000 == pytest.approx(share, abs=0.03)
    assert checked >= 3


def test_a_refused_self_atari_becomes_an_approach_move() -> None:
    refusing, needed = replace(NONE, local=1.0, veto=1.0), exposed(approach_move)
    found = 0
    for seed in range(400):
        position = random_position(7, 24 + seed % 12, seed)
        patterns = set(choose_moves(position, replace(refusing, veto=0.0), 100))
        kept = set(choose_moves(position, refusing, 100))
        approached = set(choose_moves(position, replace(refusing, approach=1.0), 100))
        if kept < patterns and kept < approached:
            board, color = position.board_copy()[0], position.to_play
            assert approached - kept <= {needed(board, p, color) for p in patterns - kept}
            found += 1
    assert found >= 5


def test_a_judged_self_atari_may_have_a_purpose() -> None:
    position = drawn(
        """
        . X O . .
        X . . O .
        X O O X .
        . X X X .
        . . . . .
        """,
        to_play="black",
    )
    refusing = replace(NONE, veto_random=1.0)
    assert "C4" not in chosen(position, refusing)
    assert "C4" in chosen(position, replace(refusing, judged=True))  # a snapback


def test_a_seki_is_left_alone() -> None:
    """White's chain at the top left and the four stones in it share their last two liberties."""
    position = drawn(
        """
        . O O O X . . . .
        X X X O X X . X .
        . O X O O X . . .
        O O O O O X X X X
        X O X O X . . X O
        X X X X X X X X O
        X X O O O X O O O
        X O O . O X X O O
        O O . O . O O O .
        """,
        to_play="black",
    )
    kept = simulate(position, Expert(), 300)
    broken = simulate(position, Expert(judged=False, veto=0.9, veto_random=0.9), 300)
    assert kept.ownership[0, 1] < -0.9  # White's
    assert kept.ownership[1, 0] > 0.9  # Black's
    assert abs(broken.ownership[0, 1] - broken.ownership[1, 0]) < 0.1  # one takes the other


# --- holes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "drawing", "last", "vital"),
    [
        (
            "straight three",
            """
            . . . O X . .
            O O O . X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "D6",
            {"B7"},
        ),
        (
            "pyramid four",
            """
            . . . O X . .
            O . O O X . .
            O O . X X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "C5",
            {"B7"},
        ),
        (
            "bulky five",
            """
            . . . O X . .
            . . O O X . .
            O O . X X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            "C5",
            {"B7"},
        ),
        (
            "crossed five",
            """
            O . O O X . .
            . . . O X . .
            O . O O X . .
            O O . O X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            """,
            "C4",
            {"B6"},
        ),
        (
            "rabbity six",
            """
            . . O O X . .
            . . . O X . .
            O . O O X . .
            O O . O X . .
            X X X X X . .
            . . . . . . .
            . . . . . . .
            """,
            "C4",
            {"B6"},
        ),
    ],
)
def test_the_vital_point_of_a_hole(name: str, drawing: str, last: str, vital: set[str]) -> None:
    assert chosen(drawn(drawing).play(last), HOLE) == vital


@pytest.mark.parametrize(
    "eyes",
    [". . O O", ". . . .", "O . . O"],  # two points, a straight four, two in the middle
)
def test_holes_that_need_no_move_are_left_alone(eyes: str) -> None:
    position = drawn(
        f"""
        {eyes} O X .
        O O O O . X .
        X X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    ).play("E6")
    assert len(chosen(position, HOLE)) > 10
