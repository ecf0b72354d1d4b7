"""The engine and its book: it answers at once, says so, and learns from its games."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from montego.book.choice import Opening
from montego.book.errors import BookError
from montego.book.store import Book
from montego.book.upkeep import check
from montego.engine.engine import Engine
from montego.engine.learning import check_start, open_book
from montego.go import WHITE, vertex
from montego.mcts.avoid import Avoid
from montego.terminal.findings import figures
from tests.book.games import line
from tests.fake_search import FakeSearch, fake_engine


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book.create(tmp_path / "a.book") as book:
        book.add([line("E5 C3", "W+R", name="1"), line("E5 G3", "B+R", name="2")])
        yield book


def with_book(book: Book, **more: object) -> tuple[Engine, FakeSearch]:
    fakes: list[FakeSearch] = []

    def make(*arguments: object) -> FakeSearch:
        fakes.append(FakeSearch(*arguments))  # type: ignore[arg-type]
        return fakes[-1]

    return Engine(make_search=make, book=Opening(book), **more), fakes[0]  # type: ignore[arg-type]


def test_it_answers_from_the_book_without_a_search(book: Book) -> None:
    engine, search = with_book(book)
    answer = engine.genmove()
    assert (answer.vertex, answer.from_book, answer.visits) == ("E5", True, 2)
    assert (answer.simulations, answer.win_rate) == (0, 0.5)
    assert engine.position.moves[-1][1] == answer.move
    assert search.budgets == []
    assert "2 games of the book" in engine.record().comments[1]
    assert figures(answer) == "50% won of 2 games in the book"


def test_it_thinks_where_the_book_ends(book: Book) -> None:
    engine, search = with_book(book)
    engine.play("E5")
    first = engine.genmove()
    assert first.from_book
    assert vertex(first.move, 9) in ("C3", "G3", "C7", "G7")
    assert not engine.genmove().from_book
    assert len(search.budgets) == 1


def test_another_komi_or_rule_is_another_game(book: Book) -> None:
    engine, _ = with_book(book)
    engine.set_komi(6.5)
    assert not engine.genmove().from_book


def test_search_tells_the_book_too_and_avoided_moves_are_searched(book: Book) -> None:
    engine, _ = with_book(book)
    assert engine.search().from_book
    assert not engine.search(avoided=[Avoid(WHITE, frozenset({100}))]).from_book


def test_without_a_book_nothing_changes() -> None:
    engine, _ = fake_engine(script="C3")
    assert not engine.genmove().from_book


# --- learning --------------------------------------------------------------------------


def test_a_finished_game_is_learned_once(book: Book) -> None:
    engine, _ = with_book(book, learns=book, simulations=7)
    engine.genmove()
    engine.play("pass")
    engine.play("pass")
    (game,) = book.games(after=2)
    assert [vertex(move, 9) for _, move in game.moves] == ["E5", "pass", "pass"]
    assert (game.black, game.black_thinking, game.white) == ("Montego", "simulations=7", "")
    assert (game.source, game.result) == ("played", engine.result)
    engine.undo()
    engine.play("pass")
    engine.learn("B+R")
    assert len(book) == 3
    engine.clear()
    engine.genmove()
    engine.learn("W+R")  # as when the opponent is told to have won
    assert len(book) == 4
    assert check(book) == []


def test_a_resignation_is_learned(book: Book) -> None:
    engine, search = with_book(book, learns=book, parameters={"manners.resign_fill": 0})
    search.value = -0.99
    engine.genmove()
    engine.play("A1")
    while not engine.genmove().resigned:
        engine.play(engine.position.legal()[-1])
    (game,) = book.games(after=2)
    assert game.result == "W+R"


def test_games_of_others_and_unfinished_ones_are_not_learned(book: Book) -> None:
    engine, _ = with_book(book, learns=book)
    for move in ("E5", "pass", "pass"):
        engine.play(move)
    assert len(book) == 2
    engine.clear()
    engine.genmove()
    engine.clear()
    assert len(book) == 2


def test_a_book_that_cannot_be_written_spoils_no_game(
    book: Book, caplog: pytest.LogCaptureFixture
) -> None:
    with Book(book.path) as reader, caplog.at_level(logging.WARNING):
        engine, _ = with_book(book, learns=reader)
        engine.genmove()
        engine.play("pass")
        engine.play("pass")
    assert "read-only" in caplog.text


def test_opening_a_book(book: Book, tmp_path: Path) -> None:
    opening, learns = open_book(book.path)
    assert learns is None
    assert opening.choose(Engine(make_search=FakeSearch).position) is not None
    assert isinstance(opening.book, Book)
    opening.book.close()
    Book.create(tmp_path / "empty.book").close()
    with pytest.raises(BookError, match="holds no games"):
        open_book(tmp_path / "empty.book")
    new = open_book(tmp_path / "new.book", learns=True)[1]
    assert new is not None
    new.close()
    check_start(book, 9, 7.5)
    with pytest.raises(BookError, match=r"no game from an empty board of 13 lines with komi 6\.5"):
        check_start(book, 13, 6.5)
