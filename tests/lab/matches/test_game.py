"""One game: who has won, and why; SGF; dead stones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sgfmill import sgf

from montego.go import BLACK, PASS, WHITE, Position, Rules, parse_move
from montego.lab.matches.foul import Foul, Kind
from montego.lab.matches.game import Game, Setup, play_game
from montego.lab.matches.match import as_sgf
from montego.lab.matches.players import RESIGN
from montego.lab.matches.program import find_program
from montego.lab.matches.referee import Referee, area_score, gnugo_score
from tests.lab.matches.opponents import Scripted

SIZE = 5
Moves = Sequence[int | Exception]


def points(*names: str) -> list[int | Exception]:
    return [parse_move(name, SIZE) for name in names]


def setup(opening: Sequence[int] = (), move_limit: int = 75, komi: float = 7.5) -> Setup:
    return Setup(SIZE, komi, opening, move_limit, Referee.area)


def game(black: Moves, white: Moves, rules: Setup | None = None) -> Game:
    players = {BLACK: Scripted(black), WHITE: Scripted(white, win_rate=0.25)}
    return play_game(rules or setup(), players, {BLACK: 1, WHITE: 2})


@pytest.mark.parametrize(
    ("black", "white", "winner", "result", "reason"),
    [
        ([], [], WHITE, "W+7.5", "score"),
        (points("C3"), [], BLACK, "B+17.5", "score"),
        ([RESIGN], [], WHITE, "W+R", "resignation"),
        (points("C3"), [RESIGN], BLACK, "B+R", "resignation"),
        (points("C3"), points("C3"), BLACK, "B+F", "forfeit: rules"),
        ([ZeroDivisionError("oh")], [], WHITE, "W+F", "forfeit: crash"),
        ([Foul(Kind.TIME, "slow")], [], WHITE, "W+T", "forfeit: time"),
        (points("C3"), [Foul(Kind.NONSENSE, "what?")], BLACK, "B+F", "forfeit: nonsense"),
    ],
)
def test_endings(black: Moves, white: Moves, winner: int, result: str, reason: str) -> None:
    ending = game(black, white).ending
    assert (ending.winner, ending.result, ending.reason) == (winner, result, reason)


def test_the_detail_tells_what_happened() -> None:
    assert game(points("C3"), points("C3")).ending.detail == "C3 is occupied by Black"
    assert game([ZeroDivisionError("oh")], []).ending.detail == "ZeroDivisionError: oh"


def test_a_draw_and_the_move_limit() -> None:
    assert game([], [], setup(komi=0)).ending.winner is None
    limited = game(points("C3", "C4"), points("A1", "A2"), setup(move_limit=2))
    assert limited.ending.reason == "move limit"
    assert len(limited.plies) == 2


def test_both_players_hear_the_opening_and_the_opponent() -> None:
    opening = [parse_move("A1", SIZE), parse_move("B1", SIZE)]
    players = {BLACK: Scripted(points("C3")), WHITE: Scripted()}
    played = play_game(setup(opening), players, {BLACK: 1, WHITE: 2})
    start = list(zip((BLACK, WHITE), opening, strict=True))
    assert players[WHITE].heard == [*start, (BLACK, parse_move("C3", SIZE)), (BLACK, PASS)]
    assert players[BLACK].heard == [*start, (WHITE, PASS)]
    assert [ply.simulations for ply in played.plies] == [0, 0, 10, 10, 10]
    assert (played.simulations_of(BLACK), played.simulations_of(WHITE)) == (20, 10)


def test_sgf() -> None:
    played = game(points("C4"), points("E1"))
    text = as_sgf(setup(), played, {BLACK: "one\\[two]", WHITE: "gtp:x"})
    read = sgf.Sgf_game.from_string(text)
    assert (read.get_size(), read.get_komi()) == (5, 7.5)
    assert read.get_player_name("b") == "one\\[two]"
    assert read.get_winner() == ("b" if played.ending.winner == BLACK else "w")
    moves = [node.get_move() for node in read.get_main_sequence()[1:]]
    assert moves == [("b", (3, 2)), ("w", (0, 4)), ("b", None), ("w", None)]
    assert read.get_main_sequence()[2].get("C").startswith("25.0%")


# --- the referee -----------------------------------------------------------------------

DEAD_STONE = """
. . X O .
. . X O .
. O X O O
. . X O .
. . X O .
"""


def test_dead_stones_are_taken_off() -> None:
    position = Position.from_diagram(DEAD_STONE, rules=Rules(komi=0.5))
    assert area_score(position) == 15 - 10 - 0.5
    assert position.score() < area_score(position)


@pytest.mark.skipif(find_program("gnugo") is None, reason="GNU Go is not installed")
def test_gnugo_agrees() -> None:
    position = Position.start(5, Rules(komi=0.5))
    black, white = ["C5", "C4", "C3", "C2", "C1"], ["D5", "D4", "D3", "D2", "D1"]
    for one, other in zip(black, white, strict=True):
        position = position.play(one).play(other)
    position = position.play("A1").play("B3").play("B2").play("E3").play("pass").play("pass")
    assert gnugo_score(position) == area_score(position) == 4.5
