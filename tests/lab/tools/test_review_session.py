"""``montego review`` from the outside: which games, which files, and what is refused in time."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from sgfmill.sgf import Sgf_game

from montego import cli
from montego.go import sgf
from montego.lab.base import outputs
from montego.lab.tools import review_games, review_session
from montego.lab.tools.review import Reviewer, View
from tests.lab.tools.review_of_a_game import GAME, VIEWS

SECOND = "(;SZ[5]PB[three]PW[four];B[dd];W[bb])"
QUICK = ("--simulations", "20", "--player", "uct")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_text(f"{GAME}\n{SECOND}\n(;SZ[5])\n")
    return path


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(["review", *map(str, arguments)])
    return int(left.value.code or 0)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line of a request that is refused."""
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def files_in(folder: Path) -> set[str]:
    return set(os.listdir(folder))


def test_the_command(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(game, "--simulations", "50", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["complete"]
    assert [move["move"] for move in told["moves"]] == ["C3", "B4", "pass"]
    written = {"game-review.sgf", "game-review.png", "game-review.html"}
    assert files_in(game.parent) == written | {"game.sgf"}
    main = Sgf_game.from_bytes((game.parent / "game-review.sgf").read_bytes()).get_main_sequence()
    assert all(0 <= float(node.get("SBKV")) <= 100 for node in main)
    assert "montego, 50 simulations" in (game.parent / "game-review.html").read_text()
    assert game.read_text() == GAME


def test_files_by_name(game: Path) -> None:
    folder = game.parent
    named = ("--out", folder / "a.sgf", "--graph", folder / "b.svg", "--html", folder / "c.html")
    assert run(game, *QUICK, *named) == 0
    assert files_in(folder) == {"game.sgf", "a.sgf", "b.svg", "c.html"}
    assert run(game, *QUICK, "--out", folder / "d.sgf") == 0
    assert {"d.sgf", "d.png", "d.html"} < files_in(folder)


def test_the_review_of_a_device_goes_to_the_current_folder(game: Path) -> None:
    with game.open("rb") as file:
        path = Path(f"/dev/fd/{file.fileno()}")
        (there,) = review_games.read_file(path)
        read = review_games.Game(1, there, sgf.loads(there))
        files = review_session.files_of(review_session.Asked(path), read, 1, 1)
    assert files.all == tuple(Path(f"{path.name}-review.{kind}") for kind in ("sgf", "html", "png"))


# --- several games ---------------------------------------------------------------------


def test_one_of_several_games(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(games, *QUICK, "--game", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["black"] == "three"
    assert files_in(games.parent) == {
        "games.sgf", "games-2-review.sgf", "games-2-review.png", "games-2-review.html",
    }  # fmt: skip
    assert sgf.load(games.parent / "games-2-review.sgf").black == "three"


def test_all_games(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(games, *QUICK, "--all", "--json", "--out", games.parent / "x.sgf") == 0
    out, err = capsys.readouterr()
    assert [(one["game"], one["black"]) for one in json.loads(out)] == [(1, "one"), (2, "three")]
    assert "left out: game 3" in err
    assert {"x-1.sgf", "x-1.html", "x-1.png", "x-2.sgf"} < files_in(games.parent)


def test_a_review_does_not_depend_on_the_games_before(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(games, *QUICK, "--all", "--json") == 0
    both = json.loads(capsys.readouterr().out)
    assert run(games, *QUICK, "--game", "2", "--json", "--force") == 0
    assert json.loads(capsys.readouterr().out)["moves"] == both[1]["moves"]


def test_without_a_terminal_a_game_has_to_be_chosen(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused(capsys, games)
    assert "holds 3 games: choose one with --game N, or review all with --all" in err
    assert "there is no game 4" in refused(capsys, games, "--game", "4")
    assert "there is no game 0" in refused(capsys, games, "--game", "0")
    assert "holds no move" in refused(capsys, games, "--game", "3")
    assert "choose one of them" in refused(capsys, games, "--game", "1", "--all")


@pytest.mark.parametrize(("answers", "numbers"), [(["2"], [2]), (["x", "9", "all"], [1, 2])])
def test_at_a_terminal_the_user_is_asked(
    games: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: list[str],
    numbers: list[int],
) -> None:
    waiting = iter(answers)
    monkeypatch.setattr("builtins.input", lambda: next(waiting))
    monkeypatch.setattr(review_games, "_has_terminal", lambda: True)
    there = review_games.read_file(games)
    chosen = review_games.choose(games, there, None, False)
    assert [one.number for one in chosen] == numbers
    assert "1  one – two W+R, 3 moves" in capsys.readouterr().err


# --- what is refused before any search -------------------------------------------------


def test_an_earlier_review_is_not_overwritten(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(review_session, "run", pytest.fail)
    earlier = game.with_name("game-review.html")
    earlier.write_text("precious")
    assert "--force" in refused(capsys, game)
    assert earlier.read_text() == "precious"
    monkeypatch.undo()
    assert run(game, *QUICK, "--force") == 0
    assert "precious" not in earlier.read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--graph", "x.gif"], "neither .png nor .svg"),
        (["--out", "x.png"], "named twice"),
        (["--out", "x.sgf", "--html", "x.sgf"], "named twice"),
        (["--html", "y.svg", "--graph", "./y.svg"], "named twice"),
        (["--out", "game.sgf", "--force"], "is the game itself"),
        (["--out", "no/where.sgf"], "No such file"),
        (["--out", "."], "is a folder"),
        (["--html", ".."], "is a folder"),
        (["--player", "nobody"], "is not a player"),
        (["--player", "uct,c"], "is not key=value"),
        (["--player", "random"], "does not search"),
    ],
)
def test_requests_without_sense(
    game: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(game.parent)
    monkeypatch.setattr(review_session, "run", pytest.fail)
    assert told in refused(capsys, game.name, *arguments)
    assert files_in(game.parent) == {"game.sgf"}


def test_games_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    for text, told in (("nonsense", "not a readable"), ("(;SZ[9])", "holds no move")):
        path.write_text(text)
        assert told in refused(capsys, path)
    assert "No such file" in refused(capsys, tmp_path / "other.sgf")
    assert "Is a directory" in refused(capsys, tmp_path)


# --- odd records -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("(;SZ[5]B[cc];W[bb];B[dd])", 3),  # the first move in the root
        ("(;SZ[5];B[cc];W[bb];AB[dd];W[aa];B[ee])", 2),  # set up in the middle
        ("(;SZ[5];B[cc];B[bb];W[dd];W[aa])", 4),  # two in a row
        ("(;SZ[5];B[cc];W[];B[];W[bb])", 4),  # on after the end
    ],
)
def test_odd_records_are_reviewed_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, moves: int
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(text)
    assert run(path, *QUICK, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["moves"]) == moves
    again = sgf.load(tmp_path / "game-review.sgf")
    assert again.position.moves == sgf.loads(text).position.moves
    assert [number for number in again.comments if number] == list(range(1, moves + 1))
    for move in told["moves"]:
        name = move["color"].capitalize()
        assert f"{name} wins {move['before']:.1%}"[:-3] in again.comments[move["number"]]


# --- nothing is lost -------------------------------------------------------------------


def fake_search(monkeypatch: pytest.MonkeyPatch, interrupt_at: int) -> None:
    """Made-up views, with a Ctrl-C during one of the searches."""

    def searcher(self: Reviewer, stopped: Any) -> Any:
        views = iter(VIEWS)
        count = 0

        def look(position: Any) -> View:
            nonlocal count
            count += 1
            if count == interrupt_at:
                os.kill(os.getpid(), signal.SIGINT)
            return next(views)

        return look

    monkeypatch.setattr(Reviewer, "searcher", searcher)


def test_an_interruption_keeps_what_has_been_analysed(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_search(monkeypatch, interrupt_at=3)
    assert run(game, "--json") == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["complete"], len(told["moves"])) == (False, 2)
    assert set(sgf.load(game.with_name("game-review.sgf")).comments) == {1, 2}
    assert "reviewed up to move 2" in game.with_name("game-review.html").read_text()


def test_an_interruption_at_once_writes_nothing(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_search(monkeypatch, interrupt_at=1)
    assert run(game, "--json") == 130
    assert capsys.readouterr().out == ""
    assert files_in(game.parent) == {"game.sgf"}


def test_an_interruption_ends_all_games(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_search(monkeypatch, interrupt_at=3)
    assert run(games, "--all", "--json") == 130
    assert [one["game"] for one in json.loads(capsys.readouterr().out)] == [1]
    assert not games.with_name("games-2-review.sgf").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_loses_nothing(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "other"))
    fake_search(monkeypatch, interrupt_at=0)
    assert run(game, "--out", "/dev/full", "--json") == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["complete"]
    assert "/dev/full: No space left on device; it is kept in" in err
    (kept,) = (tmp_path / "other").iterdir()
    assert sgf.load(kept).comments
    assert game.with_name("game-review.html").exists()  # the others are written all the same


def test_without_matplotlib_there_is_no_graph(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_search(monkeypatch, interrupt_at=0)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(game) == 0
    assert "no graph: pictures need matplotlib" in capsys.readouterr().err
    assert files_in(game.parent) == {"game.sgf", "game-review.sgf", "game-review.html"}


def test_the_tables_leave_the_standard_output_to_a_file(
    game: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    fake_search(monkeypatch, interrupt_at=0)
    assert run(game, "--out", "/dev/stdout") == 0
    out, err = capfdbinary.readouterr()
    assert len(sgf.loads(out).position.moves) == 3
    assert out.startswith(b"(;")
    assert b"moves that lost most" in err
    assert {"game-review.html", "game-review.png"} < files_in(game.parent)
    assert outputs.is_stdout(Path("/dev/stdout"))
    assert run(game, "--out", "/dev/stdout", "--json", "--force") == 2
