"""Chromium, driven as people drive it; what the tests of the page have in common.

Every page that a test opens is watched: an error in its console, or a request to another host,
fails the test.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.web.client import PATIENCE
from tests.web.conftest import Server

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
from playwright.sync_api import Browser, Page, expect  # noqa: E402

__all__ = ["Browser", "Page", "Watched", "expect"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
if CHROMIUM is None:
    pytest.skip("there is no Chromium here", allow_module_level=True)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
MILLISECONDS = PATIENCE * 1000
QUICK = {"size": 5, "user": "black", "komi": 7.5, "handicap": 0, "rules": "chinese",
         "recipe": "montego", "limit": {"by": "simulations", "amount": 20}}  # fmt: skip


class Watched:
    """A page, and what went wrong on it."""

    def __init__(self, browser: Browser, server: Server, **context: Any) -> None:
        self.address = server.address
        self.context = browser.new_context(accept_downloads=True, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.wrong: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self.read = 0
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._request)
        self.page.on("websocket", self._websocket)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "WebSocket" not in message.text:
            self.wrong.append(f"{message.text} ({message.location})")

    def _request(self, request: Any) -> None:
        place = urlsplit(request.url)
        if place.scheme not in ("data", "blob") and place.netloc != urlsplit(self.address).netloc:
            self.wrong.append(f"a request to {request.url}")

    def _websocket(self, socket: Any) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.address).netloc:
            self.wrong.append(f"a socket to {socket.url}")
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:  # what failed already is told as it is
            assert self.wrong == []

    def open(self, **settings: Any) -> Page:
        """The page with a small, quick game."""
        chosen = json.dumps(QUICK | settings)
        self.page.add_init_script(f"localStorage.setItem('montego-settings', {chosen!r})")
        self.page.goto(self.address)
        expect(self.page.locator(".shudan-vertex").first).to_be_visible()
        return self.page

    def latest(self, kind: str) -> dict[str, Any]:
        return next(told for told in reversed(self.heard) if told["type"] == kind)

    def skip(self) -> None:
        """What was heard so far has been read."""
        self.read = len(self.heard)

    def hear_until(self, kind: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message of a kind for which something holds, after those read so far."""
        waited = 0
        while waited < MILLISECONDS:
            for told in self.heard[self.read :]:
                self.read += 1
                if told["type"] == kind and holds(told):
                    return told
            self.page.wait_for_timeout(20)
            waited += 20
        raise TimeoutError(kind)

    def last(self, kind: str) -> dict[str, Any]:
        """The latest when no other has come for a second: an analysis that is over."""
        told = self.latest(kind)
        self.page.wait_for_timeout(1000)
        return told if told is self.latest(kind) else self.last(kind)


def point(page: Page, name: str) -> Any:
    """A point of a small board, by its name."""
    size = page.locator(".shudan-vertex").count() ** 0.5
    x, y = "ABCDEFGHJ".index(name[0]), int(size) - int(name[1:])
    return page.locator(f".shudan-vertex[data-x='{x}'][data-y='{y}']")


def click(page: Page, name: str) -> None:
    point(page, name).click()


def expect_stone(page: Page, name: str, sign: int) -> None:
    classes = point(page, name)
    expect(classes).to_have_class(re.compile(rf"shudan-sign_{sign}\b"))


def fixed(value: float, digits: int) -> str:
    """A number as the page writes it: halves are rounded up, where Python takes the even one."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def stones(page: Page) -> int:
    return page.locator(".shudan-sign_1.shudan-vertex, .shudan-sign_-1.shudan-vertex").count()


def expect_stones(page: Page, count: int) -> None:
    expect(
        page.locator(".shudan-sign_1.shudan-vertex, .shudan-sign_-1.shudan-vertex")
    ).to_have_count(count)


def expect_turn(page: Page) -> None:
    expect(page.locator(".status")).to_contain_text("Your turn")
