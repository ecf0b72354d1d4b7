"""Life and death by playouts on boards where there is no doubt."""

from __future__ import annotations

import pytest

from montego.engine.status import chain_at, chains, judge, liberties
from montego.go import BLACK, WHITE, Position, parse_move, vertex

WALL = """
    . X . X O . O . .
    X X X X O O O . O
    . X . X O . O O O
    X X X X O . . O .
    X X X X O O O O O
    X X X X O O . O .
    O . X X O O O O O
    . . X X O . O . O
    X X X X O O O O .
    """
"""Black lives on the left with a dead white stone at A3, White on the right."""


def test_chains_and_liberties() -> None:
    position = Position.from_diagram("X X .\n O . X\n . O X")
    named = [sorted(vertex(p, 3) for p in chain) for chain in chains(position)]
    assert named == [["A3", "B3"], ["A2"], ["C1", "C2"], ["B1"]]
    chain = chain_at(position, parse_move("A3", 3))
    assert sorted(vertex(p, 3) for p in liberties(position, chain)) == ["B2", "C3"]


def test_a_decided_board() -> None:
    status = judge(Position.from_diagram(WALL), seed=1)
    assert [vertex(p, 9) for p in status.dead()] == ["A3"]
    assert status.dead(BLACK) == []
    assert len(status.dead(WHITE)) == 1
    assert status.chains("seki") == []
    assert len(status.chains("alive")) == len(chains(status.position)) - 1
    assert status.cleared().score() == 36 - 45 - 7.5


def test_a_stone_at_the_edge_of_its_own_territory_is_not_dead() -> None:
    """White can take B1, but what is behind it is Black's, and open to White without it."""
    position = Position.from_diagram(
        """
        X X X . . X O O .
        O X X X X . X O .
        O O O O O X X O O
        O . O X X X O . O
        O O O O X O O O O
        O . O X . X O X O
        . O X X X X X X X
        O O X . . . . . .
        O X . . . . . . .
        """
    )
    status = judge(position, seed=1)
    assert status.dead() == []
    assert status.cleared().score() == -0.5


def test_a_large_territory_with_a_dead_stone_is_kept() -> None:
    """Playouts alone lose it too often."""
    position = Position.from_diagram(". . X O .\n. . X O .\n. O X O O\n. . X O .\n. . X O .")
    assert [vertex(p, 5) for p in judge(position).dead()] == ["B3"]


def test_a_finished_game_is_judged_as_if_it_went_on() -> None:
    position = Position.from_diagram(WALL).play("pass").play("pass")
    assert position.is_over
    assert len(judge(position).dead()) == 1


@pytest.mark.parametrize(("color", "score"), [(BLACK, 36 - 45 - 7.5), (WHITE, 45 - 36 + 7.5)])
def test_the_secure_score_is_the_score_if_nothing_is_open(color: int, score: float) -> None:
    assert judge(Position.from_diagram(WALL)).secure_score(color) == score


def test_nothing_is_secure_on_an_empty_board() -> None:
    status = judge(Position.start(9))
    assert status.secure_score(BLACK) < 0
    assert status.secure_score(WHITE) < 0


def test_one_seed_one_answer() -> None:
    position = Position.start(9).play("E5")
    assert (judge(position, seed=3).ownership == judge(position, seed=3).ownership).all()


INVADED = """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . X . O . O O O . . . . .
    . . X O O X O . O O . . .
    . . . O X X X O O . . . .
    . O O O . X X O X O O O .
    O . O X X X . X X X X O O
    O O X . . . . . . X O X X
    O X X . . . X X . . . X .
    O O X X X X X O X X X . .
    X X . X O X O O O O X . .
    . . X O O O . O . . O X .
    . . X O . . O . . O . X .
    """


@pytest.mark.parametrize("seed", range(5))
def test_stones_that_are_alone_in_a_large_territory_are_dead(seed: int) -> None:
    """Playouts are in doubt about B11 and C10, and White's territory depends on them."""
    status = judge(Position.from_diagram(INVADED), seed)
    assert [vertex(p, 13) for p in status.dead()] == ["B11", "C10", "L6"]
