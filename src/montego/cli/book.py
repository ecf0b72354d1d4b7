"""``montego book``: opening books, made, looked at and kept in order."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.book_making import making
from montego.cli.book_options import AnyKomi, AnySize, File, progress, told
from montego.cli.common import Json, get_kernels_ready, told_to_the_user

app = typer.Typer(name="book", help="Opening books.", no_args_is_help=True)
app.add_typer(making)


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

    Exit code 1 says that something is wrong; montego book rebuild counts the games again.
    """
    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), Book(book) as opened:
        get_kernels_ready()
        with progress("checking", len(opened)) as tick:
            found = upkeep.check(opened, tick)
        told = f"sound: {len(opened):,} games, {opened.position_count:,} positions"
    typer.echo("\n".join(found) or told)
    raise typer.Exit(1 if found else 0)


@app.command()
def rebuild(book: File) -> None:
    """Count all games of a book again."""
    from montego.book import upkeep
    from montego.book.errors import BookError
    from montego.book.store import Book

    with told_to_the_user(BookError), Book(book, writes=True) as opened:
        get_kernels_ready()
        with progress("counting", len(opened)) as tick:
            upkeep.rebuild(opened, tick)


@app.command()
def merge(
    book: Annotated[
        Path, typer.Argument(metavar="FILE", help="The book that gets the games; made if new.")
    ],
    others: Annotated[list[Path], typer.Argument(metavar="BOOK...", help="Books to be added.")],
    moves: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first moves of every game.")
    ] = None,
    source: Annotated[
        str, typer.Option(metavar="TEXT", help="Only games whose source begins so: grown.")
    ] = "",
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
        with progress("merging", sum(map(len, opened))) as tick:
            added = upkeep.merge(into, opened, tick, upkeep.Part(moves, source))
        typer.echo(f"{added:,} games were new; {book} holds {len(into):,}")


Depth = Annotated[int, typer.Option(min=1, metavar="N", help="Moves that a line is followed.")]
LeastGames = Annotated[int, typer.Option(min=1, metavar="N", help="Games that a move needs.")]


@app.command()
def show(
    book: File,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVES]...", help="From this position: E5 C3.")
    ] = None,
    size: AnySize = None,
    komi: AnyKomi = None,
    depth: Depth = 2,
    games: LeastGames = 1,
    json: Json = False,
) -> None:
    """Show what was played in a position, how often, and how it went, with 95 % intervals."""
    with told():
        get_kernels_ready()
        from montego.lab.books import shown

        shown.show(book, moves or [], size, komi, depth, games, json)


@app.command("games")
def list_games(
    book: File,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVES]...", help="Through this position.")
    ] = None,
    size: AnySize = None,
    komi: AnyKomi = None,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="Games that are shown.")] = 50,
) -> None:
    """List the games that came through a position: who played them, with what thinking."""
    with told():
        get_kernels_ready()
        from montego.lab.books import shown

        shown.list_games(book, moves or [], size, komi, most)


@app.command()
def extract(
    book: File,
    number: Annotated[int, typer.Argument(min=1, metavar="N", help="Which game of it.")],
) -> None:
    """Print a game of a book as SGF: montego book extract FILE 17 > game.sgf."""
    with told():
        get_kernels_ready()
        from montego.lab.books import shown

        typer.echo(shown.extract(book, number))


@app.command()
def export(
    book: File,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file, .sgf, .txt or .svg.")],
    size: AnySize = None,
    komi: AnyKomi = None,
    depth: Depth = 20,
    games: LeastGames = 2,
    rule: Annotated[
        str, typer.Option(metavar="RULE", help="In a text, the reply: frequent, rate, negamax.")
    ] = "frequent",
    force: Annotated[bool, typer.Option("--force", help="Replace a file.")] = False,
) -> None:
    """Write a book as SGF with comments, as a text that Fuego and Pachi read, or as boards.

    Boards (.svg) are the main lines: the most played moves of each position.
    """
    with told():
        get_kernels_ready()
        from montego.lab.books import shown

        shown.write(book, out, size, komi, depth, games, rule, force)
