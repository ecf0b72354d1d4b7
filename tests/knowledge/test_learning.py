"""Learning: symmetry, what games teach, the file, the command."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from montego.go import Position
from montego.kernels.tables import CAPTURE, FEATURES, FREE, MOST_DIAMONDS, NEAR_LAST
from montego.knowledge.games import UnfitGameError, check_paths, game_of, read
from montego.knowledge.learning import Learner, Teaching, as_moves
from montego.knowledge.strengths import Strengths, make_tables, shipped_strengths, shipped_tables
from montego.knowledge.symmetry import DIAMOND_FIELDS, SQUARE_FIELDS, canonical, variants


def random_games(count: int, seed: int) -> list[list[tuple[int, int]]]:
    """Games in which the next move is always beside the last one if it can be."""
    dice = np.random.default_rng(seed)
    games = []
    for _ in range(count):
        position = Position.start(7)
        for _ in range(25):
            legal = position.legal()
            last = position.last
            near = [p for p in legal if last and abs(p - last) in (1, 21)]
            position = position.play(int(dice.choice(near or legal)))
        games.append(position.moves)
    return games


# --- symmetry --------------------------------------------------------------------------


@pytest.mark.parametrize("fields", [SQUARE_FIELDS, DIAMOND_FIELDS])
def test_variants_share_their_canonical_code(fields: int) -> None:
    codes = np.random.default_rng(1).integers(0, 1 << (2 * fields), 50)
    smallest = variants(codes, fields).min(axis=1)
    for column in variants(codes, fields).T:
        assert (variants(column, fields).min(axis=1) == smallest).all()


def test_there_are_as_many_shapes_as_symmetry_leaves() -> None:
    # Burnside: colourings of the eight neighbours with four colours.
    assert len(np.unique(canonical(SQUARE_FIELDS))) == 8740


# --- learning --------------------------------------------------------------------------


def test_what_games_always_do_is_learned() -> None:
    lessons, test = (as_moves(random_games(60, seed)) for seed in (1, 2))
    learner = Learner(7, Teaching(passes=3, least_played=3, least_seen=3))
    before = learner.examine(test)
    assert learner.harvest(lessons) > 0
    for number in range(3):
        learner.learn(lessons, number)
    after = learner.examine(test)
    assert after.moves == before.moves > 500
    assert after.within(4) > 0.9 > before.within(4)
    assert after.log_likelihood > before.log_likelihood + 1
    gammas = learner.strengths({}).features
    assert gammas[NEAR_LAST + 1] > 20 * gammas[NEAR_LAST + 5]


def test_examining_changes_nothing() -> None:
    moves = as_moves(random_games(5, 3))
    learner = Learner(7)
    learner.learn(moves, 0)
    weights = learner.weights.copy()
    assert learner.examine(moves).moves > 0
    assert (learner.weights == weights).all()


# --- the file and the tables -----------------------------------------------------------


def test_a_file_says_what_it_was_told(tmp_path: Path) -> None:
    learner = Learner(7, Teaching(least_played=2, least_seen=2))
    moves = as_moves(random_games(10, 4))
    learner.harvest(moves)
    learner.learn(moves, 0)
    told = learner.strengths({"games": 10})
    told.save(tmp_path / "some.npz")
    read_again = Strengths.load(tmp_path / "some.npz")
    assert read_again.manifest == {"games": 10}
    assert (read_again.diamonds == told.diamonds).all()
    tables, again = make_tables(told), make_tables(read_again)
    assert (tables["shape_gamma"] == again["shape_gamma"]).all()
    taken = tables["diamond_key"] != FREE
    assert taken.sum() == len(np.unique(variants(told.diamonds, DIAMOND_FIELDS)))
    assert (tables["diamond_gamma"][~taken] == 1).all()


def test_a_file_for_other_features_is_refused(tmp_path: Path) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    none = np.zeros(0, dtype=np.float32)
    Strengths(np.ones(3, dtype=np.float32), nothing, none, nothing, none).save(tmp_path / "x.npz")
    with pytest.raises(ValueError, match="learned for other features"):
        Strengths.load(tmp_path / "x.npz")


@pytest.mark.parametrize("size", [9, 19])
def test_the_shipped_strengths_make_sense(size: int) -> None:
    strengths = shipped_strengths(size)
    assert strengths.manifest["accuracy"]["1"] > 0.3
    assert len(strengths.features) == FEATURES
    gammas = strengths.features
    assert gammas[CAPTURE + 4] > 5 * gammas[CAPTURE]  # to take the last move
    assert gammas[NEAR_LAST + 1] > gammas[NEAR_LAST + 8]
    assert shipped_tables(size) is shipped_tables(size)


# --- games and the command -------------------------------------------------------------

GAME = "(;SZ[7]KM[7.5];B[dd];W[cc];B[cd];W[dc];B[ed];W[ec];B[fc];W[fb];B[bc];W[bb];B[ab];W[gc])"


def test_records_are_read_from_all_kinds_of_files(tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_text(GAME)
    (tmp_path / "many.sgfs").write_text(f"{GAME}\n\n{GAME}\nnonsense\n")
    (tmp_path / "many.sgfs.gz").write_bytes(gzip.compress(f"{GAME}\n".encode()))
    collection = read(sorted(tmp_path.iterdir()), 7)
    assert len(collection.games) == 4
    assert sum(collection.skipped.values()) == 1
    assert len(read(sorted(tmp_path.iterdir()), 7, most=2).games) == 2
    assert not read([tmp_path / "one.sgf"], 9).games


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (GAME.replace("SZ[7]", "SZ[9]"), "9x9"),
        ("(;SZ[7]AB[dd][cc];W[ee])", "empty board"),
        ("(;SZ[7];B[dd])", "fewer than"),
    ],
)
def test_games_that_cannot_be_learned_from(record: str, reason: str) -> None:
    with pytest.raises(UnfitGameError, match=reason):
        game_of(record.encode(), 7)


def test_paths_are_checked_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no file"):
        check_paths([tmp_path / "none.sgf"])
    (tmp_path / "games.txt").touch()
    with pytest.raises(ValueError, match="is none of"):
        check_paths([tmp_path / "games.txt"])


def test_the_command_learns_and_tells(tmp_path: Path) -> None:
    from montego.cli import app

    games = tmp_path / "games.sgfs"
    games.write_text(f"{GAME}\n" * 20)
    arguments = ["learn", str(games), "--size", "7", "--out", str(tmp_path / "s.npz"), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.stdout)
    assert manifest["games"] == 18
    assert manifest["test_games"] == 2
    assert Strengths.load(tmp_path / "s.npz").manifest == manifest
    result = CliRunner().invoke(app, ["learn", str(games), "--out", str(tmp_path / "t.npz")])
    assert result.exit_code == 2
    assert not (tmp_path / "t.npz").exists()


def test_a_file_with_too_many_diamonds_is_refused(tmp_path: Path) -> None:
    nothing, none = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    count = MOST_DIAMONDS + 1
    Strengths(
        np.ones(FEATURES, dtype=np.float32), nothing, none,
        np.arange(count), np.ones(count, dtype=np.float32),
    ).save(tmp_path / "x.npz")  # fmt: skip
    with pytest.raises(ValueError, match="more than"):
        Strengths.load(tmp_path / "x.npz")
