"""``montego book``: what it prints, and one line for what is wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from montego.book.store import Book
from montego.cli import main
from tests.book.games import random_game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Book.create(tmp_path / "a.book") as book:
        book.add(random_game(seed) for seed in range(4))
    return tmp_path / "a.book"


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["book", *map(str, words)])
    return int(ended.value.code or 0)


def test_info(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", path) == 0
    assert capsys.readouterr().out.startswith("4 games, ")
    assert run("info", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 4
    assert told["sources"] == {"a test": 4}


def test_check_and_rebuild(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", path) == 0
    assert capsys.readouterr().out.startswith("sound: 4 games")
    with sqlite3.connect(path) as base:
        base.execute("DELETE FROM positions")
    assert run("check", path) == 1
    assert "is missing" in capsys.readouterr().out
    assert run("rebuild", path) == 0
    assert run("check", path) == 0


def test_merge(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("merge", tmp_path / "new.book", path) == 0
    assert "4 games were new" in capsys.readouterr().out
    assert run("merge", tmp_path / "new.book", path) == 0
    assert "0 games were new" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["info", "check", "rebuild"])
def test_one_line_for_what_is_no_book(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("no book " * 500)
    assert run(command, tmp_path / "text") == 2
    assert capsys.readouterr().err == f"montego: {tmp_path / 'text'} is not a book\n"
    assert run("merge", tmp_path / "new", tmp_path / "none") == 2
    assert not (tmp_path / "new").exists()
