"""Advice by weighted statistics (T33)."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.book.choice import Opening
from montego.book.errors import BookError
from montego.book.games import BookGame
from montego.book.keys import key_of
from montego.book.store import Book
from montego.book.upkeep import check
from montego.book.weighing import Classes, Weights, advice, weigh
from montego.go import Position, parse_move
from tests.book.games import line
from tests.book.test_command import run

TOP = {"BR": "5p", "WR": "1p", "DT": "1995"}
NEW = {"BR": "1d", "WR": "3d", "DT": "2020-01-02"}


def several(text: str, results: str, about: dict[str, str] | None = None) -> list[BookGame]:
    return [line(text, f"{r}+R", name=str(n), about=about or {}) for n, r in enumerate(results)]


GAMES = [
    *several("E5 C3", "BBBW"),
    *several("D5 C3", "BW", about=TOP),
    *several("C3", "W", about=NEW),
]


def number(name: str) -> int:
    return key_of(Position.start(9)).number(parse_move(name, 9))


def test_the_terms_of_a_value() -> None:
    start = weigh(GAMES, Classes("1p", "2018"), 1)[key_of(Position.start(9)).key]
    alone = {name: Weights(0, 0, 0, 0, 0).with_changes({name: "1"}) for name in TERMS}
    for name, expected in TERMS.items():
        values = start.values(alone[name])
        assert values == {
            number(move): pytest.approx(value)
            for move, value in zip(("E5", "D5", "C3"), expected, strict=True)
        }, name
    both = start.values(Weights(2, 0, 1, 0, 0))
    assert both[number("E5")] == pytest.approx(2 * 8 / 14 + 4 / 7)


TERMS = {
    "success": (8 / 14, 6 / 12, 5 / 11),  # ten more games, half of them won
    "top_success": (8 / 14, 6 / 12, 5 / 11),  # without games of top players, that of all
    "share": (4 / 7, 2 / 7, 1 / 7),
    "top_share": (0.0, 1.0, 0.0),
    "recent_share": (0.0, 0.0, 1.0),
}


def test_top_and_recent_games() -> None:
    game = line("E5", about=TOP)
    assert Classes("1p").is_top(game)
    assert not Classes("2p").is_top(game)
    assert not Classes("2000").is_top(game)
    assert not Classes().is_recent(game)
    assert Classes(since="1990").is_recent(game)
    assert not Classes(since="1995-06").is_recent(game)


def test_the_best_move_of_every_position_becomes_advice(tmp_path: Path) -> None:
    found = weigh(GAMES, Classes("1p", "2018"), 2)
    told = list(advice(found, Weights(0, 0, 0, 1, 0), 2))
    assert len(told) == 3  # C3 alone leads nowhere
    with Book.create(tmp_path / "a.book") as book:
        book.add(told)
        chosen = Opening(book).choose(Position.start(9))
        assert chosen is not None
        place = key_of(Position.start(9))
        assert place.number(chosen.move.point) == number("D5")
        assert check(book) == []


def test_one_lucky_game_and_a_pass_are_no_advice() -> None:
    games = [*several("E5", "B" * 30 + "W" * 20), *several("A1", "B"), *several("pass", "B" * 60)]
    (told,) = advice(weigh(games, Classes(), 1), Weights(), 5)
    assert told.moves[-1][1] == parse_move("E5", 9)


def test_what_is_wrong() -> None:
    with pytest.raises(BookError, match="share=nan is not a number"):
        Weights().with_changes({"share": "nan"})
    with pytest.raises(BookError, match="no weight 'x': success, top_success"):
        Weights().with_changes({"x": "1"})
    with pytest.raises(BookError, match="share=y is not a number"):
        Weights().with_changes({"share": "y"})
    with pytest.raises(BookError, match="is not a rank"):
        Classes("best")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Book.create(tmp_path / "games.book") as book:
        book.add(GAMES)
    source = tmp_path / "games.book"
    assert run("weigh", tmp_path / "new.book", source, "top_share=3", "--games", 2) == 0
    assert "3 pieces of advice" in capsys.readouterr().out
    assert run("weigh", source, source) == 2
    assert run("weigh", tmp_path / "new.book", source, "x=1") == 2
