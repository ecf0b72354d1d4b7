"""One game in the terminal: moves, commands, and what cannot be done."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from montego.engine.levels import find_level
from montego.go import BLACK, WHITE, parse_move, sgf
from montego.terminal import saved_games
from montego.terminal.game import Game, Opening, as_sgf
from montego.terminal.settings import Settings
from tests.fake_search import fake_engine
from tests.terminal.games import ALL_BLACK, play, small_engine, type_lines

# --- moves -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "komi", "result"),
    [
        (BLACK, 10, "W+1"),
        (WHITE, 7.5, "B+1.5"),
        (WHITE, -3, "B+12"),
        (BLACK, 9, "0"),
    ],
)
def test_two_passes_end_the_game(
    user: int, komi: float, result: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = play("pass", "pass", monkeypatch, user, komi, ALL_BLACK)
    assert game.outcome is not None
    assert (game.outcome.result, game.outcome.by_resignation) == (result, False)


def test_the_program_resigns(monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines("A1", monkeypatch)
    engine, _ = fake_engine(size=3, value=-1.0)
    engine.set_parameters({"manners.resign_fill": 0, "manners.resign_times": 1})
    game = Game(Opening(engine, BLACK), Console(file=io.StringIO()))
    outcome = game.run()
    game.keeper.release()
    assert outcome is not None
    assert (outcome.result, outcome.told, outcome.by_resignation) == ("B+R", "White resigns", True)


def test_the_user_resigns(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A1,resign", "C3", monkeypatch)
    assert game.outcome is not None
    assert game.outcome.result == "W+R"
    assert game.record().result == "W+R"


def test_an_illegal_move_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A2,B1,A1,quit", "C3 C1 A3", monkeypatch)
    assert [move for _, move in game.position.moves[::2]] == [
        parse_move(name, 3) for name in ("A2", "B1", "A1")
    ]
    for line in ("A1", "C3", "nonsense", "", "undo 3", "pass pass"):
        game.handle(line)
    assert len(game.position.moves) == 6
    assert game.outcome is None


def test_undo_goes_back_to_the_last_choice_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A1,B1,undo,quit", "C3 C2", monkeypatch)
    assert game.position.to_play == BLACK
    assert len(game.position.moves) == 2
    game, _ = play("A1,undo,quit", "C3 C2", monkeypatch, user=WHITE)
    assert game.position.to_play == WHITE
    assert len(game.position.moves) == 1
    _, shown = play("undo,quit", "", monkeypatch)
    assert "no move of yours" in shown


# --- commands --------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["moves", "candidates"])
def test_the_best_moves_are_a_table(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play(f"{command},quit", "B2", monkeypatch)
    rows = [line.split() for line in shown.splitlines()]
    assert ["move", "wins", "points", "visits", "expected"] in rows
    assert ["B2", "60%", "+3.0", "500", "B2"] in rows


def test_hint_and_table_say_that_the_program_would_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play("moves,quit", "pass", monkeypatch, board=ALL_BLACK)
    assert "would pass" in shown
    _, shown = play("hint,quit", "B2", monkeypatch)
    assert "B2 looks best: 60% to win after 1,000 simulations." in shown


def test_a_variation_is_drawn_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play("variation,quit", "B2", monkeypatch)
    assert " 2 · 1 · 2" in shown
    assert "1 B B2" in shown


def test_the_score_marks_what_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play("B2,A2,score,quit", "C1 C3", monkeypatch)
    assert "Likely: ◎ dead, ▪ territory." in shown
    assert " 1 ▪ ▪ ◎ 1" in shown
    assert "As the stones stand: " in shown
    assert "on average, Black wins 100%" in shown


@pytest.mark.parametrize("wrong", ["0", "11", "four", "1e3", "-1", "²", "9" * 20])
def test_a_level_that_there_is_not(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, shown = play(f"level {wrong},quit", "", monkeypatch)
    assert "is not a level: 1 to 10 are, or first game, " in shown
    assert game.settings == Settings()


def test_the_level_changes_in_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    level = find_level(3)
    game, shown = play("level,level 3,A1,quit", "C3", monkeypatch)
    assert shown.index("2 seconds a move") < shown.index(f"level 3, {level.name}: it ")
    assert (game.engine.clock.simulations, game.engine.clock.seconds) == (level.simulations, None)
    assert game.engine.manners.impulse == level.impulse
    assert saved_games.unpack(game.keeper.path)[1] == Settings().at_level(level)


def test_the_list_of_levels_marks_the_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = play("level first game,levels,quit", "", monkeypatch)
    assert re.search(r"^>  1 first game +plays ", shown, re.MULTILINE)
    assert re.search(r"^  10 strongest ", shown, re.MULTILINE)


def test_a_hint_is_better_than_a_weak_level_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's own search is a fake one, which would say A3."""
    _, shown = play("level 1,hint,moves,hint,quit", "", monkeypatch)
    assert shown.count(" looks best: ") == 2
    assert shown.count("after 2,000 simulations") == 2
    _, shown = play("level 10,hint,quit", "A3", monkeypatch)
    assert "A3 looks best" in shown


def test_help_lists_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    game, shown = play("help,quit", "", monkeypatch)
    for command in game.commands.values():
        assert not command.shown or f"\n{command.name} " in shown


def greeting(width: int, terminal: bool) -> str:
    """What is printed before a game on 19x19 in such a window."""
    output = io.StringIO()
    console = Console(file=output, width=width, force_terminal=terminal, color_system=None)
    Game(Opening(small_engine("", size=19), BLACK), console).greet()
    return output.getvalue()


def test_a_narrow_window_is_told() -> None:
    told = [
        "needs 43 columns" in greeting(width, terminal)
        for width, terminal in ((42, True), (43, True), (42, False))
    ]
    assert told == [True, False, False]


def test_a_narrow_window_cuts_the_board() -> None:
    def widest(terminal: bool) -> int:
        return max(map(len, greeting(30, terminal).splitlines()))

    assert (widest(True), widest(False)) == (30, 43)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_console_can_show_a_game(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "help,A1,hint,moves,variation,score,save /nö/φ,ß,quit"
    type_lines(lines, monkeypatch)
    output = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    game = Game(Opening(small_engine("C3"), BLACK), Console(file=output))
    game.greet()
    game.run()
    output.seek(0)
    shown = output.read()
    assert shown.count("ß" if encoding != "ascii" else "'?' is not a move") >= 1
    assert ("●" in shown) == (encoding == "utf-8")


# --- files -----------------------------------------------------------------------------


def test_a_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sgf"
    _, shown = play(f"A1,save {path},quit", "C3", monkeypatch)
    assert f"Saved to {path}." in shown
    assert "PB[You]" in path.read_text()
    assert "PW[Montego]" in path.read_text()


def test_saving_replaces_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("precious")
    game, shown = play(f"A1,save {tmp_path / 'game'},quit", "C3 C1", monkeypatch)
    assert "exists; save! " in shown
    assert path.read_text() == "precious"
    game.handle(f"save! {path}")
    game.handle("B1")
    game.handle(f"save {path}")  # its own file
    game.keeper.release()
    assert len(sgf.load(path).position.moves) == 3


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (tmp_path, tmp_path / "no" / "folder", "~nobody/x", "x" * 300, tmp_path / "a\0b"):
        game, shown = play(f"A1,save {name},quit", "C3", monkeypatch)
        assert "cannot write " in shown
        assert game.saved is None
    _, shown = play("save,quit", "", monkeypatch)
    assert "save needs FILE" in shown


def test_an_ending_is_added(tmp_path: Path) -> None:
    assert as_sgf("game").name == "game.sgf"
    assert as_sgf("game.txt").name == "game.txt"
    assert as_sgf(str(tmp_path)) == tmp_path


# --- leaving ---------------------------------------------------------------------------


@pytest.mark.parametrize("leave", ["quit", "^C", ""])
def test_who_leaves_is_told_how_to_go_on(leave: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, shown = play(f"A1,{leave}" if leave else "A1", "C3", monkeypatch)
    assert shown.endswith("Goodbye. The game is kept: montego play --resume goes on.\n")
    assert game.outcome is None
    assert saved_games.waiting() == [game.keeper.path]


def test_a_game_without_a_move_of_the_user_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for lines, user in (("quit", BLACK), ("quit", WHITE), ("A1,undo,quit", BLACK)):
        _, shown = play(lines, "C3", monkeypatch, user)
        assert shown.endswith("Goodbye.\n")
    assert saved_games.waiting() == []


def test_a_folder_that_cannot_be_written_costs_nothing(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data_folder / "unfinished").write_text("a file where a folder should be")
    game, shown = play("A1,B1,quit", "C3 C2", monkeypatch)
    assert shown.count("cannot be kept") == 1
    assert len(game.position.moves) == 4
