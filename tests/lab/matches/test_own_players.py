"""Players from a file of the user's own: in matches, ratings, tunings and regression tests."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path

import pytest

from montego import cli
from montego.go import BLACK, Position
from montego.lab.base.errors import RecordError
from montego.lab.base.record import Record, read_config, read_games
from montego.lab.matches.entrants import Entrant, parse_player
from montego.lab.matches.match import Match, play_match
from montego.lab.matches.players import EnginePlayer, PlayerError, SearchPlayer, Settings
from montego.lab.matches.rank import rank
from montego.lab.tools import tune
from montego.lab.tools.predict import PredictError, playout_of
from montego.lab.tools.regress import RegressError, run_files

MINE = """\
from math import sqrt

from montego import Engine
from montego.lab.matches.players import Choice, OwnPlayer
from montego.mcts.own_rules import selection
from montego.mcts.recipes import Recipe


@selection
def careful(value, visits, log_parent_visits, c=0.5):
    return value + c * sqrt(log_parent_visits / visits)


MINE = Recipe("mine", selection=careful())


def engine(size, komi, seed, simulations=20, c=0.5):
    parameters = {"selection.c": c}
    return Engine(
        MINE, size, komi, seed, memory_mb=1, simulations=simulations, parameters=parameters
    )


def no_engine(size, komi, seed):
    return 3


def other_arguments(board):
    return 3


class InOrder(OwnPlayer):
    def __init__(self, last=False):
        super().__init__()
        self.last = last

    def choose(self):
        moves = [move for move in self.position.legal() if move]
        if not moves or len(self.position.moves) > 20:
            return Choice(0)
        return Choice(moves[-1] if self.last else moves[0])


class Speechless(OwnPlayer):
    def genmove(self, color):
        return "E5"


class NoPlayer:
    pass
"""
SMALL = ",simulations=20,memory=1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


def test_a_recipe_is_an_engine_or_a_bare_search() -> None:
    engine = parse_player("python:mine.py:MINE,simulations=7,selection.c=0.25,manners.resign=no")
    search = parse_player("search:python:mine.py:MINE,simulations=7,selection.c=0.25,resign=0")
    assert isinstance(engine.player(1), EnginePlayer)
    assert isinstance(search.player(1), SearchPlayer)
    for entrant in (engine, search):
        assert entrant.recipe is not None
        assert entrant.recipe.parameters()["selection.c"] == 0.25
    assert engine.manners is not None
    assert not engine.manners.resign
    assert search.settings == Settings(simulations=7, resign=0)


def test_a_function_makes_engines() -> None:
    player = parse_player("python:mine.py:engine,simulations=7,c=0.25").player(1)
    assert isinstance(player, EnginePlayer)
    player.new_game(5, 6.5, seed=3)
    assert player.engine is not None
    assert player.engine.recipe.parameters()["selection.c"] == 0.25
    assert player.engine.position.komi == 6.5
    assert player.genmove(BLACK).simulations == 7


def test_a_class_of_players() -> None:
    for text, corner in (("", 0), (",last=yes", -1)):
        player = parse_player(f"python:mine.py:InOrder{text}").player(1)
        player.new_game(5, 6.5, seed=3)
        moves = [move for move in Position.start(5).legal() if move]
        assert player.genmove(BLACK).move == moves[corner]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that leaves with exit code 2."""
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    return told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("python:none.py:X", "none.py: No such file"),
        ("python:mine.py:MINES", "mine.py has no 'MINES'; did you mean 'MINE'?"),
        ("python:mine.py:SMALL", "mine.py has no 'SMALL'"),
        ("python:mine.py:careful", "is a rule, which belongs into a recipe, and neither"),
        ("python:mine.py:NoPlayer", "is a class, NoPlayer, and neither a recipe, nor a class with"),
        ("python:mine.py:sqrt", "is a builtin_function_or_method, and neither a recipe"),
        ("python:mine.py:MINE,selection.d=3", "mine has no parameter 'selection.d'"),
        ("python:mine.py:MINE,selection.c=x", "'x' is not a value for selection.c"),
        ("python:mine.py:MINE,resign=0", "resign= is for a bare search"),
        ("python:mine.py:engine,komi=3", "has no 'komi': it has simulations, c"),
        ("python:mine.py:engine,c=x", "'x' is not a value for c"),
        ("python:mine.py:other_arguments", r"takes \(board\), and not \(size, komi, seed\)"),
        ("python:mine.py:InOrder,last=7", "'7' is not a value for last"),
        ("search:python:mine.py:engine", "only a recipe has a bare search"),
    ],
)
def test_what_is_no_player(text: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PlayerError, match=reason) as caught:
        parse_player(text)
    assert "\n" not in str(caught.value)
    told = refused(capsys, "match", text, "random", "--out", "m", "--games", "1")
    assert re.search(reason, told)


def play(first: Entrant, second: Entrant, folder: str, games: int, workers: int = 1) -> None:
    match = Match(first, second, size=5)
    with Record(Path(folder), match.config()) as record:
        play_match(match, record, games, workers)


def test_a_match_of_players_of_ones_own() -> None:
    first, second = map(parse_player, ("python:mine.py:engine", "python:mine.py:InOrder"))
    play(first, second, "m", 4, workers=2)
    lines = read_games(Path("m"))
    assert {line["reason"] for line in lines} <= {"score", "resignation"}
    config = read_config(Path("m"))
    assert config["digest of mine.py"] == first.digest == second.digest


def test_the_same_search_by_ones_own_rule_plays_the_same_games() -> None:
    own = parse_player(f"search:python:mine.py:MINE{SMALL}")
    built_in = parse_player(f"search:uct,selection.c=0.5{SMALL}")
    opponent = parse_player("random")
    games = []
    for number, player in enumerate((own, built_in)):
        play(player, opponent, f"m{number}", 2)
        games.append([line["result"] for line in read_games(Path(f"m{number}"))])
    assert games[0] == games[1]


def test_what_a_player_returns_is_not_trusted() -> None:
    first, second = map(parse_player, ("python:mine.py:Speechless", "python:mine.py:no_engine"))
    for players, told in (
        ((first, parse_player("random")), "'str' object has no attribute 'move'"),
        ((parse_player("random"), second), "no_engine returns an int, and not an Engine"),
    ):
        play(*players, f"m{told[:3]}", 1)
        (line,) = read_games(Path(f"m{told[:3]}"))
        assert line["reason"] == "forfeit: crash"
        assert told in line["detail"]


def test_an_edited_file_is_another_player(folder: Path) -> None:
    random = parse_player("random")
    before = parse_player("python:mine.py:InOrder")
    play(before, random, "m", 1)
    (folder / "mine.py").write_text(MINE.replace("> 20", "> 10"))
    with pytest.raises(RecordError, match=r"its digest of mine.py is .*choose another folder"):
        play(parse_player("python:mine.py:InOrder"), random, "m", 2)
    with pytest.raises(PlayerError, match=r"mine\.py has been changed meanwhile"):
        pickle.loads(pickle.dumps(before))
    play(parse_player("python:mine.py:InOrder"), random, "other", 1)
    names = [rating.name for rating in rank([Path("m"), Path("other")])]
    assert len([name for name in names if name.startswith("python:mine.py:InOrder ")]) == 2
    assert [rating.name for rating in rank([Path("m")], zero="random")]


def test_a_recipe_of_ones_own_is_tuned() -> None:
    setup = {"size": 5, "komi": 7.5, "seed": 0}
    text = f"search:python:mine.py:MINE{SMALL}"
    plan = tune.prepare(text, "random", ["selection.c:-1:1"], setup)
    with tune.Tuning(Path("t"), plan) as record:
        tune.tune(plan, record, games=3, workers=2)
    values = [line["parameters"]["selection.c"] for line in read_games(Path("t"))]
    assert len(values) == 3
    assert all(-1 <= value <= 1 for value in values)
    assert "digest of mine.py" in (tune.Tuning.read_config(Path("t")) or {})


def test_regression_tests_of_ones_own(folder: Path) -> None:
    tests = folder / "below" / "a.tst"
    tests.parent.mkdir()
    tests.write_text("boardsize 5\nclear_board\n10 genmove black\n#? [[A-E][1-5]]\n")
    for name in ("MINE,simulations=20,selection.c=0.3", "engine,simulations=20,c=0.3"):
        (result,) = run_files([tests], f"python:mine.py:{name}", 1, 100.0)
        assert [test.outcome.value for test in result.tests] == ["passed"]
    with pytest.raises(RegressError, match="answers no commands"):
        run_files([tests], "python:mine.py:InOrder", 1, 100.0)


def test_only_recipes_have_playouts() -> None:
    assert playout_of("python:mine.py:MINE") == playout_of("uct")
    with pytest.raises(PredictError, match="playouts of another program"):
        playout_of("python:mine.py:InOrder")


def test_gtp_with_an_engine_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    for recipe, told in (
        ("python:mine.py:InOrder", "is a class, InOrder, and not a recipe"),
        ("python:none.py:X", "none.py: No such file"),
    ):
        assert told in refused(capsys, "gtp", "--recipe", recipe)
    engine = refused(capsys, "gtp", "--recipe", "python:mine.py:engine", "d=3")
    assert "has no 'd': it has simulations, c" in engine
