"""The engine with a search that does as it is told: passing, resigning, records, settings."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

import montego
from montego.engine.answer import Answer
from montego.engine.clock import Absolute
from montego.engine.engine import Engine
from montego.go import BLACK, PASS, WHITE, GoError, Rules, parse_move, vertex
from montego.go.position import Position
from tests.engine.test_status import WALL
from tests.fake_search import all_of, fake_engine, play_all


def set_up(engine: Engine, diagram: str, to_play: int, komi: float = 7.5) -> None:
    """Let a game start from a drawing."""
    drawn = Position.from_diagram(diagram)
    engine.set_up(drawn.stones(BLACK), drawn.stones(WHITE), to_play)
    engine.set_komi(komi)


# --- the game --------------------------------------------------------------------------


def test_the_package_offers_it() -> None:
    assert montego.Engine is Engine
    with pytest.raises(AttributeError, match="no attribute 'Motor'"):
        montego.Motor  # noqa: B018


def test_importing_the_package_loads_nothing() -> None:
    program = "import sys, montego; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False False\n"


def test_play_undo_and_a_generated_move() -> None:
    engine, search = fake_engine(script="C3")
    engine.play("E5")
    answer = engine.genmove()
    assert isinstance(answer, Answer)
    assert (answer.vertex, answer.resigned, answer.win_rate) == ("C3", False, 0.6)
    assert [vertex(move, 9) for _, move in engine.position.moves] == ["E5", "C3"]
    engine.undo()
    assert len(engine.position.moves) == 1
    assert len(search.budgets) == 1


def test_a_move_out_of_turn_is_searched_for_the_right_player() -> None:
    engine, search = fake_engine(script="C3")
    engine.play("E5")
    engine.genmove("black")
    assert search.positions[0].to_play == BLACK
    assert engine.position.moves[-1] == (BLACK, parse_move("C3", 9))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda engine: engine.play("E5"),
        lambda engine: engine.play("Z1"),
        lambda engine: engine.new_game(20),
        lambda engine: engine.set_komi(float("nan")),
        lambda engine: engine.handicap(2),
        lambda engine: engine.handicap_at(["A1", "B1"]),
        lambda engine: engine.load_sgf("/no/such/file.sgf"),
        lambda engine: engine.set_up(["A1"], ["A1"]),
        lambda engine: engine.genmove("purple"),
        lambda engine: engine.set_parameters({"manners.resign": "0", "no.such": "1"}),
        lambda engine: engine.set_parameters({"manners.ponder": "perhaps"}),
        lambda engine: engine.set_recipe("no-such"),
        lambda engine: engine.set_parameters({"manners.resign_value": "nan"}),
        lambda engine: engine.set_parameters({"manners.resign_times": "0"}),
        lambda engine: engine.set_parameters({"selection.c": "inf"}),
        lambda engine: engine.set_parameters({"selection.c": "-1"}),
    ],
)
def test_a_mistake_changes_nothing(mistake: object) -> None:
    engine, _ = fake_engine()
    engine.play("E5")
    before, parameters = engine.position, engine.parameters()
    with pytest.raises(ValueError, match=r"."):
        mistake(engine)  # type: ignore[operator]
    assert engine.position is before
    assert engine.parameters() == parameters


def test_handicap() -> None:
    engine, _ = fake_engine()
    assert sorted(engine.handicap(3)) == ["C3", "C7", "G7"]
    assert engine.position.to_play == WHITE
    engine.new_game(5)
    assert len(engine.handicap(2, free=True)) == 2


def test_rules_can_change_while_they_allow_the_game() -> None:
    engine, _ = fake_engine(size=3)
    engine.set_rules(Rules(suicide=True, superko="simple"))
    play_all(engine, ["B1", "pass", "A2", "A1"])
    with pytest.raises(GoError, match="suicide"):
        engine.set_rules(Rules(suicide=False, superko="simple"))
    assert engine.position.rules.suicide
    engine.undo()
    engine.set_rules(Rules(suicide=False, superko="simple"))
    assert len(engine.position.moves) == 3


# --- passing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to_play", "komi", "script", "value", "cleanup", "expected"),
    [
        (WHITE, 7.5, "pass", 0.9, False, "pass"),  # it wins
        (WHITE, 7.5, "pass", 0.2, False, "pass"),  # the same, though the search is not so sure
        (WHITE, 7.5, "A2", 0.9, False, "pass"),  # all is decided: no need to fill
        (BLACK, -20.0, "H9", 0.9, False, "pass"),  # the same for the other side
        (BLACK, -20.0, "H9", 0.9, True, "B3"),  # but the dead stone is to be captured first
        (BLACK, 7.5, "pass", 0.9, False, "not pass"),  # never into a loss
        (BLACK, 7.5, "H9", 0.9, False, "H9"),
        (BLACK, 7.5, "H9", -0.95, False, "pass"),  # what is lost beyond doubt ends too
        (WHITE, 7.5, "pass", 0.9, True, "pass"),  # no dead enemy stones for White to capture
    ],
)
@pytest.mark.parametrize("passed_before", [False, True])
def test_passing(
    to_play: int,
    komi: float,
    script: str,
    value: float,
    cleanup: bool,
    expected: str,
    passed_before: bool,
) -> None:
    from montego.engine.status import judge

    ownership = judge(Position.from_diagram(WALL)).ownership
    engine, _ = fake_engine(script=script, ownership=ownership, value=value)
    set_up(engine, WALL, BLACK + WHITE - to_play if passed_before else to_play, komi)
    if passed_before:
        engine.play("pass")
    answer = engine.genmove(cleanup=cleanup)
    if expected == "not pass":
        assert answer.move != PASS
    else:
        assert answer.vertex == expected


@pytest.mark.parametrize("passed_before", [False, True])
@pytest.mark.parametrize("script", ["pass", "E5"])
def test_nobody_passes_on_an_open_board(script: str, passed_before: bool) -> None:
    """Whatever the search says of its chances and of the points."""
    engine, _ = fake_engine(script=script, ownership=all_of(WHITE, 9), value=0.99)
    play_all(engine, ["C3", "G7", "D4", "F6", "C7", "F7"])
    if passed_before:
        engine.play("pass")
    assert engine.genmove("white").move != PASS


def white_walls(rows: str) -> Engine:
    """White has the whole board, half of it empty."""
    engine = Engine(size=7, simulations=100, memory_mb=16)
    set_up(engine, rows, BLACK)
    return engine


def test_a_finished_game_on_an_open_board_ends_when_the_opponent_passes() -> None:
    engine = white_walls(
        """
        . . . . . . .
        . O . . . O .
        O O O O O O O
        . . . . . . .
        O O O O O O O
        . O . . . O .
        . . . . . . .
        """
    )
    engine.play("pass", "black")
    assert engine.genmove("white").vertex == "pass"


def test_an_opponent_who_insists_ends_a_settled_game() -> None:
    """Black lives in a corner; the border is not closed, and Black passes and passes."""
    engine = white_walls(
        """
        . X . X O . .
        X X X X O . .
        . . . . O . .
        O O O O O . .
        . . . . . . .
        . O . . . O .
        . . . . . . .
        """
    )
    answers = []
    for _ in range(3):
        engine.play("pass", "black")
        answers.append(engine.genmove("white").vertex)
    assert answers[0] != "pass"
    assert answers[2] == "pass"


def test_manners_can_ask_for_a_clean_board() -> None:
    engine, _ = fake_engine(script="pass pass pass", ownership=all_of(BLACK, 9))
    set_up(engine, WALL, BLACK, -20)
    engine.set_parameters({"manners.cleanup": "true"})
    moves = []
    while (answer := engine.genmove("b")).move != PASS:
        moves.append(answer.vertex)
        assert len(moves) < 6
    assert moves
    assert engine.position.color_at("A3") != WHITE


def test_after_two_passes_it_can_still_clean_up() -> None:
    engine, search = fake_engine(script="pass", ownership=all_of(BLACK, 9))
    set_up(engine, WALL, BLACK, -20)
    play_all(engine, ["pass", "pass"])
    assert engine.genmove("b", cleanup=True).vertex in ("A2", "B3", "B2")
    assert not search.positions[0].is_over


def test_a_pass_is_played_if_nothing_is_left() -> None:
    engine, _ = fake_engine(size=2, script="pass")
    set_up(engine, "X .\n . X", WHITE, komi=0.5)
    assert engine.position.legal() == []
    assert engine.genmove().vertex == "pass"


# --- resigning -------------------------------------------------------------------------


def moves_until_resignation(engine: Engine, color: str, most: int = 40) -> int | None:
    """Let it generate moves while the opponent passes; how many it played, or None."""
    for number in range(most):
        if engine.genmove(color).resigned:
            return number
        engine.play("pass", "w" if color == "b" else "b")
    return None


@pytest.mark.parametrize(
    ("settings", "told", "expected"),
    [
        ({}, {"value": -0.95}, 13),  # a quarter of 81 points is full, three times in a row
        ({}, {"value": -0.5}, None),
        ({}, {"value": -0.95, "simulations": 100}, None),
        ({"manners.resign": "false"}, {"value": -0.95}, None),
        ({"manners.resign_times": 1}, {"value": -0.95}, 11),
        ({"manners.resign_fill": 0.0}, {"value": -0.95}, 2),
        ({"manners.resign_value": "-0.4"}, {"value": -0.5}, 13),
    ],
)
def test_resigning(settings: dict[str, str], told: dict[str, Any], expected: int | None) -> None:
    engine, _ = fake_engine(**told)
    engine.set_parameters(settings)
    before = len(engine.position.moves)
    assert moves_until_resignation(engine, "b", 20) == expected
    assert (engine.result == "W+R") == (expected is not None)
    assert before == 0


def test_white_plays_on_in_a_handicap_game() -> None:
    engine, _ = fake_engine(value=-0.95)
    engine.handicap(4)
    assert moves_until_resignation(engine, "w", 20) is None


def test_resigning_plays_no_move_and_is_in_the_record() -> None:
    engine, _ = fake_engine(value=-0.95)
    engine.set_parameters({"manners.resign_fill": 0, "manners.resign_times": 1})
    assert engine.genmove().vertex == "resign"
    assert engine.position.moves == []
    assert "RE[W+R]" in engine.sgf_text()


# --- thinking and settings -------------------------------------------------------------


def test_a_search_plays_nothing_and_is_remembered() -> None:
    engine, search = fake_engine(script="C3")
    assert engine.search().vertex == "C3"
    assert engine.search().vertex == "C3"
    assert len(search.budgets) == 1
    assert engine.position.moves == []
    engine.play("A1")
    engine.search()
    assert len(search.budgets) == 2


def test_an_analysis_goes_on_until_it_is_stopped() -> None:
    engine, _ = fake_engine(script="C3", reports=100)
    told: list[int] = []
    engine.analyse(lambda found: len(told.append(found.move) or told) < 5, "w")  # type: ignore[func-returns-value]
    assert len(told) == 5
    assert engine.position.moves == []


def test_the_clock_gives_the_budget_and_runs() -> None:
    engine, search = fake_engine()
    engine.set_time(Absolute(60))
    engine.genmove()
    assert search.budgets[0].seconds is not None
    assert engine.clock.left(BLACK).seconds < 60
    assert engine.clock.left(WHITE).seconds == 60
    engine.clear()
    assert engine.clock.left(BLACK).seconds == 60


def test_parameters() -> None:
    engine, _ = fake_engine()
    assert "manners.resign_value" in engine.parameters()
    name, value = next(
        (n, v) for n, v in engine.recipe.parameters().items() if isinstance(v, float)
    )
    engine.set_parameters({name: str(value / 2), "manners.resign_value": "-0.9"})
    assert engine.parameters()[name] == pytest.approx(value / 2)
    assert engine.parameters()["manners.resign_value"] == -0.9


def test_a_record_with_win_rates(tmp_path: Path) -> None:
    engine, _ = fake_engine(script="C3 D4")
    engine.play("E5")
    engine.genmove()
    engine.play("A1")
    path = tmp_path / "game.sgf"
    engine.save_sgf(path, black="You")
    text = path.read_text()
    assert all(part in text for part in ("PB[You]", "PW[Montego]", "C[W 60.0% (500 of 1,000"))
    moves = engine.position.moves
    engine.clear()
    engine.load_sgf(path)
    assert engine.position.moves == moves
    engine.load_sgf(path, 2)
    assert len(engine.position.moves) == 1
    engine.undo()
    assert "60.0%" not in engine.sgf_text()


def test_the_real_search_plays_a_short_game() -> None:
    engine = Engine(size=5, seed=1, simulations=200)
    for _ in range(6):
        assert not engine.genmove().resigned or engine.result
    assert len(engine.position.moves) >= 5


def test_an_engine_that_nobody_needs_is_freed_at_once() -> None:
    """Its tree may be large, and the collector of garbage counts objects, not bytes."""
    engine = Engine(simulations=2, memory_mb=2)
    engine.genmove()
    search = weakref.ref(engine._search)
    gc.disable()
    try:
        del engine
        assert search() is None
    finally:
        gc.enable()
