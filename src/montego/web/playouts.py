"""The playouts that a table's pages look at: their figures add up as long as the position stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from montego.web import messages as m
from montego.web.playing_out import added
from montego.web.pool import EngineFailed, Pool, Ticket


class PlayingOut:
    """One job at a time, and what all of them came to."""

    def __init__(self, pool: Pool, tell: Callable[[m.ToPage], None]) -> None:
        self.pool = pool
        self.tell = tell
        self.sum: m.Playouts | None = None
        self._task: asyncio.Task[None] | None = None

    def next_seed(self, seed: int) -> int:
        """Other playouts every time, the same ones for the same seed."""
        return (seed + (self.sum.games if self.sum else 0)) % 2**31

    def begin(self, ticket: Ticket) -> None:
        """Play some, unless some are being played: who asks too often waits."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._run(ticket))

    async def _run(self, ticket: Ticket) -> None:
        try:
            done = await self.pool.run(ticket, lambda told: None)
        except EngineFailed as error:
            self._task = None
            self.tell(m.Problem(code="engine", text=f"The engine failed: {error}."))
            return
        self._task = None
        assert isinstance(done, m.Playouts)
        self.sum = added(self.sum, done) if self.sum else done
        self.tell(self.sum)

    def forget(self) -> None:
        """Another position is looked at."""
        if self._task is not None:
            self._task.cancel()
        self._task, self.sum = None, None
