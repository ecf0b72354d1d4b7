"""The review of a table's game: it goes on while one looks at its positions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from montego.web import messages as m
from montego.web.jobs import Progress, ReviewDone
from montego.web.pool import EngineFailed, Pool, Ticket


class Reviewing:
    """One review at a time, and what came of the last one."""

    def __init__(self, pool: Pool, tell: Callable[[m.ToPage], None]) -> None:
        self.pool = pool
        self.tell = tell
        self.latest: m.Reviewed | None = None
        self.files: dict[str, str] = {}
        """The record and the page of a review that has ended, by what they are called."""
        self._ticket: Ticket | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is one now."""
        return self._task is not None

    def begin(self, ticket: Ticket, ended: Callable[[m.Reviewed | None], None]) -> None:
        """Begin one; ``ended`` is called at its end."""
        self.end()
        self.latest, self.files = None, {}
        self._ticket = ticket
        self._task = asyncio.ensure_future(self._run(ticket, ended))

    async def _run(self, ticket: Ticket, ended: Callable[[m.Reviewed | None], None]) -> None:
        try:
            async with self.pool.reviews:
                done = await self.pool.run(ticket, self._heard)
        except EngineFailed as error:
            self._task = None
            self.tell(m.Problem(code="engine", text=f"The engine failed: {error}."))
            ended(None)
            return
        self._task = None
        assert isinstance(done, ReviewDone)
        self.files = {"review": done.sgf, "page": done.page}
        self._heard(done.reviewed)
        ended(done.reviewed)

    def _heard(self, told: Progress) -> None:
        if isinstance(told, m.Reviewed):
            self.latest = told
            self.tell(told)

    def stop(self) -> None:
        """Let it end with what it has."""
        if self._ticket is not None:
            self._ticket.stop()

    def end(self) -> None:
        """Nobody wants to know any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
