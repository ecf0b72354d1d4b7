"""Batches: long while there is time, short before a deadline, shorter on a machine that stalls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from montego.mcts.pace import BATCH_SECONDS, FIRST_BATCH, RECOVERY, Pace, first_two


def paced(*rates: float) -> Pace:
    """After batches that ran at these speeds."""
    pace = Pace()
    for rate in rates:
        pace.note(pace.batch, pace.batch / rate)
    return pace


def test_batches_grow_to_their_length() -> None:
    assert Pace().batch == FIRST_BATCH
    assert paced(10_000, 10_000).batch == pytest.approx(10_000 * BATCH_SECONDS, abs=1)
    assert paced(1e6).batch == 4 * FIRST_BATCH


def test_a_new_search_begins_with_a_short_batch_however_fast_the_last_one_was() -> None:
    pace = paced(*[1e6] * 9)
    pace.begin()
    assert pace.within(10.0) == FIRST_BATCH
    pace.note(FIRST_BATCH, FIRST_BATCH / 1_000)
    assert pace.within(0.1) <= 100


@pytest.mark.parametrize(
    ("rates", "seconds", "expected"),
    [
        ((10_000, 10_000), 1.0, 200),
        ((10_000, 10_000), 0.01, 100),
        ((10_000, 10_000), 0.00005, 0),
        ((10_000, 10_000), 0.0, 0),
        ((10_000, 10_000), -1.0, 0),
        ((1_000, 10_000), 0.01, int(10 * RECOVERY)),  # it may be as slow once more
        ((), 1.0, FIRST_BATCH),
    ],
)
def test_a_batch_within_a_time(rates: tuple[float, ...], seconds: float, expected: int) -> None:
    assert paced(*rates).within(seconds) == expected


@given(rates=st.lists(st.floats(50, 1e5), min_size=1, max_size=30), seconds=st.floats(0.001, 1))
def test_at_the_speed_of_the_last_batch_it_ends_in_time(rates: list[float], seconds: float) -> None:
    assert paced(*rates).within(seconds) / rates[-1] <= seconds * (1 + 1e-9)


@pytest.mark.parametrize(
    ("visits", "expected"),
    [
        ([], (0, 0)),
        ([3], (math.inf, 0)),
        ([1, 5, 3], (5, 3)),
        ([4, 4], (4, 4)),
        ([0, 0, 2], (2, 0)),
    ],
)
def test_the_first_two_of_a_race(visits: list[int], expected: tuple[float, float]) -> None:
    assert first_two(np.array(visits)) == expected
