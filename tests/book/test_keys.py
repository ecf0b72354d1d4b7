"""Keys of positions: what looks the same has the same one, and nothing else has."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from montego.book.keys import key_of
from montego.go import BLACK, PASS, WHITE, Position, Rules, parse_move
from montego.go.points import all_points
from montego.knowledge.symmetry import SYMMETRIES
from tests.book.games import set_up_like, turned_point, turned_position
from tests.positions import random_position

SEEDS = st.integers(0, 10**6)
SIZES = st.integers(3, 9)
VIEWS = st.integers(0, len(SYMMETRIES) - 1)


@settings(max_examples=60, deadline=None)
@given(SIZES, st.integers(0, 40), SEEDS, VIEWS)
def test_every_view_of_a_board_has_the_same_key(
    size: int, moves: int, seed: int, view: int
) -> None:
    position = random_position(size, moves, seed)
    turned = turned_position(position, view)
    here, there = key_of(position), key_of(turned)
    assert here.key == there.key
    for point in [*all_points(size), PASS]:
        number = here.number(point)
        assert number == there.number(turned_point(point, view, size))
        # a move that comes back is the same one, as far as the board can tell
        assert here.number(here.point(number)) == number


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10), SEEDS, SEEDS, VIEWS)
def test_any_order_of_the_same_stones_has_the_same_key(
    pairs: int, seed: int, order: int, view: int
) -> None:
    """Without captures: stones far enough apart that every order is legal."""
    rng = Random(seed)
    points = rng.sample(all_points(9), 2 * pairs)
    sides = {BLACK: points[:pairs], WHITE: points[pairs:]}
    keys = set()
    for number in (order, order + 1):
        position = Position.start(9)
        shuffled = {color: Random(number).sample(own, pairs) for color, own in sides.items()}
        for black, white in zip(*shuffled.values(), strict=True):
            if not (position.is_legal(black) and position.play(black).is_legal(white)):
                return
            position = position.play(black).play(white)
        if sum(position.captured):
            return
        keys.add(key_of(turned_position(position, view)).key)
    assert len(keys) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 60), SEEDS)
def test_only_stones_turn_and_ko_count(moves: int, seed: int) -> None:
    position = random_position(7, moves, seed)
    alone = set_up_like(position)
    assert (key_of(alone).key == key_of(position).key) == (position.ko is None)
    other = position.with_to_play(BLACK + WHITE - position.to_play)
    assert key_of(other).key != key_of(position).key


KO = """
. X O .
X O . O
. X O .
. . . .
"""


def test_a_ko_is_part_of_the_key_until_it_may_be_retaken() -> None:
    before = Position.from_diagram(KO, BLACK, Rules(superko="simple"))
    taken = before.play("C3")
    assert taken.ko is not None
    same_stones = set_up_like(taken)
    assert key_of(taken).key != key_of(same_stones).key
    later = taken.play("A1").play("A4").play("pass")
    assert later.ko is None
    assert key_of(later).key == key_of(set_up_like(later)).key


@pytest.mark.parametrize(
    "rules",
    [Rules(7.0), Rules(suicide=True), Rules(superko="situational"), Rules(superko="simple")],
)
def test_rules_are_part_of_the_key(rules: Rules) -> None:
    assert key_of(Position.start(9, rules)).key != key_of(Position.start(9)).key
    assert key_of(Position.start(9, replace(rules))).key == key_of(Position.start(9, rules)).key


def test_sizes_differ_and_a_komi_is_one_number_however_it_is_written() -> None:
    assert key_of(Position.start(9)).key != key_of(Position.start(10)).key
    assert key_of(Position.start(9, Rules(7))).key == key_of(Position.start(9, Rules(7.0))).key


def test_the_four_corners_of_an_empty_board_are_one_move() -> None:
    empty = key_of(Position.start(9))
    corners = {empty.number(parse_move(name, 9)) for name in ("C3", "G3", "C7", "G7")}
    assert len(corners) == 1
    assert empty.number(parse_move("E5", 9)) not in corners
    assert empty.number(PASS) == 0


def test_keys_stay_what_they_are() -> None:
    """Books are kept for years: a change of the keys needs another version of the file."""
    position = Position.start(9).play("E5").play("C3")
    assert key_of(position).key == -8652477265973140734
