"""The command line: what ``montego`` understands, and nothing of how it is done.

Each command checks what it was given, makes sure that the kernels are compiled and hands
over to a module of its own (bench, terminal).  Those are imported inside the commands, for
they bring Numba with them, which takes a second: ``--help`` and completion must not wait.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from montego import __version__

if TYPE_CHECKING:
    from montego.engine.engine import Engine

SMALLEST, LARGEST = 2, 19
LEVELS, LEVEL_ONE = 10, 50
"""Levels of play, and the simulations of the first; each has twice as many as the one before."""
COMPILE_SECONDS = 40
"""What the first compilation takes on a common machine, for the line that announces it."""

app = typer.Typer(
    name="montego",
    help="Monte-Carlo Go: play in the terminal or a GUI, measure the playouts.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Color(StrEnum):
    """The colour that the user plays."""

    black = "black"
    white = "white"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line and exit code 2."""
    try:
        # Click returns the code of an Exit, and what the command returned otherwise: None.
        code = app(arguments, prog_name="montego", standalone_mode=False)
    except typer.TyperException as error:
        message = _one_line(error.format_message())
        if message:  # without any arguments the help has been shown instead
            typer.echo(f"montego: {message}", err=True)
        code = error.exit_code
    except typer.Abort:
        code = 1
    sys.exit(code)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- what is typed, checked ------------------------------------------------------------


def parse_size(text: str) -> int:
    """A board size between 2 and 19."""
    try:
        size = int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a board size") from None
    if not SMALLEST <= size <= LARGEST:
        raise typer.BadParameter(f"{size} is not a board size: {SMALLEST} to {LARGEST} are")
    return size


def parse_seconds(text: str) -> float:
    """A duration: a positive, finite number."""
    try:
        seconds = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number of seconds") from None
    if not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"{text} is not a positive number of seconds")
    return seconds


def parse_komi(text: str) -> float:
    """A finite komi; the rules decide which ones they take."""
    try:
        komi = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a komi") from None
    if not math.isfinite(komi):
        raise typer.BadParameter(f"{text} is not a komi")
    return komi


def _items(text: str, option: str) -> list[str]:
    """The items of a comma-separated list, each once, in order."""
    items = list(dict.fromkeys(item.strip() for item in text.split(",")))
    if "" in items:
        raise typer.BadParameter(f"{text!r} has an empty item", param_hint=f"'{option}'")
    return items


def choose_sizes(text: str) -> list[int]:
    """The board sizes in a list such as ``9,13,19``."""
    try:
        return [parse_size(item) for item in _items(text, "--sizes")]
    except typer.BadParameter as error:
        raise typer.BadParameter(error.message, param_hint="'--sizes'") from None


def choose_kinds(text: str | None) -> list[str]:
    """The kinds of playout in a list such as ``uniform,mogo``; without one, all of them."""
    from montego.mcts.playouts import KINDS

    chosen = list(KINDS) if text is None else _items(text, "--kinds")
    for kind in chosen:
        if kind not in KINDS:
            raise typer.BadParameter(
                f"{kind!r} is not a kind of playout: {', '.join(KINDS)} are",
                param_hint="'--kinds'",
            )
    return chosen


DEFAULT_RECIPE = "montego"


def check_recipe(name: str, changes: Mapping[str, str]) -> None:
    """Refuse a recipe or parameters that there are not; the usual one needs no look."""
    if name == DEFAULT_RECIPE and not changes:
        return
    from montego.engine.engine import changed, find_recipe
    from montego.engine.manners import Manners

    try:
        changed(find_recipe(name), Manners(), changes)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def parse_changes(words: Sequence[str]) -> dict[str, str]:
    """Parameters such as ``selection.c=0.5``."""
    changes = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not (name and sign and value):
            raise typer.BadParameter(f"{word!r} is not of the form key=value")
        changes[name] = value
    return changes


def check_writable(path: Path) -> None:
    """Refuse a file that could not be written, while nothing has been measured yet."""
    existed = path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise typer.BadParameter(f"{path}: {reason}", param_hint="'--json'") from None
    if not existed:
        path.unlink()


def get_kernels_ready() -> float:
    """Compile the kernels, with a visible line if it has to be done; returns the seconds."""
    from montego.kernels.jit import is_compiled, leave_blas_out
    from montego.mcts.ready import warm_up

    leave_blas_out()
    if not is_compiled():
        typer.echo(f"compiling the kernels, once (about {COMPILE_SECONDS} s) …", err=True)
    return warm_up()


# --- commands --------------------------------------------------------------------------


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"montego {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Monte-Carlo Go: play in the terminal or a GUI, measure the playouts."""


@app.command()
def bench(
    sizes: Annotated[
        str, typer.Option(metavar="LIST", help="Board sizes, with commas.")
    ] = "9,13,19",
    seconds: Annotated[
        float,
        typer.Option(parser=parse_seconds, metavar="S", help="Time to measure, all in all."),
    ] = 20.0,
    kinds: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Kinds of playout, with commas.", show_default="all"),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the figures there; - is the standard output."),
    ] = None,
) -> None:
    """Measure playouts per second of every kind and size, from the empty board.

    All of them take turns in short batches until the time is over.
    The best batch counts: the noise of a busy machine only ever slows.
    The time to compile or load the kernels is reported apart.
    """
    chosen_sizes, chosen_kinds = choose_sizes(sizes), choose_kinds(kinds)
    if json not in (None, "-"):
        check_writable(Path(json))
    from montego import bench as benchmark

    compile_seconds = get_kernels_ready()
    report = benchmark.measure(chosen_kinds, chosen_sizes, seconds, compile_seconds)
    if json != "-":
        benchmark.show(report)
    if json is not None:
        benchmark.write(report, json)


@app.command()
def play(
    size: Annotated[
        int, typer.Option(parser=parse_size, metavar="N", help="Lines of the board, 2 to 19.")
    ] = 9,
    komi: Annotated[
        float | None,
        typer.Option(
            parser=parse_komi,
            metavar="K",
            help="Points for White.",
            show_default="7.5, with handicap 0.5",
        ),
    ] = None,
    color: Annotated[Color, typer.Option(help="Your colour; Black begins.")] = Color.black,
    handicap: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stones that Black places first.")
    ] = 0,
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=LEVELS, metavar="N", help="Its strength, each level twice as slow."
        ),
    ] = None,
    simulations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Simulations for each of its moves.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            parser=parse_seconds,
            metavar="S",
            help="Thinking time for each of its moves.",
            show_default="2",
        ),
    ] = None,
    recipe: Annotated[str, typer.Option(metavar="R", help="How it searches.")] = DEFAULT_RECIPE,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="With --level or --simulations: the same replies to the same moves.",
            show_default="random",
        ),
    ] = None,
) -> None:
    """Play a game against the program in the terminal."""
    if sum(limit is not None for limit in (level, simulations, seconds)) > 1:
        raise typer.BadParameter(
            "give one of them, not several", param_hint="'--level' / '--simulations' / '--seconds'"
        )
    check_recipe(recipe, {})
    if level is not None:
        simulations = LEVEL_ONE * 2 ** (level - 1)
    from montego import terminal

    if komi is None:
        komi = 0.5 if handicap > 1 else 7.5
    get_kernels_ready()
    engine = terminal.new_engine(recipe, size, komi, simulations, seconds, seed)
    if handicap > 1:
        try:
            engine.handicap(handicap, free=True)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="'--handicap'") from None
    terminal.play_game(engine, color.value)


@app.command()
def gtp(
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Parameters of the recipe."),
    ] = None,
    recipe: Annotated[str, typer.Option(metavar="R", help="How to search.")] = DEFAULT_RECIPE,
    simulations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The most simulations for a move.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", help="The longest time for a move."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Threads.")] = 1,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the dice.")] = 1,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MB", help="Memory for the tree, in megabytes.")
    ] = 512,
) -> None:
    """Speak the Go Text Protocol with a GUI or another program.

    It plays by the controller's clock; without one, 10,000 simulations a move.
    """
    parameters = parse_changes(changes or [])
    check_recipe(recipe, parameters)
    from montego.gtp.session import GtpSession

    def make_engine() -> Engine:
        get_kernels_ready()
        from montego.engine.engine import Engine

        return Engine(
            recipe, seed=seed, threads=threads, memory_mb=memory,
            simulations=simulations, seconds=seconds, parameters=parameters,
        )  # fmt: skip

    GtpSession(make_engine).run(sys.stdin.buffer, write_at_once)


def write_at_once(text: str) -> None:
    """Write to the standard output, past any buffer; a controller waits for it."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
