"""After the game: the count, and what can be done with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from montego.engine.status import Status
from montego.go import BLACK, WHITE, Position, sgf
from montego.terminal import saved_games
from montego.terminal.board import ASCII
from montego.terminal.game import Opening
from montego.terminal.score import count, estimate
from tests.fake_search import all_of, fake_engine
from tests.terminal.games import play_session, small_engine

WON = """
. X . . .
. X . . .
X X X X X
O O O O O
. O . X .
"""
"""Black has the upper part; a black stone in White's is dead."""


def won_position(komi: float = 0.5) -> Position:
    position = Position.from_diagram(WON)
    return position.with_komi(komi)


def owners(position: Position) -> Status:
    ownership = all_of(BLACK, 5)
    ownership[3:] = -1.0
    return Status(position, ownership)


def test_areas_are_counted_without_the_dead() -> None:
    counted = count(owners(won_position()))
    assert (counted.black, counted.white, counted.score) == (15, 10, 4.5)
    marks = counted.marks(ASCII)
    assert sorted(mark.text for mark in marks.values()) == ["b"] * 8 + ["w"] * 3 + ["x"]


def test_an_estimate_adds_up_what_playouts_say() -> None:
    status = owners(won_position())
    status.ownership[0, 0] = 0.5  # not decided
    counted = estimate(status)
    assert (counted.black, counted.white) == (14.75, 10.25)
    assert sum(mark.text == "b" for mark in counted.marks(ASCII).values()) == 7


def opening(position: Position, replies: str, user: int = BLACK) -> Opening:
    engine, _ = fake_engine(size=position.size, script=replies)
    engine.set_komi(position.komi)
    engine.set_up(position.stones(BLACK), position.stones(WHITE), position.to_play)
    return Opening(engine, user)


def test_the_end_shows_board_count_and_result(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = play_session("pass,quit", opening(won_position(5.5), "pass"), monkeypatch)
    final = shown[shown.index("White passes") :].splitlines()
    assert [line.rstrip() for line in final[1:12]] == [
        "   A B C D E",
        " 5 ▪ ● ▪ ▪ ▪ 5",
        " 4 ▪ ● ▪ ▪ ▪ 4",
        " 3 ● ● ● ● ● 3",
        " 2 ○ ○ ○ ○ ○ 2",
        " 1 ▫ ○ ▫ ◉ ▫ 1",
        "   A B C D E",
        "◉ dead, ▪ ▫ territory.",
        "Black: 15",
        "White: 10 + komi 5.5 = 15.5",
        "Both passed. Result: W+0.5, you lose.",
    ]
    assert final[-1] == "Goodbye."


@pytest.mark.parametrize(
    ("komi", "user", "told"),
    [(5, BLACK, "0, a draw"), (6, BLACK, "W+1, you lose"), (4, WHITE, "B+1, you lose")],
)
def test_the_result_is_told_as_the_user_sees_it(
    komi: float, user: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = play_session("pass", opening(won_position(komi), "pass pass", user), monkeypatch)
    assert f"Both passed. Result: {told}." in shown


def test_neutral_points_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "X X X O O\n. X X O .\nX X . O O\n. X X O .\nX X X O O"
    engine = small_engine("pass", komi=20.0, size=5, board=board)
    shown = play_session("pass", Opening(engine, BLACK), monkeypatch)
    assert "Neutral: 1" in shown


def test_a_resigned_game_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = play_session("resign", opening(won_position(), ""), monkeypatch)
    assert "Likely: ◉ dead, ▪ ▫ territory." in shown
    told = r"Played to the end: Black 1[45], White 1[01], komi 0\.5: about B\+[34]\.\d\."
    assert re.search(told, shown)
    assert "You resign. Result: W+R, you lose." in shown


def test_save_and_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reviewed: list[Path] = []
    lines = "A1,resign,review,save mine,review,save mine,save /no/folder/x,quit"
    play_session(lines, Opening(small_engine("C3"), BLACK), monkeypatch, reviewed.append)
    assert [path.name for path in reviewed][1:] == ["mine.sgf"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(p.name for p in reviewed)
    assert sgf.load(reviewed[0]).result == "W+R"


def test_what_is_no_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "resign,D4,,again green,save,quit"
    shown = play_session(lines, Opening(small_engine(""), BLACK), monkeypatch)
    assert "'D4' is not a command" in shown
    assert "'green' is not a colour" in shown
    assert "save needs FILE" in shown
    assert shown.endswith("Goodbye.\n")


@pytest.mark.parametrize("leave", ["quit", "^C", "again,quit"])
def test_a_finished_game_is_not_kept(leave: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play_session(f"A1,resign,{leave}", Opening(small_engine("C3"), BLACK), monkeypatch)
    assert list(saved_games.folder().iterdir()) == []


@pytest.mark.parametrize(
    ("lines", "replies", "moves"),
    [
        ("A1,resign,undo,B1,quit", "C3 C2", 4),  # on from where he resigned
        ("A1,pass,undo,quit", "C3 pass", 2),  # before the user's pass
    ],
)
def test_the_game_goes_on_after_its_end(
    lines: str, replies: str, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Opening(small_engine(replies), BLACK)
    shown = play_session(lines, game, monkeypatch)
    assert len(game.engine.position.moves) == moves
    assert "The game is kept" in shown
    assert shown.count("You are Black") == 1
