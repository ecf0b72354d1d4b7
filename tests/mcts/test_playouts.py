"""The contract of every kind of playout, and what a sample of them tells."""

from __future__ import annotations

import dataclasses
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from montego.go import Position, Rules
from montego.mcts.playouts import (
    KINDS,
    Mango,
    Mogo,
    Orego,
    Playout,
    Uniform,
    choose_moves,
    simulate,
)
from tests.positions import playable, random_position

EVERY_KIND = [
    *KINDS.values(),
    Orego("capture", best_of=361),
    Orego("pattern", best_of=1, first=5),
    Mogo(save=False, nakade=False, fill_tries=0, patterns=False, approach=0, capture=False),
]


@pytest.mark.parametrize("playout", EVERY_KIND, ids=repr)
class TestContract:
    def test_one_seed_one_result(self, playout: Playout) -> None:
        position = random_position(9, moves=12, seed=3)
        one, two = (simulate(position, playout, 200, seed=7) for _ in range(2))
        assert repr(one) == repr(two)
        assert (one.ownership == two.ownership).all()
        assert repr(one) != repr(simulate(position, playout, 200, seed=8))

    @pytest.mark.parametrize("size", [2, 3, 4, 9, 13, 19])
    def test_playouts_end_and_count(self, playout: Playout, size: int) -> None:
        sample = simulate(Position.start(size), playout, 50, seed=1)
        assert sample.black_wins + sample.white_wins + sample.draws == sample.playouts == 50
        assert 2 <= sample.mean_length <= 3 * size * size
        assert abs(sample.mean_score + 7.5) <= size * size

    def test_the_score_is_the_sum_of_the_owners(self, playout: Playout) -> None:
        position = random_position(7, moves=15, seed=5).with_komi(3.5)
        sample = simulate(position, playout, 100, seed=2)
        assert np.abs(sample.ownership).max() <= 1
        assert sample.ownership.sum() - 3.5 == pytest.approx(sample.mean_score)

    def test_an_even_komi_makes_draws(self, playout: Playout) -> None:
        sample = simulate(Position.start(5, Rules(komi=1.0)), playout, 400, seed=3)
        assert sample.draws > 0
        assert simulate(Position.start(5, Rules(komi=1.5)), playout, 400, seed=3).draws == 0

    @pytest.mark.parametrize("moves", [0, 10, 40, 70])
    def test_chosen_moves_may_be_played(self, playout: Playout, moves: int) -> None:
        for seed in range(3):
            position = random_position(9, moves, seed)
            allowed = set(playable(position)) or {0}
            assert set(choose_moves(position, playout, 40, seed)) <= allowed

    def test_the_position_is_left_alone(self, playout: Playout) -> None:
        position = random_position(9, moves=30, seed=1)
        before = position.board_copy().tobytes()
        simulate(position, playout, 10)
        choose_moves(position, playout, 3)
        assert position.board_copy().tobytes() == before


LIVING = Position.from_diagram(
    """
    . X . X O . O
    X X X X O O O
    O O O O O . .
    X X X X X X X
    . X . X . . .
    X X X X . . .
    . . . . . . .
    """,
    to_play="black",
)


@pytest.mark.parametrize("playout", EVERY_KIND, ids=repr)
def test_two_eyes_live(playout: Playout) -> None:
    owners = simulate(LIVING, playout, 200, seed=1).ownership
    assert owners[0, 0] == owners[0, 2] == owners[1, 1] == 1.0
    assert owners[4, 0] == owners[4, 2] == 1.0


def test_scores_of_a_finished_board() -> None:
    finished = Position.from_diagram(
        """
        . X O .
        X X O O
        . X O .
        X X O O
        """
    )
    sample = simulate(finished.with_komi(0.5), Uniform(), 50)
    assert (sample.white_wins, sample.mean_score, sample.score_deviation) == (50, -0.5, 0.0)
    assert sample.mean_length == 2.0
    assert sample.value == -1.0


def test_a_playout_that_cannot_end_is_broken_off() -> None:
    sample = simulate(Position.start(2), Uniform(), 500, seed=1)
    assert sample.mean_length <= 12


def test_no_memory_is_taken_by_playouts() -> None:
    arrays = set()
    for size in (10, 1000):
        tracemalloc.start()
        simulate(Position.start(9), Mogo(), size)
        arrays.add(tracemalloc.get_traced_memory()[1] // 20_000)
        tracemalloc.stop()
    assert len(arrays) == 1  # the peak does not depend on the number of playouts


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells")
def test_the_process_does_not_grow_with_playouts() -> None:
    """What kernels might take is seen by the system alone."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    simulate(Position.start(9), Mogo(), 2000)
    before = resident()
    simulate(Position.start(9), Mogo(), 20_000)
    assert resident() - before < 1 << 20


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Mango, {"capture_value": -1}),
        (Mango, {"near_factor": 0}),
        (Mogo, {"approach": 1.5}),
        (Mogo, {"fill_tries": -1}),
        (Orego, {"heuristic": "magic"}),
        (Orego, {"best_of": 0}),
    ],
)
def test_numbers_out_of_range_are_refused(kind: type[Playout], wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        kind(**wrong)


def test_no_playouts_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        simulate(Position.start(9), Uniform(), 0)


def test_playouts_are_values() -> None:
    assert Mogo() == Mogo()
    assert dataclasses.replace(Mogo(), save=False) != Mogo()
    assert len({Uniform(), Uniform(), Mango()}) == 2
