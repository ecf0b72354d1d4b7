"""The history that the positions of a game share: branches, memory, and the longest game."""

from __future__ import annotations

import pickle
import tracemalloc
from random import Random

import pytest

from montego.go import PASS, IllegalMove, Position, Rules, TooLong
from montego.go.history import MAX_MOVES

ANY = Rules(superko="simple")

Seen = tuple[list[tuple[int, int]], str, list[int]]
"""Moves, diagram and keys of a position."""


def passes(position: Position, count: int) -> Position:
    for _ in range(count):
        position = position.play(PASS)
    return position


def test_memory_grows_with_the_length_of_a_game_not_with_its_square() -> None:
    def megabytes(moves: int) -> float:
        tracemalloc.start()
        last = passes(Position.start(2, ANY), moves)
        used = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert len(last.moves) == moves
        return used / 1e6

    assert megabytes(3000) < 3.3 * megabytes(1000)


def test_a_game_that_is_too_long_ends_in_a_typed_error_and_stays_as_it_was() -> None:
    last = passes(Position.start(2, ANY), MAX_MOVES)
    with pytest.raises(TooLong, match="at most 4,000 moves"):
        last.play("A1")
    assert len(last.moves) == MAX_MOVES
    assert last.undo().play("A1").color_at("A1")


def test_positions_stay_what_they_were_whoever_goes_on_from_them() -> None:
    random, known = Random(3), [Position.start(4)]
    drawn: list[Seen] = [([], known[0].diagram(), [known[0].key])]
    for _ in range(1500):
        place = random.randrange(max(0, len(known) - 30), len(known))
        before, (moves, _, keys) = known[place], drawn[place]
        move = random.choice([*before.legal(), PASS])
        mover, after = before.to_play, before.play(move)
        known.append(after)
        drawn.append(([*moves, (mover, move)], after.diagram(), [*keys, after.key]))
    for position, (moves, diagram, keys) in zip(known, drawn, strict=True):
        assert position.moves == moves
        assert position.diagram() == diagram
        assert position.history().tolist() == keys


def test_an_illegal_move_leaves_no_trace() -> None:
    position = Position.start(5).play("C3")
    with pytest.raises(IllegalMove):
        position.play("C3")
    assert len(position.moves) == 1
    after = position.play("D4")
    assert [len(one.moves) for one in (position, after)] == [1, 2]
    assert after.history().size == 3


def test_a_line_of_thought_has_the_bans_of_its_game_and_no_moves() -> None:
    game = Position.start(5).play("C3").play("D4")
    thought = game.with_to_play("white")
    assert (thought.moves, thought.history().size) == ([], 3)
    assert len(thought.play("A1").moves) == 1
    assert game.play("B2").history().size == 4


def test_a_position_can_be_sent_to_another_process() -> None:
    game = Position.start(5).play("C3").play("D4").play("pass")
    again = pickle.loads(pickle.dumps(game))
    assert again.moves == game.moves
    assert again.history().tolist() == game.history().tolist()
    assert again.play("A1").moves == game.play("A1").moves
