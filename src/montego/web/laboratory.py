"""The laboratory's page, live: whoever looks is told of every game that a match has finished.

Files are read by a thread, every two seconds and only while somebody looks.  A paper's table is
what ``montego reproduce --show --json`` says, in a process of its own: some take half a minute.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from montego.go import GoError
from montego.lab import experiments
from montego.lab.base.errors import LabError
from montego.web import messages as m
from montego.web.outbox import Outbox
from montego.web.results import Results, table_from

INTERVAL = 2.0
"""Seconds between two looks at the folder."""
TABLE_SECONDS = 180.0
AT_A_TIME = 1
"""Tables that are worked out."""


class Laboratory:
    """A folder of results, and who looks at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._results = Results(folder)
        self._lock = asyncio.Lock()
        self._tables = asyncio.Semaphore(AT_A_TIME)
        self._pages: dict[Outbox, str | None] = {}
        """The match that each looks at."""
        self._task: asyncio.Task[None] | None = None
        self._told: m.Matches | None = None
        self._known: dict[tuple[str, str], m.TableShown] = {}

    # --- who looks --------------------------------------------------------------------

    def show(self, page: Outbox, on: bool) -> None:
        """Tell a page of all matches from now on, or no more."""
        if not on:
            self.leave(page)
            return
        self._pages.setdefault(page, None)
        if self._told is not None:
            page.put(self._told)
        if self._task is None:
            self._task = asyncio.ensure_future(self._watch())

    def leave(self, page: Outbox) -> None:
        """A page looks at something else."""
        self._pages.pop(page, None)
        if not self._pages and self._task is not None:
            self._task.cancel()
            self._task = None

    async def show_match(self, page: Outbox, match: str | None) -> None:
        """Tell a page of the games of a match, too."""
        self.show(page, on=True)
        self._pages[page] = match
        if match is not None:
            page.put(await self._read_match(match))

    # --- what there is to see ---------------------------------------------------------

    async def _watch(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(INTERVAL)

    async def _look(self) -> None:
        """Read what has changed, and tell of it."""
        before = self._told
        async with self._lock:
            matches = await asyncio.to_thread(self._results.matches)
            if before is None or before.matches != matches:
                lines = await asyncio.to_thread(self._results.experiments)
                self._told = m.Matches(matches=matches, experiments=lines)
                self._known.clear()
        if self._told is not None and self._told is not before:
            await self._tell(before, self._told)

    async def _tell(self, before: m.Matches | None, now: m.Matches) -> None:
        known = {line.id: line for line in before.matches} if before else {}
        changed = {line.id for line in now.matches if known.get(line.id) != line}
        for page, match in [*self._pages.items()]:
            page.put(now)
            if match in changed and match is not None:
                page.put(await self._read_match(match))

    async def _read_match(self, match: str) -> m.MatchShown:
        async with self._lock:
            return await asyncio.to_thread(self._results.match, match)

    async def game(self, match: str, number: int) -> str:
        """A game of a match as SGF; raises GoError."""
        try:
            async with self._lock:
                return await asyncio.to_thread(self._results.game, match, number)
        except LabError:
            raise GoError(f"game {number} was kept without its moves") from None

    async def table(self, experiment: str, scale: str) -> m.TableShown:
        """A paper's table with ours beside; raises GoError."""
        if experiment not in experiments.NAMES:
            raise GoError("there is no such experiment")
        key = (experiment, scale)
        async with self._tables:
            if key not in self._known:
                self._known[key] = await self._work_out(experiment, scale)
            return self._known[key]

    async def _work_out(self, experiment: str, scale: str) -> m.TableShown:
        known = await asyncio.to_thread(experiments.find, experiment)
        if known.missing:
            raise GoError(f"{experiment} cannot be done: {known.missing}")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "montego", "reproduce", experiment, "--show", "--json",
            "--scale", scale, "--out", str(self._folder), stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, stdin=asyncio.subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        try:
            text, _ = await asyncio.wait_for(process.communicate(), TABLE_SECONDS)
        except TimeoutError:
            raise GoError(f"{experiment} takes too long: see montego reproduce") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise GoError(f"{experiment} cannot be shown: see montego reproduce --show")
        return m.TableShown.model_validate(table_from(text, known.finding, known.notes))

    def close(self) -> None:
        """Look no longer."""
        self._pages.clear()
        if self._task is not None:
            self._task.cancel()
