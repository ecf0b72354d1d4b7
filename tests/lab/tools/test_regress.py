"""Regression files: their grammar, what becomes of a test, and our own positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego import cli
from montego.go import sgf
from montego.lab.base.errors import LabError
from montego.lab.tools.regress import (
    Expectation,
    FileResult,
    Outcome,
    command_of,
    read_steps,
    run_files,
)
from tests.lab.matches.opponents import moody

REGRESSION = Path(__file__).resolve().parents[3] / "regression"
OWN_FILES = sorted(REGRESSION.glob("*.tst"))

TESTS = """\
# a comment
boardsize 5
clear_board

10 genmove black # another
#? [pass|D4]
20 genmove white
#? [A1]
genmove black
#? [!pass]*
40 name
#? [!x]*
"""


def write(folder: Path, text: str, name: str = "some.tst") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def outcomes(result: FileResult) -> list[str]:
    return [test.outcome.value for test in result.tests]


def test_steps(tmp_path: Path) -> None:
    steps = read_steps(write(tmp_path, TESTS))
    assert [step.command for step in steps][:3] == ["boardsize 5", "clear_board", "genmove black"]
    assert (steps[2].number, steps[2].line, str(steps[2].expected)) == ("10", 5, "[pass|D4]")
    assert steps[4].expected == Expectation("pass", negated=True, known_failure=True)
    assert steps[4].number == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("#? [D4]", "line 1: there is no command before it"),
        ("name\n#? [a]\n#? [b]", "line 3: there is no command before it"),
        ("name\n#? D4", "line 2: .* is not of the form"),
        ("name\n#? [(]", "line 2: "),
        ("name", "holds no test"),
    ],
)
def test_files_without_sense(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(LabError, match=told):
        read_steps(write(tmp_path, text))
    with pytest.raises(LabError, match="No such file"):
        read_steps(tmp_path / "other.tst")


@pytest.mark.parametrize(
    ("expectation", "reply", "outcome"),
    [
        (Expectation("D4|E5"), "E5", Outcome.passed),
        (Expectation("D4|E5"), "E55", Outcome.failed),  # the whole reply
        (Expectation("PASS|d4"), "pass", Outcome.passed),
        (Expectation("PASS|d4"), "D4", Outcome.passed),
        (Expectation("PASS", negated=True), "pass", Outcome.failed),
        (Expectation("D4", negated=True), "E5", Outcome.passed),
        (Expectation("D4", negated=True), None, Outcome.failed),
        (Expectation("D4", known_failure=True), "E5", Outcome.known_failure),
        (Expectation("D4", known_failure=True), "D4", Outcome.unexpected_pass),
        (Expectation("D4", known_failure=True), None, Outcome.known_failure),
        (Expectation(""), "", Outcome.passed),
    ],
)
def test_outcomes(expectation: Expectation, reply: str | None, outcome: Outcome) -> None:
    assert expectation.judge(reply) is outcome


def test_a_file_is_run(tmp_path: Path) -> None:
    (result,) = run_files([write(tmp_path, TESTS)], moody("good"), 1, 5.0)
    assert outcomes(result) == ["passed", "failed", "known failure", "unexpected pass"]
    assert result.tests[1].reply == "pass"
    assert not result.is_good


def test_files_run_side_by_side_in_their_own_folders(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    files = [write(tmp_path, TESTS), write(tmp_path / "sub", "genmove black\n#? [pass]\n")]
    results = run_files(files, moody("good"), 2, 5.0)
    assert [result.file for result in results] == [str(path) for path in files]
    assert [result.is_good for result in results] == [False, True]


def test_a_program_that_stops_fails_until_a_new_position(tmp_path: Path) -> None:
    text = "genmove black\n#? [pass]\nname\n#? []\nclear_board\nname\n#? []\n"
    (result,) = run_files([write(tmp_path, text)], moody("crash"), 1, 5.0)
    assert outcomes(result) == ["failed", "failed", "passed"]
    assert "out of luck" in result.tests[0].reply
    assert result.tests[1].reply == "the program has stopped at line 1"


def test_a_refused_command_is_an_error(tmp_path: Path) -> None:
    text = "play black A1\nname\n#? []\nclear_board\nname\n#? []\n"
    (result,) = run_files([write(tmp_path, text)], moody("stubborn"), 1, 5.0)
    assert outcomes(result) == ["failed", "passed"]
    assert result.errors == ["line 1: play black A1: illegal move"]
    assert not result.is_good


def test_players() -> None:
    command = command_of("mango,simulations=5,selection.c=0.5,seed=3")[2:]
    assert command == [
        "montego", "gtp", "--recipe", "mango", "--simulations", "5", "selection.c=0.5",
        "--seed", "3",
    ]  # fmt: skip
    command = command_of("montego,cluster=slow-tree,machines=3,cluster.delay=2,book_games=2")[2:]
    assert command == [
        "montego", "gtp", "--recipe", "montego", "--cluster", "slow-tree", "cluster.machines=3",
        "cluster.delay=2", "--book-games", "2",
    ]  # fmt: skip
    with pytest.raises(LabError, match="answers no commands"):
        command_of("random")


def regress(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(["regress", *arguments])
    return int(left.value.code or 0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, TESTS))
    assert regress(path, "--player", moody("good")) == 1
    out = capsys.readouterr().out.replace("\n", "")
    assert "line 7: failed: 20 genmove white: pass, expected [A1]" in out
    good = str(write(tmp_path, "genmove black\n#? [pass]\n", "good.tst"))
    assert regress(good, "--player", moody("good"), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["totals"] == {
        "passed": 1,
        "failed": 0,
        "known failure": 0,
        "unexpected pass": 0,
    }
    assert regress(str(tmp_path / "none.tst")) == 2
    assert regress(good, "--player", "nobody") == 2


# --- our own positions -----------------------------------------------------------------


def test_our_own_files_are_there() -> None:
    names = {path.stem for path in OWN_FILES}
    assert names == {"corners", "handicap", "ladders", "nakade", "seki", "semeai"}


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_our_own_positions_can_be_played(path: Path) -> None:
    """Every position loads, and every move that counts as right is legal for who is to move."""
    steps = read_steps(path)
    tests = list(zip(steps[::2], steps[1::2], strict=True))
    assert len(tests) >= 8
    for load, asked in tests:
        position = sgf.load(path.parent / load.command.split()[1]).position
        assert asked.command == f"reg_genmove {'black' if position.to_play == 1 else 'white'}"
        assert asked.expected is not None
        if asked.expected.negated:
            continue
        for move in asked.expected.pattern.split("|"):
            assert position.is_legal(move)


def test_our_program_answers_a_file(tmp_path: Path) -> None:
    player = "montego,simulations=200"
    (result,) = run_files([REGRESSION / "corners.tst"], player, 1, 120.0)
    assert not result.errors
    assert result.count(Outcome.passed) >= len(result.tests) // 2
