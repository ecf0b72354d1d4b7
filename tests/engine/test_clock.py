"""Time: what a budget is made of, and that no clock runs out, whatever the machine does."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings, strategies as st

from montego.engine.clock import (
    DEFAULT_SIMULATIONS,
    INSTANT,
    SIMULATIONS_IN_NEED,
    STALL,
    Absolute,
    Canadian,
    Clock,
    Fischer,
    Japanese,
    Left,
    NoLimit,
    TimeSystem,
    gtp_system,
    is_too_short,
    parse_system,
)
from montego.go import BLACK, WHITE
from montego.mcts.found import Budget

AREA = 81


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (Clock(), Budget(simulations=DEFAULT_SIMULATIONS)),
        (Clock(simulations=50), Budget(simulations=50)),
        (Clock(seconds=2.0), Budget(seconds=2.0, longest=2.0)),
        (Clock(simulations=50, seconds=2.0), Budget(50, seconds=2.0, longest=2.0)),
    ],
)
def test_without_a_time_limit_the_limits_of_a_move_hold(clock: Clock, expected: Budget) -> None:
    assert clock.start(BLACK, AREA, 0) == expected


def test_a_limit_of_a_move_holds_under_a_clock_too() -> None:
    budget = Clock(simulations=50, seconds=0.5, system=Absolute(3600)).start(BLACK, AREA, 0)
    assert budget == Budget(simulations=50, seconds=0.5, longest=0.5)


@pytest.mark.parametrize(
    ("system", "left", "least", "most"),
    [
        (Absolute(300), Left(300), 5, 9),
        (Absolute(300), Left(1), 0, 0.1),
        (Canadian(0, 30, 10), Left(30, 10), 2.5, 3),
        (Canadian(600, 30, 10), Left(600), 10, 20),
        (Canadian(600, 30, 10), Left(0.5), 2.5, 3.1),
        (Japanese(0, 10, 5), Left(10, 5), 8.9, 9.5),
        (Japanese(60, 10, 5), Left(60), 9, 15),
        (Fischer(60, 5), Left(60), 4, 10),
        (Fischer(60, 5), Left(2), 1, 1.9),
    ],
)
def test_targets_are_sensible(system: TimeSystem, left: Left, least: float, most: float) -> None:
    clock = Clock(system=system)
    clock.set_left(BLACK, left)
    budget = clock.start(BLACK, AREA, 0)
    assert budget.seconds is not None
    assert least <= budget.seconds <= most


def test_without_time_a_few_simulations_remain_and_in_the_end_one() -> None:
    clock = Clock(system=Absolute(10))
    clock.set_left(BLACK, Left(0.5))
    few = clock.start(BLACK, AREA, 0)
    assert few.simulations == SIMULATIONS_IN_NEED
    assert few.seconds is not None
    assert INSTANT < few.seconds < 0.5 / 40
    clock.set_left(BLACK, Left(0.0))
    assert clock.start(BLACK, AREA, 0) == Budget(SIMULATIONS_IN_NEED, INSTANT, INSTANT)


def test_what_a_short_clock_allows_is_used() -> None:
    """Half of a second is no time for the usual overhead of a move, but for some search."""
    budget = Clock(system=Absolute(0.5)).start(BLACK, AREA, 0)
    assert budget.seconds is not None
    assert 0.005 < budget.seconds < 0.5 / 40


@pytest.mark.parametrize(
    ("system", "size", "expected"),
    [
        (NoLimit(), 25, False),
        (Absolute(0.3), 9, False),
        (Absolute(0.3), 19, True),
        (Absolute(5), 19, False),
        (Fischer(0.2, 0.05), 19, False),
        (Fischer(1, 0, 1, 0), 9, True),
        (Canadian(0, 0.01, 25), 9, True),
        (Canadian(0, 5, 25), 19, False),
        (Japanese(0, 0.0005, 3), 9, True),
        (Japanese(0, 0.5, 1), 19, False),
    ],
)
def test_times_in_which_no_game_can_be_played(
    system: TimeSystem, size: int, expected: bool
) -> None:
    assert is_too_short(system, size**2) == expected


@pytest.mark.parametrize(
    ("main", "byo_yomi", "stones", "expected"),
    [
        (0, 0, 0, NoLimit()),
        (0, 10, 0, NoLimit()),
        (600, 10, 0, NoLimit()),
        (600, 0, 0, Absolute(600)),
        (600, 0, 5, Absolute(600)),
        (600, 30, 5, Canadian(600, 30, 5)),
        (0, 5, 1, Canadian(0, 5, 1)),
    ],
)
def test_time_settings(main: float, byo_yomi: float, stones: int, expected: TimeSystem) -> None:
    assert gtp_system(main, byo_yomi, stones) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", NoLimit()),
        ("absolute 300", Absolute(300)),
        ("byoyomi 300 30 5", Japanese(300, 30, 5)),
        ("canadian 300 30 5", Canadian(300, 30, 5)),
        ("fischer 300 10", Fischer(300, 10)),
        ("fischer-capped 300 10 600 60", Fischer(300, 10, 600, 60)),
        ("byoyomi 300 30 0", Absolute(300)),
    ],
)
def test_named_systems(text: str, expected: TimeSystem) -> None:
    name, *numbers = text.split()
    assert parse_system(name, numbers) == expected


@pytest.mark.parametrize(
    "text",
    ["hourglass 5", "absolute", "absolute x", "absolute -1", "absolute inf", "canadian 1 2",
     "byoyomi 1 nan 3", "fischer 1 " + "9" * 400],
)  # fmt: skip
def test_bad_systems(text: str) -> None:
    name, *numbers = text.split()
    with pytest.raises(ValueError, match=r"."):
        parse_system(name, numbers)


@pytest.mark.parametrize(
    ("system", "spent", "left"),
    [
        (Absolute(60), [10, 20], Left(30)),
        (Fischer(60, 5), [10, 3], Left(57)),
        (Fischer(60, 5, 61), [1], Left(61)),
        (Canadian(10, 30, 3), [4], Left(6)),
        (Canadian(10, 30, 3), [12], Left(28, 3)),
        (Canadian(0, 30, 3), [5, 5], Left(20, 1)),
        (Canadian(0, 30, 3), [5, 5, 5], Left(30, 3)),
        (Japanese(10, 30, 3), [4], Left(6)),
        (Japanese(10, 30, 3), [12], Left(30, 3)),
        (Japanese(0, 30, 3), [29, 29], Left(30, 3)),
        (Japanese(0, 30, 3), [35], Left(30, 2)),
    ],
)
def test_what_is_left(system: TimeSystem, spent: list[float], left: Left) -> None:
    now = 0.0
    clock = Clock(system=system, now=lambda: now)
    for seconds in spent:
        clock.start(WHITE, AREA, 0)
        now += seconds
        clock.stop(WHITE)
    assert clock.left(WHITE) == left
    assert clock.left(BLACK) == system.start()


@pytest.mark.parametrize(
    ("part", "searched", "late"),
    [
        (1.0, None, 0.3),  # of the target: all beyond it may be a delay
        (1.0, 1.0, 0.3),
        (1.5, 1.5, 0.3),  # a search that went on
        (2.5, None, 0.3),
        (2.5, 2.6, None),  # a search that was late itself
    ],
)
def test_what_a_move_takes_besides_its_search_is_a_delay(
    part: float, searched: float | None, late: float | None
) -> None:
    """By parts of a target of about eight seconds, and 0.3 seconds of waiting."""
    now = 0.0
    clock = Clock(system=Absolute(300), now=lambda: now)
    budget = clock.start(BLACK, AREA, 0)
    assert budget.seconds is not None
    took = budget.seconds * max(part, searched or 0)
    now = took + 0.3
    clock.stop(BLACK, None if searched is None else budget.seconds * searched)
    expected = now - (budget.longest or 0) if late is None else late
    assert clock.lag == pytest.approx(expected)


MOVES = 150
SYSTEMS = st.one_of(
    st.builds(Absolute, st.floats(2 * MOVES * STALL, 3600)),  # half of it may go in stalls
    st.builds(Canadian, st.floats(0, 600), st.floats(30, 300), st.integers(1, 25)),
    st.builds(Japanese, st.floats(0, 600), st.floats(1, 60), st.integers(1, 5)),
    st.builds(Fischer, st.floats(2, 600), st.floats(1, 30)),
)


@settings(max_examples=200, deadline=None)
@given(
    system=SYSTEMS,
    seed=st.integers(0, 2**32),
    stalls=st.floats(0, 1),
    slowness=st.floats(1.0, 1.04),
    told=st.booleans(),
    greed=st.booleans(),
    search_is_told=st.booleans(),
)
def test_no_clock_runs_out_on_a_slow_machine(
    system: TimeSystem, seed: int, stalls: float, slowness: float, told: bool, greed: bool,
    search_is_told: bool,
) -> None:  # fmt: skip
    """Every move takes the whole of what is allowed and more, and stalls at any moment."""
    now, rng = 0.0, random.Random(seed)
    clock = Clock(system=system, now=lambda: now)
    referee = system.start()
    for number in range(MOVES):
        delay = STALL if rng.random() < stalls else rng.uniform(0, STALL / 4)
        if told:
            clock.set_left(BLACK, referee)
        budget = clock.start(BLACK, 361, 2 * number)
        allowed = (budget.longest if greed else None) or budget.seconds or 0.0
        searched = allowed * slowness
        spent = searched + delay
        now += spent
        clock.stop(BLACK, searched if search_is_told else None)
        referee = system.after(referee, spent)
        assert math.isfinite(referee.seconds)
        assert referee.seconds >= 0
        if isinstance(system, Japanese) and referee.stones:
            assert referee.stones == system.periods
