"""The command line: what ``montego`` understands, and nothing of how it is done.

A command's module is imported when the command is called (``commands``).  Each command checks
what it was given, makes sure that the kernels are compiled and calls a module of its own room.
Those are imported inside the commands, for they bring NumPy and the kernels with them: ``--help``
and completion must not wait.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from montego import __version__
from montego.cli import streams
from montego.cli.commands import Commands
from montego.cli.common import message_of

app = typer.Typer(
    name="montego",
    help="Monte-Carlo Go: play in the terminal or a GUI, play matches, measure.",
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line and exit code 2."""
    gc.set_threshold(10_000, 20, 20)  # what is imported stays: looking for waste in it is wasted
    streams.open_missing()
    try:
        code = _run(arguments)
    except BrokenPipeError:  # whoever reads has seen enough, as in montego rank … | head
        code = 1
    except OSError as error:  # such as a standard output on a disk that is full
        code = streams.flush() or _tell(message_of(error))
    sys.exit(streams.flush() or code)


def _run(arguments: Sequence[str] | None) -> Any:
    try:
        # Click returns the code of an Exit, and what the command returned otherwise: None.
        code = app(arguments, prog_name="montego", standalone_mode=False)
    except typer.TyperException as error:
        message = error.format_message()
        if message:  # without any arguments the help has been shown instead
            _tell(message)
        code = error.exit_code
    except typer.Abort:
        code = 1
    return code


def _tell(message: str) -> int:
    """Say in one line what was wrong; returns the exit code."""
    typer.echo(f"montego: {' '.join(message.split())}", err=True)
    return 2


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
