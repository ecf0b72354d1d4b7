"""What a network sees: examples of games against naive boards and learned probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from montego.go import PASS, Position
from montego.go.points import parse_vertex, point_at
from montego.kernels.features.planes import CAUGHT_CODE, KO_CODE, LIBERTY_CLASSES, RECENT
from montego.knowledge.examples import Examples, examples_of, joined
from montego.knowledge.explain import explain
from montego.knowledge.reading import ladder
from tests.naive import EMPTY, group
from tests.positions import naive_twin, place_of, playable, random_position


def naive_codes(position: Position) -> list[int]:
    """What is on every point: stones by their liberties, and in a ladder or not; a ko."""
    game, size = naive_twin(position), position.size
    codes = []
    for place, symbol in enumerate(game.board):
        if symbol == EMPTY:
            codes.append(0)
            continue
        liberties = min(len(group(game.board, place, size)[1]), LIBERTY_CLASSES)
        is_own = symbol == game.to_play
        code = liberties + (0 if is_own else LIBERTY_CLASSES)
        if liberties <= 2:
            begins = position if is_own == (liberties == 1) else position.play(PASS)
            code += (
                CAUGHT_CODE
                * ladder(begins, point_at(place // size + 1, place % size + 1)).is_caught
            )
        codes.append(code)
    if ko := int(position.board_copy()[0]["ko"]):
        codes[place_of(ko, size)] = KO_CODE
    return codes


def probabilities(position: Position) -> dict[int, float]:
    """What learned strengths give to the moves that a playout might play, by place."""
    size, able = position.size, playable(position)
    found = {parse_vertex(one.vertex, size): one.probability for one in explain(position)}
    total = sum(found[move] for move in able)
    return {place_of(move, size): found[move] / total for move in able}


def positions_of(last: Position) -> list[Position]:
    """Every position of a game, the first one first."""
    found = [last]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found[::-1]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_examples_are_what_a_naive_board_says(size: int) -> None:
    last = random_position(size, 2 * size * size, seed=size)
    examples = examples_of([last.moves], size)
    before = {len(position.moves): position for position in positions_of(last)}
    assert len(examples) > size * size
    assert KO_CODE in examples.codes or size != 9  # there was a ko
    for i in range(len(examples)):
        number = int(examples.numbers[i])
        position = before[number]
        assert examples.codes[i].tolist() == naive_codes(position)
        assert examples.targets[i] == place_of(last.moves[number][1], size)
        recent = [move for _, move in last.moves[:number][::-1][:RECENT]]
        expected = [place_of(move, size) if move else -1 for move in recent]
        assert examples.recent[i].tolist() == expected + [-1] * (RECENT - len(expected))


@pytest.mark.parametrize(("elsewhere", "is_caught"), [("B6", True), ("F6", False)])
def test_a_ladder_is_told_before_it_is_played(elsewhere: str, is_caught: bool) -> None:
    """Of its stones when they may run (one liberty), and when they have run (two)."""
    position = Position.start(7)
    for move in f"C3 C4 pass B3 pass C2 {elsewhere} D2 D3 E3".split():
        position = position.play(move)
    before, after = examples_of([position.moves], 7).codes[-2:].reshape(2, 7, 7)
    assert before[4, 2] == 1 + CAUGHT_CODE * is_caught
    assert after[4, 2] == after[4, 3] == LIBERTY_CLASSES + 2 + CAUGHT_CODE * is_caught
    assert (np.delete(before, 30) <= CAUGHT_CODE).all()
    assert (np.delete(after, [30, 31]) <= CAUGHT_CODE).all()


def test_hints_are_the_probabilities_of_learned_strengths() -> None:
    position = random_position(9, 30, seed=4)
    after = position.play(explain(position)[0].vertex)
    examples = examples_of([after.moves], 9)
    expected = np.zeros(81, dtype=np.uint8)
    for place, chance in probabilities(position).items():
        hint = max(0.0, 1 + math.log(chance) / 10)
        expected[place] = int(255 * hint + 0.5)
    difference = examples.hints[-1].astype(int) - expected
    assert abs(difference).max() <= 1
    assert examples.hints[-1].max() > 100


def test_games_are_told_apart() -> None:
    games = [random_position(7, 20, seed).moves for seed in range(3)]
    together = examples_of(games, 7)
    apart = joined([examples_of([game], 7) for game in games], 7)
    assert len(together) == len(apart) > 40
    for name in ("codes", "hints", "recent", "targets", "numbers"):
        assert np.array_equal(getattr(together, name), getattr(apart, name))


def test_no_games_are_no_examples() -> None:
    nothing = joined([], 9)
    assert isinstance(nothing, Examples)
    assert (len(nothing), nothing.codes.shape) == (0, (0, 81))
