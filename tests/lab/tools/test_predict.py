"""How well playouts predict the winner."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from montego import cli
from montego.go import Position, Rules, sgf
from montego.go.sgf import GameRecord
from montego.lab.tools.predict import (
    Case,
    PredictError,
    figures,
    log_losses,
    playout_of,
    read_cases,
)
from montego.mcts.playouts import Expert, Uniform, choose_moves


def game(seed: int) -> bytes:
    """A random game on 5x5 with its result."""
    position = Position.start(5, Rules(komi=0.5))
    while len(position.moves) < 30 and not position.is_over:
        move = choose_moves(position, Uniform(), 1, 1000 * seed + len(position.moves))[0]
        position = position.play(move if position.is_legal(move) else "pass")
    result = "B+" if position.score() > 0 else "W+"
    return sgf.dumps(GameRecord(position, result=result)).replace("\n", "").encode()


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "random.sgfs"
    lines = [game(seed) for seed in range(60)]
    drawn = lines[0].replace(b"RE[B+]", b"RE[0]").replace(b"RE[W+]", b"RE[0]")
    path.write_bytes(b"\n".join([*lines, drawn, b"(;SZ[9]RE[B+];B[aa])", b"(;nonsense"]))
    return path


def test_cases_are_positions_of_games_with_a_winner(games: Path) -> None:
    cases, skipped = read_cases([games], 5, 1000, seed=1)
    assert len(cases) == 60
    assert sum(skipped.values()) == 3
    assert {"has no winner", "played on 9x9"} <= set(skipped)
    assert all(0 < len(case.moves) < 30 and len(case.moves) == len(case.position().moves)
               for case in cases)  # fmt: skip
    assert read_cases([games], 5, 10, seed=1)[0] == read_cases([games], 5, 10, seed=1)[0]
    assert read_cases([games], 5, 10, seed=1)[0] != read_cases([games], 5, 10, seed=2)[0]


def test_losses_are_those_of_the_best_curve() -> None:
    random = np.random.default_rng(1)
    logits = random.normal(size=400)
    won = random.random(400) < 1 / (1 + np.exp(-(0.3 + 2 * logits)))

    def mean_loss(curve: np.ndarray) -> float:
        z = curve[0] + curve[1] * logits
        return float(np.mean(np.where(won, np.log1p(np.exp(-z)), np.log1p(np.exp(z)))))

    assert log_losses(logits, won).mean() == pytest.approx(minimize(mean_loss, [0, 1]).fun)


def test_who_knows_more_loses_less() -> None:
    random = np.random.default_rng(2)
    truth = random.random(1000)
    cases = [Case(9, 7.5, (), s, bool(w)) for s, w in
             zip(random.random(1000), random.random(1000) < truth, strict=True)]  # fmt: skip
    blind = np.full(1000, 50.0)
    wins = np.column_stack([blind, 100 * truth, 100 - 100 * truth])
    nothing, sharp, turned = figures(cases, wins, 100, ["nothing", "sharp", "turned"])
    assert nothing.loss == pytest.approx(np.log(2), abs=0.01)
    assert sharp.loss < 0.55
    assert sharp.interval.high < 0 < sharp.right - 0.7
    assert turned.loss == pytest.approx(sharp.loss)  # the curve turns it round
    assert turned.right == pytest.approx(1 - sharp.right)
    assert set(sharp.by_stage) == {"opening", "middle", "end"}


def test_playouts_by_name() -> None:
    assert playout_of("montego,playout.race=0") == Expert(race=0.0)
    assert playout_of("playout:uniform") == playout_of("random") == Uniform()
    with pytest.raises(PredictError, match="another program"):
        playout_of("gtp:sh")


def test_the_command(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*more: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            cli.main(["predict", str(games), *more])
        return int(left.value.code or 0), *capsys.readouterr()

    options = ("--size", "5", "--count", "20", "--workers", "1")
    code, out, err = run("playout:uniform", "playout:mogo", *options, "--json")
    assert code == 0
    assert "has no winner" in err
    told = json.loads(out)
    assert (told["positions"], told["playouts"]) == (60, 20)
    assert [kind["playouts"] for kind in told["kinds"]] == ["playout:uniform", "playout:mogo"]
    assert told["kinds"][0]["difference"] == 0
    assert 0 < told["kinds"][0]["loss"] < 0.69
    assert "log loss" in run("playout:uniform", *options)[1]
    assert "is not a player" in run("nobody", *options)[2]
    assert "too few games can be used" in run("playout:uniform", "--size", "7")[2]
    assert "there is no file" in run_missing(capsys)


def run_missing(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        cli.main(["predict", "nowhere.sgf", "playout:uniform"])
    return capsys.readouterr().err
