"""Ladders, fights and self-ataris as people ask for them: drawn boards, and Pachi's positions."""

from __future__ import annotations

import pytest

from montego.go import Position, vertex
from montego.go.points import all_points, parse_vertex
from montego.knowledge.reading import (
    Verdict,
    captures,
    is_bad_self_atari,
    ladder,
)
from tests.knowledge.pachi import Question, questions

COLORS = {"b": "black", "w": "white"}

# --- ladders ---------------------------------------------------------------------------

WORKING = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . O O . . .
    . . . . . . .
    """


def drawn(diagram: str, to_play: str = "black") -> Position:
    return Position.from_diagram(diagram, to_play=to_play)


def test_a_ladder_and_its_line() -> None:
    found = ladder(drawn(WORKING), "C3")
    assert found.verdict is Verdict.CAUGHT
    assert found.is_caught
    assert found.line[:4] == ("D3", "E3", "D4", "D5")  # out, atari, out, atari
    position = drawn(WORKING)
    for move in found.line:
        position = position.play(move)
    assert position.to_play == 2  # the attacker takes it now


@pytest.mark.parametrize("breaker", ["F6", "E5", "D5"])
def test_a_stone_in_the_way_breaks_it(breaker: str) -> None:
    position = drawn(WORKING, "white").play("A1").play(breaker).play("A2")
    assert ladder(position, "C3").verdict is Verdict.SAFE
    beside = drawn(WORKING, "white").play("A1").play("G1").play("A2")
    assert ladder(beside, "C3").is_caught


def test_the_attacker_begins_against_two_liberties() -> None:
    extended = drawn(WORKING).play("D3")
    assert ladder(extended, "C3").line[0] == "E3"
    assert ladder(extended, "C3").is_caught
    assert not ladder(extended, "C3", to_play="black").is_caught  # its owner is not in atari
    assert not ladder(extended.play("D4"), "C3").is_caught  # the wrong side


def test_an_attacker_that_is_taken_breaks_it() -> None:
    countered = WORKING.replace(". . O . . . .", ". X O . . . .").replace(
        ". O X . . . .", "X O X . . . ."
    )
    assert not ladder(drawn(countered), "C3").is_caught


SNAPBACK = """
    . . . . . . .
    . . . . . . .
    . . X O . . .
    . X . . O . .
    . O X X X O .
    . O O O O O .
    . . . . . . .
    """


def test_a_snapback_catches() -> None:
    position = drawn(SNAPBACK, "white")
    assert ladder(position.play("C4"), "C3").is_caught
    assert not ladder(position.play("D4"), "C3").is_caught


def test_the_attacker_may_not_retake_a_ko() -> None:
    ko = """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """
    taken = drawn(ko).play("C4")  # Black's stone is in atari at B4, which may not be played
    assert taken.ko == parse_vertex("B4", 5)
    assert not ladder(taken, "C4").is_caught
    assert ladder(taken.play("E1").play("E2"), "C4").is_caught


def test_only_chains_can_be_read() -> None:
    with pytest.raises(ValueError, match="no stone at A1"):
        ladder(drawn(WORKING), "A1")
    with pytest.raises(ValueError, match="2 to 4"):
        captures(drawn(WORKING), "C3", liberties=5)


# --- small fights ----------------------------------------------------------------------


def test_a_net_is_found_where_no_ladder_works() -> None:
    position = drawn(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . O O . . .
        . . . O X . . . .
        . . . O . . . . .
        . . . . . . X . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        "white",
    )
    assert not ladder(position, "E5").is_caught
    net = captures(position, "E5")
    assert net.is_caught
    assert net.line[0] == "F4"
    assert not captures(position, "E5", to_play="black").is_caught


def test_two_eyes_are_safe() -> None:
    position = drawn(
        """
        . . . . .
        O O O O O
        X X X X O
        . X . X O
        X X X X O
        """,
        "white",
    )
    assert captures(position, "B1").verdict is Verdict.SAFE
    assert captures(position, "B1", to_play="black").verdict is Verdict.SAFE


def test_few_nodes_leave_it_unknown() -> None:
    found = captures(drawn(WORKING), "C3", liberties=4, nodes=3)
    assert (found.verdict, found.nodes) == (Verdict.UNKNOWN, 3)


# --- self-atari ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "diagram", "good", "bad"),
    [
        (
            "gifts, and a stone with liberties",
            """
            . O . . .
            . . . . .
            . . . . .
            O . . . .
            . O . . .
            """,
            ["A4", "C3"],
            ["A5", "A1"],
        ),
        (
            "a snapback, and one liberty too many for it",
            """
            . X O . .
            X . . O .
            X O O X .
            . X X X .
            . . . . .
            """,
            ["C4"],
            [],
        ),
        (
            "not a snapback: the chain that takes has a liberty left",
            """
            . X O . .
            X . . O .
            X O O X .
            . . X X .
            . . . . .
            """,
            [],
            ["C4"],
        ),
        (
            "a throw-in at the cut; at the other end of the eye it is a gift",
            """
            . . . X .
            O O O X .
            O . . O O
            O O O X .
            . . . X .
            """,
            ["C3"],
            ["B3"],
        ),
        (
            "the vital point of three, and its end",
            """
            . . . . .
            X X X . .
            O O X X .
            X O O X .
            . . O . X
            """,
            ["A1"],
            ["B1"],
        ),
        (
            "a dead shape of five, and a living one",
            """
            X X X X X X
            O O O O X X
            . . X O X .
            X X X O X X
            O O O O X .
            O O . . X X
            """,
            ["B4"],
            ["A4"],
        ),
        (
            "seven stones are too many",
            """
            O O O O O
            O . . O O
            O X X X O
            O X X X O
            O O O O O
            """,
            [],
            ["B4", "C4"],
        ),
        (
            "stones that should connect first",
            """
            O . O O .
            O X X O .
            O X . X .
            O O X X .
            . . X X .
            """,
            ["C3"],
            ["B5"],
        ),
        (
            "taking two with one stone, and being taken by a snapback",
            """
            . O X . . . .
            O . O X . . .
            O X X O . . .
            . O O O . . .
            . . . . . . .
            . . . . . O X
            . . . . . X .
            """,
            ["G1"],
            ["B6"],
        ),
    ],
)
def test_self_ataris_are_judged(name: str, diagram: str, good: list[str], bad: list[str]) -> None:
    position = drawn(diagram)
    judged = {move: is_bad_self_atari(position, move) for move in (*good, *bad)}
    assert judged == dict.fromkeys(good, False) | dict.fromkeys(bad, True)


def test_only_empty_points_can_be_judged() -> None:
    with pytest.raises(ValueError, match="C3 is no empty point"):
        is_bad_self_atari(drawn(WORKING), "C3")


# --- Pachi's positions -----------------------------------------------------------------


def answer(question: Question) -> bool | None:
    """What our readers say, None if they have nothing to say."""
    color, point = question.arguments
    position = question.position(COLORS[color])
    if question.command in ("bad_selfatari", "sar"):
        return is_bad_self_atari(position, point)
    if question.command.startswith("ladder"):
        if question.ko_stone:
            return None  # tested above: a drawing cannot hold a ko
        return ladder(position, point).is_caught
    if question.command == "wouldbe_ladder_any":
        played = position.play(point)
        beside = [parse_vertex(point, position.size) + step for step in (-21, -1, 1, 21)]
        points = [p for p in all_points(position.size) if p in beside]
        chains = [p for p in points if played.color_at(p) == played.to_play]
        return any(ladder(played, vertex(p, position.size)).is_caught for p in chains)
    return None


@pytest.mark.parametrize(
    ("name", "least", "most_wrong"),
    [("ladder.t", 25, 0), ("ladder_any.t", 24, 0), ("wouldbe_ladder_any.t", 6, 0),
     ("selfatari.t", 300, 12)],
)  # fmt: skip
def test_pachis_positions(name: str, least: int, most_wrong: int) -> None:
    asked = [(q, answer(q)) for q in questions(name)]
    if not asked:
        pytest.skip("Pachi's positions are not here")
    said = [(q, found) for q, found in asked if found is not None]
    wrong = [str(q) for q, found in said if found != bool(int(q.answer))]
    assert len(said) >= least
    assert len(wrong) <= most_wrong, wrong
