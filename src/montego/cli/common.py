"""What commands share: options that mean the same everywhere, errors, and compiled kernels."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from montego.cli.typed import parse_komi, parse_seconds, parse_size

COMPILE_SECONDS = 50
"""What the first compilation takes on a common machine, for the line that announces it."""
QUIET_SECONDS = 30.0
"""Where there is no terminal: the time between two lines of a long command."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

Size = Annotated[
    int, typer.Option(parser=parse_size, metavar="N", help="Lines of the board, 2 to 19.")
]
Komi = Annotated[float, typer.Option(parser=parse_komi, metavar="K", help="Points for White.")]
ReplySeconds = Annotated[
    float, typer.Option(parser=parse_seconds, metavar="S", help="Time for a reply of a program.")
]
Workers = Annotated[int, typer.Option(min=1, metavar="N", help="Processes at a time.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the dice.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def input_lines() -> Iterator[bytes]:
    """The lines of the standard input as they come.

    A thread that waits for one must hold no lock of a buffer's: at the exit Python wants it.
    """
    buffer = bytearray()
    while chunk := os.read(sys.stdin.fileno(), 1 << 16):
        buffer += chunk
        if b"\n" in chunk:
            *lines, buffer = buffer.split(b"\n")
            yield from (bytes(line) + b"\n" for line in lines)
    if buffer:
        yield bytes(buffer)


@contextmanager
def told_to_the_user(*kinds: type[Exception]) -> Iterator[None]:
    """A mistake in the request is one line on the command line."""
    try:
        yield
    except kinds as error:
        told = typer.TyperException(str(error))
        told.exit_code = getattr(error, "exit_code", 2)
        raise told from None


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
