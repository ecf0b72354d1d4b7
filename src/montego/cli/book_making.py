"""``montego book grow``, ``long``, ``import`` and ``weigh``: ways to make a book."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from montego.cli.book_options import AnyKomi, AnySize, NewFile, progress, told
from montego.cli.common import (
    Cluster,
    Seed,
    Size,
    Workers,
    end_interrupted,
    get_kernels_ready,
)
from montego.cli.typed import DEFAULT_RECIPE, parse_changes, parse_komi, parse_seconds
from montego.lab.base.errors import LabError

making = typer.Typer()


class Method(StrEnum):
    """T32: what is followed."""

    mbm = "mbm"
    mvbm = "mvbm"
    ucb = "ucb"
    buro = "buro"
    dropout = "dropout"


class Against(StrEnum):
    """Who the opponent is while a book grows."""

    itself = "itself"
    none = "none"


Recipe = Annotated[str, typer.Option(metavar="R", help="How it searches.")]
Changes = Annotated[
    list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="Parameters of the recipe.")
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


@making.command()
def grow(
    book: NewFile,
    changes: Changes = None,
    method: Annotated[
        Method, typer.Option(help="What is followed: see the page about books.")
    ] = Method.mvbm,
    size: Size = 9,
    komi: AnyKomi = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Simulations = None,
    seconds: Seconds = None,
    against: Annotated[
        Against, typer.Option(help="Who the opponent is: the same book, or a player without one.")
    ] = Against.itself,
    moves: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Follow only the first moves.", show_default="all"),
    ] = None,
    least: Annotated[
        int, typer.Option(min=1, metavar="N", help="Follow from so many games of a position on.")
    ] = 1,
    games: Games = 100,
    workers: Workers = 1,
    cluster: Cluster = None,
    record: StartFile = None,
    move: Before = None,
    seed: Seed = 0,
) -> None:
    """Grow a book by self-play: follow the moves that succeeded, think where there are none.

    Started again, it resumes where it stopped; more games can be asked for at any time.
    """
    from montego.lab.base.farm import crew
    from montego.lab.books import session
    from montego.lab.books.ways import Way

    with told():
        limits = {"simulations": simulations, "seconds": seconds}
        player = session.thinker(recipe, limits, changes or [])
        way = Way(method.value, against.value, moves, least)
        get_kernels_ready()
        plan = way.plan(player, session.start_of(size, komi, record, move), seed)
        with crew(cluster, workers) as hands:
            complete = session.run(plan, book, games, hands)
    if not complete:
        end_interrupted()


@making.command("long")
def think_long(
    book: NewFile,
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
    cluster: Cluster = None,
    record: StartFile = None,
    move: Before = None,
    seed: Seed = 0,
) -> None:
    """Fill a book with the first moves of long thinking against short thinking, by turns.

    Started again, it resumes where it stopped; more games can be asked for at any time.
    """
    from montego.lab.base.farm import crew
    from montego.lab.books import plans, session

    with told():
        limits = {"simulations": simulations, "seconds": seconds}
        player = session.thinker(recipe, limits, changes or [])
        quick = session.thinker(recipe, {"simulations": short}, changes or [])
        get_kernels_ready()
        start = session.start_of(size, komi, record, move)
        plan = plans.LongThinking(player, start, seed, quick, moves)
        with crew(cluster, workers) as hands:
            complete = session.run(plan, book, games, hands)
    if not complete:
        end_interrupted()


class Winner(StrEnum):
    """Who won a game."""

    black = "black"
    white = "white"


@making.command("import")
def read(
    book: NewFile,
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
    with told():
        from montego.book.records import COLORS, Filters

        won = None if winner is None else COLORS[winner.value]
        filters = Filters(size, komis, rank, player, won)
        get_kernels_ready()
        from montego.lab.books import collecting

        collecting.run(book, sources, filters, moves, bad)


@making.command()
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
    with told():
        from montego.book.store import Book
        from montego.book.upkeep import seen
        from montego.book.weighing import Classes, Weights, advice, weigh as weigh_games
        from montego.engine.learning import check_games

        chosen, classes = Weights().with_changes(changes), Classes(top, since)
        get_kernels_ready()
        check_games(source)
        with Book(source) as opened, Book.open_or_create(book) as into:
            if opened.path.samefile(into.path):
                raise LabError(f"{book} cannot get advice from itself: name a new one")
            with progress("weighing", len(opened)) as tick:
                known = weigh_games(seen(opened.games(), tick), classes, moves)
            added = sum(into.add_many(advice(known, chosen, games)))
            typer.echo(f"{added:,} pieces of advice; {book} holds {len(into):,}")
