"""Many games in step: each is the game that its moves would be if it were played alone."""

from __future__ import annotations

import numpy as np
import pytest

from montego.kernels.board.board import PASS, new_boards
from montego.kernels.features.planes import NO_MOVE, RECENT
from montego.kernels.net.games import judge_ends, play_turns, write_children, write_turns
from montego.kernels.playouts.policy import WORK
from montego.knowledge.examples import examples_of
from montego.knowledge.strengths import shipped_tables
from montego.mcts.playouts import KINDS, simulate
from tests.positions import place_of, playable, random_position


@pytest.mark.parametrize("size", [5, 9, 13])
def test_games_in_step_are_shown_as_examples_of_single_games(size: int) -> None:
    count, length = 3, size * size
    games = [random_position(size, length, seed).moves for seed in range(count)]
    boards, work = new_boards(size, count), np.zeros(1, dtype=WORK)[0]
    codes, hints = (np.zeros(count * size * size, np.uint8) for _ in range(2))
    recent = np.full(count * RECENT, NO_MOVE, np.int16)
    shown = [examples_of([game], size) for game in games]
    compared = 0
    for number in range(length):
        write_turns(shipped_tables(size), work, boards, codes, hints, 0, 2)
        write_turns(shipped_tables(size), work, boards, codes, hints, 2, count)
        for i, examples in enumerate(shown):
            for at in np.flatnonzero(examples.numbers == number):
                assert (codes.reshape(count, -1)[i] == examples.codes[at]).all()
                assert (hints.reshape(count, -1)[i] == examples.hints[at]).all()
                assert (recent.reshape(count, -1)[i] == examples.recent[at]).all()
                compared += 1
        moves = np.array(
            [NO_MOVE if game[number][1] == PASS else place_of(game[number][1], size)
             for game in games], np.int16,
        )  # fmt: skip
        play_turns(boards, recent, moves, 0, count)
    assert compared > count * length / 2


def test_a_part_of_the_games_is_all_that_a_thread_touches() -> None:
    boards, recent = new_boards(9, 4), np.full(4 * RECENT, NO_MOVE, np.int16)
    play_turns(boards, recent, np.full(4, 40, np.int16), 1, 3)
    assert boards["moves"].tolist() == [0, 1, 1, 0]
    assert recent.reshape(4, RECENT)[:, 0].tolist() == [NO_MOVE, 40, 40, NO_MOVE]


def test_what_a_move_leads_to_is_what_is_shown_after_it() -> None:
    """Children of two games out of three, in the order asked for; the games stay as they are."""
    size, count, each, work = 9, 3, 4, np.zeros(1, dtype=WORK)[0]
    boards, recent = new_boards(size, count), np.full(count * RECENT, NO_MOVE, np.int16)
    games = [random_position(size, 30, seed) for seed in range(count)]
    for number in range(30):
        played = [game.moves[number][1] for game in games]
        turn = [NO_MOVE if move == PASS else place_of(move, size) for move in played]
        play_turns(boards, recent, np.array(turn, np.int16), 0, count)
    before = boards.tobytes(), recent.tobytes()
    chosen = np.array([2, 0])
    points = [point for game in chosen for point in playable(games[game])[:each]]
    moves = np.array([place_of(point, size) for point in points], np.int16)
    moves[6] = NO_MOVE
    codes, hints = (np.zeros(2 * each * 81, np.uint8) for _ in range(2))
    arrays = boards, np.repeat(chosen, each), moves, codes, hints
    for first, end in ((0, 3), (3, 8)):
        write_children(shipped_tables(size), work, *arrays, first, end)
    assert (boards.tobytes(), recent.tobytes()) == before
    for child, move in enumerate(moves):
        found = [array.reshape(2 * each, -1)[child] for array in (codes, hints)]
        if move == NO_MOVE:
            assert not found[0].any()
            continue
        after = games[chosen[child // each]].play(points[child])
        shown = examples_of([after.play(playable(after)[0]).moves], size)
        last = int(np.flatnonzero(shown.numbers == 31)[0])
        for one, name in zip(found, ("codes", "hints"), strict=True):
            assert np.array_equal(one, getattr(shown, name)[last])


def test_ends_are_those_of_playouts() -> None:
    position = random_position(9, 60, seed=2)
    boards = np.concatenate([new_boards(9), position.board_copy(), position.board_copy()])
    work, judge, playouts = np.zeros(1, dtype=WORK)[0], KINDS["expert"].record(), 400
    work["rng"] = 5
    scores, owners = np.zeros((3, playouts), np.int16), np.zeros((3, 81), np.int16)
    judge_ends(
        judge, shipped_tables(9), work, boards, playouts, scores.ravel(), owners.ravel(), 1, 3
    )
    sample = simulate(position, KINDS["expert"], 2000, seed=1)
    assert not scores[0].any()
    for i in (1, 2):
        mean = scores[i].mean() - position.komi
        assert mean == pytest.approx(sample.mean_score, abs=sample.score_deviation / 4)
        owned = owners[i].reshape(9, 9) / playouts
        assert np.allclose(owned, sample.ownership, atol=0.25)
