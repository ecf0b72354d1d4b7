"""How games begin: new, again, from a record, and where they were left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from montego.engine.levels import find_level, level_of
from montego.go import BLACK, WHITE, BadSgf, GoError, Position, sgf
from montego.go.handicap import handicap_stones
from montego.go.sgf import GameRecord
from montego.terminal import saved_games
from montego.terminal.game import Opening
from montego.terminal.session import from_record, new_game, resumed
from montego.terminal.settings import DEFAULT_SECONDS, Settings
from tests.terminal.games import play, play_session, small_engine

FAST = Settings(simulations=10, seconds=None)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of four moves with komi 5.5."""
    position = Position.start(size=5).with_komi(5.5)
    for move in ("C3", "B2", "D2", "D4"):
        position = position.play(move)
    path = tmp_path / "game.sgf"
    sgf.save(path, GameRecord(position, comments={2: "a good move"}))
    return path


# --- the opponent ----------------------------------------------------------------------


def test_a_level_decides_how_an_engine_is_made() -> None:
    level = find_level(4)
    settings = Settings(recipe="mango", simulations=7, threads=2).at_level(level)
    assert (settings.level, settings.threads) == (4, 2)
    assert settings.told == f"level 4, {level.name}: it {level.description}"
    engine = new_game(settings, size=5).engine
    assert level_of(engine) is level
    with pytest.raises(ValueError, match="11 is not a level"):
        Settings(level=11)


def test_what_is_told_of_the_opponent() -> None:
    assert Settings(simulations=1000, seconds=None).told == "1,000 simulations a move"
    assert Settings().told == "2 seconds a move"


def test_a_budget_is_always_there() -> None:
    clock = new_game(Settings()).engine.clock
    assert (clock.simulations, clock.seconds) == (None, DEFAULT_SECONDS)
    clock = new_game(FAST).engine.clock
    assert (clock.simulations, clock.seconds) == (10, None)


# --- new and again ---------------------------------------------------------------------


def test_a_new_game() -> None:
    opening = new_game(FAST, size=7, komi=0.5, handicap=3, color="white")
    position = opening.engine.position
    assert (position.size, position.komi, opening.user) == (7, 0.5, WHITE)
    assert handicap_stones(position) == 3
    assert new_game(FAST).engine.seed != new_game(FAST).engine.seed
    assert new_game(FAST, seed=5).engine.seed == 5


def test_another_game_begins_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = small_engine("C3 C2")
    engine.handicap_at(["A1", "A2"])
    shown = play_session("B1,level 2,resign,again white,^C", Opening(engine, BLACK), monkeypatch)
    assert shown.index("You are Black") < shown.index("You are White")
    assert shown.count("level 2, newcomer") == 2
    assert handicap_stones(engine.position) == 2
    assert engine.position.moves == []


def test_another_game_from_the_same_move(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opening = from_record(FAST, record, move=2)
    play_session("resign,again,quit", opening, monkeypatch)
    assert len(opening.engine.position.moves) == 1


# --- from a record ---------------------------------------------------------------------


def test_a_game_goes_on_from_its_end(record: Path) -> None:
    opening = from_record(FAST, record)
    position = opening.engine.position
    assert (position.size, position.komi, len(position.moves)) == (5, 5.5, 4)
    assert opening.user == BLACK
    assert opening.engine.record().comments == {2: "a good move"}


def test_a_game_goes_on_before_a_move(record: Path) -> None:
    opening = from_record(FAST, record, move=2, komi=0.5)
    assert len(opening.engine.position.moves) == 1
    assert (opening.user, opening.engine.position.komi) == (WHITE, 0.5)
    assert from_record(FAST, record, move=2, color="black").user == BLACK
    assert len(from_record(FAST, record, move=5).engine.position.moves) == 4
    assert len(from_record(FAST, record, move=1).engine.position.moves) == 0


def test_a_move_that_the_game_does_not_have(record: Path) -> None:
    for move in (6, 7, 1000):
        with pytest.raises(BadSgf, match=rf"game\.sgf: there is no move {move}, the last one is 4"):
            from_record(FAST, record, move)


def test_a_record_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    path.write_text("no game")
    with pytest.raises(BadSgf, match=r"bad\.sgf: not a readable game record"):
        from_record(FAST, path)


def test_a_record_alone_is_not_kept(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = play_session("quit", from_record(FAST, record), monkeypatch)
    assert shown.endswith("Goodbye.\n")
    shown = play_session("A1,quit", from_record(FAST, record), monkeypatch)
    assert "The game is kept" in shown


# --- what was left unfinished ----------------------------------------------------------


def test_a_game_goes_on_where_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = new_game(FAST, size=5, komi=3.5, color="white")
    play_session("A1,level 1,quit", opening, monkeypatch)
    left, again = opening.engine, resumed({"threads": 2})
    assert again.engine.position.moves == left.position.moves
    assert again.engine.record().comments == left.record().comments
    assert again.engine.position.komi == 3.5
    assert (again.user, again.settings) == (WHITE, Settings(threads=2).at_level(find_level(1)))
    assert level_of(again.engine) is find_level(1)
    shown = play_session("quit", again, monkeypatch)
    assert "The game is kept" in shown
    assert saved_games.waiting() == [again.keeper.path]
    play_session("resign,quit", resumed({}), monkeypatch)
    with pytest.raises(GoError, match="no unfinished game waits"):
        resumed({})


def test_an_opponent_of_ones_own_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from montego.mcts.recipes import Recipe\nMINE = Recipe('mine')\n")
    settings = replace(FAST, recipe=f"python:{path}:MINE")
    play_session("A1,quit", new_game(settings, size=5), monkeypatch)
    path.unlink()
    with pytest.raises(GoError, match=r"mine\.py: No such file"):
        resumed({})
    again = resumed({"recipe": "uct"})
    assert again.engine.recipe.name == "uct"
    play_session("quit", again, monkeypatch)


def test_a_game_that_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> str:
        return play_session("A1,quit", Opening(small_engine("C3"), BLACK), monkeypatch)

    assert "unfinished" not in shown()
    assert "An unfinished game waits (" in shown()
    assert "2 unfinished games wait (" in shown()
    again = play_session("quit", resumed({}), monkeypatch)
    assert "wait" not in again


def test_damaged_games_stop_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = play("A1,quit", "C3", monkeypatch)
    for damaged in ("", "(;GM[1]SZ[3])", "(;GM[1]SZ[3]GC[{}])", '(;GC[{"color": "red"}])'):
        game.keeper.path.write_text(damaged)
        with pytest.raises(GoError, match="not a game that was kept"):
            resumed({})
        shown = play_session("quit", Opening(small_engine(""), BLACK), monkeypatch)
        assert "An unfinished game waits" in shown
