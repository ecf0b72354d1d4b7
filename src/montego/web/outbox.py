"""What a page has not read yet: of the state and of each analysis the latest, of the rest a few.

A page that reads slowly, or not at all, so costs no more than one that reads at once.
"""

from __future__ import annotations

import asyncio
from collections import deque

from montego.web.messages import (
    Analysis,
    BookShown,
    Inside,
    Known,
    Matches,
    MatchShown,
    Playouts,
    Reviewed,
    State,
    Thinking,
    ToPage,
)

LATEST = (
    State, Thinking, Analysis, Inside, Known, Playouts, Reviewed, Matches, MatchShown, BookShown,
)  # fmt: skip
"""Only the last one of these is worth sending."""


class Outbox:
    """Messages for one page."""

    def __init__(self, most: int) -> None:
        self._latest: dict[str, ToPage] = {}
        self._others: deque[ToPage] = deque(maxlen=most)
        self._filled = asyncio.Event()

    def put(self, message: ToPage) -> None:
        """Send it when the page is ready for it."""
        if isinstance(message, LATEST):
            beside = isinstance(message, Analysis) and message.beside
            key = f"{message.type} {beside}"
            self._latest.pop(key, None)  # the order is that of the latest
            self._latest[key] = message
        else:
            self._others.append(message)
        self._filled.set()

    def __len__(self) -> int:
        return len(self._latest) + len(self._others)

    async def get(self) -> ToPage:
        """The next message, as soon as there is one."""
        while not len(self):
            self._filled.clear()
            await self._filled.wait()
        if self._others:
            return self._others.popleft()
        return self._latest.pop(next(iter(self._latest)))
