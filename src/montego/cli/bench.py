"""``montego bench``: playouts and simulations a second."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import get_kernels_ready
from montego.cli.typed import (
    check_writable,
    choose_kinds,
    choose_recipes,
    choose_sizes,
    parse_seconds,
)

app = typer.Typer()


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
    from montego.bench import speed

    compile_seconds = get_kernels_ready()
    report = speed.measure(chosen_kinds, chosen_recipes, chosen_sizes, seconds, compile_seconds)
    if json != "-":
        speed.show(report)
    if json is not None:
        speed.write(report, json)
