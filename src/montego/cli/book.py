"""``montego book``: opening books, made, looked at and kept in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.common import (
    Json,
    Seed,
    Size,
    Workers,
    end_interrupted,
    get_kernels_ready,
    told_to_the_user,
)
from montego.cli.typed import (
    DEFAULT_RECIPE,
    parse_changes,
    parse_komi,
    parse_seconds,
    parse_size,
)
from montego.lab.base.errors import LabError

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


class Method(StrEnum):
    """T32: what is followed."""

    mbm = "mbm"
    mvbm = "mvbm"
    ucb = "ucb"
    buro = "buro"
    dropout = "dropout"


Recipe = Annotated[str, typer.Option(metavar="R", help="How it searches.")]
Changes = Annotated[
    list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="Parameters of the recipe.")
]
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
Simulations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Simulations for a move.")
]
Seconds = Annotated[
    float | None, typer.Option(parser=parse_seconds, metavar="S", help="Time for a move.")
]
Games = Annotated[int, typer.Option(min=1, metavar="N", help="Games to be played, in all.")]
StartFile = Annotated[
    Path | None,
    typer.Option("--from", metavar="GAME", help="Begin at the end of a game (SGF).",
                 exists=True, dir_okay=False),
]  # fmt: skip
Before = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="With --from: before this move, 1 the first.")
]


@app.command()
def grow(
    book: Annotated[Path, typer.Argument(metavar="FILE", help="The book; made if it is new.")],
    changes: Changes = None,
    method: Annotated[
        Method, typer.Option(help="What is followed: see the page about books.")
    ] = Method.mvbm,
    size: Size = 9,
    komi: AnyKomi = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Simulations = None,
    seconds: Seconds = None,
    moves: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Follow only the first moves.", show_default="all"),
    ] = None,
    games: Games = 100,
    workers: Workers = 1,
    record: StartFile = None,
    move: Before = None,
    seed: Seed = 0,
) -> None:
    """Grow a book by self-play: follow the moves that succeeded, think where there are none.

    Started again, it goes on where it stopped; more games can be asked for at any time.
    """
    from montego.lab.books import session

    with _told():
        limits = {"simulations": simulations, "seconds": seconds}
        player = session.thinker(recipe, limits, changes or [])
        get_kernels_ready()
        start = session.start_of(size, komi, record, move)
        plan = session.growth(method.value, player, start, seed, moves)
        complete = session.run(plan, book, games, workers)
    if not complete:
        end_interrupted()


@app.command("long")
def think_long(
    book: Annotated[Path, typer.Argument(metavar="FILE", help="The book; made if it is new.")],
    changes: Changes = None,
    short: Annotated[
        int, typer.Option(min=1, metavar="N", help="Simulations of the one that thinks shortly.")
    ] = 100,
    moves: Annotated[
        int, typer.Option(min=1, metavar="N", help="Moves after which that one resigns.")
    ] = 4,
    size: Size = 9,
    komi: AnyKomi = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Simulations = None,
    seconds: Seconds = None,
    games: Games = 100,
    workers: Workers = 1,
    record: StartFile = None,
    move: Before = None,
    seed: Seed = 0,
) -> None:
    """Fill a book with the first moves of long thinking against short thinking, by turns.

    Started again, it goes on where it stopped; more games can be asked for at any time.
    """
    from montego.lab.books import plans, session

    with _told():
        limits = {"simulations": simulations, "seconds": seconds}
        player = session.thinker(recipe, limits, changes or [])
        quick = session.thinker(recipe, {"simulations": short}, changes or [])
        get_kernels_ready()
        start = session.start_of(size, komi, record, move)
        complete = session.run(
            plans.LongThinking(player, start, seed, quick, moves), book, games, workers
        )
    if not complete:
        end_interrupted()


class Winner(StrEnum):
    """Who won a game."""

    black = "black"
    white = "white"


@app.command("import")
def read(
    book: Annotated[Path, typer.Argument(metavar="FILE", help="The book; made if it is new.")],
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="GAMES...", help="Game records (.sgf, .sgfs, .gz), or text books."),
    ],
    size: AnySize = None,
    komi: Annotated[
        list[str] | None,
        typer.Option(metavar="K", help="Only this komi, or several; of text books all.",
                     show_default="any; text books 7.5"),
    ] = None,
    rank: Annotated[
        str, typer.Option(metavar="RANK", help="Both players at least 3k, 5d, 1p, or 2300.")
    ] = "",
    player: Annotated[
        str, typer.Option(metavar="NAME", help="A part of one player's name.")
    ] = "",
    winner: Annotated[Winner | None, typer.Option(help="Only games that this colour won.")] = None,
    moves: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first moves of every game.")
    ] = None,
    bad: Annotated[
        Path | None, typer.Option(metavar="TEXT", help="Lines of text books that are left out.")
    ] = None,
) -> None:  # fmt: skip
    """Add games of strong players, or books that were written by hand.

    A game that is in the book already is not added again. What was left out is told.
    """
    komis = tuple(map(parse_komi, komi or []))
    with _told():
        from montego.book.records import COLORS, Filters

        won = None if winner is None else COLORS[winner.value]
        filters = Filters(size, komis, rank, player, won)
        get_kernels_ready()
        from montego.lab.books import collecting

        collecting.run(book, sources, filters, moves, bad)


@app.command()
def weigh(
    book: Annotated[Path, typer.Argument(metavar="FILE", help="The book that gets the advice.")],
    source: Annotated[Path, typer.Argument(metavar="GAMES", help="A book of many games.")],
    weights: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Weights, such as top_success=2."),
    ] = None,
    top: Annotated[
        str, typer.Option(metavar="RANK", help="Players from this rank on are the top.")
    ] = "1p",
    since: Annotated[
        str, typer.Option(metavar="DATE", help="Games from this date on are recent.")
    ] = "",
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games that a position needs.")
    ] = 5,
    moves: Annotated[int, typer.Option(min=1, metavar="N", help="Only the first moves.")] = 20,
) -> None:
    """Take the best move of each position by weighted statistics of a collection.

    Success and frequency in all games, in those of top players, and in recent ones.
    """
    changes = parse_changes(weights or [])
    with _told():
        from montego.book.store import Book
        from montego.book.upkeep import seen
        from montego.book.weighing import Classes, Weights, advice, weigh as weigh_games

        chosen, classes = Weights().with_changes(changes), Classes(top, since)
        get_kernels_ready()
        with Book(source) as opened, Book.open_or_create(book) as into:
            if opened.path.samefile(into.path):
                raise LabError(f"{book} cannot get advice from itself: name a new one")
            with _progress("weighing", len(opened)) as tick:
                known = weigh_games(seen(opened.games(), tick), classes, moves)
            added = sum(into.add_many(advice(known, chosen, games)))
            typer.echo(f"{added:,} pieces of advice; {book} holds {len(into):,}")


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
    with _told():
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
    with _told():
        get_kernels_ready()
        from montego.lab.books import shown

        shown.list_games(book, moves or [], size, komi, most)


@app.command()
def extract(
    book: File,
    number: Annotated[int, typer.Argument(min=1, metavar="N", help="Which game of it.")],
) -> None:
    """Print a game of a book as SGF: montego book extract FILE 17 > game.sgf."""
    with _told():
        get_kernels_ready()
        from montego.lab.books import shown

        typer.echo(shown.extract(book, number))


@app.command()
def export(
    book: File,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file, .sgf or .txt.")],
    size: AnySize = None,
    komi: AnyKomi = None,
    depth: Depth = 20,
    games: LeastGames = 2,
    rule: Annotated[
        str, typer.Option(metavar="RULE", help="In a text, the reply: frequent, rate, negamax.")
    ] = "frequent",
    force: Annotated[bool, typer.Option("--force", help="Replace a file.")] = False,
) -> None:
    """Write a book as SGF with comments, or as a text that Fuego and Pachi read."""
    with _told():
        get_kernels_ready()
        from montego.lab.books import shown

        shown.write(book, out, size, komi, depth, games, rule, force)


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with a book, a game or a player is one line."""
    from montego.book.errors import BookError
    from montego.go import GoError

    with told_to_the_user(BookError, GoError, LabError, OSError):
        yield


@contextmanager
def _progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    from montego.lab.base.progress import Counter

    with Counter(title, total) as bar:
        yield lambda done: bar(range(done))
