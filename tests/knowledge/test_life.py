"""Life: what nobody can ever take, and what lives though the enemy moves first."""

from __future__ import annotations

from random import Random

import pytest

from montego.go.points import all_points
from montego.knowledge.reading import lives, never_taken
from tests.knowledge.pachi import questions
from tests.knowledge.test_reading import WORKING, drawn
from tests.positions import random_position


def test_bensons_life() -> None:
    position = drawn(
        """
        . X . . .
        X X . . .
        . X . O O
        O X . O .
        . X . O O
        """
    )
    assert never_taken(position, "black") == {"B5", "A4", "B4", "B3", "B2", "B1"}
    assert never_taken(position, "white") == frozenset()  # one eye
    linked = drawn(
        """
        . X . . .
        X . X . .
        . X . . .
        . . . . .
        . . . . .
        """
    )
    assert never_taken(linked, "black") == frozenset()  # the eyes of each stone are not its own


def test_what_is_never_taken_is_not_taken_though_its_owner_passes() -> None:
    random, stones = Random(5), 0
    for _ in range(150):
        position = random_position(
            4, random.randint(12, 30), random.randint(0, 10**6)
        ).with_to_play("white")
        safe = never_taken(position, "black")
        stones += len(safe)
        for _ in range(20 if safe else 0):
            attacked = position
            for _ in range(20):
                legal = [move for move in attacked.legal() if move]
                if not legal:
                    break
                attacked = attacked.play(random.choice(legal)).with_to_play("white")
            assert all(attacked.color_at(point) == 1 for point in safe)
    assert stones > 100


def test_what_lives_has_an_answer_to_every_move_on_the_board() -> None:
    random, proved = Random(7), 0
    for _ in range(60):
        position = random_position(
            5, random.randint(10, 24), random.randint(0, 10**6)
        ).with_to_play("white")
        chain = next((p for p in all_points(5) if position.color_at(p) == 1), None)
        if chain is None or never_taken(position, "black") or not lives(position, chain):
            continue
        proved += 1
        for attack in position.legal():
            attacked = position.play(attack)
            answers = (attacked.play(move) for move in attacked.legal())
            assert any(after.color_at(chain) == 1 and lives(after, chain) for after in answers)
    assert proved > 5


def test_life_that_hangs_together_and_life_that_does_not() -> None:
    hanging = """
        . . . . . . .
        . . O O O O .
        . O O X X O .
        . O X . X O .
        . . X X X O .
        X X . O O . .
        . X . . . . .
        """
    assert lives(drawn(hanging), "B1")
    assert not lives(drawn(hanging).play("A5").play("C2"), "B1")
    assert not lives(drawn(WORKING), "C3")


def test_pachis_eyes() -> None:
    """Where Pachi sees no two eyes yet, a chain may live all the same: its enemy comes too late."""
    asked = [question for question in questions("two_eyes.t") if question.command == "two_eyes"]
    if not asked:
        pytest.skip("Pachi's positions are not here")
    wrong = [q for q in asked if lives(q.position("black"), q.arguments[0]) != (q.answer == "1")]
    assert len(asked) == 27
    assert [(q.title, q.answer) for q in wrong] == [
        ("Open", "0"), ("Open", "0"), ("No big eye area (yet)", "0"), ("Open big eye", "0"),
    ]  # fmt: skip
