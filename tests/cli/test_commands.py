"""The command line from outside: what is printed where, exit codes, and a game by script."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import montego
from montego import cli
from montego.cli import common, game, lab
from montego.cli.typed import check_writable, choose_recipes
from montego.mcts.recipes import RECIPES


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "montego", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def call(*arguments: str) -> int:
    """Run the command line in this process; returns the exit code."""
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)
    return int(left.value.code or 0)


# --- starting --------------------------------------------------------------------------


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"montego {montego.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["-h"],
        ["bench", "--help"],
        ["play", "-h"],
        ["gtp", "-h"],
        ["match", "-h"],
        ["tournament", "-h"],
        ["analysis", "-h"],
    ],
)
def test_help(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0
    assert "Usage" in result.output


def test_without_arguments_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert call() == 2
    out, err = capfd.readouterr()
    assert "Usage" in out + err
    assert "montego:" not in err


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["bench", "--help"]])
def test_quick_answers_do_not_load_numba(arguments: list[str]) -> None:
    program = (
        "import sys; from montego.cli import app; "
        f"app({arguments!r}, standalone_mode=False); print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "False"


COMMANDS = {
    "bench --seconds 0.01 --sizes 5 --kinds uniform --recipes uct": "",
    "play --size 5 --simulations 10": "C3\nscore\nquit\n",
    "gtp --simulations 10 --memory 16": "boardsize 5\ngenmove b\nfinal_score\nquit\n",
    "analysis --threads 1 --memory 16": '{"id":"a","action":"query_version"}\n',
    "match random random --size 5 --games 1 --out {folder}": "",
}
"""Commands that play, and what is typed into them."""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_warm_start_leaves_the_compiler_alone(command: str, tmp_path: Path) -> None:
    """Numba takes a second to load; what has been compiled once must do without it."""
    common.get_kernels_ready()
    program = (
        "import atexit, sys; from montego.cli import main; "
        "atexit.register(lambda: print('loaded:', 'numba' in sys.modules, file=sys.stderr)); "
        "main(sys.argv[1:])"
    )
    arguments = command.format(folder=tmp_path / "match").split()
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=COMMANDS[command], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == "loaded: False"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "limit"),
    [("--version", 0.4), ("--help", 0.4), *((command, 1.0) for command in [*COMMANDS][:3])],
)
def test_a_warm_start_is_quick(command: str, limit: float) -> None:
    arguments, typed = command.split(), COMMANDS.get(command, "")
    run(*arguments, stdin=typed)
    assert min(_seconds(arguments, typed) for _ in range(5)) < limit


def _seconds(arguments: list[str], typed: str) -> float:
    begin = time.perf_counter()
    assert run(*arguments, stdin=typed).returncode == 0
    return time.perf_counter() - begin


@pytest.mark.parametrize("compiled", [True, False])
def test_only_a_compilation_is_announced(
    compiled: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("montego.kernels.compiler.cache.is_compiled", lambda: compiled)
    monkeypatch.setattr("montego.kernels.compiler.cache.can_keep", lambda: True)
    monkeypatch.setattr("montego.mcts.ready.warm_up", lambda: 1.25)
    assert common.get_kernels_ready() == (0.0 if compiled else 1.25)
    assert common.get_kernels_ready(load=True) == 1.25
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("" if compiled else "compiling the kernels, once")
    assert err.count("\n") == (0 if compiled else 2)


def test_what_cannot_be_kept_is_not_compiled_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("montego.kernels.compiler.cache.is_compiled", lambda: False)
    monkeypatch.setattr("montego.kernels.compiler.cache.can_keep", lambda: False)
    monkeypatch.setattr("montego.mcts.ready.warm_up", lambda: 1.25)
    common.get_kernels_ready()
    assert "compiling the kernels, for this run only" in capsys.readouterr().err


# --- mistakes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["bench", "--sizes", "1"], "1 is not a board size"),
        (["bench", "--sizes", "9,20"], "20 is not a board size"),
        (["bench", "--sizes", "abc"], "'abc' is not a board size"),
        (["bench", "--sizes", "9,,13"], "empty item"),
        (["bench", "--sizes", ""], "empty item"),
        (["bench", "--seconds", "0"], "not a positive number"),
        (["bench", "--seconds", "nan"], "not a positive number"),
        (["bench", "--seconds", "soon"], "not a number of seconds"),
        (["bench", "--kinds", "uniform,clever"], "'clever' is not a kind of playout"),
        (["bench", "--recipes", "stew"], "'stew' is not a recipe"),
        (["bench", "--recipes", "uct,selection=best"], "'best' is not a rule of selection: uct, "),
        (["bench", "--json", "/no/such/folder/x.json"], "No such file"),
        (["bench", "--frobnicate"], "frobnicate"),
        (["play", "--size", "1"], "1 is not a board size"),
        (["play", "--size", "nine"], "'nine' is not a board size"),
        (["play", "--komi", "inf"], "inf is not a komi"),
        (["play", "--komi", "much"], "'much' is not a komi"),
        (["play", "--color", "red"], "red"),
        (["play", "--simulations", "0"], "--simulations"),
        (["play", "--simulations", "5", "--seconds", "1"], "not several"),
        (["match", "random"], "B"),
        (["match", "random", "random"], "--out"),
        (["match", "gtp:no-such-program", "random", "--out", "x"], "no program 'no-such-program'"),
        (["match", "nobody", "random", "--out", "x"], "'nobody' is not a player"),
        (["match", "uct,selection.z=1", "random", "--out", "x"], "no parameter 'selection.z'"),
        (["match", "uct,selection=z", "random", "--out", "x"], "'z' is not a rule of selection"),
        (["match", "random,c", "random", "--out", "x"], "'c' is not key=value"),
        (["match", "random", "random", "--out", "x", "--sprt", "5"], "two Elo differences"),
        (["match", "random", "random", "--out", "x", "--sprt", "5,0"], "the smaller one first"),
        (["match", "random", "random", "--out", "/dev/null/x"], "Not a directory"),
        (["match", "random", "random", "--out", "x", "--openings", "/no/file"], "No such file"),
        (["rank"], "RESULTS"),
        (["rank", "/no/such/folder"], "holds no match"),
        (["play", "--seed", "-1"], "--seed"),
        (["play", "--level", "11"], "11 is not a level: 1 to 10 are, or first game"),
        (["play", "--level", "3", "--recipe", "uct"], "a level has a recipe of its own"),
        (["play", "--level", "3", "--seconds", "1"], "give one of them"),
        (["gtp", "--level", "3", "--recipe", "uct"], "a level has a recipe of its own"),
        (["gtp", "--level", "3", "--simulations", "9"], "give one of them"),
        (["match", "uct,level=3", "random", "--out", "x"], "level= is for montego"),
        (["match", "search:montego,level=3", "random", "--out", "x"], "level= is for montego"),
        (["match", "montego,level=3,seconds=1", "random", "--out", "x"], "leave seconds= out"),
        (["match", "montego,level=11", "random", "--out", "x"], "11 is not a level"),
        (["tournament", "random", "--out", "x"], "two players or more"),
        (["tournament", "random", "random", "--out", "x"], "'random' is there twice"),
        (["tournament", "random", "nobody", "--out", "x"], "'nobody' is not a player"),
        (["tournament", "random", "uct", "--zero", "mango", "--out", "x"], "does not play"),
        (["tournament", "random", "uct", "--pairing", "swiss", "--out", "x"], "swiss"),
        (["tournament", "random", "uct"], "--out"),
        (["play", "--recipe", "soup"], "'soup' is not a recipe"),
        (["play", "--recipe", "uct,final=lucky"], "'lucky' is not a rule of final: robust, max, "),
        (["play", "--size", "2", "--handicap", "4"], "2 to 3 stones"),
        (["play", "--threads", "0"], "--threads"),
        (["play", "--from", "/no/such/game.sgf"], "does not exist"),
        (["play", "--move", "3"], "give --from as well"),
        (["play", "--from", str(montego.__file__)], "not a readable game record"),
        (["play", "--from", __file__, "--size", "9"], "the game in the file has its own"),
        (["play", "--from", __file__, "--handicap", "2"], "the game in the file has its own"),
        (["play", "--resume"], "no unfinished game waits"),
        (["play", "--resume", "--komi", "5"], "the resumed game has its own"),
        (["play", "--resume", "--from", __file__], "the resumed game has its own"),
        (["gtp", "--recipe", "soup"], "'soup' is not a recipe"),
        (["gtp", "selection.c"], "not of the form key=value"),
        (["gtp", "selection.none=1"], "no parameter 'selection.none'"),
        (["gtp", "selection=none"], "'none' is not a rule of selection: uct, "),
        (["gtp", "--recipe", "uct", "selection.c=inf"], "Uct: c has to be between"),
        (["gtp", "manners.resign=maybe"], "not a value of resign"),
        (["gtp", "--threads", "0"], "--threads"),
        (["gtp", "--cluster", "magic"], "'magic' is not a method: leaf, root, multiple-runs"),
        (["gtp", "--machines", "4"], "machines= goes with cluster=METHOD"),
        (["gtp", "--cluster", "root", "cluster.los=1"], "a cluster has no 'los'"),
        (["gtp", "--as", "gnugo"], "gnugo"),
        (["analysis", "--recipe", "soup"], "'soup' is not a recipe"),
        (["analysis", "-analysis-threads", "0"], "threads"),
        (["analysis", "-config", "/no/such.cfg"], "/no/such.cfg: No such file"),
        (["analysis", "-override-config", "maxVisits"], "'maxVisits' is not of the form key=value"),
        (["analysis", "-override-config", "maxVisits=few"], "maxVisits has to be a whole number"),
        (["sing"], "sing"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_are_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("montego: ")
    assert err.count("\n") == 1
    assert reason in err


def test_a_mistake_in_a_process_of_its_own() -> None:
    done = run("bench", "--sizes", "1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_what_is_set_belongs_to_the_recipe_before_it() -> None:
    assert choose_recipes("all") == list(RECIPES)
    assert choose_recipes("none") == []
    assert choose_recipes("uct,selection=prior,selection.c=0.5, mogo,final=max,uct") == [
        "uct,selection=prior,selection.c=0.5",
        "mogo,final=max",
        "uct",
    ]


def test_a_file_is_checked_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "get_kernels_ready", lambda: pytest.fail("too late"))
    assert call("bench", "--json", str(tmp_path)) == 2


def test_checking_a_file_leaves_it_as_it_was(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text("precious")
    for path in (old, new):
        check_writable(path)
    assert old.read_text() == "precious"
    assert not new.exists()


# --- play ------------------------------------------------------------------------------


def play(
    script: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *more: str
) -> str:
    """Play by a script with a comma between two lines; returns what was printed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(script.replace(",", "\n") + "\n"))
    assert call("play", "--simulations", "20", "--seed", "1", *more) == 0
    return capsys.readouterr().out


EMPTY_9 = """\
   A B C D E F G H J
 9 · · · · · · · · · 9
 8 · · · · · · · · · 8
 7 · · + · · · + · · 7
 6 · · · · · · · · · 6
 5 · · · · + · · · · 5
 4 · · · · · · · · · 4
 3 · · + · · · + · · 3
 2 · · · · · · · · · 2
 1 · · · · · · · · · 1
   A B C D E F G H J
"""


def without_trailing_blanks(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def test_a_move_is_answered_and_taken_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = play("d4,undo,quit", capsys, monkeypatch)
    assert without_trailing_blanks(shown).count(EMPTY_9) == 2
    assert "White plays" in shown
    assert shown.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("D4,d4", "D4 is occupied"),
        ("K10", "off the 9x9 board"),
        ("hello", "is not a move"),
        ("D4 E5", "is not a move"),
        ("undo", "no move of yours"),
    ],
)
def test_what_cannot_be_played_is_explained(
    script: str,
    reason: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = play(f"{script},quit", capsys, monkeypatch)
    assert reason in shown
    assert "Goodbye." in shown.splitlines()[-1]


def test_hint_score_and_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = play("hint,score,HELP,,resign", capsys, monkeypatch, "--size", "5", "--komi", "0.5")
    assert "looks best" in shown
    assert "As the stones stand: W+0.5." in shown
    assert "two passes end the game" in shown
    assert "You resign. Result: W+R, you lose.\n" in shown


def test_white_is_moved_for_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = play("undo,resign", capsys, monkeypatch, "--color", "white", "--size", "5")
    assert shown.index("Black plays") < shown.index("White> ")
    assert "no move of yours" in shown
    assert "You resign. Result: B+R, you lose.\n" in shown


def test_handicap_and_levels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\nquit\n"))
    assert call("play", "--handicap", "2", "--level", "1", "--seed", "1") == 0
    shown = capsys.readouterr().out
    assert shown.index("White plays") < shown.index("looks best")
    assert "to win after" in shown


def test_one_seed_one_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [play("A1,E5,resign", capsys, monkeypatch, "--size", "7") for _ in range(2)]
    assert games[0] == games[1]


def test_the_end_of_the_input_ends_the_game() -> None:
    done = run("play", "--size", "5", "--simulations", "20", stdin="C3\n")
    assert done.returncode == 0
    assert done.stdout.endswith("\nGoodbye. The game is kept: montego play --resume goes on.\n")
    assert "Traceback" not in done.stderr
    done = run("play", "--resume", "--level", "1", stdin="undo\nquit\n")
    assert "level 1, first game" in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


def test_a_game_goes_on_from_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5]KM[3.5];B[cc];W[bb];B[dd])")
    shown = play("resign", capsys, monkeypatch, "--from", str(path), "--move", "2")
    assert "You are White on 5x5, komi 3.5." in shown
    assert "game.sgf, before move 2." in shown
    assert call("play", "--from", str(path), "--move", "9") == 2
    assert "there is no move 9, the last one is 3" in capsys.readouterr().err


def test_a_review_from_the_menu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    short = partial(lab.review, simulations=10)
    monkeypatch.setattr(lab, "review", short)
    play("C3,resign,save mine,review,quit", capsys, monkeypatch, "--size", "5")
    assert {"mine.sgf", "mine-review.sgf"} <= {path.name for path in tmp_path.iterdir()}
    shown = play("resign,save empty,review,quit", capsys, monkeypatch, "--size", "5")
    assert shown.endswith("Goodbye.\n")  # a game without a move cannot be reviewed


def test_an_interrupt_ends_the_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert play("", capsys, monkeypatch).endswith("\nGoodbye.\n")
