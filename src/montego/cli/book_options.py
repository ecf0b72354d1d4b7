"""What the commands of ``montego book`` share: options, errors as one line, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import told_to_the_user
from montego.cli.typed import parse_komi, parse_size
from montego.lab.base.errors import LabError

File = Annotated[Path, typer.Argument(metavar="FILE", help="The book; shipped: that of Montego.")]
NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="The book; made if it is new.")]
AnyKomi = Annotated[
    float | None,
    typer.Option(
        parser=parse_komi, metavar="K", help="Points for White.", show_default="7.5, or the game's"
    ),
]
AnySize = Annotated[
    int | None,
    typer.Option(parser=parse_size, metavar="N", help="Lines of the board.", show_default="any"),
]


@contextmanager
def told() -> Iterator[None]:
    """What is wrong with a book, a game or a player is one line."""
    from montego.book.errors import BookError
    from montego.go import GoError

    with told_to_the_user(BookError, GoError, LabError, OSError):
        yield


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    from montego.lab.base.progress import Counter

    with Counter(title, total) as bar:
        yield lambda done: bar(range(done))
