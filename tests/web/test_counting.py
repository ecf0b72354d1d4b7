"""Counting by either rule, and what is marked as dead."""

from __future__ import annotations

import pytest

from montego.go import GoError, Position, Rules
from montego.go.points import parse_vertex
from montego.web.counting import count, stones_of, toggled, told

BOARD = """
. X O . .
. X O . O
. X O O .
. X X O .
X . X O .
"""
"""A dead black stone would stand on E4's side; here all are alive."""
FINISHED = Position.from_diagram(BOARD, rules=Rules(komi=0.5))


def points(*names: str) -> set[int]:
    return {parse_vertex(name, 5) for name in names}


def test_areas() -> None:
    counted = count(FINISHED, [], territory=False)
    assert (counted.black, counted.white) == (12, 13)
    assert counted.result == "W+1.5"
    assert counted.owners[0] == [1, 1, -1, -1, -1]
    assert counted.dead == []


def test_territories_and_prisoners() -> None:
    counted = count(FINISHED, [], territory=True)
    assert (counted.black, counted.white) == (5, 6)
    dead = count(FINISHED, points("E4"), territory=True)
    assert dead.dead == ["E4"]
    assert dead.black == 6  # a prisoner
    assert dead.white == 7  # and the point where it stood


def test_a_click_on_a_stone_takes_all_of_its_group() -> None:
    dead = toggled(FINISHED, frozenset(), "C5")
    assert dead == points("C5", "C4", "C3", "D3", "D2", "D1", "E4")
    assert toggled(FINISHED, dead, "E4") == frozenset()


@pytest.mark.parametrize("name", ["A5", "pass", "Z9", "E9"])
def test_where_there_is_no_stone_nothing_can_be_dead(name: str) -> None:
    with pytest.raises(GoError):
        toggled(FINISHED, frozenset(), name)


def test_results_as_people_write_them() -> None:
    assert [told(lead) for lead in (3.5, -0.5, 0.0, 2.0)] == ["B+3.5", "W+0.5", "0", "B+2"]


def test_stones_in_rows_from_the_top() -> None:
    assert stones_of(FINISHED)[0] == [0, 1, -1, 0, 0]
    assert stones_of(FINISHED)[4] == [1, 0, 1, -1, 0]
