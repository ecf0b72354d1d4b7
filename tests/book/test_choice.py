"""Which move of a book is played (T30): by every rule legal, and never a pass."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from montego.book.choice import RULES, Opening
from montego.book.errors import BookError
from montego.book.games import BookGame, start_text
from montego.book.keys import key_of
from montego.book.statistics import BookMove, on_board, tally
from montego.go import BLACK, PASS, WHITE, Position, Rules, vertex
from tests.book.games import line, random_game


class Memory:
    """A population without a file."""

    def __init__(self, *games: BookGame) -> None:
        self.counts = tally(games)

    def look_up(self, position: Position) -> tuple[BookMove, ...]:
        place = key_of(position)
        return on_board(position, place, self.counts.get(place.key, {}))

    def version(self) -> int:
        return 1


def many(text: str, won: int, lost: int) -> list[BookGame]:
    """Games of Black's."""
    results = ["B+R"] * won + ["W+R"] * lost
    return [line(text, result, name=str(n)) for n, result in enumerate(results)]


def move_of(opening: Opening, position: Position, seed: int = 0) -> str | None:
    chosen = opening.choose(position, seed)
    return None if chosen is None else vertex(chosen.move.point, position.size)


BOOK = Memory(*many("E5 C3", 6, 6), *many("D5", 3, 1), *many("D4", 1, 0), *many("A1", 0, 9))


@pytest.mark.parametrize(
    ("rule", "games", "move"),
    [
        ("frequent", 1, "E5"), ("frequent", 10, "E5"), ("frequent", 13, None),
        ("rate", 1, "D4"), ("rate", 2, "D5"), ("rate", 5, "E5"),
        ("negamax", 2, "D5"), ("sampled", 10, "E5"),
    ],
)  # fmt: skip
def test_rules(rule: str, games: int, move: str | None) -> None:
    chosen = Opening(BOOK, rule, games).choose(Position.start(9))
    place = key_of(Position.start(9))
    if move is None:
        assert chosen is None
        return
    assert chosen is not None
    wanted = Position.start(9).play(move).moves[0][1]
    assert place.number(chosen.move.point) == place.number(wanted)
    assert chosen.moves[0] is chosen.move


def test_nobody_follows_games_that_were_all_lost() -> None:
    book = Memory(*many("E5", 0, 5))
    for rule in ("frequent", "rate", "sampled"):
        assert Opening(book, rule).choose(Position.start(9)) is None


def test_negamax_sees_the_refutation() -> None:
    """E5 was won often, but White has found the answer; D5 was won less, and holds."""
    book = Memory(
        *many("E5 C3", 8, 0), *many("E5 C4 D4", 0, 3), *many("D5 C3", 3, 1), *many("D5 C4", 3, 1)
    )
    assert move_of(Opening(book, "rate"), Position.start(9)) != "D5"
    chosen = Opening(book, "negamax", 2).choose(Position.start(9))
    place = key_of(Position.start(9))
    d5 = Position.start(9).play("D5").moves[0][1]
    assert chosen is not None
    assert place.number(chosen.move.point) == place.number(d5)


def test_sampled_is_various_and_repeatable() -> None:
    opening = Opening(BOOK, "sampled")
    found = [move_of(opening, Position.start(9), seed) for seed in range(40)]
    assert found == [move_of(opening, Position.start(9), seed) for seed in range(40)]
    assert len(set(found)) == 3  # A1 was never won


def test_a_pass_is_never_played() -> None:
    book = Memory(*many("pass", 5, 0))
    assert Opening(book).choose(Position.start(9)) is None


KO = """
. X O .
X O . O
. X O .
. . . .
"""


def test_what_superko_forbids_is_not_played() -> None:
    """The stones are known from a game without a past; in this game they have been there."""
    rules = Rules(superko="positional")
    there = Position.from_diagram(KO, BLACK, rules).play("C3").play("pass").play("pass")
    known = Position.set_up(4, there.stones(BLACK), there.stones(WHITE), WHITE, rules)
    assert key_of(known).key == key_of(there).key
    taking = known.play("B3").moves[0][1]
    games = [
        BookGame(((WHITE, point),), "W+R", 4, rules, start_text(known), name=str(number))
        for number, point in enumerate([taking, taking, taking, *known.legal()])
    ]
    for rule in RULES:
        opening = Opening(Memory(*games), rule)
        chosen = [opening.choose(there, seed) for seed in range(30)]
        assert all(one and there.is_legal(one.move.point) for one in chosen)
        assert opening.choose(known, 0) is not None
    assert not there.is_legal(taking)
    alone = Memory(*games[:3])
    assert move_of(Opening(alone), known) == "B3"
    assert Opening(alone).choose(there) is None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([*RULES]))
def test_every_rule_plays_legal_moves(seed: int, rule: str) -> None:
    book = Memory(*(random_game(seed + n, 3, 8) for n in range(6)))
    opening, rng = Opening(book, rule), Random(seed)
    position = Position.start(3)
    for number in range(12):
        chosen = opening.choose(position, number)
        if chosen is not None:
            assert chosen.move.point != PASS
            position = position.play(chosen.move.point)
        else:
            position = position.play(rng.choice([*position.legal(), PASS]))


def test_what_makes_no_sense() -> None:
    with pytest.raises(BookError, match="'best' is not a rule of a book: frequent, rate"):
        Opening(BOOK, "best")
    with pytest.raises(BookError, match="at least one game, not 0"):
        Opening(BOOK, games=0)


def test_negamax_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.book.choice.MOST_LOOKUPS", 3)
    book = Memory(*(game for n in range(40) for game in [random_game(n % 8, 4, 20)] * 2))
    seen: list[Position] = []
    look_up = book.look_up

    def counted(position: Position) -> tuple[BookMove, ...]:
        seen.append(position)
        return look_up(position)

    monkeypatch.setattr(book, "look_up", counted)
    assert Opening(book, "negamax").choose(Position.start(4)) is not None
    assert len(seen) <= 1 + 3


def test_a_book_that_says_nothing_about_the_game_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    opening, other = Opening(BOOK), Position.start(9, Rules(komi=6.5))
    assert move_of(opening, Position.start(9).play("J9")) is None  # out of the book, in no way odd
    assert caplog.messages == []
    for position in (other, other.play("E5"), Position.start(13)):
        assert move_of(opening, position) is None
    told = "the book has no game on a board of {} lines with komi {}: montego book info tells what"
    assert [message[: message.index(" it has")] for message in caplog.messages] == [
        told.format(9, 6.5), told.format(13, 7.5)
    ]  # fmt: skip
    caplog.clear()
    assert move_of(Opening(BOOK, is_asked_for=False), other) is None
    assert caplog.messages == []
