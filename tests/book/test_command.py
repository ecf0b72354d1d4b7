"""``montego book``: what it prints, and one line for what is wrong."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from montego.book.store import Book
from montego.cli import main
from tests.book.games import line, random_game


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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gtp", "--book", "none"], "there is no book"),
        (["gtp", "--book", "{}", "--book-rule", "x"], "'x' is not a rule of a book"),
        (["gtp", "--book-learns"], "give --book as well"),
        (["play", "--book", "none"], "there is no book"),
        (["play", "--book-learns"], "give --book as well"),
        (["match", "montego,book=none", "random", "--out", "out"], "there is no book none"),
    ],
)
def test_players_with_a_book_that_cannot_be_used(
    path: Path,
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("MONTEGO_DATA", str(path.parent / "data"))
    with pytest.raises(SystemExit) as ended:
        main([word.format(path) for word in words])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_a_game_against_a_gui_is_learned(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "montego", "gtp", "--book", str(tmp_path / "a.book")]
    asked = "boardsize 3\ngenmove b\nplay w pass\nplay b pass\nquit\n"
    subprocess.run(
        [*command, "--book-learns", "--simulations", "2"],
        input=asked, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == [tmp_path / "a.book"]
    with Book(tmp_path / "a.book") as book:
        (game,) = book.games()
    assert (game.size, game.source, game.black) == (3, "played", "Montego")


def test_a_gui_is_answered_from_the_book(path: Path) -> None:
    with Book(path, writes=True) as book:
        book.add([line("E5 C3", "B+R")])
    command = [sys.executable, "-m", "montego", "gtp", "--book", str(path), "--simulations", "2"]
    asked = "genmove b\nkata-genmove_analyze w 10\nquit\n"
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("= E5\n")
    assert "b E5: from the book, 100.0% of 1 games won" in done.stderr
    assert "w " in done.stderr.partition("won\n")[2]  # C3 was lost: it thinks


def test_a_book_that_turns_out_to_be_damaged_in_a_game(path: Path) -> None:
    with Book(path, writes=True) as book:
        book.add([line("E5 C3", "W+R")])
    with sqlite3.connect(path) as base:  # structure sound, all counts changed
        base.execute("UPDATE positions SET moves = CAST(x'07' || substr(moves, 2) AS BLOB)")
    words = [sys.executable, "-m", "montego", "play", "--book", str(path), "--simulations", "2"]
    done = subprocess.run(words, input="E5\n", capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert re.search(rf"{path}: the counts of position -?\d+ are damaged", done.stderr)


def test_nothing_is_weighed_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Book.create(tmp_path / "empty.book").close()
    assert run("weigh", tmp_path / "new.book", tmp_path / "empty.book") == 2
    assert "empty.book holds no games" in capsys.readouterr().err
    assert not (tmp_path / "new.book").exists()


def test_a_match_with_a_book_for_another_board_is_not_begun(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"match montego,simulations=2,book={path} montego,simulations=2 --komi 3 --games 2"
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), "--out", str(tmp_path / "match")])
    assert ended.value.code == 2
    assert "has no game from an empty board of 9 lines with komi 3" in capsys.readouterr().err
    assert list((tmp_path / "match").iterdir()) == []


def test_no_board_is_served_with_an_empty_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Book.create(tmp_path / "empty.book").close()
    with pytest.raises(SystemExit) as ended:
        main(["web", "--no-open", "--port", "0", "--book", str(tmp_path / "empty.book")])
    assert ended.value.code == 2
    assert "empty.book holds no games" in capsys.readouterr().err
