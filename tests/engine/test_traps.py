"""The traps that programs fall into at the end of a game, with the real search.

Every board is settled but for the one thing that a test is about; komi makes that decide.
"""

from __future__ import annotations

import pytest

from montego.engine.engine import Engine
from montego.engine.status import chain_at
from montego.go import BLACK, PASS, WHITE, GoError, Position, parse_move
from montego.go.colors import other_color
from tests.engine.test_status import WALL

SIMULATIONS = 1000

TWO_LIBERTIES = """
    . X O . X O .
    X X O . X O O
    . X O O X O .
    X X X X O O O
    X . X X O . O
    . X X X O O .
    X X X X O O O
    """
"""Neither has an eye; they share two liberties, one beside the other."""
LIBERTIES_APART = """
    . X O . X O .
    X X O X X O O
    . X O . X O .
    X X O O X O O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    """
AN_EYE_EACH = """
    X O O O . X X X O
    X O . O X X . X O
    X O O O X X X X O
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O O
    X X X X O O O O .
    X . X X O O . O O
    X X . X O O O O O
    """
"""Either has an eye of their own; they share one liberty."""
SEKI = {
    "two liberties": (TWO_LIBERTIES, ("C7", "E7")),
    "liberties apart": (LIBERTIES_APART, ("C7", "E7")),
    "an eye each": (AN_EYE_EACH, ("B9", "F9")),
}
"""Boards, and a stone of each side that stands in the seki."""


def engine_at(diagram: str, to_play: int, lead: float, simulations: int = SIMULATIONS) -> Engine:
    """An engine to move, ahead by so much if all stones that stand are counted."""
    drawn = Position.from_diagram(diagram)
    engine = Engine(size=drawn.size, seed=1, simulations=simulations, memory_mb=32)
    engine.set_up(drawn.stones(BLACK), drawn.stones(WHITE), to_play)
    area = drawn.score() + drawn.komi
    engine.set_komi(area - lead if to_play == BLACK else area + lead)
    return engine


def play_out(engine: Engine, most: int = 60) -> None:
    """Let the engine play both sides until both pass or one resigns."""
    for _ in range(most):
        if engine.position.is_over or engine.genmove().resigned:
            return


# --- seki ------------------------------------------------------------------------------


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("kind", SEKI)
@pytest.mark.parametrize("passed_before", [False, True])
def test_a_seki_is_left_alone(kind: str, to_play: int, passed_before: bool) -> None:
    """Who is ahead by a point passes; who touches the seki loses it and the game."""
    engine = engine_at(SEKI[kind][0], to_play, lead=1)
    if passed_before:
        engine.play("pass", other_color(to_play))
    answer = engine.genmove(to_play)
    assert answer.vertex == "pass"
    assert answer.value > 0.8


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("kind", SEKI)
def test_both_sides_live_in_a_seki(kind: str, to_play: int) -> None:
    diagram, stones = SEKI[kind]
    engine = engine_at(diagram, to_play, lead=1)
    status = engine.status()
    for stone in stones:
        chain = chain_at(engine.position, parse_move(stone, engine.position.size))
        assert status.of_chain(chain) == "seki"
    assert status.dead() == []
    assert engine.final_score() == ("B+1" if to_play == BLACK else "W+1")


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("kind", SEKI)
def test_a_broken_seki_is_punished(kind: str, to_play: int) -> None:
    """Behind by a point, until the opponent blunders into it."""
    engine = engine_at(SEKI[kind][0], other_color(to_play), lead=1)
    shared = [
        point
        for point in engine.position.legal()
        if {engine.position.play(point).color_at(stone) for stone in SEKI[kind][1]}
        == {BLACK, WHITE}
    ]
    answers = set[str]()
    for point in shared:
        engine.play(point)
        answer = engine.genmove()
        if engine.position.captured != engine.position.undo().captured:
            answers.add(answer.vertex)
        engine.undo()
        engine.undo()
    assert answers  # at least one of the moves there was a blunder, and was taken


# --- passing while dead stones stand, filling one's own territory ----------------------


def test_the_winner_passes_and_fills_nothing() -> None:
    for to_play, lead in ((BLACK, 20.0), (WHITE, 20.0)):
        engine = engine_at(WALL, to_play, lead)
        assert engine.genmove().vertex == "pass"


def test_dead_stones_are_taken_off_before_the_end_if_asked_to() -> None:
    engine = engine_at(WALL, BLACK, lead=-1.0)  # behind only as long as A3 counts as White's
    engine.set_parameters({"manners.cleanup": "true"})
    while engine.genmove("black").move != PASS:
        engine.play("pass", "white")
        assert len(engine.position.moves) < 20
    assert engine.position.color_at("A3") != WHITE
    assert engine.position.score() > 0


def test_its_own_dead_stones_do_not_deceive_it() -> None:
    """White leads on the board as it stands; without the dead stone White is behind."""
    engine = engine_at(WALL, WHITE, lead=1.0)
    engine.play("pass", "black")
    assert engine.genmove("white").value < -0.8
    play_out(engine)
    assert engine.final_score().startswith("B+")


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_the_loser_does_not_kill_its_own_stones(to_play: int) -> None:
    engine = engine_at(WALL, to_play, lead=-30.0, simulations=200)
    engine.set_parameters({"manners.resign": "false"})
    play_out(engine)
    assert engine.position.is_over
    for stone, color in (("D5", BLACK), ("E5", WHITE)):
        assert engine.position.color_at(stone) == color
    assert engine.final_score().startswith("W" if to_play == BLACK else "B")


# --- ko --------------------------------------------------------------------------------

KO = """
    . X X O O O .
    X X . X O . O
    . X X O O O O
    X X X X O O O
    X . X X O . O
    X X X O . O O
    . X X O . O O
    """
"""White takes at C6; Black's threat is to cut the two stones at D1 off, at E1 or E2.

The ko is worth four points and decides; the two stones are worth eight."""


def after_the_capture() -> Engine:
    engine = engine_at(KO, WHITE, lead=-2.0)
    engine.play("C6")
    return engine


def test_a_ko_cannot_be_retaken_at_once() -> None:
    engine = after_the_capture()
    before = engine.position
    with pytest.raises(GoError, match="ko"):
        engine.play("D6", "black")
    assert engine.position is before
    assert engine.genmove().vertex != "D6"


def test_a_ko_threat_is_played_and_the_ko_is_won() -> None:
    engine = after_the_capture()
    answer = engine.genmove()
    assert answer.vertex in ("E1", "E2")
    assert answer.value > 0.8
    play_out(engine)
    assert engine.final_score().startswith("B+")


def test_a_ko_is_closed_while_it_can_be() -> None:
    engine = engine_at(KO, WHITE, lead=-2.0)
    engine.play("E2")  # White does away with the threat instead of taking
    assert engine.genmove().vertex == "C6"
    play_out(engine)
    assert engine.final_score().startswith("B+")


# --- two passes ------------------------------------------------------------------------


def test_two_passes_end_the_game_with_its_score() -> None:
    engine = engine_at(WALL, WHITE, lead=20.0)
    engine.play("pass", "black")
    assert engine.genmove("white").vertex == "pass"
    assert engine.position.is_over
    assert engine.result == engine.final_score()
    assert engine.result.startswith("W+")


def test_a_pass_of_the_opponent_is_answered_if_passing_would_lose() -> None:
    """The last neutral point decides."""
    board = WALL.replace("X X X X O O O O O", "X X X X . O O O O", 1).replace("O . X X", ". . X X")
    engine = engine_at(board, BLACK, lead=-0.5)
    engine.play("pass", "white")
    assert engine.genmove("black").vertex == "E5"
    play_out(engine)
    assert engine.final_score() == "B+0.5"


def test_a_dead_stone_need_not_be_captured() -> None:
    """Black is behind only as long as the dead stone stands, and White has passed."""
    board = TWO_LIBERTIES.replace("X X X X O O O\n    X .", "X X X X O O O\n    O .", 1)
    engine = engine_at(board, BLACK, lead=-1.0)
    engine.play("pass", "white")
    play_out(engine)
    assert engine.final_score().startswith("B+")
    assert engine.status().chains("seki")
