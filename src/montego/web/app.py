"""What the server answers: the page's files, and one WebSocket for each game that is looked at."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse
from pydantic import ValidationError

from montego.go import GoError
from montego.web import messages as m
from montego.web.guard import Guard
from montego.web.limits import Limits
from montego.web.lobby import Lobby, Refused
from montego.web.outbox import Outbox
from montego.web.records import tell_problem
from montego.web.table import Table
from montego.web.views import welcome

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


def make_app(guard: Guard, limits: Limits | None = None) -> FastAPI:
    """The server's program."""
    lobby = Lobby(limits)

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

    async def run(self) -> None:
        """Read and write, until the page is closed."""
        await self.websocket.accept()
        self.outbox.put(welcome())
        writer = asyncio.ensure_future(self._write())
        try:
            await self._read()
        except WebSocketDisconnect:
            pass
        finally:
            self.lobby.leave(self.table, self.outbox)
            writer.cancel()
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
        try:
            if isinstance(asked, m.New | m.Join | m.Open | m.Follow):
                table = self.lobby.enter(asked, self.client)
                self.lobby.leave(self.table, self.outbox)
                self.table = table
                table.join(self.outbox)
            elif self.table is None:
                self._problem("bad", "Begin a game first.")
            else:
                self.table.handle(asked, self.outbox)
        except LookupError:
            self._problem("lost", "This game is not kept any more.")
        except Refused as error:
            self._problem("limit", f"{error}.")
        except (GoError, ValueError) as error:
            self._problem("bad", f"{error}."[:400])

    def _problem(self, code: str, text: str) -> None:
        self.outbox.put(m.Problem.model_validate({"code": code, "text": text}))
