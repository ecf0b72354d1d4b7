"""Explanations: their terms multiply to what the search believes, and people can read them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from montego.go import Position, sgf, vertex
from montego.go.sgf import GameRecord
from montego.kernels.compiler.jit import entry
from montego.kernels.features.features import strength
from montego.kernels.playouts.policy import WORK
from montego.knowledge.explain import NAMES, explain
from montego.knowledge.guess import guess
from montego.knowledge.strengths import shipped_tables
from tests.positions import random_position


@entry
def call_strength(B, T, W, p, color):
    return strength(B, T, W, p, color)


@pytest.mark.parametrize("size", [9, 19])
def test_the_terms_are_those_of_the_strength(size: int) -> None:
    position = random_position(size, moves=40, seed=size)
    explained = explain(position)
    assert sum(one.probability for one in explained) == pytest.approx(1)
    assert [one.probability for one in explained] == sorted(
        (one.probability for one in explained), reverse=True
    )
    board, work = position.board_copy()[0], np.zeros(1, dtype=WORK)[0]
    tables = shipped_tables(size)
    first = call_strength(board, tables, work, explained[0].move, position.to_play)
    for one in explained[:30]:
        product = math.prod(term.gamma for term in one.terms)
        real = call_strength(board, tables, work, one.move, position.to_play)
        assert product == pytest.approx(real, rel=1e-4)
        together = math.prod(pair.gamma for pair in one.pairs)
        assert together == pytest.approx(one.terms[-1].gamma, rel=1e-4)
        assert one.probability / explained[0].probability == pytest.approx(real / first, rel=1e-4)


def test_what_a_move_does_is_named() -> None:
    position = Position.from_diagram(
        """
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_play="white",
    )
    capture = next(one for one in explain(position) if one.vertex == "D5")
    assert "captures a stone" in [term.name for term in capture.terms]
    escape = explain(position.with_to_play("black"))
    names = {one.vertex: [term.name for term in one.terms] for one in escape}
    assert "saves a chain from atari, to 3 or more liberties" in names["D5"]
    assert "line 3" in names["D5"]
    assert len(set(NAMES)) == len(NAMES)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from montego.cli import app, main

    position = Position.start(9).play("E5").play("E3").play("C4")
    sgf.save(tmp_path / "game.sgf", GameRecord(position))
    result = CliRunner().invoke(app, ["explain", str(tmp_path / "game.sgf"), "3", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["played"] == "C4"
    assert len(told["moves"]) == 79
    before = position.undo()
    said = guess(before)
    assert (told["network"], told["win_rate"]) == ("96x5", said.win_rate)
    assert {one["move"]: one["guessed"] for one in told["moves"]} == said.probabilities
    assert [one["move"] for one in told["moves"]] == list(said.probabilities)
    classic = CliRunner().invoke(
        app, ["explain", str(tmp_path / "game.sgf"), "3", "--recipe", "classic", "--json"]
    )
    told = json.loads(classic.stdout)
    assert told.keys() == {"played", "moves"}
    assert told["moves"][0]["vertex"] == vertex(explain(before)[0].move, 9)
    result = CliRunner().invoke(app, ["explain", str(tmp_path / "game.sgf"), "3", "--top", "2"])
    assert result.exit_code == 0
    assert "C4 was played" in result.stdout
    assert f"96x5 gives who is to move {said.win_rate:.0%}" in result.stdout
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(tmp_path / "game.sgf"), "4"])
    assert ended.value.code == 2
    assert "only 3 moves" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["explain", str(tmp_path / "game.sgf"), "3", "--network", "no.npz"])
    assert ended.value.code == 2
    assert "there is no file no.npz" in capsys.readouterr().err


def test_the_command_with_mogos_terms(tmp_path: Path) -> None:
    from montego.cli import app

    position = Position.start(9).play("E5").play("E4").play("D4")
    sgf.save(tmp_path / "game.sgf", GameRecord(position))
    arguments = ["explain", str(tmp_path / "game.sgf"), "3", "--recipe", "mogo"]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["played"], len(told["moves"])) == ("D4", 79)
    games = next(one["games"] for one in told["moves"] if one["vertex"] == "D4")
    assert games["hane"] > 0
    result = CliRunner().invoke(app, [*arguments, "--top", "2"])
    assert result.exit_code == 0
    assert "hane" in result.stdout
    assert CliRunner().invoke(app, [*arguments[:-1], "mango"]).exit_code == 2
