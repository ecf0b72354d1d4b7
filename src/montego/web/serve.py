"""Starting the server, and a browser to look at it."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from montego.web.app import make_app
from montego.web.guard import Guard, is_local
from montego.web.limits import MOST_MESSAGE, Limits
from montego.web.lobby import NOTHING, Shelf

PORT = 8427
"""The first that is tried."""
PORTS = 20
"""So many after it are tried, where none was asked for."""
OPEN_AFTER = 0.5
"""Seconds until a browser is started: the server has to listen by then."""
PING = 20.0
"""Seconds: a page that gives no sign for so long has gone."""


class NoPort(OSError):  # noqa: N818 - the name says what is wrong
    """No place to listen."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket at this port, or at the first that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reason = ""
    for number in [port] if port is not None else range(PORT, PORT + PORTS):
        place = socket.socket(family, socket.SOCK_STREAM)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            place.bind((host, number))
            place.listen(64)
        except OSError as error:
            place.close()
            reason = error.strerror or str(error)
        else:
            return place
    raise NoPort(f"cannot listen at {host}: {reason}")


def make_guard(host: str, port: int, token: str | None) -> Guard:
    """Where other machines can reach us, there is always a token."""
    if token is None and not is_local(host):
        token = secrets.token_urlsafe(16)
    return Guard(host, port, token)


def address(guard: Guard, wish: str = "") -> str:
    """What to open in a browser; a wish, such as "#new?size=9", is for the page."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    host = everywhere.get(guard.host, guard.host)
    host = f"[{host}]" if ":" in host else host
    token = f"/?token={guard.token}" if guard.token else "/"
    return f"http://{host}:{guard.port}{token}{wish}"


def make_server(
    place: socket.socket, guard: Guard, limits: Limits | None, shelf: Shelf = NOTHING
) -> uvicorn.Server:
    """The server, ready to be run at this socket."""
    config = uvicorn.Config(
        make_app(guard, limits, shelf), ws="websockets-sansio", ws_max_size=MOST_MESSAGE,
        ws_ping_interval=PING, ws_ping_timeout=PING, log_level="error", access_log=False,
        server_header=False, timeout_graceful_shutdown=2,
    )  # fmt: skip
    return uvicorn.Server(config)


def serve(
    host: str,
    port: int | None,
    token: str | None,
    opens: bool,
    tell: Callable[[str], None],
    limits: Limits | None = None,
    wish: str = "",
    shelf: Shelf = NOTHING,
) -> None:
    """Serve until Ctrl-C."""
    with listen(host, port) as place:
        guard = make_guard(host, place.getsockname()[1], token)
        server = make_server(place, guard, limits, shelf)
        tell(address(guard, wish))
        if opens:
            threading.Timer(OPEN_AFTER, webbrowser.open, [address(guard, wish)]).start()
        server.run(sockets=[place])
