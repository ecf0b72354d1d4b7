"""The examples are what they say: rules checked by a second, naive hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from montego.planning import alpha_beta, mcts, nested, value_iteration
from montego.planning.examples import (
    games,
    morpion,
    puzzles,
    sailing,
    same_game,
    sudoku,
    thesis,
)
from montego.planning.examples.__main__ import FIGURES
from montego.planning.examples.othello import PASS, Board, Othello

DOCS = Path(__file__).parents[2] / "docs"


def perft(game: Othello, board: Board, depth: int) -> int:
    if depth == 0 or game.is_terminal(board):
        return 1
    return sum(perft(game, game.apply(board, a), depth - 1) for a in game.actions(board))


def test_othello_counts_positions_as_others_do() -> None:
    game = Othello()
    assert [perft(game, game.START, depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_othello_passes_and_ends() -> None:
    game = Othello(4)
    board = Board(0b0001, 0b0010, 1)  # White is to move and has nowhere; Black can take on c1
    assert game.actions(board) == [PASS]
    after = game.apply(board, PASS)
    assert game.actions(after) == [2]
    assert game.is_terminal(game.apply(after, 2))
    assert game.reward(game.apply(after, 2)) == 1


def test_othello_4x4_is_won_by_white() -> None:
    game = Othello(4)
    board = game.apply(game.START, game.actions(game.START)[0])  # all four are the same
    found = alpha_beta(game, board, seconds=60)
    assert (found.value, found.is_proved) == (-1, True)


def test_sailing_by_uct_comes_near_the_optimum() -> None:
    few, many = sailing.compare(4, (4, 300), starts=8).values()
    assert 0 <= many < 0.08
    assert many < few


def test_sailing_by_the_best_backup_finds_the_optimum() -> None:
    assert sailing.compare(4, (2_000,), starts=12, backup="best")[2_000] < 1e-3


def test_sailing_costs() -> None:
    lake = sailing.Sailing(2)
    exact = value_iteration(lake, lake.start(1))
    assert exact.value(lake.start(1)) == pytest.approx(-(2**0.5))  # straight before the wind
    assert exact.action(lake.start(1)) == 1
    against = lake.start(5)
    assert 1 not in lake.actions(against)


def test_morpion_against_its_rules_by_hand() -> None:
    game, rng = morpion.Morpion(), Random(1)
    start = game.START
    assert len(game.actions(start)) == 28
    for level in (0, 0, 0, 1):
        total, line, _ = game.nested(start, level, rng)
        assert morpion.check(line) == total == len(line)
    end = start
    for move in line:
        assert move in game.actions(end)
        end = game.apply(end, move)
    assert game.is_terminal(end)
    assert game.reward(end) == total > 50
    found = nested(game, start, 2, evaluations=20_000, seed=1)
    assert found.value >= 60
    assert morpion.check(found.sequence) == found.value
    with pytest.raises(ValueError, match="line 2"):
        morpion.check([line[0], line[0]])


def test_same_game_against_its_rules_by_hand() -> None:
    game, rng = same_game.SameGame(), Random(1)
    boards = same_game.standard_set()
    assert len(boards) == 20
    for rows in boards[:4]:
        assert len(rows) == len(rows[0]) == 15
        for level in (0, 0, 1):
            total, line, _ = game.nested(game.board(rows), level, rng)
            assert same_game.check(rows, line) == total
    assert total > 1000


@pytest.mark.skipif(not DOCS.exists(), reason="the documentation is not here")
def test_recorded_runs_are_what_they_say() -> None:
    boards = same_game.standard_set()
    for run in puzzles.RunLog(DOCS / "planning-same-game.jsonl").runs:
        rows = boards[int(run.puzzle.removeprefix("same-game ")) - 1]
        assert same_game.check(rows, run.moves) == run.score
    runs = puzzles.RunLog(DOCS / "planning-morpion.jsonl").runs
    assert [morpion.check(run.moves) for run in runs] == [run.score for run in runs] == [70, 80]


def test_sudoku_is_solved() -> None:
    game = sudoku.Sudoku()
    for seed in range(3):
        grid = sudoku.puzzle(Random(seed))
        assert grid.count(-1) == 169
        found = nested(game, game.grid(grid), 2, goal=256, evaluations=100_000, seed=seed)
        assert found.stopped == "goal"
        assert sudoku.is_solved(sudoku.filled_in(grid, found.sequence))
    assert not sudoku.is_solved([0] * 256)


def test_other_searches_take_compiled_problems() -> None:
    game = morpion.Morpion()
    found = mcts(game, game.START, evaluations=60, solver=False)
    assert morpion.check(found.sequence) == found.value


def test_a_match_has_both_colours() -> None:
    game = Othello(4)
    score = games.match(game, games.alpha_beta_player(3), games.mcts_player(2), 4)
    assert score > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure(name: str, tmp_path: Path) -> None:
    FIGURES[name](tmp_path, quick=True)
    assert (tmp_path / f"planning-{name}.svg").stat().st_size > 1000


def test_the_small_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert thesis.path_figure(tmp_path) == {"path": "ABEG", "length": 7}
    thesis.pi_figure(tmp_path, quick=True)
    thesis.regret_figure(tmp_path, quick=True)
    assert len(list(tmp_path.glob("*.svg"))) == 3
