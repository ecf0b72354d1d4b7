"""The analyses of a table: by one recipe, or by two side by side, as long as somebody looks.

The pool may stop an analysis so that others have a turn; it is then begun again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from montego.web import messages as m
from montego.web.jobs import Progress
from montego.web.pool import EngineFailed, Pool, Ticket


class Analysing:
    """What is wanted, what runs, and what was found last; True is the second recipe."""

    def __init__(
        self,
        pool: Pool,
        found: Callable[[m.Analysis | m.Inside | m.Known], None],
        ended: Callable[[str], None],
    ) -> None:
        """``ended`` is called when nothing runs any more, with what went wrong or nothing."""
        self.pool = pool
        self.found = found
        self.ended = ended
        self.is_on = False
        self.beside: str | None = None
        """The second recipe."""
        self.inside = False
        self.parameters: dict[str, float] = {}
        self.tree: m.Inside | None = None
        self.known: m.Known | None = None
        self.latest: dict[bool, m.Analysis] = {}
        self._tasks: dict[bool, asyncio.Task[None]] = {}

    def see_to_it(self, job: Callable[[bool], Ticket]) -> None:
        """Begin what is wanted and does not run."""
        for beside in (False, True) if self.beside else (False,):
            if self.is_on and beside not in self._tasks:
                self._tasks[beside] = asyncio.ensure_future(self._run(job, beside))

    async def _run(self, job: Callable[[bool], Ticket], beside: bool) -> None:
        """Look until it ends by itself; whoever wants it no more cancels this."""
        try:
            while True:
                ticket = job(beside)
                done = await self.pool.run(ticket, self._heard)
                if not ticket.is_stopped:  # not by the pool, for others
                    break
        except EngineFailed as error:
            self._end(beside, f"The engine failed: {error}.")
            return
        assert isinstance(done, m.Analysis)
        self._heard(done)
        self._end(beside, "")

    def _end(self, beside: bool, problem: str) -> None:
        del self._tasks[beside]
        if problem or not self._tasks:
            self.stop()
            self.is_on = False
            self.ended(problem)

    def _heard(self, told: Progress) -> None:
        if isinstance(told, m.Analysis):
            self.latest[told.beside] = told
            self.found(told)
        elif isinstance(told, m.Inside):
            self.tree = told
            self.found(told)
        elif isinstance(told, m.Known):
            self.known = told
            self.found(told)

    def forget(self) -> None:
        """Another position is looked at."""
        self.stop()
        self.latest.clear()
        self.tree = self.known = None

    def stop(self) -> None:
        """Stop the searches."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
