"""``montego optimise``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from montego.cli import main

MODULE = """
from montego.planning import Grammar

grammar = Grammar({"S": [["A", "B"]], "A": [["a"], ["b"]], "B": [["c"], ["A", "A"]]}, "S")

def make():
    return grammar

def broken():
    raise RuntimeError("no graph today")

def f(word):
    if word == ("a", "c"):
        raise ValueError("no")
    return len(word) + word.count("b")
"""

MODULES = {
    "word_problem": MODULE,
    "divided": "x = 0\ny = 1 / x\n",
    "unfinished": "def f(:\n",
    "missing": "import no_such_module_at_all\n",
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["optimise", *arguments])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_study_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--evaluations", "4",
        "--out", "study.sqlite", "--json", "--keep-going",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["trials"] == 4
    code, out, _ = run(
        capsys, "word_problem:make", "--objective", "word_problem:f", "--seconds", "20",
        "--out", "study.sqlite", "--plot", "study.svg", "--keep-going",
    )  # fmt: skip
    assert code == 0
    assert out == "best: ('b', 'b', 'b')\nvalue: 6 (9 evaluated, 1 failed, all there are)\n"
    assert (folder / "study.svg").exists()


def test_processes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--workers", "2",
        "--minimise", "--json", "--keep-going",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["best_value"] == 3


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_exception_of_the_objective_is_shown_where_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    code, out, error = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--workers", workers,
        "--out", "study.sqlite",
    )  # fmt: skip
    assert (code, out) == (1, "")
    lines = error.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{folder / "word_problem.py"}", line 14, in f'
    assert lines[-2] == "ValueError: no"
    assert lines[-1].startswith("montego: with --keep-going")
    assert "study.sqlite" in lines[-1]
    assert "montego/planning" not in error
    code, out, _ = run(
        capsys, "word_problem:grammar", "--objective", "word_problem:f", "--workers", workers,
        "--out", "study.sqlite", "--keep-going",
    )  # fmt: skip
    assert code == 0
    assert "9 evaluated, 1 failed, all there are" in out


def test_exceptions_of_the_users_module(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = run(capsys, "word_problem:broken", "--objective", "word_problem:f")
    assert code == 1
    assert error.splitlines()[-1] == "RuntimeError: no graph today"
    assert "in broken" in error.splitlines()[1]


@pytest.mark.parametrize(
    ("graph", "objective", "told"),
    [
        ("word_problem", "word_problem:f", "'word_problem' is not module:name"),
        ("nowhere:g", "word_problem:f", "there is no module 'nowhere'"),
        ("word_problem:g", "word_problem:f", "word_problem has no 'g'"),
        ("word_problem:grammar", "word_problem:grammar", "cannot be called"),
        ("word_problem:f.__name__", "word_problem:f", "not a graph"),
        ("word_problem:f", "word_problem:f", "neither a graph nor a function without arguments"),
        ("..:f", "word_problem:f", "'..:f' is not module:name"),
        ("divided:f", "word_problem:f", "divided.py:2: ZeroDivisionError: division by zero"),
        ("unfinished:f", "word_problem:f", "unfinished.py:1: SyntaxError: "),
        ("missing:f", "word_problem:f", "missing.py:1: ModuleNotFoundError: No module named"),
    ],
)
def test_mistakes_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], graph: str, objective: str, told: str
) -> None:
    code, _, error = run(capsys, graph, "--objective", objective, "--evaluations", "1")
    assert code == 2
    assert told in error
    assert error.count("\n") == 1
