"""Mango's shapes are learned as the formulas say: a naive count beside the kernels'."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from montego.go import Position
from montego.kernels.board.shape import seen_by
from montego.kernels.features.tables import LEVELS, TABLES
from montego.knowledge.learning import as_moves
from montego.knowledge.mango import MangoShapes
from montego.knowledge.mango_learning import MangoLearner, in_range
from montego.knowledge.rings import enter_rings
from montego.knowledge.symmetry import canonical
from tests.kernels.exposed import exposed
from tests.kernels.features.test_patterns import codes
from tests.knowledge.test_learning import GAME, random_games
from tests.positions import playable

GAMES = random_games(6, seed=4)


def lessons() -> Iterator[tuple[Position, int, list[int]]]:
    """Every position of the games, the move played, and all that could have been."""
    for game in GAMES:
        position = Position.start(7)
        for _, move in game:
            yield position, move, playable(position)
            position = position.play(move)


def test_strengths_are_wins_by_shares() -> None:
    seen, gammas = exposed(seen_by), dict.fromkeys(canonical().tolist(), 1.0)
    for _ in range(3):
        wins: Counter[int] = Counter()
        shares = dict.fromkeys(gammas, 0.0)
        for position, move, moves in lessons():
            board = position.board_copy()[0]
            shapes = {
                p: int(canonical()[seen(int(board["shape"][p]), position.to_play)])
                for p in {*moves, move}
            }
            total = sum(gammas[shapes[p]] for p in moves)
            for p in moves:
                shares[shapes[p]] += 1 / total
                wins[shapes[p]] += p == move
        gammas = {s: (wins[s] + 1) / (shares[s] + 2 / (g + 1)) for s, g in gammas.items()}
    found = MangoLearner(7, as_moves(GAMES)).strengths(rounds=3)
    assert [found[s] for s in gammas] == pytest.approx(list(gammas.values()))


def test_chances_are_how_often_a_pattern_was_played_where_it_could_be() -> None:
    learner = MangoLearner(7, as_moves(GAMES), least_played=3)
    patterns, chances, otherwise = learner.chances()
    known, tables = set(patterns.tolist()), np.zeros(1, dtype=TABLES)[0]
    enter_rings(tables)
    played: Counter[int] = Counter()
    there: Counter[int] = Counter()
    for position, move, moves in lessons():
        for p in moves:
            largest = -1
            for code in codes(position, p, tables)[:LEVELS]:
                if code not in known:
                    break
                largest = code
            there[largest] += 1
            played[largest] += p == move
    usual = sum(played.values()) / sum(there.values())
    expected = {c: (played[c] + usual) / (there[c] + 1) for c in (-1, *known)}
    assert dict(zip(patterns.tolist(), chances, strict=True)) | {-1: otherwise} == pytest.approx(
        expected
    )
    assert len(known) > 10


def test_values_are_in_proportion_and_within_the_papers_range() -> None:
    assert in_range(np.array([4.0, 2.0, 0.4, 1e-6])).tolist() == [2433, 1216, 243, 1]


def test_the_command_learns_mangos_shapes(tmp_path: Path) -> None:
    from montego.cli import app

    games, out = tmp_path / "games.sgfs", tmp_path / "m.npz"
    games.write_text(f"{GAME}\n" * 20)
    arguments = ["learn", str(games), "--size", "7", "--mango", "--out", str(out), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    manifest, shapes = json.loads(result.stdout), MangoShapes.load(out)
    assert manifest["games"] == shapes.manifest["games"] == 20
    assert manifest["patterns"] == len(shapes.patterns) > 0
    assert shapes.values.max() == 2433
