"""Learning: symmetry, what games teach, the file, the command."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from montego.go import BadSgf, Position
from montego.go.points import all_points
from montego.kernels.board.shape import seen_by
from montego.kernels.features.classes import FEATURES
from montego.kernels.features.tables import (
    FACTORS,
    FREE,
    MOST_PATTERNS,
    PATTERNS,
    SHAPES,
    UNEQUAL_SHAPES,
)
from montego.knowledge.explain import explain
from montego.knowledge.games import UnfitGameError, check_paths, game_of, read, records
from montego.knowledge.learning import Accuracy, Learner, Teaching, as_moves
from montego.knowledge.mango import shipped_shapes
from montego.knowledge.strengths import (
    Strengths,
    make_tables,
    mask_for,
    shipped_strengths,
    shipped_tables,
)
from montego.knowledge.symmetry import canonical, variants
from montego.lab.base.workers import map_in_order
from tests.kernels.exposed import exposed


def random_games(count: int, seed: int) -> list[list[tuple[int, int]]]:
    """Games in which the next move is always beside the last one if it can be."""
    rng = np.random.default_rng(seed)
    games = []
    for _ in range(count):
        position = Position.start(7)
        for _ in range(25):
            legal = position.legal()
            last = position.last
            near = [p for p in legal if last and abs(p - last) in (1, 21)]
            position = position.play(int(rng.choice(near or legal)))
        games.append(position.moves)
    return games


# --- symmetry --------------------------------------------------------------------------


def test_variants_share_their_canonical_code() -> None:
    codes = np.random.default_rng(1).integers(0, SHAPES, 50)
    smallest = variants(codes).min(axis=1)
    assert (canonical()[codes] == smallest).all()
    for column in variants(codes).T:
        assert (variants(column).min(axis=1) == smallest).all()


def test_there_are_as_many_shapes_as_symmetry_leaves() -> None:
    # Burnside: colourings of the eight neighbours with four colours.
    assert len(np.unique(canonical())) == UNEQUAL_SHAPES


# --- counting (H5) ---------------------------------------------------------------------


def test_ratios_are_wins_by_chances() -> None:
    games, seen = random_games(6, seed=2), exposed(seen_by)
    wins: Counter[int] = Counter()
    chances: Counter[int] = Counter()
    for game in games:
        position = Position.start(7)
        for color, move in game:
            board = position.board_copy()[0]
            for p in (p for p in all_points(7) if board["color"][p] == 0):
                shape = int(canonical()[seen(int(board["shape"][p]), color)])
                chances[shape] += 1
                wins[shape] += p == move
            position = position.play(move)
    learner = Learner(7, Teaching(least_won=3))
    learner.count(as_moves(games))
    told = learner.strengths({})
    expected = {shape: won / chances[shape] for shape, won in wins.items() if won >= 3}
    assert dict(zip(told.ratio_shapes.tolist(), told.ratios, strict=True)) == pytest.approx(
        expected
    )
    assert 0 < len(expected) < len(wins)
    ratio = make_tables(told, shipped_shapes(9))["ratio"]
    assert all((ratio[variants(np.array([s]))] == np.float32(r)).all() for s, r in expected.items())
    assert np.count_nonzero(ratio) == sum(len(np.unique(variants(np.array([s])))) for s in expected)


# --- learning --------------------------------------------------------------------------


def test_what_games_always_do_is_learned() -> None:
    lessons, test = (as_moves(random_games(60, seed)) for seed in (1, 2))
    learner = Learner(7, Teaching(passes=3, least_played=3))
    before = learner.examine(test)
    assert learner.harvest(lessons) > 0
    for number in range(3):
        learner.learn(lessons, number)
    after = learner.examine(test)
    assert after.moves == before.moves > 500
    assert after.within(4) > 0.9 > before.within(4)
    assert after.log_likelihood > before.log_likelihood + 1


def test_examining_changes_nothing() -> None:
    moves = as_moves(random_games(5, 3))
    learner = Learner(7)
    learner.learn(moves, 0)
    weights = learner.weights.copy()
    assert learner.examine(moves).moves > 0
    assert (learner.weights == weights).all()


def test_accuracy_by_stage_and_together() -> None:
    ranks = np.zeros((2, 4), dtype=np.int64)
    ranks[0] = [3, 0, 1, 0]
    one, other = Accuracy(ranks, -1.0), Accuracy(2 * ranks, -4.0)
    assert (one.moves, one.within(1), one.within(3)) == (4, 0.75, 1.0)
    assert one.by_stage() == [0.75, None]
    assert (one + other).log_likelihood == -3.0
    assert (one + other).moves == 12


def test_what_was_learned_can_be_taken_over(tmp_path: Path) -> None:
    moves = as_moves(random_games(30, 5))
    learner = Learner(7, Teaching(least_played=3))
    learner.harvest(moves)
    learner.learn(moves, 0)
    learner.strengths({}).save(tmp_path / "s.npz")
    heir = Learner(7)
    heir.know(Strengths.load(tmp_path / "s.npz"))
    expected, found = learner.examine(moves), heir.examine(moves)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, abs=0.01)
    assert found.within(1) == pytest.approx(expected.within(1), abs=0.02)


# --- the file and the tables -----------------------------------------------------------


def test_a_file_says_what_it_was_told(tmp_path: Path) -> None:
    learner = Learner(7, Teaching(least_played=2))
    moves = as_moves(random_games(10, 4))
    learner.harvest(moves)
    learner.learn(moves, 0)
    told = learner.strengths({"games": 10})
    told.save(tmp_path / "some.npz")
    read_again = Strengths.load(tmp_path / "some.npz")
    assert read_again.manifest == {"games": 10}
    assert (read_again.patterns == told.patterns).all()
    tables, again = (make_tables(one, shipped_shapes(9)) for one in (told, read_again))
    assert (tables["shape_gamma"] == again["shape_gamma"]).all()
    taken = tables["pattern_code"] != FREE
    assert sorted(tables["pattern_code"][taken]) == sorted(told.patterns)
    assert np.allclose(tables["pattern_gamma"], again["pattern_gamma"], rtol=1e-3)
    assert np.allclose(tables["shape_factor"], again["shape_factor"], atol=1e-3)


@pytest.mark.parametrize("patterns", [0, 1, 1_000, 29_061, 131_089, MOST_PATTERNS])
def test_a_table_has_room_for_its_patterns(patterns: int) -> None:
    places = mask_for(patterns) + 1
    assert places.bit_count() == 1
    assert patterns < places <= PATTERNS
    assert places >= min(1.5 * patterns, PATTERNS)


def empty_strengths(features: int, patterns: int) -> Strengths:
    """So many features and patterns, none of which means anything."""
    ones = np.ones(max(features, patterns), dtype=np.float32)
    codes, factors = np.arange(patterns), np.ones((features, FACTORS), dtype=np.float32)
    return Strengths(
        ones[:features], codes[:0], ones[:0], factors, factors[:0], codes, ones[:patterns],
        codes[:0], ones[:0],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("features", "patterns", "told"),
    [(3, 0, "learned for other features"), (FEATURES, MOST_PATTERNS + 1, "more than")],
)
def test_a_file_that_does_not_fit_is_refused(
    tmp_path: Path, features: int, patterns: int, told: str
) -> None:
    empty_strengths(features, patterns).save(tmp_path / "x.npz")
    with pytest.raises(ValueError, match=told):
        Strengths.load(tmp_path / "x.npz")


@pytest.mark.parametrize("size", [9, 19])
def test_the_shipped_strengths_make_sense(size: int) -> None:
    strengths = shipped_strengths(size)
    assert strengths.manifest["accuracy"]["1"] > 0.3
    assert len(strengths.features) == FEATURES
    assert strengths.features.min() > 0
    assert shipped_tables(size) is shipped_tables(size)


@pytest.mark.parametrize("size", [9, 19])
def test_the_shipped_strengths_take_the_last_move_and_stay_near(size: int) -> None:
    position = Position.start(size)
    moves = "E5 E4 D4 A1 F4 A2 D3 A3 F3 E3"  # the last puts itself in atari
    for move in moves.split():
        position = position.play(move)
    explained = {one.vertex: one.probability for one in explain(position)}
    assert max(explained, key=lambda move: explained[move]) == "E2"
    assert explained["E2"] > 0.5
    assert explained["F2"] > 3 * explained["J9"]


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


def test_strengths_are_written_under_just_the_name_that_was_given(tmp_path: Path) -> None:
    empty_strengths(FEATURES, 0).save(tmp_path / "strengths")
    assert [path.name for path in tmp_path.iterdir()] == ["strengths"]
    assert Strengths.load(tmp_path / "strengths").manifest == {}


def test_a_missing_game_is_told_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from montego.knowledge import training

    monkeypatch.setattr(training, "Learner", lambda size: pytest.fail("too late"))
    with pytest.raises(ValueError, match="there is no file"):
        training.examine(training.Source([tmp_path / "none.sgf"], 9), None)


def test_the_command_learns_and_tells(tmp_path: Path) -> None:
    from montego.cli import app, main

    games = tmp_path / "games.sgfs"
    games.write_text(f"{GAME}\n" * 20)
    arguments = ["learn", str(games), "--size", "7", "--out", str(tmp_path / "s.npz"), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.stdout)
    assert manifest["games"] == 18
    assert manifest["test_games"] == 2
    assert Strengths.load(tmp_path / "s.npz").manifest == manifest
    picture = tmp_path / "accuracy.svg"
    arguments = ["--strengths", str(tmp_path / "s.npz"), "--size", "7", "--figure", str(picture)]
    result = CliRunner().invoke(app, ["examine", str(games), *arguments, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["test_games"], found["test_moves"]) == (20, 240)
    assert found["accuracy"]["1"] > 0.5
    assert "guesses" in picture.read_text()
    with pytest.raises(SystemExit) as ended:
        main(["learn", str(games), "--out", str(tmp_path / "t.npz")])
    assert ended.value.code == 2
    assert not (tmp_path / "t.npz").exists()


def test_who_reads_the_games_changes_nothing(tmp_path: Path) -> None:
    """Processes, and how many records each of them gets, up to the end or to a damaged file."""
    games, damaged = tmp_path / "games.sgfs", tmp_path / "damaged.sgfs.gz"
    games.write_text("\n".join((GAME, "nonsense", GAME.replace("[7]", "[9]")) * 50))
    damaged.write_bytes(b"no gzip")
    by_two = partial(map_in_order, 2)
    for most in (None, 30):
        alone, by_others = (read([games], 7, most, mapped=way) for way in (map, by_two))
        assert alone == by_others
        assert len(alone.games) == (most or 50)
    assert len(read([games, damaged], 7, 50, mapped=by_two).games) == 50
    with pytest.raises(BadSgf, match="damaged"):
        read([games, damaged], 7, 51, mapped=by_two)


def test_collections_without_an_end_are_refused(tmp_path: Path) -> None:
    endless, packed = tmp_path / "endless.sgfs", tmp_path / "packed.sgfs.gz"
    endless.touch()
    os.truncate(endless, 10**12)  # a hole: it takes no room on the disk
    packed.write_bytes(gzip.compress(b"\n" * 5_000_001, 1))
    with pytest.raises(BadSgf, match=r"endless.sgfs, line 1 is too long"):
        list(records(endless))
    with pytest.raises(BadSgf, match=r"more than 5,000,000 games"):
        list(records(packed))
    packed.write_bytes(gzip.compress(b"(;SZ[9])\n" * 100)[:-20])
    with pytest.raises(BadSgf, match=r"packed.sgfs.gz"):
        list(records(packed))
