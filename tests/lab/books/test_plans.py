"""Whose moves the games of a book are (T31, T32): followed, thought of, and told to the book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from montego.book.games import BookGame, start_text
from montego.book.keys import key_of
from montego.book.statistics import BookMove, tally
from montego.go import BLACK, PASS, WHITE, Position, parse_move, vertex
from montego.lab.base.errors import LabError
from montego.lab.base.workers import WorkError
from montego.lab.books.plans import (
    METHODS,
    Follower,
    Growth,
    Guide,
    LongThinking,
    Resigner,
    Start,
    followed,
)
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.players import RESIGN
from tests.book.games import line
from tests.book.test_choice import Memory
from tests.lab.matches.opponents import Scripted

FAST = parse_player("montego,simulations=2,memory=16")


def guide(population: Memory) -> Guide:
    return partial(followed, population, METHODS["mvbm"])


def moved(point: int, games: int, wins: int) -> BookMove:
    return BookMove(point, BLACK, games, wins, games - wins)


@pytest.mark.parametrize(
    ("rates", "mbm", "mvbm"),
    [
        ([(10, 4), (10, 3)], None, 0),  # below a half, MBM always thinks
        ([(10, 6), (4, 3)], 1, 1),
        ([(10, 1)], None, None),  # one tenth is not above one tenth
        ([(2, 1), (10, 5)], None, 1),  # of equals the most played
        ([], None, None),
    ],
)
def test_what_is_followed(
    rates: Sequence[tuple[int, int]], mbm: int | None, mvbm: int | None
) -> None:
    points = [parse_move(name, 9) for name in ("C3", "D4")]
    moves = tuple(moved(point, *rate) for point, rate in zip(points, rates, strict=False))
    for method, expected in (("mbm", mbm), ("mvbm", mvbm)):
        found = METHODS[method](moves)
        assert found == (None if expected is None else moves[expected])


@pytest.mark.parametrize(
    ("rates", "best"),
    [
        ([], None),
        ([(1, 0)], 0),  # a single game is followed, though it was lost
        ([(6, 6)], None),  # six games ask for a second move
        ([(6, 6), (1, 1)], 1),  # which is then less certain
        ([(40, 30), (20, 2)], None),  # and sixty for a fifth
    ],
)
def test_what_is_explored(rates: Sequence[tuple[int, int]], best: int | None) -> None:
    moves = [moved(100 + n, *rate) for n, rate in enumerate(rates)]
    assert METHODS["ucb"](moves) == (None if best is None else moves[best])


def test_only_the_first_moves_are_followed() -> None:
    book, start = Memory(line("E5 C3 G7", "B+R")), Position.start(9)
    third = start.play("E5").play("C3")
    for moves, expected in ((None, True), (3, True), (2, False)):
        point = followed(book, METHODS["mvbm"], third, moves)
        assert (point is not None) == expected
    assert followed(book, METHODS["mvbm"], start, 1) == parse_move("E5", 9)
    plan = Growth(FAST, Start(4, 0.5), moves=1)
    first = plan.play(1, "x:1", Memory())
    assert int(plan.play(2, "x:2", Memory(first)).about["followed"]) <= 1


def test_what_is_illegal_is_not_followed() -> None:
    class Blind(Memory):
        def look_up(self, position: Position) -> tuple[BookMove, ...]:
            return (BookMove(parse_move("E5", 9), WHITE, 5, 0, 5),)

    c3 = parse_move("C3", 9)
    follower = Follower(Scripted([c3]), guide(Blind()))
    follower.new_game(9, 7.5, 1)
    follower.play(BLACK, parse_move("E5", 9))
    assert follower.genmove(WHITE).move == c3


def test_a_follower_thinks_where_the_book_has_nothing() -> None:
    d4 = parse_move("D4", 9)
    thinker = Scripted([d4, RESIGN])
    follower = Follower(thinker, guide(Memory(line("E5 C3", "B+R"))))
    follower.new_game(9, 7.5, 1)
    first = follower.genmove(BLACK)
    assert (vertex(first.move, 9), first.simulations) == ("E5", 0)
    assert thinker.heard == [(BLACK, first.move)]  # its own board goes on
    assert follower.genmove(WHITE).move == d4  # C3 was lost
    assert follower.genmove(BLACK).move == RESIGN
    assert follower.position.moves == [(BLACK, first.move), (WHITE, d4)]


def test_a_game_is_told_with_who_played_it_and_how() -> None:
    plan = Growth(FAST, Start(4, 0.5), seed=3, method="mbm")
    game = plan.play(1, "x:1", Memory())
    assert (game.size, game.rules.komi, game.name) == (4, 0.5, "x:1")
    assert (game.black, game.black_thinking) == ("montego,memory=16", "simulations=2")
    assert game.source == "grown, mbm"
    assert game.about["followed"] == "0"
    assert game.about.keys() == {"followed", "commit", "machine"}
    assert plan.play(1, "x:1", Memory()) == game
    assert plan.play(2, "x:2", Memory()).moves != game.moves
    tally([game])


def test_a_won_game_is_followed_by_the_winner_and_mutated_by_the_loser() -> None:
    plan = Growth(FAST, Start(4, 0.5))
    first = plan.play(1, "x:1", Memory())
    second = plan.play(2, "x:2", Memory(first))
    assert int(second.about["followed"]) >= 1
    assert first.winner is not None
    if first.winner == BLACK:
        (position, move), *_ = first.positions()
        place = key_of(position)
        assert place.number(second.moves[0][1]) == place.number(move)


def test_games_from_any_position() -> None:
    position = Position.set_up(5, ["C3", "C4"], ["B3", "D3"], WHITE).play("B4")
    plan = Growth(FAST, Start.of(position))
    game = plan.play(1, "x:1", Memory())
    assert game.start == start_text(position.first)
    assert (game.moves[0], game.counted_from) == ((WHITE, parse_move("B4", 5)), 1)
    assert next(game.positions())[0].diagram() == position.diagram()
    with pytest.raises(LabError, match="have to alternate"):
        Start(5, 7.5, "", ((BLACK, 22), (BLACK, 23))).setup()


def test_an_error_is_no_game() -> None:
    class Broken(Growth):
        def players(self, number: int, known: object) -> dict[int, object]:  # type: ignore[override]
            return {BLACK: Scripted([ValueError("out of order")]), WHITE: Scripted()}

    with pytest.raises(WorkError, match=r"game 7 went wrong: .*out of order"):
        Broken(FAST, Start(4, 0.5)).play(7, "x:7", Memory())


# --- long thinking ---------------------------------------------------------------------


def test_short_thinking_resigns_after_its_moves() -> None:
    player = Resigner(Scripted([parse_move("C3", 9)]), 1)
    player.new_game(9, 7.5, 1)
    assert player.genmove(BLACK).move == parse_move("C3", 9)
    assert player.genmove(BLACK).move == RESIGN


def test_long_thinking_wins_the_opening_with_either_colour() -> None:
    plan = LongThinking(FAST, Start(5, 7.5), short=parse_player("montego,simulations=1"), moves=3)
    games: list[BookGame] = [plan.play(number, f"x:{number}", Memory()) for number in (1, 2)]
    assert [game.result for game in games] == ["B+R", "W+R"]
    assert [len(game.moves) for game in games] == [7, 6]
    assert [game.black_thinking for game in games] == ["simulations=2", "simulations=1"]
    assert not any(move == PASS for game in games for _, move in game.moves[:2])
