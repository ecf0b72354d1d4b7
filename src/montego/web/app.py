"""What the server answers: the page's files, and one WebSocket for each game that is looked at."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse
from pydantic import ValidationError

from montego.go import GoError
from montego.web import messages as m
from montego.web.acts import handle
from montego.web.guard import Guard
from montego.web.limits import MOST_SGF, Limits
from montego.web.lobby import NOTHING, Lobby, Refused, Shelf
from montego.web.outbox import Outbox
from montego.web.records import tell_problem
from montego.web.table import Table

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
DAYS = 30 * 86_400
"""How long a browser keeps the token."""
FOREIGN, TOO_MANY = 4403, 4429
"""Why a WebSocket is closed."""
MOST_ASKED = 4
"""Things that a page may ask of the laboratory at a time."""


def make_app(guard: Guard, limits: Limits | None = None, shelf: Shelf = NOTHING) -> FastAPI:
    """The server's program."""
    lobby = Lobby(limits, shelf)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await lobby.pool.warm()
        yield
        await lobby.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.lobby = lobby
    files = {f"/{path.relative_to(PAGE)}": path for path in PAGE.rglob("*") if path.is_file()}
    files |= {"/": PAGE / "index.html", "/favicon.ico": PAGE / "icon.svg"}  # asked for unasked

    @app.middleware("http")
    async def guarded(
        request: Request, answer: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        response = _refusal(guard, request) or await answer(request)
        response.headers.update(HEADERS)
        return response

    @app.get("/{path:path}")
    async def page(path: str) -> Response:
        """A file of the page; its name is looked up, never opened."""
        found = files.get(f"/{path}")
        if found is None:
            return PlainTextResponse("There is no such page.", 404)
        return FileResponse(found, media_type=TYPES.get(found.suffix, "application/octet-stream"))

    @app.websocket("/ws")
    async def socket(websocket: WebSocket) -> None:
        host, origin = websocket.headers.get("host"), websocket.headers.get("origin")
        may_come = guard.knows(host) and guard.is_ours(origin, host)
        if not (may_come and guard.admits(websocket.headers)):
            await websocket.close(FOREIGN)
            return
        client = websocket.client.host if websocket.client else ""
        if lobby.sockets[client] >= lobby.limits.sockets_each:
            await websocket.close(TOO_MANY)
            return
        lobby.sockets[client] += 1
        try:
            await Visit(websocket, lobby, client).run()
        finally:
            lobby.sockets[client] -= 1

    return app


def _refusal(guard: Guard, request: Request) -> Response | None:
    """Why a request is not answered; the right token is exchanged for a cookie."""
    if not guard.knows(request.headers.get("host")):
        return PlainTextResponse("This server is not called so.", 403)
    if guard.admits(request.headers):
        return None
    if guard.is_right(request.query_params.get("token")):
        response = RedirectResponse("/", 303)
        response.set_cookie(
            guard.cookie, guard.token or "", max_age=DAYS, httponly=True, samesite="strict"
        )
        return response
    return PlainTextResponse("This server asks for a token: open the address that it printed.", 401)


class Visit:
    """One page that is open, from its first message to its last."""

    def __init__(self, websocket: WebSocket, lobby: Lobby, client: str) -> None:
        self.websocket = websocket
        self.lobby = lobby
        self.client = client
        self.outbox = Outbox(lobby.limits.unread)
        self.table: Table | None = None
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Read and write, until the page is closed."""
        await self.websocket.accept()
        self.outbox.put(self.lobby.welcome())
        writer = asyncio.ensure_future(self._write())
        try:
            await self._read()
        except WebSocketDisconnect:
            pass
        finally:
            self.lobby.leave(self.table, self.outbox)
            self.lobby.leave_laboratory(self.outbox)
            for task in (writer, *self._asking):
                task.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await writer

    async def _write(self) -> None:
        while True:
            message = await self.outbox.get()
            await self.websocket.send_text(message.model_dump_json())

    async def _read(self) -> None:
        """Messages, no faster than is allowed."""
        limits = self.lobby.limits
        allowance, before = float(limits.burst), time.monotonic()
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._handle(message.get("text") or message.get("bytes") or "")
            now = time.monotonic()
            allowance = min(allowance + (now - before) * limits.rate, limits.burst) - 1
            before = now
            if allowance < 0:
                await asyncio.sleep(-allowance / limits.rate)

    def _handle(self, text: str | bytes) -> None:
        try:
            asked = m.FROM_PAGE.validate_json(text)
        except ValidationError as error:
            self._problem("bad", f"Not understood: {tell_problem(error)}")
            return
        with self._explained():
            if isinstance(asked, m.New | m.Join | m.Open | m.Follow):
                self._enter(asked)
            elif isinstance(asked, m.ShowLaboratory | m.ShowMatch | m.ShowTable | m.OpenGame):
                self._ask(asked)
            elif self.table is None:
                self._problem("bad", "Begin a game first.")
            elif isinstance(asked, m.LookUp):
                self.outbox.put(self.lobby.look_up(self.table))
            else:
                handle(self.table, asked, self.outbox)

    def _enter(self, asked: m.Begin) -> None:
        """To another game."""
        table = self.lobby.enter(asked, self.client)
        self.lobby.leave(self.table, self.outbox)
        self.table = table
        table.join(self.outbox)

    def _ask(self, asked: m.Ask) -> None:
        """Have something done that takes a moment; a page that asks for too much has to wait."""
        if len(self._asking) >= MOST_ASKED:
            raise Refused("one thing after the other")
        task = asyncio.ensure_future(self._answer(asked))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _answer(self, asked: m.Ask) -> None:
        """What the laboratory has to tell."""
        with self._explained():
            laboratory = self.lobby.laboratory
            if isinstance(asked, m.ShowLaboratory):
                laboratory.show(self.outbox, asked.on)
            elif isinstance(asked, m.ShowMatch):
                await laboratory.show_match(self.outbox, asked.match)
            elif isinstance(asked, m.ShowTable):
                self.outbox.put(await laboratory.table(asked.experiment, asked.scale))
            else:
                sgf = await laboratory.game(asked.match, asked.number)
                self._enter(m.Open(type="open", sgf=sgf[:MOST_SGF]))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Tell the page why something cannot be done."""
        try:
            yield
        except LookupError:
            self._problem("lost", "This game is not kept any more.")
        except Refused as error:
            self._problem("limit", f"{error}.")
        except (GoError, ValueError) as error:
            self._problem("bad", f"{error}."[:400])

    def _problem(self, code: str, text: str) -> None:
        self.outbox.put(m.Problem.model_validate({"code": code, "text": text}))
