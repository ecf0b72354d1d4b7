"""Handicap stones on every size of board."""

from __future__ import annotations

import pytest

from montego.go import BLACK, WHITE, BadHandicap, BadSize, IllegalMove, Position, Rules, vertex
from montego.go.handicap import (
    fixed_handicap,
    fixed_points,
    free_handicap,
    free_points,
    handicap_stones,
    max_fixed,
    moves_made,
    place_free,
)

MOST = dict.fromkeys(range(2, 7), 0) | {7: 4} | {s: 4 if s % 2 == 0 else 9 for s in range(8, 20)}

FIXED = [
    (7, 4, "C3 E5 C5 E3"),
    (8, 2, "C3 F6"),
    (9, 3, "C3 G7 C7"),
    (9, 5, "C3 G7 C7 G3 E5"),
    (11, 9, "C3 J9 C9 J3 C6 J6 F3 F9 F6"),
    (12, 4, "C3 K10 C10 K3"),
    (13, 6, "D4 K10 D10 K4 D7 K7"),
    (14, 2, "D4 L11"),
    (19, 2, "D4 Q16"),
    (19, 3, "D4 Q16 D16"),
    (19, 4, "D4 Q16 D16 Q4"),
    (19, 5, "D4 Q16 D16 Q4 K10"),
    (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
    (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
    (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
    (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
]


@pytest.mark.parametrize(("size", "stones", "names"), FIXED)
def test_fixed_points(size: int, stones: int, names: str) -> None:
    assert [vertex(p, size) for p in fixed_points(size, stones)] == names.split()


@pytest.mark.parametrize("size", range(2, 20))
def test_how_many_fixed_stones_a_size_has(size: int) -> None:
    assert max_fixed(size) == MOST[size]
    for stones in range(2, MOST[size] + 1):
        position = fixed_handicap(size, stones)
        assert len(position.stones(BLACK)) == stones
        assert position.to_play == WHITE
    for stones in (-1, 0, 1, MOST[size] + 1, 10):
        with pytest.raises(BadHandicap):
            fixed_points(size, stones)


def test_a_handicap_game_starts_with_the_stones() -> None:
    position = fixed_handicap(9, 2, Rules(komi=0.5))
    assert (position.komi, position.moves, position.last) == (0.5, [], None)
    assert not position.is_legal("C3")
    assert position.play("E5").undo() is position


def test_free_stones_stand_where_they_are_put() -> None:
    position = free_handicap(5, ["a1", "C3", 22])
    assert {vertex(p, 5) for p in position.stones(BLACK)} == {"A1", "C3", "A5"}
    assert position.to_play == WHITE


@pytest.mark.parametrize(
    ("size", "names"),
    [(5, "C3"), (5, ""), (5, "C3 pass"), (5, "C3 D4 C3"), (2, "A1 A2 B1 B2")],
)
def test_bad_free_handicap(size: int, names: str) -> None:
    with pytest.raises(BadHandicap):
        free_handicap(size, names.split())


def test_free_stones_stand_on_the_board() -> None:
    with pytest.raises(IllegalMove):
        free_handicap(5, ["C3", "F6"])
    with pytest.raises(BadSize):
        free_handicap(20, ["C3", "F6"])


@pytest.mark.parametrize("size", range(2, 20))
def test_free_placement_proposes_as_many_different_points_as_asked(size: int) -> None:
    for stones in sorted({2, 3, min(12, size * size - 1), size * size - 1} & set(range(2, 361))):
        assert len(set(free_points(size, stones))) == stones
        assert isinstance(place_free(size, stones), Position)
    for stones in (1, size * size):
        with pytest.raises(BadHandicap):
            free_points(size, stones)


def test_free_placement_begins_with_the_fixed_points() -> None:
    assert free_points(19, 9) == fixed_points(19, 9)
    assert free_points(19, 14)[:9] == fixed_points(19, 9)


def test_a_start_in_the_middle_of_a_game_is_as_far_as_its_stones() -> None:
    middle = Position.set_up(9, ["C3", "D4"], ["E5"], WHITE)
    assert handicap_stones(middle) == 0
    assert moves_made(middle) == 3
    assert moves_made(middle.play("F6").play("pass")) == 5


def test_handicap_stones_are_no_moves() -> None:
    game = fixed_handicap(9, 4)
    assert handicap_stones(game) == 4
    assert moves_made(game) == 0
    assert moves_made(game.play("E5")) == 1
