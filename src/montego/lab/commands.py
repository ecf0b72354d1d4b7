"""The laboratory's commands on the command line: what they understand, not how it is done.

As in cli.py, what brings Numba with it is imported inside of the commands.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from montego.lab.errors import told_to_the_user

GetReady = Callable[[], Any]


class Scale(StrEnum):
    """How much of an experiment is run."""

    quick = "quick"
    full = "full"


JSON = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
WORKERS = Annotated[int, typer.Option(min=1, metavar="N", help="Processes at a time.")]


def register(app: typer.Typer, get_ready: GetReady) -> None:
    """Add the commands to the program; ``get_ready`` compiles the kernels."""

    @app.command()
    def reproduce(
        experiment: Annotated[
            str | None,
            typer.Argument(
                metavar="[EXPERIMENT]",
                help="R1 to R18.",
                autocompletion=complete_experiment,
            ),
        ] = None,
        list_all: Annotated[
            bool, typer.Option("--list", help="Show all experiments and how far they are.")
        ] = False,
        scale: Annotated[
            Scale, typer.Option(help="Some 20 minutes on two cores, or as much as the paper.")
        ] = Scale.quick,
        only: Annotated[
            list[str] | None,
            typer.Option(metavar="ROW", help="Only this row; * stands for anything, 9x9-*."),
        ] = None,
        games: Annotated[
            int | None,
            typer.Option(
                min=1, metavar="N", help="Games a match.", show_default="what the scale says"
            ),
        ] = None,
        out: Annotated[Path, typer.Option(metavar="DIR", help="Where the records are.")] = Path(
            "results"
        ),
        workers: WORKERS = 2,
        show: Annotated[
            bool, typer.Option("--show", help="Run nothing, show what has been recorded.")
        ] = False,
        json: JSON = False,
    ) -> None:
        """Run a paper's experiment again and show our figures beside the paper's.

        Started again, it goes on where it stopped. The table, also as CSV and Markdown, and a
        figure are written to DIR/EXPERIMENT/SCALE.
        """
        from montego.lab import reproduction

        with told_to_the_user():
            if list_all or experiment is None:
                reproduction.show_list(out, json)
                return
            asked = reproduction.Asked(
                experiment, scale.value, tuple(only or ()), games, out, workers
            )
            plan = reproduction.plan(asked)
            if not show:
                get_ready()
            complete = reproduction.carry_out(plan, asked, json, play=not show)
        if not complete:
            raise typer.Exit(130)


def complete_experiment(incomplete: str) -> list[str]:
    """R1 to R18, for the shell."""
    names = (f"R{number}" for number in range(1, 19))
    return [name for name in names if name.startswith(incomplete.upper())]
