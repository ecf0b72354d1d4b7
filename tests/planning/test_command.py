"""``montego optimise``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from montego.cli import main

MODULE = """
from montego.planning import Grammar

grammar = Grammar({"S": [["A", "B"]], "A": [["a"], ["b"]], "B": [["c"], ["A", "A"]]}, "S")

def make():
    return grammar

def f(word):
    if word == ("a", "c"):
        raise ValueError("no")
    return len(word) + word.count("b")
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["optimise", *arguments])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "word_problem.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_study_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--evaluations", "4",
        "--out", "study.sqlite", "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["trials"] == 4
    code, out, _ = run(
        capsys, "word_problem:make", "--objective", "word_problem:f", "--seconds", "20",
        "--out", "study.sqlite", "--plot", "study.svg",
    )  # fmt: skip
    assert code == 0
    assert out == "best: ('b', 'b', 'b')\nvalue: 6 (9 evaluated, 1 failed, all there are)\n"
    assert (folder / "study.svg").exists()


def test_processes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--workers", "2",
        "--minimise", "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["best_value"] == 3


@pytest.mark.parametrize(
    ("graph", "objective", "told"),
    [
        ("word_problem", "word_problem:f", "'word_problem' is not module:name"),
        ("nowhere:g", "word_problem:f", "there is no module 'nowhere'"),
        ("word_problem:g", "word_problem:f", "word_problem has no 'g'"),
        ("word_problem:grammar", "word_problem:grammar", "cannot be called"),
        ("word_problem:f.__name__", "word_problem:f", "not a graph"),
    ],
)
def test_mistakes_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], graph: str, objective: str, told: str
) -> None:
    code, _, error = run(capsys, graph, "--objective", objective, "--evaluations", "1")
    assert code == 2
    assert told in error
    assert error.count("\n") == 1
