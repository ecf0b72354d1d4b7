"""Players with a book in a match."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.book.store import Book
from montego.go import BLACK, parse_move
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.record import Record
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import Match, play_match
from montego.lab.matches.players import PlayerError
from tests.book.games import line


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Book.create(tmp_path / "a.book") as book:
        book.add([line("C3", "B+R", size=5)])
    return tmp_path / "a.book"


def match_of(path: Path, size: int = 5) -> Match:
    first = parse_player(f"montego,simulations=2,memory=16,book={path}")
    return Match(first, parse_player("random"), size=size)


def test_a_player_plays_by_its_book(path: Path) -> None:
    player = parse_player(f"montego,simulations=2,memory=16,book={path},book_games=1").player(1.0)
    player.new_game(5, 7.5, 1)
    choice = player.genmove(BLACK)
    assert (choice.move, choice.simulations) == (parse_move("C3", 5), 0)
    player.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("montego,book=none.book", "there is no book none.book"),
        ("montego,book_rule=best", "not a rule of a book"),
        ("montego,book_games=0", "too little"),
        ("search:uct,book=a.book", "a bare search has none"),
    ],
)
def test_books_that_make_no_sense(text: str, told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        parse_player(text)


def test_an_empty_book_is_refused(tmp_path: Path) -> None:
    Book.create(tmp_path / "b.book").close()
    with pytest.raises(PlayerError, match="holds no games"):
        parse_player(f"montego,book={tmp_path / 'b.book'}")


def test_a_book_for_another_board_is_refused(path: Path, tmp_path: Path) -> None:
    match = match_of(path, 7)
    with (
        Record(tmp_path / "match", match.config()) as record,
        pytest.raises(LabError, match="no game from an empty board of 7 lines"),
    ):
        play_match(match, record, 1)


def test_a_match_is_of_the_book_as_it_was(path: Path, tmp_path: Path) -> None:
    match = match_of(path)
    Record(tmp_path / "match", match.config()).close()
    Record(tmp_path / "match", match.config()).close()
    with Book(path, writes=True) as book:
        book.add([line("C4", "W+R", size=5)])
    with pytest.raises(RecordError, match="its books is"):
        Record(tmp_path / "match", match.config())
