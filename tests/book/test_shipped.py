"""The book that comes with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.book.errors import BookError
from montego.book.shipped import FILE, GAMES, SHIPPED, file_of
from montego.book.store import Book
from montego.book.upkeep import Part, check, merge
from montego.engine.engine import Engine
from montego.engine.learning import open_book, open_shipped
from montego.go import Position, Rules
from montego.terminal.session import new_engine
from montego.terminal.settings import Settings
from tests.book.games import line, random_game

MEGABYTE = 1_000_000


def test_it_is_sound_small_and_for_two_komis() -> None:
    assert FILE.stat().st_size <= MEGABYTE
    with Book(SHIPPED) as book:
        assert check(book) == []
        assert all(game.source.startswith("grown, mvbm") for game in book.games())
        assert {(start.size, start.komi) for start in book.starts()} == {(9, 7.0), (9, 7.5)}


@pytest.mark.parametrize("komi", [7.0, 7.5])
def test_it_answers_with_moves_of_several_games(komi: float) -> None:
    opening = open_shipped()
    position = Position.start(9, Rules(komi=komi))
    chosen = opening.choose(position)
    assert chosen is not None
    assert chosen.move.games >= GAMES
    assert chosen.move.wins > 0
    seen = {opening.choose(position, seed).move for seed in range(40)}  # type: ignore[union-attr]
    assert len(seen) > 1  # not the same opening each time


def test_a_file_of_that_name_goes_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_of(SHIPPED) == FILE
    Book.create(SHIPPED).close()
    assert file_of(SHIPPED) == Path(SHIPPED)


def test_it_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for opens in (Book.open_or_create, lambda path: open_book(path, learns=True)):
        with pytest.raises(BookError, match="is only read: montego book merge FILE shipped"):
            opens(SHIPPED)
    with Book.create("mine.book") as mine, Book(SHIPPED) as shipped:
        assert merge(mine, [shipped]) == len(shipped)


def test_it_is_used_in_the_terminal_unless_it_is_not_wanted() -> None:
    def engine(book: str, size: int = 9) -> Engine:
        from montego.terminal.interrupts import Stop

        settings = Settings(simulations=1, seconds=None, book=book)
        return new_engine(settings, Stop(), size, seed=1)

    assert engine(SHIPPED).genmove().from_book
    assert not engine("").genmove().from_book
    assert not engine(SHIPPED, size=13).genmove().from_book


def test_a_part_of_other_books(tmp_path: Path) -> None:
    with Book.create(tmp_path / "a.book") as one, Book.create(tmp_path / "b.book") as other:
        other.add([random_game(1, moves=12), line("E5 C3 G7", source="grown, mvbm")])
        assert merge(one, [other], part=Part(2, "grown")) == 1
        (game,) = one.games()
        assert len(game.moves) == 2
        assert check(one) == []
