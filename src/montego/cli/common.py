"""What commands share: options that mean the same everywhere, errors, and compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, NoReturn

import typer

from montego.cli.typed import parse_komi, parse_seconds, parse_size

COMPILE_SECONDS = 50
"""What the first compilation takes on a common machine, for the line that announces it."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

Size = Annotated[
    int, typer.Option(parser=parse_size, metavar="N", help="Lines of the board, 2 to 19.")
]
Komi = Annotated[float, typer.Option(parser=parse_komi, metavar="K", help="Points for White.")]
ReplySeconds = Annotated[
    float, typer.Option(parser=parse_seconds, metavar="S", help="Time for a reply of a program.")
]
MOST_WORKERS = 256
Workers = Annotated[
    int, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Processes at a time.")
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers do it, or local."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the random numbers.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@contextmanager
def told_to_the_user(*kinds: type[Exception]) -> Iterator[None]:
    """A mistake in the request is one line on the command line."""
    try:
        yield
    except BrokenPipeError:
        raise
    except kinds as error:
        told = typer.TyperException(message_of(error))
        told.exit_code = getattr(error, "exit_code", 2)
        raise told from None


def message_of(error: Exception) -> str:
    """What an error says; the system's name the file and the reason."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror}"
    return str(error)


def end_interrupted() -> NoReturn:
    """After Ctrl-C, where all that was done is kept: say how it goes on, and leave."""
    typer.echo("montego: interrupted; the same command resumes where it stopped", err=True)
    raise typer.Exit(INTERRUPTED)


def get_kernels_ready(load: bool = False) -> float:
    """Compile the kernels, with a visible line if it has to be done; returns the seconds.

    What has been compiled before is loaded when it is first called, or now (``load``): before
    a clock runs, or where the time it takes is what is asked.
    """
    from montego.kernels.compiler.cache import can_keep, is_compiled

    compiled = is_compiled()
    if compiled and not load:
        return 0.0
    from montego.mcts.ready import warm_up

    if not compiled:
        times = "once" if can_keep() else "for this run only"
        typer.echo(f"compiling the kernels, {times} (about {COMPILE_SECONDS} s) …", err=True)
    return warm_up()
