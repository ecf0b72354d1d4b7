"""Books shown, exported and read back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sgfmill.sgf import Sgf_game

from montego.book.choice import Opening
from montego.book.errors import BookError
from montego.book.games import start_text
from montego.book.records import Reading
from montego.book.shipped import SHIPPED
from montego.book.store import Book
from montego.cli import main
from montego.go import Position, sgf, vertex
from montego.lab.books.picture import as_svg
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
        (["export", "{}", "a.png"], "a.png is none of .sgf, .txt, .svg"),
        (["export", "{}", "a.sgf", "--games", "9"], "has no move of 9 games"),
        (["export", "{}", "a.txt", "--rule", "x"], "not a rule of a book"),
        (["import", "{}", "none.sgf"], "none.sgf is not a file"),
        (["import", "{}", "{}", "--rank", "x"], "is not a rank"),
        (["import", "{}", "{}", "--komi", "x"], "is not a komi"),
        (["grow", "{}", "--recipe", "none"], "is not a player"),
        (["grow", "{}", "selection.c=x"], "selection.c"),
        (["grow", "{}", "--method", "buro", "--moves", "9"], "are for other methods"),
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


def test_games_from_a_position_on_are_shown_from_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "joseki.book"
    with Book.create(path) as book:
        book.add([line("E5 C3 G7 C7", "B+R", counted_from=2)])
    assert run("show", path) == 0
    assert "B G7: 1 game, 100.0 % won" in capsys.readouterr().out
    assert run("show", path, "G7") == 0
    assert "W C7: 1 game, 0.0 % won" in capsys.readouterr().out
    assert run("export", path, tmp_path / "a.sgf", "--games", 1) == 0
    position = sgf.load(tmp_path / "a.sgf").position
    shown = Position.start(9).play("E5").play("C3").play("G7").play("C7")
    assert position.diagram() == shown.diagram()
    assert run("export", path, tmp_path / "a.txt", "--games", 1) == 0
    assert (tmp_path / "a.txt").read_text() == "9 E5 C3 | G7\n"  # White's move has won no game


def test_advice_from_many_places_is_shown_from_the_empty_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Book.create(tmp_path / "a.book") as book:
        book.add([line("E5 C3", counted_from=1), line("C3 E5 G7", counted_from=2)])
    assert run("show", tmp_path / "a.book", "E5") == 0
    assert "1 game, 0.0 % won" in capsys.readouterr().out


def test_a_text_has_no_stones_that_are_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = start_text(Position.start(9).play("E5"))
    with Book.create(tmp_path / "a.book") as book:
        game = line("E5 C3", "W+R")
        book.add([replace(game, moves=game.moves[1:], start=start)])
    assert run("export", tmp_path / "a.book", tmp_path / "a.txt", "--games", 1) == 2
    assert "begin with stones" in capsys.readouterr().err
    assert not (tmp_path / "a.txt").exists()


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


def test_a_picture_of_the_main_lines(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert run("export", str(path), str(out), "--games", "1", "--depth", "2") == 0
    drawn = ElementTree.fromstring(out.read_text("utf-8"))
    boards = drawn.findall("{http://www.w3.org/2000/svg}svg")
    with Book(path) as book:
        first = book.look_up(start_of(book, None, None))
    assert len(boards) > 1 + min(len(first), 3)
    texts = [text.text or "" for text in drawn.findall("{http://www.w3.org/2000/svg}text")]
    assert any(re.match(r"B [A-J]\d, \d+ games?", text) for text in texts)
    tops = [float(board.get("y", "")) for board in boards]
    columns = [float(board.get("x", "")) for board in boards]
    assert len({*zip(columns, tops, strict=True)}) == len(boards)  # none covers another


def test_the_picture_in_the_docs_is_of_the_shipped_book() -> None:
    with Book(SHIPPED) as book:
        drawn = as_svg(grow_tree(book, start_of(book, 9, 7.5), depth=3, games=2))
    kept = Path(__file__).parents[3] / "docs/book-tree.svg"
    assert drawn == kept.read_text("utf-8")
