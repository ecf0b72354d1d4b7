"""What a user has written in a file: found, or told in one line why not."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from montego.engine.engine import Engine
from montego.mcts.own_file import OwnFileError, find_own, own_recipe

RECIPE = """\
from montego.mcts.recipes import Recipe
print("not for the standard output")
MINE = Recipe("mine")
NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def test_a_recipe_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.py").write_text(RECIPE)
    assert own_recipe("python:mine.py:MINE").name == "mine"
    assert Engine("python:mine.py:MINE", memory_mb=1).recipe.name == "mine"
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("not for the standard output") == 1  # it is run once


def test_an_edit_is_another_file(folder: Path) -> None:
    path = folder / "mine.py"
    path.write_text(RECIPE)
    before = find_own("python:mine.py:NUMBER")
    assert find_own(f"python:{path}:NUMBER").digest == before.digest
    path.write_text(RECIPE.replace("3", "4"))
    after = find_own("python:mine.py:NUMBER")
    assert (before.value, after.value) == (3, 4)
    assert before.digest != after.digest


def test_a_module_beside_it_belongs_to_the_digest(folder: Path) -> None:
    (folder / "a_module_beside_it.py").write_text("CONSTANT = 3\n")
    (folder / "mine.py").write_text("from a_module_beside_it import CONSTANT\n")
    own = find_own("python:mine.py:CONSTANT")
    files = [(folder / name).read_bytes() for name in ("mine.py", "a_module_beside_it.py")]
    assert own.value == 3
    assert own.digest == sha256(b"".join(files)).hexdigest()[:16]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("python:", "'python:' is not python:FILE.py:NAME"),
        ("python:mine.py", "'python:mine.py' is not python:FILE.py:NAME"),
        ("python:mine.py:", "'python:mine.py:' is not python:FILE.py:NAME"),
        ("python:none.py:X", "none.py: No such file or directory"),
        ("python:.:X", ".: Is a directory"),
        ("python:a\0.py:X", "a\0.py: not a file's name"),
        ("python:mine.py:MINES", "mine.py has no 'MINES'; did you mean 'MINE'?"),
        ("python:mine.py:xyz", "mine.py has no 'xyz'"),
        ("python:mine.py:NUMBER", "python:mine.py:NUMBER is an int, and not a recipe"),
        ("python:mine.py:Recipe", "python:mine.py:Recipe is a class, Recipe, and not a recipe"),
        ("python:syntax.py:X", "syntax.py:2: SyntaxError: invalid syntax"),
        ("python:raises.py:X", "raises.py:2: ZeroDivisionError: division by zero"),
        ("python:exits.py:X", "exits.py:1: SystemExit: now"),
        ("python:imports.py:X", "imports.py:1: ModuleNotFoundError: No module named 'no_such'"),
        ("python:lines.py:X", "lines.py:1: ValueError: two lines"),
        ("python:rule.py:f", "rule.py:2: f: the search has no number 'visit'; did you mean"),
        ("python:nulls.py:X", "nulls.py: "),
        ("python:bytes.py:X", "bytes.py:1: SyntaxError: "),
    ],
)
def test_what_is_wrong_with_it_is_told_in_one_line(folder: Path, text: str, told: str) -> None:
    for name, content in {
        "mine": RECIPE,
        "syntax": "\nX = = 3\n",
        "raises": "def f():\n    return 1 / 0\nX = f()\n",
        "exits": "import sys; sys.exit('now')\n",
        "imports": "import no_such\n",
        "lines": "raise ValueError('two\\nlines')\n",
        "rule": "from montego.mcts.own_rules import selection\n"
        "@selection\ndef f(visit): return visit\n",
    }.items():
        (folder / f"{name}.py").write_text(content)
    (folder / "nulls.py").write_bytes(b"X = 3\n\0")
    (folder / "bytes.py").write_bytes(b"X = '\xff'\n")
    with pytest.raises(OwnFileError) as caught:
        own_recipe(text)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)
