"""What can be wrong with what the laboratory was asked to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class LabError(ValueError):
    """A request that cannot be met; the message is one line for the user."""

    exit_code = 2
    """Of a command: 2 is a mistake in the request."""


@contextmanager
def told_to_the_user() -> Iterator[None]:
    """What the laboratory cannot do is one line on the command line."""
    import typer

    try:
        yield
    except LabError as error:
        told = typer.TyperException(str(error))
        told.exit_code = error.exit_code
        raise told from None
