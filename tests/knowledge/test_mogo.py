"""MoGo's terms (T12b): each where it applies, and where it nearly does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.go import Position
from montego.go.points import parse_vertex
from montego.kernels.features.mogo_terms import describe_terms
from montego.kernels.playouts.policy import WORK
from montego.kernels.tree.strategy import MOGO_KNOWLEDGE
from montego.knowledge.mogo import NAMES, MogoTerms, explain_mogo
from montego.knowledge.strengths import shipped_tables
from montego.mcts import node_knowledge
from montego.mcts.recipes import RECIPES


def drawn(diagram: str, to_play: str = "black") -> Position:
    return Position.from_diagram(diagram, to_play=to_play)


def amounts(position: Position, move: str, work: Any = None) -> dict[str, float]:
    """The amount of every term of a move."""
    board = position.board_copy()[0]
    work = np.zeros(1, dtype=WORK)[0] if work is None else work
    tables = shipped_tables(position.size)
    describe_terms(board, tables, work, parse_vertex(move, position.size), position.to_play)
    return dict(zip(NAMES, work["terms"].tolist(), strict=True))


# --- shapes ----------------------------------------------------------------------------

SHAPES = {
    "hane": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X O . . .
        . . . . . . .
        . . . . . . .
        """,
        ["D4", "D2"],
        ["C4", "E3", "E4", "C2"],  # beside the own stone, ahead of the enemy, diagonal to it
    ),
    "connect": (
        """
        . . . . . . .
        . . . . . . .
        . . O X . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        ["D4"],
        ["E4", "D3"],
    ),
    "peep_connect": (
        """
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . X . X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        ["D4"],
        ["D3", "B4"],
    ),
    "wall": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X . . . .
        . O O . . . .
        . . . . . . .
        . . . . . . .
        """,
        ["D4"],
        ["A4", "B5", "D3"],  # no room ahead, not in the row, the other side
    ),
    "bad_kogeima": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        """,
        ["E4", "D5"],
        ["B5", "E2", "D2", "C4"],  # no enemy across, or beside the own stone
    ),
    "empty_triangle": (
        """
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X . . . .
        . . . . . O .
        . . . . . . .
        . . . . . . .
        """,
        ["D4", "C5"],
        ["E5", "D3", "E4"],
    ),
    "cut": (
        """
        . . . . . . .
        . . . . . . .
        . . X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        ["D4"],
        ["E4", "D3", "C6"],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_shapes_apply_where_they_are_drawn(name: str, to_play: str) -> None:
    diagram, here, not_here = SHAPES[name]
    if to_play == "white":
        diagram = diagram.translate(str.maketrans("XO", "OX"))
    position = drawn(diagram, to_play)
    assert {move: amounts(position, move)[name] for move in (*here, *not_here)} == (
        dict.fromkeys(here, 1.0) | dict.fromkeys(not_here, 0.0)
    )


def test_shapes_do_not_apply_to_the_other_player() -> None:
    for name, (diagram, (first, *_), _) in SHAPES.items():
        counterpart = {"connect": "cut", "cut": "connect"}.get(name)
        found = amounts(drawn(diagram, "white"), first)
        assert found[name] == 0.0, name
        assert counterpart is None or found[counterpart] == 1.0


def test_an_empty_triangle_is_empty() -> None:
    diagram = SHAPES["empty_triangle"][0]
    filled = drawn(diagram.replace(". . . X . . .", ". . O X . . ."))
    assert amounts(filled, "D4")["empty_triangle"] == 0.0
    assert amounts(filled, "D4")["connect"] == 1.0


def test_stones_that_are_connected_already_need_no_connection() -> None:
    round_about = """
        . X X X . . .
        . X . X . . .
        . X O X . . .
        . X X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    assert amounts(drawn(round_about), "D4")["connect"] == 0.0


# --- lines, nearness, owners -----------------------------------------------------------


def test_lines() -> None:
    position = Position.start(9).play("G3").play("A9")
    empty = {move: amounts(position, move) for move in ("C3", "B2", "A1", "C7", "F4", "B9", "E5")}
    lonely = {move for move, terms in empty.items() if terms["territory_line"]}
    assert lonely == {"C3", "C7"}  # B9 and F4 touch a stone
    assert {move for move, terms in empty.items() if terms["line_of_death"]} == {"A1"}
    assert empty["C3"]["border"] == 1.0
    assert empty["A1"]["border"] == pytest.approx(1 / 3)
    assert empty["E5"]["border"] == pytest.approx(1 / 3)


def test_nearness_falls_with_the_distance() -> None:
    position = Position.start(9).play("E5").play("C3")
    near = [amounts(position, move)["near_last"] for move in ("C4", "D4", "C5", "F3", "J9")]
    assert near == sorted(near, reverse=True)
    assert (near[0], near[-1]) == (1.0, 0.0)
    assert amounts(position, "E6")["near_before"] == 1.0
    assert amounts(Position.start(9), "E6")["near_last"] == 0.0


def test_points_owned_a_third_of_the_time() -> None:
    work = np.zeros(1, dtype=WORK)[0]
    position = Position.start(9).play("E5").play("C3")  # Black is to move
    point = parse_vertex("F6", 9)
    work["owned"] = 300
    shares = {100: 1.0, 150: 0.0, 75: 0.5, 0: 0.0}  # playouts in which it is Black's
    for black, expected in shares.items():
        work["owners"][point] = black - (300 - black)
        assert amounts(position, "F6", work)["owned_third"] == pytest.approx(expected)
    work["owners"][point] = 100  # White's in a third
    assert amounts(position, "F6", work)["owned_third"] == 0.0
    assert amounts(position.play("A1"), "F6", work)["owned_third"] == pytest.approx(1.0)
    work["owned"] = 3  # too little to say
    assert amounts(position, "F6", work)["owned_third"] == 0.0


# --- fights ----------------------------------------------------------------------------

FIGHT = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . O O . . .
    . . . . . . .
    """


def test_extensions_and_ladders() -> None:
    lost = amounts(drawn(FIGHT), "D3")
    assert (lost["extension"], lost["into_ladder"]) == (0.0, 1.0)
    saved = amounts(drawn(FIGHT.replace(". . . . . . .", ". . . . . X .", 2)), "D3")
    assert (saved["extension"], saved["into_ladder"]) == (1.0, 0.0)


def test_captures_and_ataris() -> None:
    position = drawn(FIGHT, "white")
    assert amounts(position, "D3")["capture"] == 1.0
    assert amounts(position, "E3")["capture"] == 0.0
    out = drawn(FIGHT).play("D3")
    works, fails = amounts(out, "E3"), amounts(out, "D4")
    assert (works["atari"], fails["atari"]) == (1.0, 0.0)
    assert (works["threat"], fails["threat"]) == (1.0, 1.0)
    assert works["atari_in_ko"] == 0.0


def test_captures_of_attackers() -> None:
    diagram = """
        . . . . .
        . O X . .
        O X O X .
        . . . . .
        . . . . .
        """
    frees = amounts(drawn(diagram), "C2")  # B3 is in atari
    assert (frees["capture"], frees["takes_attackers"]) == (1.0, 1.0)
    plain = amounts(drawn(diagram.replace("O X O X .", ". X O X .")), "C2")
    assert (plain["capture"], plain["takes_attackers"]) == (1.0, 0.0)


def test_ataris_while_a_ko_stands() -> None:
    position = drawn(
        """
        . X O . . . .
        X O . O . . .
        . X O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . X
        """
    ).play("C6")
    assert position.ko is not None
    assert amounts(position, "F1")["atari_in_ko"] == 1.0
    assert amounts(position, "F2")["atari_in_ko"] == 0.0
    assert amounts(position.play("A1").play("A2"), "F1")["atari_in_ko"] == 0.0


def test_bad_self_ataris_only() -> None:
    position = drawn(
        """
        . . . X .
        O O O X .
        O . . O O
        O O O X .
        . . . X .
        """
    )
    assert amounts(position, "B3")["self_atari"] == 1.0
    assert amounts(position, "C3")["self_atari"] == 0.0  # a throw-in


# --- numbers ---------------------------------------------------------------------------


def test_terms_are_games_and_can_be_switched_off() -> None:
    diagram, (move, *_), _ = SHAPES["hane"]
    games = {one.vertex: one.games for one in explain_mogo(drawn(diagram))}
    assert games[move]["hane"] == MogoTerms().hane
    off = replace(MogoTerms(), hane=0.0)
    without = {one.vertex: one.games for one in explain_mogo(drawn(diagram), off)}
    assert "hane" not in without[move]
    assert {k: v for k, v in games[move].items() if k != "hane"} == without[move]


def test_the_recipe_takes_them() -> None:
    recipe = RECIPES["mogo"].with_parameters({"knowledge.hane": "0", "knowledge.cut": 3})
    record = recipe.record()
    assert record["knowledge"] == MOGO_KNOWLEDGE
    numbers = dict(zip(NAMES, record["terms"].tolist(), strict=True))
    assert (numbers["hane"], numbers["cut"]) == (0.0, 3.0)
    assert numbers["connect"] == node_knowledge.MogoKnowledge().connect
    assert record["pattern_value"] == node_knowledge.MogoKnowledge().pattern_value


def test_attackers_are_taken_even_if_the_last_move_is_among_them() -> None:
    """The thesis' own case: White's last move, D4, has put C4 in atari, and can be captured."""
    position = drawn(
        """
        . . . . . . .
        . . . . . . .
        . . O X . . .
        . . X . X . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "white",
    )
    assert amounts(position.play("D4"), "D3")["takes_attackers"] == 1.0
    assert amounts(position.play("D4"), "B4")["takes_attackers"] == 0.0
    assert amounts(position.play("D3").play("A1").play("D4"), "E3")["takes_attackers"] == 0.0
