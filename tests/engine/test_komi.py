"""Dynamic komi: how much, for whom, until when; and what is told and given up with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from montego.engine.engine import Engine
from montego.engine.komi import DynamicKomi
from montego.engine.manners import Manners, is_hopeless
from montego.go import BLACK, PASS, WHITE, Position, Rules
from montego.go.handicap import fixed_handicap
from montego.mcts.balance import EVEN
from tests.fake_search import fake_engine

LINEAR = DynamicKomi("linear", until=0.5)
VALUE = DynamicKomi("value", until=0.5, low=0.45, step=2.0, most_taken=0.3, most_given=0.05)


def handicap_game(size: int = 19, stones: int = 4, moves: int = 0) -> Position:
    """A handicap game after so many moves, along the lines from the lower edge."""
    position = fixed_handicap(size, stones, Rules(komi=0.5))
    for move in [p for p in position.legal() if p != PASS]:
        if len(position.moves) == moves:
            break
        position = position.play(move)
    return position


def extra(rule: DynamicKomi, game: Position, mover: int) -> float:
    return rule.balance(game, mover, None).extra_komi


# --- how much --------------------------------------------------------------------------


def test_so_many_points_a_stone_and_fewer_from_move_to_move() -> None:
    rule = DynamicKomi("linear", white_stone=8, black_stone=12, until=0.5)
    assert extra(rule, handicap_game(), WHITE) == 32
    assert extra(rule, handicap_game(), BLACK) == 48
    assert extra(rule, handicap_game(moves=90), WHITE) == 16
    assert extra(rule, handicap_game(moves=181), WHITE) == 0


def test_a_smaller_board_has_its_part_of_the_moves() -> None:
    rule = DynamicKomi("linear", white_stone=8, until=0.5)
    assert extra(rule, handicap_game(13), WHITE) == 32
    assert extra(rule, handicap_game(13, moves=85), WHITE) == 0


def test_a_position_that_was_set_up_late_in_a_game_has_the_real_komi() -> None:
    points = [p for p in Position.start(9).legal() if p != PASS]
    early, late = (
        Position.set_up(9, points[:n:2], points[40 : 40 + n : 2], WHITE) for n in (10, 40)
    )
    assert VALUE.balance(early, WHITE, 20.0).extra_komi > 10
    assert VALUE.balance(late, WHITE, 20.0).extra_komi == 0


@pytest.mark.parametrize("rule", ["none", "linear", "value"])
def test_a_game_without_handicap_begins_with_the_real_komi(rule: str) -> None:
    assert extra(DynamicKomi(rule), Position.start(19), WHITE) == 0


def test_none_and_linear_do_not_move_within_a_search() -> None:
    assert DynamicKomi("none").balance(handicap_game(), WHITE, 7.0) is EVEN
    assert LINEAR.balance(handicap_game(), WHITE, 7.0).adjust is None


@pytest.mark.parametrize(
    ("mover", "mean", "expected"),
    [
        (BLACK, -0.5, -2.0),  # Black wins a quarter: takes a step
        (BLACK, 0.0, 0.0),
        (BLACK, 0.5, 2.0),  # three quarters: gives one
        (WHITE, 0.5, 2.0),
        (WHITE, 0.0, 0.0),
        (WHITE, -0.5, -2.0),
    ],
)
def test_a_step_towards_an_even_game(mover: int, mean: float, expected: float) -> None:
    adjust = VALUE.balance(Position.start(19), mover, 0.0).adjust
    assert adjust is not None
    assert adjust(0.0, mean) == expected


@given(
    st.sampled_from([BLACK, WHITE]), st.floats(-500, 500), st.lists(st.floats(-1, 1)),
    st.sampled_from([0, 40, 170, 181, 250]),
)  # fmt: skip
def test_it_stays_within_what_may_be_taken_and_given(
    mover: int, before: float, means: list[float], moves: int
) -> None:
    game = handicap_game(moves=moves)
    balance = VALUE.balance(game, mover, before)
    points, left = balance.extra_komi, max(1 - moves / 180.5, 0)
    for mean in means:
        assert balance.adjust is not None
        points = balance.adjust(points, mean)
    given_away = points if mover == BLACK else -points
    assert -0.3 * 361 * left <= given_away <= 0.05 * 361 * left


def test_who_may_give_nothing_gives_nothing() -> None:
    rule = replace(VALUE, most_given=0.0)
    balance = rule.balance(handicap_game(), BLACK, None)
    assert balance.adjust is not None
    assert (balance.extra_komi, balance.adjust(0.0, 1.0)) == (0, 0)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"komi.rule": "often"}, "rule is one of none, linear, value, not 'often'"),
        ({"komi.until": "-1"}, "until has to be between 0 and 10, not -1.0"),
        ({"komi.points": "1"}, "there is no parameter 'points'"),
        ({"komi.step": "big"}, "'big' is not a value of step"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], told: str) -> None:
    engine = fake_engine()[0]
    before = engine.parameters()
    with pytest.raises(ValueError, match=told):
        engine.set_parameters(changes)
    assert engine.parameters() == before


# --- in the engine ---------------------------------------------------------------------


def engine_with(rule: str, stones: int = 4) -> Engine:
    # With extra komi playouts alone tell the real value: a network has judged by another komi.
    parameters = {"komi.rule": rule, "komi.low": "0.45", "komi.most_taken": "1"}
    engine = Engine(
        "classic", size=9, komi=0.5, simulations=400, memory_mb=16, parameters=parameters, seed=7
    )
    engine.handicap(stones)
    return engine


@pytest.mark.parametrize("rule", ["linear", "value"])
def test_white_sees_an_open_game_and_tells_the_real_one(rule: str) -> None:
    real = engine_with("none").search()
    answer = engine_with(rule).search()
    assert answer.extra_komi > 10
    assert real.extra_komi == 0
    assert answer.balanced_value is not None
    assert answer.balanced_value > answer.value + 0.2
    assert abs(answer.value - real.value) < 0.2
    assert abs(answer.score - real.score) < 12


def test_while_the_game_is_open_the_default_changes_nothing() -> None:
    def visits(**parameters: Any) -> list[list[tuple[int, int]]]:
        engine = Engine(size=7, simulations=80, memory_mb=16, parameters=parameters)
        answers = [engine.genmove() for _ in range(3)]
        return [[(c.move, c.visits) for c in answer.candidates] for answer in answers]

    assert DynamicKomi().rule != "none"
    assert visits() == visits(**{"komi.rule": "none"})


def test_an_analysis_counts_the_real_komi_even_after_a_move() -> None:
    engine = engine_with("linear")
    engine.genmove()
    told = engine.analyse(lambda found: found.simulations < 300, interval=0.0)
    assert told.extra_komi == 0
    assert told.balanced_value == told.value


def test_a_new_game_forgets_the_komi_of_the_last_one() -> None:
    engine = engine_with("value")
    engine.genmove()
    engine.clear()
    assert engine.search().extra_komi == 0


def test_pondering_goes_on_with_the_same_tree() -> None:
    engine = engine_with("linear")
    engine.genmove()
    seen: list[float] = []

    def note(found: Any) -> bool:
        seen.append(found.extra_komi)
        return len(seen) < 3

    engine.ponder(note)
    assert seen[-1] > 10


def test_the_same_seed_plays_the_same_moves() -> None:
    def moves() -> list[str]:
        engine = engine_with("value")
        return [engine.genmove().vertex for _ in range(4)]

    assert moves() == moves()


# --- giving up -------------------------------------------------------------------------


def test_who_gives_a_handicap_does_not_give_up_while_the_game_is_open_with_the_extra_komi() -> None:
    game, manners = handicap_game(9), Manners(resign_fill=0.0, resign_handicap_fill=0.0)
    found = fake_engine()[1]._found(game)
    lost = replace(found, value=-0.95)
    assert is_hopeless(game, WHITE, lost, manners)
    assert is_hopeless(game, WHITE, replace(lost, balanced_value=-0.95), manners)
    assert not is_hopeless(game, WHITE, replace(lost, balanced_value=-0.1), manners)


def test_in_an_even_game_the_real_komi_says_what_is_hopeless() -> None:
    game, manners = Position.start(9), Manners(resign_fill=0.0)
    lost = replace(fake_engine()[1]._found(game), value=-0.95, balanced_value=-0.1)
    assert is_hopeless(game, BLACK, lost, manners)
    assert not is_hopeless(game, BLACK, replace(lost, value=-0.5), manners)


def test_who_is_far_behind_plays_for_an_even_game() -> None:
    playouts_alone = {"network.value": "0"}
    engine = Engine(
        size=9, komi=45.5, simulations=1600, memory_mb=16, parameters=playouts_alone, seed=7
    )
    answer = engine.search()
    assert answer.extra_komi < -5
    assert answer.balanced_value is not None
    assert answer.balanced_value > answer.value


def test_nobody_gives_up_for_extra_komi_that_it_gives() -> None:
    found = fake_engine()[1]._found(Position.start(9))
    won = replace(found, value=0.9, extra_komi=30.0, balanced_value=-0.95)
    assert not is_hopeless(Position.start(9), BLACK, won, Manners(resign_fill=0.0))
