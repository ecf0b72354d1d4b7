"""Tuning: its parameters, its games, going on with it, what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego import cli
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.record import Record, read_game, read_games
from montego.lab.tools.tune import Parameter, Tuning, TuningPlan, parse_parameter, prepare, tune
from montego.mcts.recipes import RECIPES
from tests.lab.matches.opponents import moody

RECIPE = "uct,simulations=1"


def plan(*parameters: str, seed: int = 0) -> TuningPlan:
    chosen = parameters or ("selection.c:0.1:2:log",)
    return prepare(RECIPE, moody("resign", "good"), chosen, {"size": 4, "seed": seed})


def play(one: TuningPlan, folder: Path, games: int, workers: int = 1) -> None:
    with Tuning(folder, one) as record:
        tune(one, record, games, workers)


def test_parameters() -> None:
    assert parse_parameter("selection.c:0:2", RECIPES["uct"]) == Parameter("selection.c", 0, 2)
    log = parse_parameter("selection.c:0.1:10:log", RECIPES["uct"])
    assert [log.value(place) for place in (-1, 0, 1)] == pytest.approx([0.1, 1, 10])
    assert log.place(1.0) == pytest.approx(0)
    whole = parse_parameter("growth.expand_at:1:9", RECIPES["uct"])
    assert [whole.value(place) for place in (-1, 0.1, 1)] == [1, 5, 9]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("c:0:1", "uct has no number 'c': selection.c, "),
        ("selection.c:1", "is not name:low:high"),
        ("selection.c:a:b", "is not name:low:high"),
        ("selection.c:0:1:cubic", "is not name:low:high"),
        ("selection.c:0:inf", "is not name:low:high"),
        ("selection.c:2:1", "low has to be below high"),
        ("selection.c:0:1:log", "above 0 for log"),
    ],
)
def test_parameters_without_sense(text: str, told: str) -> None:
    with pytest.raises(LabError, match=told):
        parse_parameter(text, RECIPES["uct"])


def test_a_value_that_the_recipe_refuses() -> None:
    with pytest.raises(LabError, match="near_factor has to be between"):
        parse_parameter("playout.near_factor:1:500", RECIPES["mango"])


def test_plans_without_sense() -> None:
    for recipe, parameters, told in (
        ("random", ["x:0:1"], "has no parameters"),
        (RECIPE, [], "name a --parameter"),
        (RECIPE, ["selection.c:0:1"] * 2, "named twice"),
    ):
        with pytest.raises(LabError, match=told):
            prepare(recipe, "random", parameters, {})


def test_games_are_kept_with_their_values_and_gone_on_with(tmp_path: Path) -> None:
    play(plan(), tmp_path, 3)
    begun = (tmp_path / "games.jsonl").read_bytes()
    play(plan(), tmp_path, 6, workers=2)
    assert (tmp_path / "games.jsonl").read_bytes().startswith(begun)
    games = read_games(tmp_path)
    assert sorted(game["game"] for game in games) == [1, 2, 3, 4, 5, 6]
    values = [game["parameters"]["selection.c"] for game in games]
    assert len(set(values)) == 6
    assert all(0.1 <= value <= 2 for value in values)
    assert f"selection.c={values[0]:g}".encode() in read_game(tmp_path, games[0]["game"])
    assert not (tmp_path / "games.sgfs").exists()  # but packed
    assert not Record.is_there(tmp_path)  # montego rank must not take it for a match
    with pytest.raises(RecordError, match="is of a tuning and not of a match"):
        Record(tmp_path, plan().match.config())


def test_the_same_values_from_the_same_games(tmp_path: Path) -> None:
    for name in ("one", "other"):
        play(plan(), tmp_path / name, 4)
    one, other = (
        [game["parameters"] for game in read_games(tmp_path / name)] for name in ("one", "other")
    )
    assert one == other


def test_another_tuning_in_the_folder_is_refused(tmp_path: Path) -> None:
    play(plan(), tmp_path, 1)
    with pytest.raises(RecordError, match="holds another tuning: its parameters is"):
        play(plan("selection.c:0.1:3:log"), tmp_path, 1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "tune", RECIPE, "--against", moody("resign", "good"), "--size", "4", "--games", "6",
        "--parameter", "selection.c:0.1:2:log", "--parameter", "growth.expand_at:1:9",
        "--out", str(tmp_path),
    ]  # fmt: skip
    with pytest.raises(SystemExit) as left:
        cli.main([*arguments, "--json"])
    assert not left.value.code
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 6
    assert told["best"].startswith(f"{RECIPE},selection.c=")
    assert set(told["values"]["growth.expand_at"]) == {"now", "best", "low", "high"}
    assert json.loads((tmp_path / "best.json").read_text()) == told
    assert "<svg" in (tmp_path / "response.svg").read_text()
    assert not (tmp_path / "response.png").exists()
    with pytest.raises(SystemExit):
        cli.main(arguments)
    assert "6 games; expected score" in capsys.readouterr().out
