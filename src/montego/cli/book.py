"""``montego book``: opening books, made, looked at and kept in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import Json, get_kernels_ready, told_to_the_user

app = typer.Typer(name="book", help="Opening books.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The book.")]


@app.command()
def info(book: File, json: Json = False) -> None:
    """Tell what a book holds: games, positions, boards, and where the games come from."""
    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), Book(book) as opened:
        told = upkeep.summary(opened)
    typer.echo(dumps(told, indent=2, ensure_ascii=False) if json else _as_text(told))


def _as_text(told: dict[str, object]) -> str:
    lines = [
        f"{told['games']:,} games, {told['positions']:,} positions",
        f"won by Black {told['black_wins']:,}, by White {told['white_wins']:,}, "
        f"drawn {told['draws']:,}",
    ]
    for heading in ("boards", "sources", "about"):
        part = told[heading]
        assert isinstance(part, dict)
        lines += [f"{heading}:"] + [
            f"  {name or '(none)'}: {value}" for name, value in part.items()
        ]
    return "\n".join(lines)


@app.command()
def check(book: File) -> None:
    """Replay all games of a book and compare with what it has noted of them.

    Exit code 1 says that something is wrong; montego book rebuild counts the games anew.
    """
    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), Book(book) as opened:
        get_kernels_ready()
        with _progress("checking", len(opened)) as tick:
            found = upkeep.check(opened, tick)
        told = f"sound: {len(opened):,} games, {opened.position_count:,} positions"
    typer.echo("\n".join(found) or told)
    raise typer.Exit(1 if found else 0)


@app.command()
def rebuild(book: File) -> None:
    """Count all games of a book anew."""
    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), Book(book, writes=True) as opened:
        get_kernels_ready()
        with _progress("counting", len(opened)) as tick:
            upkeep.rebuild(opened, tick)


@app.command()
def merge(
    book: Annotated[
        Path, typer.Argument(metavar="FILE", help="The book that gets the games; made if new.")
    ],
    others: Annotated[list[Path], typer.Argument(metavar="BOOK...", help="Books to be added.")],
) -> None:
    """Add the games of other books, each game once."""
    from contextlib import ExitStack

    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), ExitStack() as stack:
        opened = [stack.enter_context(Book(path)) for path in others]
        into = stack.enter_context(Book.open_or_create(book))
        get_kernels_ready()
        with _progress("merging", sum(map(len, opened))) as tick:
            added = upkeep.merge(into, opened, tick)
        typer.echo(f"{added:,} games were new; {book} holds {len(into):,}")


@contextmanager
def _progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    from montego.lab.base.progress import Counter

    with Counter(title, total) as bar:
        yield lambda done: bar(range(done))
