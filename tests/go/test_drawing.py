"""Boards as text, read and printed."""

from __future__ import annotations

import pytest

from montego.go import WHITE, BadDiagram, BadSize, Position
from tests.go.boards import KO, played


@pytest.mark.parametrize(
    ("diagram", "told"),
    [
        (". .\n. #", "'#' in row 2"),
        (". .\n. . .", "row 2 has 3 points"),
        (". . .\n. . .", "row 1 has 3 points"),
        ("X O\nO .", "A2 has no liberty"),
        ("X X\nX X", "has no liberty"),
    ],
)
def test_bad_diagrams(diagram: str, told: str) -> None:
    with pytest.raises(BadDiagram, match=told):
        Position.from_diagram(diagram)


@pytest.mark.parametrize("diagram", ["", ".", "\n".join(["." * 20] * 20)])
def test_diagrams_of_bad_sizes(diagram: str) -> None:
    with pytest.raises(BadSize):
        Position.from_diagram(diagram)


def test_set_up_refuses_two_stones_on_a_point_and_a_pass() -> None:
    with pytest.raises(BadDiagram, match="C3"):
        Position.set_up(5, black=["C3"], white=["C3"])
    with pytest.raises(BadDiagram, match="pass"):
        Position.set_up(5, black=["pass"])


def test_a_set_up_game_has_an_own_player_to_move() -> None:
    assert Position.from_diagram(KO, to_play="white").to_play == WHITE


def test_the_printed_board() -> None:
    position = played(Position.from_diagram(KO), "C3")
    assert str(position) == "\n".join(
        [
            "   A B C D",
            " 4 . X O . 4",
            " 3 X .(X)O 3",
            " 2 . X O . 2",
            " 1 . . . . 1",
            "   A B C D",
            "White to play, move 2, captured: 0 black, 1 white",
        ]
    )


def test_the_last_move_is_marked_at_the_edges_too() -> None:
    rows = str(Position.start(2).play("A2")).splitlines()
    assert rows[1] == " 2(X). 2"
    rows = str(Position.start(2).play("B1")).splitlines()
    assert rows[2] == " 1 .(X)1"
    assert "(" not in str(Position.start(2).play("pass"))
