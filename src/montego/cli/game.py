"""``montego play``, ``gtp`` and ``bench``: the player, for people, for programs, by the clock."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from montego.cli import web
from montego.cli.common import Seed, get_kernels_ready, told_to_the_user
from montego.cli.typed import (
    DEFAULT_RECIPE,
    check_handicap,
    check_memory,
    check_recipe,
    check_writable,
    choose_cluster,
    choose_kinds,
    choose_recipes,
    choose_sizes,
    find_engine,
    parse_changes,
    parse_komi,
    parse_seconds,
    parse_size,
)
from montego.engine.levels import LEVELS
from montego.terminal.settings import Settings

if TYPE_CHECKING:
    from montego.book.choice import Opening
    from montego.book.store import Book
    from montego.engine.engine import Engine

MOST_THREADS = 64
DEFAULT_SIZE = 9
DEFAULT_THREADS = 1
DEFAULT_MEMORY = 512

HOW_IT_SEARCHES = "How it searches, such as mango or uct,selection=prior: see montego recipes."
Recipe = Annotated[str, typer.Option(metavar="R", help=HOW_IT_SEARCHES)]
Simulations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="The most simulations for a move.")
]

app = typer.Typer()


class Color(StrEnum):
    """The colour that the user plays."""

    black = "black"
    white = "white"


class Identity(StrEnum):
    """Whose protocol a GUI believes to speak."""

    montego = "montego"
    leelaz = "leelaz"
    katago = "katago"


@app.command()
def bench(
    sizes: Annotated[
        str, typer.Option(metavar="LIST", help="Board sizes, with commas.")
    ] = "9,13,19",
    seconds: Annotated[
        float,
        typer.Option(parser=parse_seconds, metavar="S", help="Time to measure, all in all."),
    ] = 20.0,
    kinds: Annotated[
        str, typer.Option(metavar="LIST", help="Kinds of playout, with commas; all; or none.")
    ] = "all",
    recipes: Annotated[
        str,
        typer.Option(metavar="LIST", help="Recipes to search with, with commas; all; or none."),
    ] = "all",
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the figures there; - is the standard output."),
    ] = None,
) -> None:
    """Measure playouts and simulations per second of every kind and size.

    All of them take turns in short batches until the time is over.
    The best batch counts: the noise of a busy machine only ever slows.
    The time to compile or load the kernels is reported apart.
    """
    chosen_sizes, chosen_kinds = choose_sizes(sizes), choose_kinds(kinds)
    chosen_recipes = choose_recipes(recipes)
    if json not in (None, "-"):
        check_writable(Path(json))
    from montego.bench import speed

    compile_seconds = get_kernels_ready()
    report = speed.measure(chosen_kinds, chosen_recipes, chosen_sizes, seconds, compile_seconds)
    if json != "-":
        speed.show(report)
    if json is not None:
        speed.write(report, json)


@app.command()
def play(
    size: Annotated[
        int | None,
        typer.Option(
            parser=parse_size, metavar="N", help="Lines of the board, 2 to 19.", show_default="9"
        ),
    ] = None,
    komi: Annotated[
        float | None,
        typer.Option(
            parser=parse_komi,
            metavar="K",
            help="Points for White.",
            show_default="7.5, with handicap 0.5",
        ),
    ] = None,
    color: Annotated[
        Color | None,
        typer.Option(
            help="Your colour; Black begins.", show_default="black, or who is to move in FILE"
        ),
    ] = None,
    handicap: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Stones that Black places first.", show_default="0"),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=LEVELS, metavar="N", help="Its strength, each level twice as slow."
        ),
    ] = None,
    simulations: Simulations = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            parser=parse_seconds,
            metavar="S",
            help="The longest time for a move.",
            show_default="2",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_THREADS, metavar="N", help="Threads.", show_default="1"),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(metavar="R", help=HOW_IT_SEARCHES, show_default=DEFAULT_RECIPE),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="With --level or --simulations: the same replies to the same moves.",
            show_default="random",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Go on from the end of a game (SGF).",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    move: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --from: before this move, 1 the first."),
    ] = None,
    book: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings that it plays by (montego book).")
    ] = None,
    book_learns: Annotated[
        bool, typer.Option("--book-learns", help="Add the game to the book; it may be a new one.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was left last.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="In the terminal, though there is a browser.")
    ] = False,
) -> None:
    """Play a game against the program: in the browser where there is one, else in the terminal.

    In the terminal an unfinished game is kept after every move; --resume continues it.
    Threads, seeds, books and games from files are for the terminal, too.
    """
    check_one_limit(level, simulations, seconds)
    check_recipe(recipe or DEFAULT_RECIPE, {})
    board = {"--size": size, "--handicap": handicap}
    if resume:
        own = {"--from": record, "--komi": komi, "--color": color}
        refuse(board | own | {"--move": move}, "the resumed game has its own")
    elif record is not None:
        refuse(board, "the game in the file has its own")
    else:
        refuse({"--move": move}, "there is no game yet: give --from as well")
    stones = handicap if handicap and handicap > 1 else 0  # a handicap of 1 is to play first
    size = size or DEFAULT_SIZE
    if stones:
        check_handicap(size, stones)
    only_there = (threads, seed, record, book, resume or None, terminal or None)
    is_named = recipe is None or not set(recipe) & set(":,")
    if is_named and all(value is None for value in only_there) and shows_pages():
        chosen = {"size": size, "komi": komi, "user": color, "handicap": stones, "recipe": recipe}
        limits = {"level": level, "simulations": simulations, "seconds": seconds}
        web.start(wish=wish_for(chosen, limits))
        return
    changes = changed_settings(level, simulations, seconds, threads, recipe)
    changes |= chosen_book(book, book_learns)
    from montego.book.errors import BookError
    from montego.go import GoError, sgf

    with told_to_the_user(GoError, BookError):
        if record is not None:
            sgf.read(record)
        get_kernels_ready()
        from montego.terminal import session

        if resume:
            opening = session.resumed(changes, seed)
        elif record is not None:
            opening = session.from_record(Settings(**changes), record, move, komi, color, seed)
        else:
            komi = (0.5 if stones else 7.5) if komi is None else komi
            opening = session.new_game(
                Settings(**changes), size, komi, stones, color or Color.black, seed
            )
    session.Session(opening, review_game).run()


def shows_pages() -> bool:
    """Whether somebody sits here who has a browser."""
    return sys.stdin.isatty() and sys.stdout.isatty() and web.is_installed() and web.has_browser()


def wish_for(chosen: Mapping[str, object], limits: Mapping[str, float | None]) -> str:
    """A game as the page is asked for it."""
    told = {name: value for name, value in chosen.items() if value is not None}
    for by, amount in limits.items():
        if amount is not None:
            told |= {"by": by, "amount": amount}
    return f"#new?{urlencode(told)}"


def refuse(options: Mapping[str, object], why: str) -> None:
    """Refuse options that make no sense beside others."""
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter(why, param_hint=f"'{name}'")


def changed_settings(
    level: int | None,
    simulations: int | None,
    seconds: float | None,
    threads: int | None,
    recipe: str | None,
) -> dict[str, Any]:
    """What the user wants of the program, as settings by name."""
    if level is not None:
        simulations = Settings().at_level(level).simulations
    changes: dict[str, Any] = {"threads": threads, "recipe": recipe}
    changes = {name: value for name, value in changes.items() if value is not None}
    if simulations is not None or seconds is not None:
        changes |= {"simulations": simulations, "seconds": seconds}
    return changes


def chosen_book(book: Path | None, learns: bool) -> dict[str, Any]:
    """The book that it plays by, as settings by name."""
    if book is None:
        refuse({"--book-learns": learns or None}, "there is no book: give --book as well")
        return {}
    return {"book": str(book.absolute()), "book_learns": learns}


def review_game(path: Path) -> None:
    """``montego review`` on a game that has just been played; what is wrong is said."""
    from montego.cli import lab

    try:
        lab.review(path)
    except typer.TyperException as error:
        typer.echo(error.format_message(), err=True)
    except typer.Exit:  # interrupted: what was analysed has been shown
        pass


def check_one_limit(*limits: float | None) -> None:
    """Refuse several limits of its thinking."""
    if sum(limit is not None for limit in limits) > 1:
        raise typer.BadParameter(
            "give one of them, not several", param_hint="'--level' / '--simulations' / '--seconds'"
        )


@app.command()
def gtp(
    changes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Rules and parameters of the recipe."),
    ] = None,
    recipe: Recipe = DEFAULT_RECIPE,
    simulations: Simulations = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", help="The longest time for a move."),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, max=MOST_THREADS, metavar="N", help="Threads.")
    ] = DEFAULT_THREADS,
    seed: Seed = 1,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MB", help="Memory for the tree, in megabytes.")
    ] = DEFAULT_MEMORY,
    book: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Openings that it plays by (montego book).")
    ] = None,
    book_rule: Annotated[
        str,
        typer.Option(metavar="RULE", help="Which of its moves: frequent, rate, negamax, sampled."),
    ] = "frequent",
    book_games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games that a move of the book needs.")
    ] = 1,
    book_learns: Annotated[
        bool, typer.Option("--book-learns", help="Add its games to the book; it may be a new one.")
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="Search on many machines: slow-tree, root, …"),
    ] = None,
    machines: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --cluster: virtual ones, in this process."),
    ] = None,
    ranks: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --cluster: processes of an MPI job."),
    ] = None,
    mpiexec: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="With --ranks: what starts the job.",
            show_default="mpiexec -n N",
        ),
    ] = None,
    identity: Annotated[
        Identity,
        typer.Option("--as", help="What name and version say, for a GUI that checks them."),
    ] = Identity.montego,
) -> None:
    """Speak the Go Text Protocol with a GUI or another program.

    It plays by the controller's clock; without one, 10,000 simulations a move.
    """
    parameters = parse_changes(changes or [])
    make_search = choose_cluster(
        recipe,
        parameters,
        {"cluster": cluster, "machines": machines, "ranks": ranks, "cluster.mpiexec": mpiexec},
    )
    own = find_engine(recipe, parameters | _given(simulations, seconds, threads, memory))
    if own is None:
        check_recipe(recipe, parameters)
    elif make_search:
        raise typer.BadParameter(f"{recipe} makes its own searches: --cluster is for recipes")
    check_memory(memory)
    use = chosen_book(book, book_learns)
    opened = checked_book(use["book"], book_rule, book_games, book_learns) if use else (None, None)
    from montego.gtp.administration import IDENTITIES
    from montego.gtp.lines import Lines
    from montego.gtp.session import GtpSession

    def make_engine() -> Engine:
        get_kernels_ready(load=True)
        from montego.engine.engine import Engine

        if own is not None:
            return own(DEFAULT_SIZE, 7.5, seed)
        return Engine(
            recipe, seed=seed, threads=threads, memory_mb=memory,
            simulations=simulations, seconds=seconds, parameters=parameters,
            book=opened[0], learns=opened[1], **make_search,
        )  # fmt: skip

    session = GtpSession(make_engine, identity=IDENTITIES[identity.value])
    session.run(Lines(0, 1), write_at_once)
    if not session.is_ready:  # a compiler that still runs would not survive the usual end
        os._exit(0)


def _given(
    simulations: int | None, seconds: float | None, threads: int, memory: int
) -> dict[str, str]:
    """Options that are not at their defaults, by name: what a function of the user's is told."""
    options = {
        "simulations": (simulations, None),
        "seconds": (seconds, None),
        "threads": (threads, DEFAULT_THREADS),
        "memory": (memory, DEFAULT_MEMORY),
    }
    return {name: str(now) for name, (now, usual) in options.items() if now != usual}


def checked_book(path: str, rule: str, games: int, learns: bool) -> tuple[Opening, Book | None]:
    """The book, or a line that says what is wrong with it."""
    from montego.book.errors import BookError
    from montego.engine.learning import open_book

    with told_to_the_user(BookError):
        return open_book(path, rule, games, learns)


def write_at_once(text: str) -> None:
    """Write to the standard output, past any buffer; a controller waits for it."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
