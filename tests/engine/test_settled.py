"""When a game is decided: boards where it is, and boards where one more move would matter."""

from __future__ import annotations

import pytest

from montego.engine import manners
from montego.engine.manners import Turn, may_pass
from montego.engine.settled import Verifier
from montego.go import BLACK, WHITE, Position
from montego.go.rules import Rules
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.engine.test_status import WALL
from tests.engine.test_traps import KO, SEKI


def at(diagram: str, lead: float, winner: int) -> Position:
    """A position in which this player is ahead by so much, as the stones stand."""
    drawn = Position.from_diagram(diagram)
    area = drawn.score() + drawn.komi
    komi = area - lead if winner == BLACK else area + lead
    return Position.from_diagram(diagram, rules=Rules(komi=komi))


@pytest.mark.parametrize("winner", [BLACK, WHITE])
def test_two_walls_are_settled(winner: int) -> None:
    position = at(WALL, lead=8.0, winner=winner)
    assert Verifier().is_settled(position, winner)
    assert Verifier().holds(position, winner)
    assert not Verifier().is_settled(position, BLACK + WHITE - winner)


def test_an_empty_board_is_not() -> None:
    for winner in (BLACK, WHITE):
        assert not Verifier().is_settled(Position.start(9), winner)
        assert not Verifier().holds(Position.start(9), winner)


@pytest.mark.parametrize("kind", SEKI)
@pytest.mark.parametrize("winner", [BLACK, WHITE])
def test_a_seki_holds_but_two_moves_in_a_row_break_it(kind: str, winner: int) -> None:
    position = at(SEKI[kind][0], lead=1.0, winner=winner)
    assert Verifier().holds(position, winner)
    assert not Verifier().is_settled(position, winner)


SHORT_OF_A_LIBERTY = """
    X X O O X X O O
    . X O O X X O .
    X X O . X X O O
    X X O O X X . O
    X X O O X X O O
    . X O O X X O .
    X X O O . X O O
    X X O O X X O O
"""
"""Black has one outside: White is captured, or takes it for seki."""


def test_a_race_that_ends_in_seki_after_one_move_is_not_settled() -> None:
    """Two moves in a row would be no gift: White's second one spoils the seki."""
    position = Position.from_diagram(SHORT_OF_A_LIBERTY, rules=Rules(komi=5.5))
    assert not Verifier().is_settled(position, BLACK)
    assert Verifier().is_settled(position.play("D6").play("pass").play("E2"), BLACK)


def test_a_ko_that_decides_is_not_settled() -> None:
    position = at(KO, lead=2.0, winner=BLACK)  # White may take it twice
    assert not Verifier().is_settled(position, BLACK)


def test_without_time_nothing_is_settled() -> None:
    position = at(WALL, lead=8.0, winner=WHITE)
    assert not Verifier().is_settled(position, WHITE, seconds=1e-6)


def test_who_has_no_time_to_look_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the playouts with which the look begins are run: they would take too long."""
    position = at(WALL, lead=8.0, winner=WHITE).with_to_play(WHITE)
    found = LocalSearch(RECIPES["montego"], memory_mb=16).run(position, Budget(simulations=500))
    assert may_pass(Turn(position, WHITE, found, seconds=None), Verifier())
    assert may_pass(Turn(position, WHITE, found, seconds=60.0), Verifier())
    monkeypatch.setattr(manners, "judge", None)
    assert not may_pass(Turn(position, WHITE, found, seconds=found.seconds / 10), Verifier())
