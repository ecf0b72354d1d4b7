"""The time of a game: most of it goes to the middle game, and none of it is planned twice."""

from __future__ import annotations

import math

import pytest

from montego.engine.clock import Absolute, Clock
from montego.engine.plan import END, FEWEST, LAST, moves_to_come, weight
from montego.go import BLACK


def test_the_weights_of_a_large_board() -> None:
    assert weight(361, 0) == pytest.approx(0.3)
    assert weight(361, 0) < weight(361, 10) < weight(361, 22) == 1
    assert weight(361, 150) == 1
    assert 1 > weight(361, 180) > weight(361, 250) > weight(361, 300) == pytest.approx(LAST)


def test_the_first_move_of_a_small_board_is_no_known_one() -> None:
    assert weight(361, 0) < 0.5 < weight(169, 0) < 0.8 < weight(81, 0) < 1


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
def test_the_moves_to_come_are_never_few(size: int) -> None:
    area = size**2
    assert min(moves_to_come(area, played).shares for played in range(3 * area)) >= FEWEST
    assert min(moves_to_come(area, played).moves for played in range(3 * area)) >= FEWEST


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_plan_is_what_is_left_divided_by_the_weights(size: int) -> None:
    """Who takes exactly the share of every move keeps to the weights until the game is long."""
    area, left = size**2, 1.0
    taken = {}
    for played in range(0, math.ceil(END * area), 2):
        taken[played] = left / moves_to_come(area, played).shares
        left -= taken[played]
    unit = taken[0] / weight(area, 0)
    for played, share in taken.items():
        assert share == pytest.approx(unit * weight(area, played))
    assert left == pytest.approx(unit * LAST * max(area // 8, FEWEST))


def _spent(system: Absolute, moves: int) -> list[float]:
    """The seconds of each of Black's moves on 19x19 if every search takes its target."""
    now = 0.0
    clock = Clock(system=system, now=lambda: now)
    spent = []
    for number in range(moves):
        budget = clock.start(BLACK, 361, 2 * number)
        assert budget.seconds is not None
        now += budget.seconds
        spent.append(clock.stop(BLACK))
    return spent


@pytest.mark.parametrize("seconds", [60, 600, 3600])
def test_a_game_without_byo_yomi_is_thought_about_in_the_middle(seconds: float) -> None:
    spent = _spent(Absolute(seconds), 125)
    first, middle, last = spent[0], spent[10:75], spent[118:]
    assert max(middle) < 1.2 * min(middle)
    assert first < 0.4 * min(middle)
    assert max(last) < 0.6 * min(middle)
    assert sum(spent) > 0.75 * seconds
