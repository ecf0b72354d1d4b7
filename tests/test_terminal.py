"""The game in the terminal against an opponent that plays by a script, and its board."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from montego.go import BLACK, WHITE, Position, parse_move
from montego.terminal import (
    ASCII,
    COLORFUL,
    DEFAULT_SECONDS,
    MONOCHROME,
    Game,
    draw_board,
    new_engine,
    signs_for,
    star_points,
)
from tests.fake_search import fake_engine


def play(
    lines: str,
    replies: str,
    monkeypatch: pytest.MonkeyPatch,
    user: int = BLACK,
    komi: float = 7.5,
) -> tuple[Game, str]:
    """A whole game on a 3x3 board; returns it, and the last line that was printed."""
    script = iter(lines.split(","))
    monkeypatch.setattr("builtins.input", lambda prompt: next(script))
    engine, _ = fake_engine(size=3, script=replies)
    engine.set_komi(komi)
    output = io.StringIO()
    game = Game(engine, user, Console(file=output))
    game.run()
    return game, output.getvalue().splitlines()[-1]


@pytest.mark.parametrize(
    ("user", "lines", "replies", "komi", "ending"),
    [
        (BLACK, "B2,pass", "pass", 10, "Both passed. Result: W+1, you lose."),
        (BLACK, "pass", "pass", 7.5, "Both passed. Result: W+7.5, you lose."),
        (WHITE, "pass", "B2 pass", 7.5, "Both passed. Result: B+1.5, you lose."),
        (WHITE, "pass", "pass", -3, "Both passed. Result: B+3, you lose."),
        (BLACK, "B2,pass", "pass pass", 9, "Both passed. Result: 0, a draw."),
    ],
)
def test_two_passes_end_the_game(
    user: int,
    lines: str,
    replies: str,
    komi: float,
    ending: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert play(lines, replies, monkeypatch, user, komi)[1] == ending


def test_the_program_resigns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "A1")
    engine, _ = fake_engine(size=3, value=-1.0)
    engine.set_parameters({"manners.resign_fill": 0, "manners.resign_times": 1})
    output = io.StringIO()
    Game(engine, BLACK, Console(file=output)).run()
    assert output.getvalue().splitlines()[-1] == "White resigns: B+R."


def test_a_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sgf"
    _, last = play(f"A1,save {path},quit", "C3", monkeypatch)
    assert last == "Goodbye."
    assert "PB[You]" in path.read_text()
    assert "PW[Montego]" in path.read_text()
    game, _ = play(f"A1,save {tmp_path},save,quit", "C3", monkeypatch)
    assert len(game.position.moves) == 2


def test_an_illegal_move_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A2,B1,A1,quit", "C3 C1 A3", monkeypatch)
    assert [move for _, move in game.position.moves[::2]] == [
        parse_move(name, 3) for name in ("A2", "B1", "A1")
    ]
    game.handle("A1")
    game.handle("C3")
    game.handle("nonsense")
    assert len(game.position.moves) == 6


def test_undo_goes_back_to_the_last_choice_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A1,B1,undo,quit", "C3 C2", monkeypatch)
    assert game.position.to_play == BLACK
    assert len(game.position.moves) == 2
    game, _ = play("A1,undo,quit", "C3 C2", monkeypatch, user=WHITE)
    assert game.position.to_play == WHITE
    assert len(game.position.moves) == 1


def test_the_last_move_is_bracketed() -> None:
    position = Position.start(size=3).play("C3").play("B2")
    drawn = draw_board(position, ASCII).plain
    assert drawn.splitlines() == [
        "   A B C",
        " 3 . . X 3 ",
        " 2 .(O). 2 ",
        " 1 . . . 1 ",
        "   A B C",
    ]
    drawn = draw_board(position.play("A2").play("pass").play("C1"), ASCII).plain
    assert " 1 . .(X)1 " in drawn


@pytest.mark.parametrize(
    ("size", "count"), [(2, 0), (5, 0), (7, 4), (8, 4), (9, 5), (13, 5), (18, 4), (19, 9)]
)
def test_star_points(size: int, count: int) -> None:
    assert len(set(star_points(size))) == count


def test_signs_tell_the_colors_apart_everywhere() -> None:
    terminal = {"force_terminal": True, "color_system": "truecolor"}
    utf8 = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert signs_for(Console(file=utf8, **terminal)) == COLORFUL  # type: ignore[arg-type]
    assert signs_for(Console(file=utf8, no_color=True, **terminal)) == MONOCHROME  # type: ignore[arg-type]
    assert signs_for(Console(file=utf8)) == MONOCHROME
    assert signs_for(Console(file=latin)) == ASCII


def test_a_budget_is_always_there() -> None:
    def limits(simulations: int | None, seconds: float | None) -> tuple[object, object]:
        clock = new_engine("montego", 9, 7.5, simulations, seconds, None).clock
        return clock.simulations, clock.seconds

    assert limits(None, None) == (None, DEFAULT_SECONDS)
    assert limits(10, None) == (10, None)
    assert limits(None, 0.5) == (None, 0.5)
