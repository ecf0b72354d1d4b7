"""Books shown, exported and read back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from montego.book.choice import Opening
from montego.book.errors import BookError
from montego.book.records import Reading
from montego.book.store import Book
from montego.cli import main
from montego.go import Position, sgf, vertex
from montego.lab.books.tree import grow_tree, start_of, walk
from tests.book.games import line


@pytest.fixture
def path(tmp_path: Path) -> Path:
    games = [
        line("E5 C3 G7", "B+R", name="1"), line("E5 C3 G7", "B+R", name="2"),
        line("E5 C3 G3", "W+R", name="3"), line("G7 C3 E5", "0", name="4"),
    ]  # fmt: skip
    with Book.create(tmp_path / "a.book") as book:
        book.add(games)
    return tmp_path / "a.book"


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["book", *map(str, words)])
    return int(ended.value.code or 0)


def test_the_tree(path: Path) -> None:
    with Book(path) as book:
        root = grow_tree(book, start_of(book, None, None), 3, 1)
    first = root.children[0]
    assert first.told == "B E5: 3 games, 66.7 % won (21 to 94)"
    assert first.children[0].told.startswith("W ")
    assert [node.is_elsewhere for node in walk(root)].count(True) == 1  # two orders of the same
    assert root.as_json()["line"] == []


def test_show(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", path, "E5", "--depth", 2) == 0
    out = capsys.readouterr().out
    assert "White to play" in out
    assert "3 games, 33.3 % won" in out
    assert run("show", path, "E5", "C3", "--json", "--games", 2) == 0
    told = json.loads(capsys.readouterr().out)
    assert [move["games"] for move in told["moves"]] == [2]
    assert run("show", path, "A1") == 0
    assert "nothing is known" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "{}", "Z9"], "off the 9x9 board|is not a move"),
        (["show", "{}", "--size", "13"], "has no such board, but 9x9 with komi 7.5"),
        (["export", "{}", "a.png"], "a.png is neither .sgf nor .txt"),
        (["export", "{}", "a.sgf", "--games", "9"], "has no move of 9 games"),
        (["export", "{}", "a.txt", "--rule", "x"], "not a rule of a book"),
        (["import", "{}", "none.sgf"], "none.sgf is not a file"),
        (["import", "{}", "{}", "--rank", "x"], "is not a rank"),
        (["import", "{}", "{}", "--komi", "x"], "is not a komi"),
        (["grow", "{}", "--recipe", "none"], "is not a player"),
        (["grow", "{}", "selection.c=x"], "selection.c"),
        (["grow", "{}", "--method", "buro", "--moves", "9"], "--moves is for other methods"),
    ],
)
def test_one_line_for_what_is_wrong(
    path: Path,
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(path.parent)
    assert run(*(word.format(path) for word in words)) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert re.search(told, error)


def test_games_through_a_position(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Book(path, writes=True) as book:
        book.add([line("E5 G3 D4", "W+R", black="anna", black_thinking="seconds=1")])
    assert run("games", path, "E5", "C3") == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["game", "1", "2", "3", "5"]  # 5: turned
    assert "anna seconds=1" in rows[-1]
    assert run("games", path, "E5", "C3", "--most", 2) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert run("games", path, "A1") == 0
    assert "no game came" in capsys.readouterr().out


def test_a_game_of_a_book(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("extract", path, 3) == 0
    record = sgf.loads(capsys.readouterr().out)
    assert record.result == "W+R"
    assert [vertex(move, 9) for _, move in record.position.moves] == ["E5", "C3", "G3"]
    assert run("extract", path, 9) == 2
    assert "holds no game 9" in capsys.readouterr().err


def test_several_boards(path: Path) -> None:
    with Book(path, writes=True) as book:
        book.add([line("C3", size=5)])
        with pytest.raises(BookError, match="several boards, name one"):
            start_of(book, None, None)
        assert start_of(book, 5, None).size == 5


def test_a_book_as_sgf(path: Path, tmp_path: Path) -> None:
    assert run("export", path, tmp_path / "out.sgf", "--games", 1) == 0
    game = Sgf_game.from_bytes((tmp_path / "out.sgf").read_bytes())
    comments = [child.get("C") for child in game.get_root()]
    assert comments[0].startswith("B E5: 3 games, 66.7 % won")
    assert game.get_komi() == 7.5
    assert run("export", path, tmp_path / "out.sgf") == 2  # it is there already
    assert run("export", path, tmp_path / "out.sgf", "--force") == 0


def test_a_book_as_text_comes_back(path: Path, tmp_path: Path) -> None:
    assert run("export", path, tmp_path / "out.txt", "--games", 1) == 0
    text = (tmp_path / "out.txt").read_text()
    assert text.startswith("9 | E5\n")
    with Book.create(tmp_path / "b.book") as copy, Book(path) as book:
        copy.add(Reading().games(tmp_path / "out.txt"))
        for position in (Position.start(9), Position.start(9).play("E5").play("C3")):
            here, there = Opening(book).choose(position), Opening(copy).choose(position)
            assert here is not None
            assert there is not None
            assert here.move.point == there.move.point


def test_import(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "some.sgfs"
    records.write_text("(;SZ[9]KM[7.5]RE[B+R];B[ee];W[cc])\n(;SZ[9]RE[B+R];B[ee]\n")
    assert run("import", tmp_path / "new.book", records, "--komi", 7.5) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 games read, 1 were new")
    assert "left out 1" in out
    assert run("import", tmp_path / "new.book", records) == 0
    assert "0 were new" in capsys.readouterr().out
