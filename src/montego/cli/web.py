"""``montego web``: the board in the browser."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from montego.cli.common import get_kernels_ready, told_to_the_user

NEEDED = ("fastapi", "uvicorn", "websockets")
MOST_PROCESSES = 64

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
) -> None:
    """Play and analyse on a board in the browser.

    It listens to this machine alone, unless --host says otherwise; Ctrl-C ends it.
    """
    check_installed()
    check_token(token)
    start(host, port, has_browser() if opens is None else opens, token, processes)


def start(
    host: str = "127.0.0.1",
    port: int | None = None,
    opens: bool = True,
    token: str | None = None,
    processes: int = 2,
    wish: str = "",
) -> None:
    """Serve until Ctrl-C."""
    get_kernels_ready()
    from montego.web.limits import Limits
    from montego.web.serve import serve

    def tell(address: str) -> None:
        typer.echo(f"The board is at {address} (Ctrl-C ends it)")

    with told_to_the_user(OSError):
        serve(host, port, token, opens, tell, Limits(processes=processes), wish)


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
