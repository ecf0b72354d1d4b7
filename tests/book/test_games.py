"""Games of a book: as bytes and back, what tells them apart, and what they say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from montego.book.errors import BookError
from montego.book.games import (
    BookGame,
    packed_moves,
    parse_rules,
    rules_text,
    start_text,
    unpacked_moves,
)
from montego.book.keys import key_of
from montego.book.statistics import BookMove, packed, steps_of, tally, unpacked
from montego.go import BLACK, WHITE, Position, Rules, parse_move
from tests.book.games import line, random_game, turned_game

SEEDS = st.integers(0, 10**6)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from([2, 5, 9, 19]))
def test_moves_come_back_from_their_bytes(seed: int, size: int) -> None:
    moves = random_game(seed, size, 30).moves
    assert unpacked_moves(packed_moves(moves, size), size) == moves


@pytest.mark.parametrize("content", [b"\1", b"\xff\x7f"])
def test_bytes_that_are_no_moves(content: bytes) -> None:
    with pytest.raises(BookError, match="a game w"):
        unpacked_moves(content, 9)


@pytest.mark.parametrize("rules", [Rules(), Rules(-3, True, "simple"), Rules(0.1, False)])
def test_rules_come_back_from_their_text(rules: Rules) -> None:
    assert parse_rules(rules_text(rules)) == rules


@pytest.mark.parametrize("text", ["", "x positional", "7.5 curious", "nan positional"])
def test_texts_that_are_no_rules(text: str) -> None:
    with pytest.raises(BookError, match="are no rules"):
        parse_rules(text)


@pytest.mark.parametrize("result", ["", "?", "Void", "+3"])
def test_a_game_needs_a_result(result: str) -> None:
    with pytest.raises(BookError, match="is not the result of a game"):
        BookGame((), result)


def test_a_start_comes_back_from_its_text() -> None:
    start = Position.set_up(5, ["C3", "D3"], ["B2"], WHITE)
    game = BookGame(((WHITE, parse_move("E5", 5)),), "W+R", 5, start=start_text(start))
    assert game.first.diagram() == start.diagram()
    assert game.first.to_play == WHITE
    assert start_text(Position.start(9)) == ""


def test_the_digest_tells_games_apart_but_not_where_they_come_from() -> None:
    game = random_game(1)
    assert replace(game, source="elsewhere").digest == game.digest
    others = [
        replace(game, name="2"), replace(game, result="B+1.5"), replace(game, black="three"),
        replace(game, rules=Rules(6.5)), replace(game, about={"DT": "2001"}),
        replace(game, moves=game.moves[:-1]), replace(game, counted_from=2),
    ]  # fmt: skip
    assert len({game.digest, *(other.digest for other in others)}) == 1 + len(others)


def test_an_illegal_game_is_told() -> None:
    e5 = parse_move("E5", 9)
    game = replace(line("E5 C3"), moves=((BLACK, e5), (WHITE, e5)))
    with pytest.raises(BookError, match="move 2 is illegal: E5 is occupied"):
        tally([game])


# --- what they say ---------------------------------------------------------------------


def test_counts_are_by_colour() -> None:
    games = [line("E5", "B+R"), line("E5", "W+R"), line("E5", "0"), line("E5", "B+0.5")]
    counts = tally(games)[key_of(Position.start(9)).key]
    assert list(counts.values()) == [(4, 2, 1)]
    move = BookMove(1, BLACK, 4, 2, 1)
    assert (move.wins, move.draws, move.rate) == (2, 1, 0.625)
    assert BookMove(1, WHITE, 4, 2, 1).rate == 0.375


def test_advice_counts_its_last_move_alone() -> None:
    advice = line("E5 C3 G7", "B+", counted_from=2)
    assert len(list(steps_of(advice))) == 1
    position = Position.start(9).play("E5").play("C3")
    assert key_of(position).key in tally([advice])


def test_a_game_counts_once_however_often_it_comes_by() -> None:
    """Two passes lead back to the same stones."""
    rules = Rules(superko="simple")
    game = replace(line("pass pass"), rules=rules)
    twice = replace(game, moves=game.moves * 3)
    assert tally([twice]) == tally([game])


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 7))
def test_a_turned_game_says_the_same(seed: int, symmetry: int) -> None:
    game = random_game(seed)
    assert tally([turned_game(game, symmetry)]) == tally([game])


def test_a_move_out_of_turn_is_counted_for_who_played_it() -> None:
    e5, c3 = parse_move("E5", 9), parse_move("C3", 9)
    game = BookGame(((BLACK, e5), (BLACK, c3)), "B+R")
    black_again = Position.start(9).play("E5").with_to_play(BLACK)
    assert key_of(black_again).key in tally([game])


def test_damaged_counts_are_noticed() -> None:
    content = packed(-5, {3: (4, 2, 1), 7: (1, 0, 1)})
    assert unpacked(-5, content) == {3: (4, 2, 1), 7: (1, 0, 1)}
    damaged = [content[:-1], b"", content[1:], bytes([content[0] ^ 1]) + content[1:]]
    for key, changed in [(-5, one) for one in damaged] + [(5, content)]:
        with pytest.raises(BookError, match="damaged"):
            unpacked(key, changed)
