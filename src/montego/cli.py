"""The command line: what ``montego`` understands, and nothing of how it is done.

Each command checks what it was given, makes sure that the kernels are compiled and hands
over to a module of its own (bench, terminal, lab).  Those are imported inside the commands,
for they bring NumPy and the kernels with them: ``--help`` and completion must not wait.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from montego import __version__
from montego.dft import commands as dft_commands
from montego.knowledge import commands as knowledge_commands
from montego.lab import commands as lab_commands
from montego.lab.errors import told_to_the_user
from montego.planning import commands as planning_commands
from montego.typed import (
    DEFAULT_RECIPE,
    check_handicap,
    check_recipe,
    check_writable,
    choose_kinds,
    choose_recipes,
    choose_sizes,
    choose_sprt,
    parse_changes,
    parse_komi,
    parse_seconds,
    parse_size,
)

if TYPE_CHECKING:
    from montego.engine.engine import Engine

LEVELS, LEVEL_ONE = 10, 50
"""Levels of play, and the simulations of the first; each has twice as many as the one before."""
COMPILE_SECONDS = 50
"""What the first compilation takes on a common machine, for the line that announces it."""

app = typer.Typer(
    name="montego",
    help="Monte-Carlo Go: play in the terminal or a GUI, play matches, measure.",
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


def get_kernels_ready(load: bool = False) -> float:
    """Compile the kernels, with a visible line if it has to be done; returns the seconds.

    What has been compiled before is loaded when it is first called, or now (``load``): before
    a clock runs, or where the time it takes is what is asked.
    """
    from montego.kernels.jit import is_compiled

    compiled = is_compiled()
    if compiled and not load:
        return 0.0
    from montego.mcts.ready import warm_up

    if not compiled:
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
    """Monte-Carlo Go: play in the terminal or a GUI, play matches, measure."""


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
        str, typer.Option(metavar="LIST", help="Kinds of playout, with commas; all; or none.")
    ] = "all",
    recipes: Annotated[
        str,
        typer.Option(metavar="LIST", help="Recipes to search with, with commas; all; or none."),
    ] = "all",
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the figures there; - is the standard output."),
    ] = None,
) -> None:
    """Measure playouts and simulations per second of every kind and size.

    All of them take turns in short batches until the time is over.
    The best batch counts: the noise of a busy machine only ever slows.
    The time to compile or load the kernels is reported apart.
    """
    chosen_sizes, chosen_kinds = choose_sizes(sizes), choose_kinds(kinds)
    chosen_recipes = choose_recipes(recipes)
    if json not in (None, "-"):
        check_writable(Path(json))
    from montego import bench as benchmark

    compile_seconds = get_kernels_ready()
    report = benchmark.measure(chosen_kinds, chosen_recipes, chosen_sizes, seconds, compile_seconds)
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
    if handicap > 1:
        check_handicap(size, handicap)
    get_kernels_ready()
    engine = terminal.new_engine(recipe, size, komi, simulations, seconds, seed)
    if handicap > 1:
        engine.handicap(handicap, free=True)
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
        get_kernels_ready(load=True)
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


# --- the laboratory --------------------------------------------------------------------


class Judge(StrEnum):
    """Who scores a finished game."""

    area = "area"
    gnugo = "gnugo"


@app.command("match")
def play_match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of the match; one in it goes on.")
    ],
    size: Annotated[
        int, typer.Option(parser=parse_size, metavar="N", help="Lines of the board, 2 to 19.")
    ] = 9,
    komi: Annotated[
        float, typer.Option(parser=parse_komi, metavar="K", help="Points for White.")
    ] = 7.5,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games in all.")] = 100,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Games at a time.")] = 1,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed, other games.")] = 0,
    openings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings, the moves of one in a line.")
    ] = None,
    referee: Annotated[Judge, typer.Option(help="Who scores a finished game.")] = Judge.area,
    reply_seconds: Annotated[
        float,
        typer.Option(parser=parse_seconds, metavar="S", help="Time for a reply of a program."),
    ] = 120.0,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="E0,E1", help="Stop when one of two Elo differences is decided on."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play a match; started again, it goes on where it stopped.

    A player is a recipe with its settings (montego,simulations=2000), random, or any
    program that speaks GTP (gtp:gnugo --mode gtp).
    """
    bounds = choose_sprt(sprt)
    from montego.lab import session

    with told_to_the_user():
        match = session.make_match(first, second, size, komi, seed, referee.value, reply_seconds)
        session.check_paths(out, openings)
        get_kernels_ready()
        match = session.with_openings(match, openings)
        complete = session.run(match, out, games, workers, bounds, json)
    if not complete:
        raise typer.Exit(130)  # as shells have it after Ctrl-C


@app.command("rank")
def rank_players(
    results: Annotated[
        list[Path], typer.Argument(metavar="RESULTS...", help="Folders of matches, or above them.")
    ],
    zero: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The player at 0 Elo.", show_default="the mean"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the ratings as JSON.")] = False,
) -> None:
    """Put the players of some matches on one Elo scale, with 95 % intervals."""
    from montego.lab import rank

    with told_to_the_user():
        ratings = rank.rank(results, zero)
    if json:
        typer.echo(dumps(rank.as_json(ratings), indent=2))
    else:
        rank.show(ratings)


knowledge_commands.register(app, check_writable)
lab_commands.register(app, get_kernels_ready, check_writable)
planning_commands.register(app, check_writable)
dft_commands.register(app, check_writable)
