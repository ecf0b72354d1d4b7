"""``montego analysis``: KataGo's analysis protocol, with KataGo's options.

A program that starts KataGo can start Montego instead: it understands the same command line.
What speaks of networks, or of a graphics card, is ignored with a line on the standard error.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import INTERRUPTED, Seed, get_kernels_ready
from montego.cli.game import Recipe
from montego.cli.streams import write_at_once
from montego.cli.typed import DEFAULT_RECIPE, check_recipe, parse_changes, parse_seconds
from montego.gtp.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.analysis.settings import Settings
    from montego.engine.answer import Search

SMALLEST_TREE = 16

app = typer.Typer()


class Side(StrEnum):
    """Whose view the figures have."""

    black = "black"
    white = "white"
    sidetomove = "sidetomove"


@app.command()
def analysis(
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Rules and parameters of the recipe."),
    ] = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="For queries without maxVisits.", show_default="10000"
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", help="The longest time for a position."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", "-analysis-threads", min=1, max=256, metavar="N",
            help="Positions at a time.", show_default="one for each processor",
        ),
    ] = None,
    memory: Annotated[
        int, typer.Option(min=SMALLEST_TREE, metavar="MB", help="Memory for all trees together.")
    ] = 512,
    seed: Seed = 1,
    winrates_as: Annotated[
        Side | None, typer.Option(help="Whose view all figures have.", show_default="black")
    ] = None,
    quit_without_waiting: Annotated[
        bool,
        typer.Option(
            "--quit-without-waiting", "-quit-without-waiting",
            help="At the end of the input, leave queries unfinished.",
        ),
    ] = False,
    config: Annotated[
        list[Path] | None,
        typer.Option("--config", "-config", metavar="FILE", help="KataGo's settings, from a file."),
    ] = None,
    override_config: Annotated[
        list[str] | None,
        typer.Option(
            "--override-config", "-override-config", metavar="K=V,...",
            help="Settings that go before those of the file.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-model", metavar="FILE", help="Ignored: no network.")
    ] = None,
    human_model: Annotated[
        str | None, typer.Option("--human-model", "-human-model", metavar="FILE", help="Ignored.")
    ] = None,
) -> None:  # fmt: skip
    """Analyse positions for KaTrain and other programs that speak KataGo's analysis protocol.

    Queries are JSON lines on the standard input, replies are JSON lines on the standard output.
    """
    parameters = parse_changes(changes or [])
    check_recipe(recipe, parameters)
    settings, ignored = _configured(config or [], override_config or [])
    ignored += [f"-{name}" for name, value in
                (("model", model), ("human-model", human_model)) if value]  # fmt: skip
    own: dict[str, Any] = {
        "simulations": simulations, "seconds": seconds, "threads": threads,
        "side": winrates_as and winrates_as.value.upper(),
    }  # fmt: skip
    settings = replace(settings, **{name: value for name, value in own.items() if value})
    try:
        _run(recipe, parameters, settings, memory, seed, ignored, not quit_without_waiting)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _run(
    recipe: str,
    parameters: Mapping[str, str],
    settings: Settings,
    memory: int,
    seed: int,
    ignored: list[str],
    waits: bool,
) -> None:
    get_kernels_ready(load=True)
    from montego.analysis.session import AnalysisSession

    searches = _searches(recipe, parameters, settings.threads or processors(), memory, seed)
    session = AnalysisSession(searches, settings, _write, recipe)
    session.note(ignored)
    session.run(Lines(), waits)


def _searches(
    name: str, parameters: Mapping[str, str], count: int, memory: int, seed: int
) -> list[Search]:
    from montego.engine.komi import DynamicKomi
    from montego.engine.manners import Manners
    from montego.engine.parameters import changed, find_recipe
    from montego.mcts.search import LocalSearch

    recipe, _, _ = changed(find_recipe(name), Manners(), DynamicKomi(), parameters)
    each = max(memory // count, SMALLEST_TREE)
    return [LocalSearch(recipe, 1, each, seed + i) for i in range(count)]


def _configured(files: list[Path], overrides: list[str]) -> tuple[Settings, list[str]]:
    """The settings of files and of the command line, and what of them means nothing here."""
    from montego.analysis.settings import Settings, overridden, read_pairs

    settings, ignored = Settings(), list[str]()
    sources = [(str(path), path) for path in files] + [("", text) for text in overrides]
    for name, source in sources:
        try:
            text = source if isinstance(source, str) else source.read_text(encoding="utf-8")
            settings, more = overridden(settings, read_pairs(text))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise typer.BadParameter(f"{name}: {reason}" if name else str(reason)) from None
        if name and settings.threads:  # it was meant for a graphics card
            settings = replace(settings, threads=min(settings.threads, processors()))
        ignored += more
    return settings, ignored


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _write(line: str) -> None:
    """Write a reply; a client that has gone away is no reason to complain at the exit."""
    try:
        write_at_once(line)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
