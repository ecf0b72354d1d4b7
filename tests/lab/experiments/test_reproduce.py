"""Experiments: their data, resuming, tables beside the paper's, figures."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from montego import cli
from montego.go import BLACK, Position
from montego.lab import experiments
from montego.lab.base.errors import LabError
from montego.lab.base.journal import Line
from montego.lab.base.progress import Counter
from montego.lab.base.statistics import Sprt
from montego.lab.experiments import convergence, figures, reproduce, tables
from montego.lab.experiments.figures import write_figure
from montego.lab.experiments.matches import Amount, MatchWork, duel, match_row
from montego.lab.experiments.measurements import Measurements, MeasureWork, turns_row, turns_work
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale, plus_minus
from montego.lab.experiments.speed import SearchSpeed, inside, rate, root_value
from montego.mcts import strategies
from montego.mcts.found import Budget
from montego.mcts.playouts import Playout, Sample, Uniform, simulate
from montego.mcts.recipes import RECIPES, Recipe
from montego.mcts.search import LocalSearch
from montego.planning.figures import stacked

PANEL = Panel("games won", even=50.0)
CURVES = Panel("numbers", "units", 2, x="place")


class Square:
    """A measure for tests."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset

    def __call__(self, number: int) -> Mapping[str, Any]:
        return {"square": number * number + self.offset}

    def __str__(self) -> str:
        return f"squares from {self.offset}"


class Half:
    """One of several measures that take turns."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __call__(self) -> Mapping[str, Any]:
        return {"value": self.value}


def half_of(name: str) -> Any:
    return lambda of: of[name]["value"] / 2


def rows(scale: Scale) -> list[Row]:
    match = MatchWork(f"X/{scale}/random", "random", "random", 4, 4)
    turns = turns_work(f"X/{scale}/turns", {"a": Half(3.0), "b": Half(8.0)}, 2)
    return [
        match_row("random", "random | random", PANEL, match, plus_minus(50, 5, 100)),
        turns_row("a", "half of a", CURVES, turns, half_of("a"), x=1, curve="halves"),
        turns_row("b", "half of b", CURVES, turns, half_of("b"), Figure(4.5), 2, "halves"),
        replace(match_row("never", "never", PANEL, match), works=(), missing="not invented yet"),
    ]


TINY = Experiment(
    "X", "a tiny one", "no paper", rows, claims=(Claim("b above a", "b", "a"),), notes="A note."
)


def run(out: Path, *only: str, games: int | None = None) -> reproduce.Report:
    chosen = reproduce.choose_rows(TINY, Scale.quick, only, games)
    assert reproduce.run(chosen, out, 1, lambda work: Counter(work.folder, work.total))
    return reproduce.read(TINY, Scale.quick, chosen, out)


# --- running ---------------------------------------------------------------------------


def test_rows_are_run_read_and_gone_on_with(tmp_path: Path) -> None:
    before = reproduce.read(TINY, Scale.quick, rows(Scale.quick), tmp_path)
    assert [result.state for result in before.results] == ["not begun"] * 3 + ["not invented yet"]
    assert run(tmp_path, "random", games=2).results[0].done == 2
    path = tmp_path / "X/quick/random/games.jsonl"
    assert (
        reproduce.read(TINY, Scale.quick, rows(Scale.quick), tmp_path).results[0].state == "2 of 4"
    )
    begun = path.read_bytes()
    report = run(tmp_path)
    assert path.read_bytes().startswith(begun)
    assert [result.state for result in report.results] == ["done"] * 3 + ["not invented yet"]
    random, a, b, never = (result.ours for result in report.results)
    assert random is not None
    assert random.number == 4
    assert (a, b) == (Figure(1.5, 1.5, 1.5, 2), Figure(4.0, 4.0, 4.0, 2))
    assert never is None
    assert list(report.verdicts()) == [(TINY.claims[0], "holds")]
    ended = path.read_bytes()
    run(tmp_path)
    assert path.read_bytes() == ended
    assert all(result.commits and result.machines for result in report.results[:3])


def test_all_games_count_and_not_only_those_asked_for(tmp_path: Path) -> None:
    run(tmp_path, "random", games=4)
    result = run(tmp_path, "random", games=2).results[0]
    assert result.ours is not None
    assert (result.ours.number, result.state) == (4, "done")


def test_a_game_that_is_missing_in_between_is_played(tmp_path: Path) -> None:
    run(tmp_path, "random", games=4)
    path = tmp_path / "X/quick/random/games.jsonl"
    head, first, second, *later = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([head, first, *later]))
    shown = reproduce.read(TINY, Scale.quick, rows(Scale.quick)[:1], tmp_path)
    assert shown.results[0].state == "3 of 4"
    result = run(tmp_path, "random", games=2).results[0]
    assert (result.done, result.total) == (4, 4)
    assert json.loads(path.read_bytes().splitlines()[-1])["game"] == json.loads(second)["game"]


def test_all_measurements_count(tmp_path: Path) -> None:
    MeasureWork("x", Square(), 3).run(tmp_path, 1, lambda lines: None, lambda: False)
    fewer = MeasureWork("x", Square(), 2)
    lines = fewer.lines(tmp_path)
    assert (len(lines), fewer.left(lines), fewer.left(lines[1:])) == (3, 0, 1)


def test_what_is_done_is_not_impossible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record of a program that this machine lacks is shown like any other."""
    run(tmp_path, "random", games=3)
    work = MatchWork("X/quick/random", "random", "gtp:no-such-go", 4, 3)
    row = match_row("random", "random", PANEL, work)
    elsewhere = replace(TINY, rows=lambda scale: [row], claims=())
    report = reproduce.read(elsewhere, Scale.quick, [row], tmp_path)
    assert report.results[0].state == "done"
    begun = reproduce.read(elsewhere, Scale.quick, [reproduce.with_games(row, 9)], tmp_path)
    assert begun.results[0].state == "3 of 9; no-such-go is not installed"
    tables.show(begun)
    out = capsys.readouterr().out
    assert "impossible" in out
    assert "random: 3 of 9; no-such-go is not installed" in out
    state = reproduce.state_of(elsewhere, Scale.quick, tmp_path)
    assert state is not None
    assert (state["done"], state["rows_impossible"]) == (3, 0)
    nothing = [row_state(elsewhere, tmp_path / "empty")]
    tables.show_states(nothing)
    assert "impossible here" in capsys.readouterr().out


def row_state(experiment: Experiment, out: Path) -> dict[str, Any]:
    scales = {scale.value: reproduce.state_of(experiment, scale, out) for scale in Scale}
    return {"experiment": "X", "title": "tiny", "missing": "", **scales}


def test_a_match_ends_when_its_test_is_decided(tmp_path: Path) -> None:
    sprt = Sprt(-200, 200, 0.2, 0.2)
    amount = Amount("", 60, sprt)
    row = duel("X", Scale.quick, "decided", PANEL, "", ("uct,simulations=30", "random"), 5, amount)
    decided = replace(TINY, rows=lambda scale: [row])
    state = reproduce.state_of(decided, Scale.quick, tmp_path)
    assert state is not None
    assert (state["done"], state["total"]) == (0, 60)
    reproduce.run([row], tmp_path, 1, lambda work: Counter(work.folder, work.total))
    result = reproduce.read(decided, Scale.quick, [row], tmp_path).results[0]
    assert result.state == "done"
    assert 2 <= result.done < 60
    path = tmp_path / "X/quick/decided/games.jsonl"
    ended = path.read_bytes()
    reproduce.run([row], tmp_path, 1, lambda work: Counter(work.folder, work.total))
    assert path.read_bytes() == ended
    state = reproduce.state_of(decided, Scale.quick, tmp_path)
    assert state is not None
    assert state["done"] == state["total"] == result.done


def test_measurements_of_something_else_are_refused(tmp_path: Path) -> None:
    MeasureWork("x", Square(), 2).run(tmp_path, 1, lambda lines: None, lambda: False)
    assert [line["square"] for line in Measurements.read(tmp_path)] == [1, 4]
    with pytest.raises(LabError, match="holds another measurement: its measure is"):
        MeasureWork("x", Square(1), 2).run(tmp_path, 1, lambda lines: None, lambda: False)


def test_an_incomplete_round_does_not_count() -> None:
    turns = turns_work("t", {"a": Half(3.0), "b": Half(8.0)}, 2)
    row = turns_row("a", "a", CURVES, turns, half_of("a"))
    line: Line = {"number": 1, "name": "a", "value": 3.0}
    assert row.read({"t": [line]}) is None
    assert row.read({"t": [line, {"number": 2, "name": "b", "value": 8.0}]}) is not None


def test_a_commit_with_changes_is_marked() -> None:
    assert tables.short_commit("0123456789abcdef+changes") == "01234567+"
    assert tables.short_commit("0123456789abcdef") == "01234567"


@pytest.mark.parametrize(
    ("above", "below", "verdict"),
    [
        (Figure(3, 2.5, 3.5), Figure(1, 0.5, 2.4), "holds"),
        (Figure(3, 2.5, 3.5), Figure(1, 0.5, 2.6), "holds, not sure"),
        (Figure(1, 0.5, 2.4), Figure(3, 2.5, 3.5), "does not hold"),
        (Figure(1), Figure(3), "does not hold, not sure"),
    ],
)
def test_verdicts(above: Figure, below: Figure, verdict: str) -> None:
    assert reproduce.compare(above, below) == verdict


# --- tables and figures ----------------------------------------------------------------


def test_tables_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = run(tmp_path)
    tables.show(report)
    out = capsys.readouterr().out
    for told in ("X a tiny one", "4.50", "b above a: holds", "A note.", "never: not invented yet"):
        assert told in out
    assert "│ random │ random |" in out
    tables.write_tables(report, tmp_path)
    lines = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert [line["row"] for line in lines] == ["random", "a", "b", "never"]
    assert float(lines[2]["ours_value"]) == 4.0
    assert float(lines[2]["paper_value"]) == 4.5
    assert "| `b` | half of b | 4.50 | 4.00 |" in (tmp_path / "table.md").read_text()
    assert "random \\| random" in (tmp_path / "table.md").read_text()
    json.dumps(reproduce.as_json(report), allow_nan=False)
    write_figure(report, tmp_path)
    first = (tmp_path / "figure.svg").read_text()
    write_figure(report, tmp_path)
    assert (tmp_path / "figure.svg").read_text() == first


def test_a_long_title_is_not_cut_off() -> None:
    row = replace(rows(Scale.quick)[0], label="a long label that leaves little room " * 2)
    panel = Panel("games won with what the program knows against without all of it, 19×19")
    picture, (axis,) = stacked((3.4,))
    figures._draw_points(axis, panel, [reproduce.Result(row, Figure(50.0), 1, 1)])
    picture.draw_without_rendering()
    (title,) = axis.texts
    extent = title.get_window_extent()
    assert 0 <= extent.x0 < extent.x1 <= picture.bbox.x1
    assert extent.y1 <= picture.bbox.y1


def test_an_interval_without_bounds_is_drawn_and_told(tmp_path: Path) -> None:
    result = reproduce.Result(rows(Scale.quick)[1], Figure(1.0, -math.inf, math.inf, 1), 1, 1, ())
    report = reproduce.Report(TINY, Scale.quick, (result,))
    assert "– to –" in tables.as_markdown(report)
    write_figure(report, tmp_path)
    json.dumps(reproduce.as_json(report), allow_nan=False)


def test_a_question_of_our_own_has_no_column_for_the_paper() -> None:
    ours, beside = (
        reproduce.Report(TINY, Scale.quick, (reproduce.Result(row, Figure(1.0), 1, 1),))
        for row in rows(Scale.quick)[1:3]
    )
    assert "| row | label | ours | 95 % |" in tables.as_markdown(ours)
    assert "|---|---|---:|---:|---:|---|---|\n" in tables.as_markdown(ours)
    assert "| row | label | paper | ours | 95 % |" in tables.as_markdown(beside)


def test_the_table_fits_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    label = "bias and unpruning, 20000 simulations"
    row = replace(rows(Scale.quick)[0], key="13x13-both", label=label)
    result = reproduce.Result(row, Figure(35.1, 30.8, 39.4, 1000), 1000, 2000, ("c0ffee",))
    tables.show(reproduce.Report(TINY, Scale.quick, (result,)))
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "unpruning," in "".join(lines)
    assert "simulations" in "".join(lines)
    assert any(line.startswith("│ 13x13-both ") and line.endswith("│") for line in lines)
    assert "Commits: c0ffee." in lines


def test_where_it_was_measured_is_told() -> None:
    row = rows(Scale.quick)[1]
    one, two = (
        reproduce.Result(row, Figure(1.0), 1, 1, (), machines) for machines in (("a",), ("a", "b"))
    )
    text = tables.as_markdown(reproduce.Report(TINY, Scale.quick, (one,)))
    assert text.endswith("\n\nMachine: a.\n")
    report = reproduce.Report(TINY, Scale.quick, (one, two))
    assert "\n\nMachines: a; b. " in tables.as_markdown(report)
    lines = csv.DictReader(io.StringIO(tables.as_csv(report)))
    assert [line["machines"] for line in lines] == ["a", "a; b"]
    assert reproduce.as_json(report)["rows"][1]["machines"] == ["a", "b"]


# --- the papers' experiments -----------------------------------------------------------


@pytest.mark.parametrize("scale", list(Scale))
@pytest.mark.parametrize("name", experiments.NAMES)
def test_the_data_of_every_experiment(name: str, scale: Scale) -> None:
    experiment = experiments.find(name)
    assert experiment.name == name
    found = list(experiment.rows(scale))
    assert bool(found) != bool(experiment.missing)
    keys = [row.key for row in found]
    assert len(set(keys)) == len(keys)
    full = {row.key for row in experiment.rows(Scale.full)}
    assert {key for claim in experiment.claims for key in (claim.above, claim.below)} <= full
    assert len({work.folder for work in reproduce.works_of(found)}) == len(
        {work for row in found for work in row.works if isinstance(work, MatchWork)}
        | {work.folder for row in found for work in row.works if not isinstance(work, MatchWork)}
    )
    for work in reproduce.works_of(found):
        assert work.total > 0
        if isinstance(work, MatchWork) and not work.missing():
            work.match()  # raises for a player that there is not


def test_papers_figures_are_those_of_the_papers() -> None:
    def paper(name: str, key: str) -> Figure | None:
        return {row.key: row.paper for row in experiments.find(name).rows(Scale.full)}[key]

    assert paper("R1", "9x9-both") == pytest.approx((61.7, 59.5, 63.9, 2000))
    assert paper("R1", "19x19-pb") == pytest.approx((4.8, 1.8, 7.8, 200))
    assert paper("R7", "fighting-81") == Figure(85_360)
    assert paper("R14", "19x19-200000") == pytest.approx((78.4, 75.5, 81.3, None))
    full = {row.key: row for row in experiments.find("R1").rows(Scale.full)}
    assert full["9x9-both"].works[0].total == 2000


def test_a_row_that_needs_more_cores_says_so() -> None:
    row = duel("X", Scale.quick, "k", PANEL, "", ("mogo", "mogo"), 9, Amount("", 2), threads=9999)
    assert row.obstacle() == "needs 9999 cores"
    row = duel("X", Scale.quick, "k", PANEL, "", ("mogo", "gtp:no-such-go x"), 9, Amount("", 2))
    assert row.obstacle() == "no-such-go is not installed"


# --- convergence and speed -------------------------------------------------------------


def test_the_positions() -> None:
    assert len(convergence.positions()) == 100
    assert len({position.key for position in convergence.positions()}) == 100


def test_moves_that_are_far_behind_get_no_more_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    position, played = convergence.positions()[2], list[int]()

    def count(position: Position, playout: Playout, count: int, seed: int) -> Sample:
        played.append(count)
        return simulate(position, playout, count, seed)

    monkeypatch.setattr(convergence, "simulate", count)
    monkeypatch.setattr(convergence, "LOOKS", (2_000,))
    truth, moves = convergence.Truth(3_000, "")(3), convergence.moves_of(position)
    assert played[: len(moves)] == [2_000] * len(moves)
    assert 0 < played.count(1_000) == len(played) - len(moves) < len(moves)
    sign = 1 if position.to_play == BLACK else -1
    every = [
        sign * simulate(position.play(move), Uniform(), 3_000, seed=9).mean_score for move in moves
    ]
    assert truth["value"] == pytest.approx(max(every), abs=2.0)
    assert max(every) - sorted(every)[len(every) // 2] > 2.0  # which is less than what is at stake


def test_values_come_near_the_true_one() -> None:
    number = 3
    truth = convergence.Truth(400, "")(number)
    recipe = Recipe(
        "x",
        selection=strategies.Objective(),
        backup=strategies.Minimax(),
        growth=convergence.DEPTH_ONE,
    )
    values = convergence.Estimates(recipe, (100, 4_000), "")(number)["values"]
    assert truth["moves"] > 20
    assert abs(values[1] - truth["value"]) < 8
    assert values[0] > values[1]  # the best of many rough means is too high


def test_what_is_inside_a_search() -> None:
    search = LocalSearch(RECIPES["mango"], memory_mb=16)
    search.run(convergence.positions()[0], Budget(simulations=500))
    told = inside(search)
    assert sum(told["nodes"]) == search.nodes - 1 or sum(told["nodes"]) < search.nodes
    assert told["nodes"][-1] == 1  # the root alone has the most visits
    assert 0 < told["knowledge_calls"] < told["playout_moves"]
    assert -1 <= root_value(search) <= 1


def test_speed_is_measured_for_the_time_asked() -> None:
    line = dict(SearchSpeed(RECIPES["uct"], 9, 0.05)())
    assert 0.05 <= line["seconds"] < 5
    assert rate(line) == line["simulations"] / line["cpu_seconds"]
    assert 0 < line["cpu_seconds"] < line["seconds"] + 0.5


# --- the command -----------------------------------------------------------------------


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(["reproduce", *arguments])
    return int(left.value.code or 0)


def test_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--list", "--json", "--out", str(tmp_path)) == 0
    told = {state["experiment"]: state for state in json.loads(capsys.readouterr().out)}
    assert tuple(told) == experiments.NAMES
    assert told["R2"]["full"]["total"] == 1000
    assert not any(state["missing"] for state in told.values())
    assert command("--out", str(tmp_path)) == 0
    assert "not begun" in capsys.readouterr().out


def test_an_experiment_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("r18", "--out", str(tmp_path)) == 0
    assert "at most 4" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "R18/quick").iterdir()} == {
        "table.csv",
        "table.md",
        "figure.svg",
    }


def test_the_rows_of_an_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("r14", "--list", "--json", "--out", str(tmp_path)) == 0
    told = json.loads(capsys.readouterr().out)
    both = {scale: [row["row"] for row in told if row["scale"] == scale] for scale in Scale}
    assert both[Scale.quick] == ["9x9-10000", "19x19-10000"]
    assert "9x9-200000" in both[Scale.full]
    assert (told[0]["done"], told[0]["total"], told[0]["noun"]) == (0, 80, "games")
    assert command("R14", "--list", "--out", str(tmp_path)) == 0
    out = capsys.readouterr().out
    assert "│ 9x9-200000 " in out
    assert "not begun" in out
    assert not list(tmp_path.iterdir())


def test_showing_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results"
    assert command("R18", "--show", "--out", str(out)) == 0
    assert "at most 4" in capsys.readouterr().out
    assert not out.exists()
    assert command("R18", "--redraw", "--json", "--out", str(out)) == 0
    assert json.loads(capsys.readouterr().out)["experiment"] == "R18"
    assert (out / "R18/quick/table.md").exists()


def test_a_folder_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert command("R2", "--out", str(tmp_path / "file")) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_an_interrupted_experiment_says_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiments, "find", lambda name: TINY)
    work = rows(Scale.quick)[0].works[0]

    def interrupted(self: MatchWork, folder: Path, *_: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(type(work), "run", interrupted)
    assert command("X", "--out", str(tmp_path)) == 130
    captured = capsys.readouterr()
    assert "not begun" in captured.out
    assert captured.err == "montego: interrupted; the same command resumes where it stopped\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["R19"], "'R19' is not an experiment"),
        (["Rx"], "'Rx' is not an experiment"),
        (["R2", "--only", "8x8"], "R2 has no row '8x8': 9x9, 13x13, 19x19"),
    ],
)
def test_requests_without_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert command(*arguments, "--out", str(tmp_path)) == 2
    assert told in capsys.readouterr().err


def test_an_experiment_that_cannot_be_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unable = replace(experiments.find("R11"), missing="a method")
    monkeypatch.setattr(experiments, "find", lambda name: unable)
    for arguments in (["R11"], ["R11", "--list"]):
        assert command(*arguments, "--out", str(tmp_path)) == 2
        assert "R11 cannot be run: a method" in capsys.readouterr().err


def test_completion() -> None:
    from montego.cli.lab import complete_experiment

    assert complete_experiment("r1") == ["R1", *(f"R{number}" for number in range(10, 19))]
