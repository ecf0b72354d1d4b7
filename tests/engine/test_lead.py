"""Among moves that win as surely: the one with most points; and no win is risked for komi."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, strategies as st

from montego.engine.lead import ENOUGH, WITHIN, preferred, sure_moves
from montego.go import BLACK, PASS, WHITE
from montego.mcts.found import Candidate, Found

Row = tuple[int, int, float, float]


def found_with(*rows: Row, extra_komi: float = 0.0) -> Found:
    """What a search found of moves with these visits, values and scores; the first is its move."""
    candidates = tuple(
        Candidate(move, visits, value, 0.0, (move,), True, score)
        for move, visits, value, score in rows
    )
    move, visits, value, score = rows[0]
    return Found(
        move, value, visits, 1000, 1.0, candidates, (move,), np.zeros((9, 9)), score,
        extra_komi=extra_komi,
    )  # fmt: skip


def test_the_most_points_among_sure_moves() -> None:
    found = found_with((30, 500, 0.9, 5.0), (31, 300, 0.89, 12.0), (32, 200, 0.8, 30.0))
    assert preferred(found, BLACK, for_points=True) == 31
    assert preferred(found, BLACK, for_points=False) == 30


def test_points_count_only_far_ahead_and_with_enough_visits() -> None:
    level = found_with((30, 500, 0.1, 5.0), (31, 300, 0.1, 12.0))
    assert preferred(level, BLACK, for_points=True) == 30
    doubtful = found_with((30, 500, 0.9, 5.0), (31, 100, 0.95, 12.0))
    assert preferred(doubtful, BLACK, for_points=True) == 30


def test_a_pass_is_no_move_for_points() -> None:
    found = found_with((30, 500, 0.9, 5.0), (PASS, 400, 0.9, 6.0))
    assert preferred(found, BLACK, for_points=True) == 30


def test_no_win_is_risked_for_extra_komi() -> None:
    rows = ((30, 500, 0.7, 20.0), (31, 400, 0.9, 5.0))
    giving = found_with(*rows, extra_komi=20.0)
    assert preferred(giving, BLACK, for_points=False) == 31
    assert preferred(giving, WHITE, for_points=False) == 30  # who takes komi risks no win
    assert preferred(found_with(*rows), BLACK, for_points=False) == 30


def test_a_sure_move_of_the_search_stays() -> None:
    found = found_with((30, 500, 0.89, 2.0), (31, 400, 0.9, 5.0), extra_komi=20.0)
    assert preferred(found, BLACK, for_points=False) == 30


ROWS = st.lists(
    st.tuples(st.integers(0, 1000), st.floats(-1, 1), st.floats(-81, 81)), min_size=1, max_size=8
)


@given(ROWS, st.booleans(), st.sampled_from([BLACK, WHITE]), st.floats(-50, 50))
def test_never_a_worse_move_than_allowed(
    rows: list[tuple[int, float, float]], for_points: bool, mover: int, extra_komi: float
) -> None:
    found = found_with(*((30 + i, *row) for i, row in enumerate(rows)), extra_komi=extra_komi)
    move = preferred(found, mover, for_points)
    if move == found.move:
        return
    chosen = found.candidates[move - 30]
    most = max(c.visits for c in found.candidates)
    judged = [c for c in found.candidates if c.visits >= ENOUGH * most and c.visits > 0]
    assert chosen in judged
    assert chosen.value >= max(c.value for c in judged) - WITHIN


def test_shut_moves_are_not_played() -> None:
    found = found_with((30, 500, 0.9, 5.0), (31, 400, 0.9, 9.0))
    shut = replace(found.candidates[1], is_open=False)
    assert shut not in sure_moves(replace(found, candidates=(found.candidates[0], shut)))
