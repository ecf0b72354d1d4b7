"""Flat Monte Carlo on positions where one move is plainly best."""

from __future__ import annotations

from montego.go import Position
from montego.go.points import vertex
from montego.kernels.board import PASS
from montego.mcts.flat import flat_search
from montego.mcts.playouts import Mogo, Uniform

CAPTURE_OR_DIE = Position.from_diagram(
    """
    X X X X .
    . X . X .
    O O O O O
    X X X X X
    . O O O O
    """,
    to_play="white",
)


def test_finds_the_capture_that_decides() -> None:
    found = flat_search(CAPTURE_OR_DIE.with_komi(0.5), Uniform(), simulations=3_000, seed=1)
    assert vertex(found.move, 5) == "A1"
    assert found.simulations == 3_000
    assert found.value > 0.5


def test_reproducible_and_bounded_by_time() -> None:
    position = Position.start(5)
    assert flat_search(position, Mogo(), 500, seed=3) == flat_search(position, Mogo(), 500, seed=3)
    assert flat_search(position, Mogo(), seconds=0.05).simulations > 0


def test_passes_when_only_eyes_are_left() -> None:
    alive = Position.from_diagram(". X . X\nX X X X\nX X X X\nX X X X")
    assert flat_search(alive, Uniform(), 100).move == PASS
