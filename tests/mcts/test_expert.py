"""Our own playout: every rule on drawn positions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from montego.go import Position
from montego.mcts.playouts import Expert
from tests.mcts.test_cascade import chosen

NONE = Expert(
    atari=0, race=0, hole=0, fill_tries=0, local=0, local_before=0, anywhere=0,
    veto=0, veto_random=0, poor=0,
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
