"""``montego play``: the player for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from montego.book.shipped import FILE, SHIPPED, is_shipped
from montego.cli import web
from montego.cli.common import get_kernels_ready, told_to_the_user
from montego.cli.typed import (
    DEFAULT_RECIPE,
    check_handicap,
    check_level_alone,
    check_one_limit,
    check_recipe,
    parse_komi,
    parse_level,
    parse_seconds,
    parse_size,
)
from montego.engine.levels import LEVELS, Level
from montego.terminal.settings import Settings

if TYPE_CHECKING:
    from montego.terminal.game import Opening

MOST_THREADS = 64
DEFAULT_SIZE = 9
DEFAULT_THREADS = 1
DEFAULT_MEMORY = 512

HOW_IT_SEARCHES = "How it searches, such as mango or uct,selection=prior: see montego recipes."
Recipe = Annotated[str, typer.Option(metavar="R", help=HOW_IT_SEARCHES)]
Simulations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="The most simulations for a move.")
]
LevelOption = Annotated[
    Level | None,
    typer.Option(
        parser=parse_level,
        metavar="N",
        help=f"Its strength, 1 to {LEVELS} or a name, from first game to strongest.",
    ),
]

app = typer.Typer()


class Color(StrEnum):
    """The colour that the user plays."""

    black = "black"
    white = "white"


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
    level: LevelOption = None,
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
        Path | None,
        typer.Option(
            metavar="FILE", help="Openings that it plays by (montego book).", show_default="its own"
        ),
    ] = None,
    has_book: Annotated[
        bool,
        typer.Option(
            " /--no-book", help="Play without the book that comes with Montego.", show_default=False
        ),
    ] = True,
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
    check_level_alone(level, recipe)
    check_recipe(recipe or DEFAULT_RECIPE, {})
    where_from = {"--from": record, "--komi": komi, "--color": color}
    check_game({"--size": size, "--handicap": handicap}, where_from, resume, move)
    size, stones = size or DEFAULT_SIZE, stones_given(handicap)
    if stones:
        check_handicap(size, stones)
    for_the_terminal = (threads, seed, record, book, resume or None, terminal or None)
    if all(value is None for value in for_the_terminal) and is_named(recipe) and shows_pages():
        chosen = {"size": size, "komi": komi, "user": color, "handicap": stones, "recipe": recipe}
        number = None if level is None else level.number
        limits = {"level": number, "simulations": simulations, "seconds": seconds}
        web.start(wish=wish_for(chosen, limits), book=FILE if has_book else None)
        return
    changes = changed_settings(level, simulations, seconds, threads, recipe)
    changes |= chosen_book(book, book_learns) or {"book": SHIPPED if has_book else ""}

    def opening() -> Opening:
        from montego.terminal import session

        if resume:
            return session.resumed(changes, seed)
        settings = Settings(**changes)
        if record is not None:
            return session.from_record(settings, record, move, komi, color, seed)
        own_komi = (0.5 if stones else 7.5) if komi is None else komi
        return session.new_game(settings, size, own_komi, stones, color or Color.black, seed)

    play_in_terminal(opening, record)


def check_game(
    board: Mapping[str, object], where_from: Mapping[str, object], resume: bool, move: int | None
) -> None:
    """Refuse what a resumed game, or one from a file, has already."""
    if resume:
        refuse({**board, **where_from, "--move": move}, "the resumed game has its own")
    elif where_from["--from"] is not None:
        refuse(board, "the game in the file has its own")
    else:
        refuse({"--move": move}, "there is no game yet: give --from as well")


def stones_given(handicap: int | None) -> int:
    """How many stones Black places; a handicap of 1 is to play first."""
    return handicap if handicap and handicap > 1 else 0


def is_named(recipe: str | None) -> bool:
    """Whether the page can be asked for a recipe: one by its name alone."""
    return recipe is None or not set(recipe) & set(":,")


def play_in_terminal(opening: Callable[[], Opening], record: Path | None) -> None:
    """Play the game that ``opening`` makes; a file that is no game is refused before it."""
    from montego.book.errors import BookError
    from montego.go import GoError, sgf

    with told_to_the_user(GoError, BookError):
        if record is not None:
            sgf.read(record)
        get_kernels_ready()
        game = opening()
    from montego.terminal import session

    with told_to_the_user(BookError):  # one that is damaged where the game comes
        session.Session(game, review_game).run()


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
    level: Level | None,
    simulations: int | None,
    seconds: float | None,
    threads: int | None,
    recipe: str | None,
) -> dict[str, Any]:
    """What the user wants of the program, as settings by name; a level leaves no other limit."""
    changes: dict[str, Any] = {} if threads is None else {"threads": threads}
    if recipe is not None:
        changes |= {"recipe": recipe, "level": None}
    if simulations is not None or seconds is not None:
        changes |= {"simulations": simulations, "seconds": seconds, "level": None}
    if level is not None:
        own = Settings().at_level(level)
        names = ("level", "recipe", "simulations", "seconds")
        changes |= {name: getattr(own, name) for name in names}
    return changes


def chosen_book(book: Path | None, learns: bool) -> dict[str, Any]:
    """The book that it plays by, as settings by name."""
    if book is None:
        refuse({"--book-learns": learns or None}, "there is no book: give --book as well")
        return {}
    return {"book": str(book if is_shipped(book) else book.absolute()), "book_learns": learns}


def review_game(path: Path) -> None:
    """``montego review`` on a game that has just been played; what is wrong is said."""
    from montego.cli import lab

    try:
        lab.review(path)
    except typer.TyperException as error:
        typer.echo(error.format_message(), err=True)
    except typer.Exit:  # interrupted: what was analysed has been shown
        pass
