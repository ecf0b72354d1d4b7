"""``montego web``: the board in the browser."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from montego.book.shipped import FILE
from montego.cli.common import get_kernels_ready, told_to_the_user

NEEDED = ("fastapi", "uvicorn", "websockets")
MOST_PROCESSES = 64
RESULTS = Path("results")
"""Where the laboratory keeps its records, unless it is told otherwise."""

app = typer.Typer()


@app.command()
def web(
    host: Annotated[
        str, typer.Option(metavar="H", help="Where to listen; elsewhere than here needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="N", help="The port.", show_default="the first from 8427 on"
        ),
    ] = None,
    opens: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open a browser.", show_default="where there is one"),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Only who knows it may come in.",
            show_default="none here, else random",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=MOST_PROCESSES, metavar="N", help="Engines at a time.")
    ] = 2,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Matches and experiments to be shown.",
            show_default="./results where it is there",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    book: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Openings to be shown and played by (montego book).",
            show_default="its own",
        ),
    ] = None,
    has_book: Annotated[
        bool,
        typer.Option(
            " /--no-book", help="Without the book that comes with Montego.", show_default=False
        ),
    ] = True,
) -> None:
    """Play and analyse on a board in the browser.

    It listens to this machine alone, unless --host says otherwise; Ctrl-C ends it.
    """
    check_installed()
    check_token(token)
    if results is None and RESULTS.is_dir():
        results = RESULTS
    if book is None and has_book:
        book = FILE
    opens = has_browser() if opens is None else opens
    start(host, port, opens, token, processes, results=results, book=book)


def start(
    host: str = "127.0.0.1",
    port: int | None = None,
    opens: bool = True,
    token: str | None = None,
    processes: int = 2,
    wish: str = "",
    results: Path | None = None,
    book: Path | None = None,
) -> None:
    """Serve until Ctrl-C."""
    get_kernels_ready()
    from montego.book.errors import BookError
    from montego.engine.learning import check_games
    from montego.web.limits import Limits
    from montego.web.lobby import Shelf
    from montego.web.serve import serve

    def tell(address: str) -> None:
        typer.echo(f"The board is at {address} (Ctrl-C ends it)")

    with told_to_the_user(OSError, BookError):
        if book is not None:
            check_games(book)
        shelf = Shelf(results, book)
        serve(host, port, token, opens, tell, Limits(processes=processes), wish, shelf)


def has_browser() -> bool:
    """Whether a browser with windows can be started here."""
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not has_screen:
        return False
    import webbrowser

    try:
        return not isinstance(webbrowser.get(), webbrowser.GenericBrowser)  # w3m and the like
    except webbrowser.Error:
        return False


def is_installed() -> bool:
    """Whether what the server needs is there."""
    return all(find_spec(name) is not None for name in NEEDED)


def check_installed() -> None:
    """Say what is missing, and where it comes from."""
    if not is_installed():
        raise typer.TyperException("the board in the browser needs pip install 'montego[web]'")


def check_token(token: str | None) -> None:
    """A token travels in an address and in a cookie."""
    if token is not None and not (8 <= len(token) <= 200 and token.isascii() and is_plain(token)):
        told = "8 to 200 letters, digits, - and _"
        raise typer.BadParameter(told, param_hint="'--token'")


def is_plain(token: str) -> bool:
    """Whether it is made of letters, digits, - and _ alone."""
    return all(sign.isalnum() or sign in "-_" for sign in token)
