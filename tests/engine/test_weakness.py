"""What a weak player plays, and that it does not pass or fill eyes for want of strength."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from montego.engine.engine import Engine
from montego.engine.manners import Manners, Turn
from montego.engine.weakness import drawn, obvious_move, played_by_chance
from montego.go import PASS, Position, parse_move, vertex
from montego.mcts.found import Candidate, Found


def candidate(name: str, visits: int, prior: float = 0.0) -> Candidate:
    move = parse_move(name, 5)
    return Candidate(move, visits, 0.0, prior, (move,), is_open=True)


CANDIDATES = [candidate("C3", 80), candidate("B2", 20), candidate("D4", 0)]


def found(candidates: list[Candidate]) -> Found:
    return Found(candidates[0].move, 0.0, 1, 1, 0.1, tuple(candidates), (), np.zeros((5, 5)))


def shares(temperature: float) -> dict[str, float]:
    dice, weights = Random(1), [c.visits for c in CANDIDATES]
    moves = (drawn(CANDIDATES, weights, temperature, dice) for _ in range(4_000))
    return {vertex(move, 5): count / 4_000 for move, count in Counter(moves).items()}


def test_moves_are_drawn_by_their_weights() -> None:
    assert shares(0) == {"C3": 1}
    assert shares(1) == pytest.approx({"C3": 0.8, "B2": 0.2}, abs=0.03)
    assert shares(2) == pytest.approx({"C3": 2 / 3, "B2": 1 / 3}, abs=0.03)
    assert drawn(CANDIDATES, [0, 0, 0], 1, Random(1)) == PASS
    assert drawn([], [], 1, Random(1)) == PASS


def position(rows: str, to_play: str = "black") -> Position:
    """A board of five rows from the top."""
    places = {"X": [], "O": []}  # type: dict[str, list[str]]
    for number, row in enumerate(rows.split()):
        for letter, sign in zip("ABCDE", row, strict=True):
            if sign in places:
                places[sign].append(f"{letter}{5 - number}")
    return Position.set_up(5, places["X"], places["O"], to_play)


TAKE = "..... XOX.. XOX.. .X... ....."
SAVE = "..... OXO.. OXO.. .O... ....."


@pytest.mark.parametrize(
    ("rows", "seen"),
    [
        (TAKE, "B5"),
        (SAVE, "B5"),
        (".O... .XO.. OXO.. .O... .....", "pass"),  # A4 leaves it in atari
        ("..... ..... ..... O.... X.O..", "pass"),  # in atari, and cannot be saved
        ("..... .X... ..... ...O. .....", "pass"),
    ],
)
def test_what_is_obvious(rows: str, seen: str) -> None:
    board = position(rows)
    assert vertex(obvious_move(board, 1.0, Random(1)), 5) == seen
    assert obvious_move(board, 0.0, Random(1)) == PASS


def test_more_stones_are_seen_more_often() -> None:
    def rate(rows: str) -> float:
        seen = (obvious_move(position(rows), 0.4, Random(n)) != PASS for n in range(1_000))
        return sum(seen) / 1_000

    assert rate("..... ..X.. .XOX. ..... .....") == pytest.approx(0.4, abs=0.05)
    assert rate(TAKE) == pytest.approx(1 - 0.6**2, abs=0.05)


def test_first_thoughts_go_by_priors_and_others_by_visits() -> None:
    moves = [candidate("C3", 80, 0.1), candidate("B2", 20, 0.9)]
    turn = Turn(Position.start(5), 1, found(moves))
    thought = played_by_chance(turn, Manners(impulse=1), PASS)
    searched = played_by_chance(turn, Manners(impulse=0), PASS)
    assert (vertex(thought, 5), vertex(searched, 5)) == ("B2", "C3")


def test_where_only_a_pass_was_found() -> None:
    only = Candidate(PASS, 10, 0.0, 0.5, (), is_open=True)
    turn = Turn(Position.start(5), 1, found([only]))
    assert played_by_chance(turn, Manners(impulse=1, temperature=2), PASS) == PASS


def test_a_weak_player_answers_a_pass_where_all_is_settled() -> None:
    """Its own search of one simulation knows nothing of that."""
    engine = Engine(size=5, komi=0.5, simulations=1, memory_mb=16,
                    parameters={"manners.impulse": 1.0, "manners.temperature": 20.0})  # fmt: skip
    wall = [f"{letter}{row}" for letter in "BC" for row in range(1, 6)]
    fence = [f"D{row}" for row in range(1, 6)]
    engine.set_up(wall, fence, "white")
    engine.play("pass")
    assert engine.genmove().move == PASS
