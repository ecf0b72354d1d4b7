"""R12's parts: a book that grows, matches with it at stages, and their rows."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from montego.book.errors import BookError
from montego.book.store import Book
from montego.book.upkeep import check
from montego.lab.base.journal import Line
from montego.lab.books.packed import read_pack
from montego.lab.books.ways import NOBODY, Way
from montego.lab.experiments import r12
from montego.lab.experiments.books import BookMatchWork, GrowWork, average_row, color_row
from montego.lab.experiments.model import Panel, Scale
from tests.lab.books.test_grow import Here

PLAYER = "montego,simulations=2,memory=16"
GROWN = GrowWork("X/mvbm", Way("mvbm"), PLAYER, 4, size=4, komi=0.5)
MATCH = BookMatchWork("X/mvbm-2", PLAYER, PLAYER, 4, 2, komi=0.5, book="mvbm", stage=2)
PANEL = Panel("x", x="games")


def never() -> bool:
    return False


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the book has been grown, by this process."""
    seen: list[int] = []
    GROWN.run(tmp_path / GROWN.folder, Here(), lambda lines: seen.append(len(lines)), never)
    assert seen == [0, 1, 2, 3, 4]
    return tmp_path


def test_a_book_is_grown_as_a_work(out: Path) -> None:
    lines = GROWN.lines(out / GROWN.folder)
    assert [line["game"] for line in lines] == [1, 2, 3, 4]
    assert all(line["commit"] and line["machine"] for line in lines)
    assert GROWN.left(lines) == 0
    assert GROWN.lines(out / "nothing") == []
    assert GROWN.left([]) == 4


def test_a_match_is_played_with_the_book_as_it_was(out: Path) -> None:
    folder = out / MATCH.folder
    MATCH.run(folder, Here(), lambda lines: None, never)
    lines = MATCH.lines(folder)
    assert len(lines) == 2
    with Book(out / "X/mvbm/2.book") as stage, Book(out / "X/mvbm/grown.book") as grown:
        assert list(stage.games()) == list(grown.games())[:2]
        assert check(stage) == []
    before = (folder / "games.jsonl").read_text()
    assert "2.book" in before.splitlines()[0]
    (out / "X/mvbm/2.book").unlink()  # it follows from the whole book
    MATCH.run(folder, Here(), lambda lines: None, never)
    assert (folder / "games.jsonl").read_text() == before


def test_the_games_alone_are_enough(out: Path) -> None:
    folder = out / GROWN.folder
    before = GROWN.lines(folder)
    with Book(folder / "grown.book") as book:
        games, about = list(book.games()), book.about()
    (folder / "grown.book").unlink()
    assert GROWN.lines(folder) == before
    MATCH.run(out / MATCH.folder, Here(), lambda lines: None, never)
    with Book(folder / "grown.book") as book:
        assert (list(book.games()), book.about()) == (games, about)
        assert check(book) == []
    (folder / "grown.book").unlink()
    packed = (folder / "grown.games.gz").read_bytes()
    GROWN.run(folder, Here(), lambda lines: None, never)  # nothing is left to be grown
    assert (folder / "grown.games.gz").read_bytes() == packed


def test_what_does_not_hold_games_is_named(tmp_path: Path) -> None:
    for content in (b"", b"nothing", gzip.compress(b"{}\n[1]")):
        path = tmp_path / "grown.games.gz"
        path.write_bytes(content)
        with pytest.raises(BookError, match=r"grown\.games\.gz does not hold the games of a book"):
            read_pack(path)


def test_a_match_waits_for_its_book(tmp_path: Path) -> None:
    MATCH.run(tmp_path / MATCH.folder, 1, lambda lines: None, never)
    assert not (tmp_path / MATCH.folder).exists()


def test_rows() -> None:
    row = color_row("k", "l", PANEL, (GROWN, MATCH), "black", 2.0)
    games: list[Line] = [
        {"winner": "first", "black": "first"}, {"winner": "first", "black": "second"},
        {"winner": "second", "black": "first"},
    ]  # fmt: skip
    found = row.read({MATCH.folder: games, GROWN.folder: []})
    assert found is not None
    assert (found.value, found.number, row.curve) == (50.0, 2, "as Black")
    average = average_row("k", "l", PANEL, GROWN, 4, 3, "white")
    grown: list[Line] = [
        {"game": n, "winner": w, "learner": ("white", "black")[n % 2]}
        for n, w in enumerate(("black", "white", "white", None), start=1)
    ]
    figure = average.read({GROWN.folder: grown})
    assert figure is not None
    assert figure.value == pytest.approx(100 * 2.5 / 3)
    assert average.read({GROWN.folder: []}) is None
    alone = replace(GROWN, way=Way("mvbm", NOBODY))  # only the learner's games count
    figure = average_row("k", "l", PANEL, alone, 4, 3, "black").read({GROWN.folder: grown})
    assert figure is not None
    assert (figure.value, figure.number) == (0.0, 1)


@pytest.mark.parametrize("scale", [*Scale])
def test_the_rows_of_the_experiment(scale: Scale) -> None:
    rows = list(r12.rows(scale))
    keys = [row.key for row in rows]
    assert len(set(keys)) == len(keys)
    compared, last = r12.AMOUNTS[scale].compared, r12.AMOUNTS[scale].stages[-1]
    assert compared in r12.AMOUNTS[scale].stages
    assert {"mvbm-white", "mbm-black", "more-white", f"self-{compared}", "none-black"} <= {*keys}
    assert f"learning-{last}-black" in keys
    assert sum(row.paper is not None for row in rows) == 5
