"""``montego play``, ``gtp`` and ``bench``: the player, for people, for programs, by the clock."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from montego.cli.common import Seed, Size, get_kernels_ready, input_lines
from montego.cli.typed import (
    DEFAULT_RECIPE,
    check_handicap,
    check_recipe,
    check_writable,
    choose_kinds,
    choose_recipes,
    choose_sizes,
    parse_changes,
    parse_komi,
    parse_seconds,
)

if TYPE_CHECKING:
    from montego.engine.engine import Engine

LEVELS, LEVEL_ONE = 10, 50
"""Levels of play, and the simulations of the first; each has twice as many as the one before."""

Recipe = Annotated[str, typer.Option(metavar="R", help="How it searches.")]
Simulations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="The most simulations for a move.")
]

app = typer.Typer()


class Color(StrEnum):
    """The colour that the user plays."""

    black = "black"
    white = "white"


class Identity(StrEnum):
    """Whose protocol a GUI believes to speak."""

    montego = "montego"
    leelaz = "leelaz"
    katago = "katago"


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
    size: Size = 9,
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
    simulations: Simulations = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            parser=parse_seconds,
            metavar="S",
            help="The longest time for a move.",
            show_default="2",
        ),
    ] = None,
    recipe: Recipe = DEFAULT_RECIPE,
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
    check_one_limit(level, simulations, seconds)
    check_recipe(recipe, {})
    has_stones = handicap > 1  # a handicap of 1 is to play first
    if has_stones:
        check_handicap(size, handicap)
    if level is not None:
        simulations = LEVEL_ONE * 2 ** (level - 1)
    if komi is None:
        komi = 0.5 if has_stones else 7.5
    from montego import terminal

    get_kernels_ready()
    engine = terminal.new_engine(recipe, size, komi, simulations, seconds, seed)
    if has_stones:
        engine.handicap(handicap, free=True)
    terminal.play_game(engine, color.value)


def check_one_limit(*limits: float | None) -> None:
    """Refuse several limits of its thinking."""
    if sum(limit is not None for limit in limits) > 1:
        raise typer.BadParameter(
            "give one of them, not several", param_hint="'--level' / '--simulations' / '--seconds'"
        )


@app.command()
def gtp(
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Parameters of the recipe."),
    ] = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Simulations = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", help="The longest time for a move."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Threads.")] = 1,
    seed: Seed = 1,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MB", help="Memory for the tree, in megabytes.")
    ] = 512,
    identity: Annotated[
        Identity,
        typer.Option("--as", help="What name and version say, for a GUI that checks them."),
    ] = Identity.montego,
) -> None:
    """Speak the Go Text Protocol with a GUI or another program.

    It plays by the controller's clock; without one, 10,000 simulations a move.
    """
    parameters = parse_changes(changes or [])
    check_recipe(recipe, parameters)
    from montego.gtp.administration import IDENTITIES
    from montego.gtp.session import GtpSession

    def make_engine() -> Engine:
        get_kernels_ready(load=True)
        from montego.engine.engine import Engine

        return Engine(
            recipe, seed=seed, threads=threads, memory_mb=memory,
            simulations=simulations, seconds=seconds, parameters=parameters,
        )  # fmt: skip

    session = GtpSession(make_engine, identity=IDENTITIES[identity.value])
    session.run(input_lines(), write_at_once)


def write_at_once(text: str) -> None:
    """Write to the standard output, past any buffer; a controller waits for it."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
