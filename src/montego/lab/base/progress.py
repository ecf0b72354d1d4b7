"""A bar for work that is counted; without a terminal, a line now and then."""

from __future__ import annotations

import time
from collections.abc import Sized

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from montego.lab.base.console import plain_console

QUIET_SECONDS = 30.0
"""Where there is no terminal: the time between two lines."""


class QuietLines:
    """For where there is no terminal: a line of text now and then."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._next = time.monotonic() + QUIET_SECONDS

    def __call__(self, text: str, now: bool = False) -> None:
        """Print it if it is time for a line, or now."""
        if self.console.is_terminal or not (now or time.monotonic() >= self._next):
            return
        self._next = time.monotonic() + QUIET_SECONDS
        self.console.print(text, soft_wrap=True)


class Counter:
    """A bar on the standard error; called with all that is done so far.

    Without a total, where nobody knows it, it only counts.
    """

    def __init__(self, title: str, total: int | None) -> None:
        self.console = plain_console(stderr=True)
        self.title, self.total = title, total
        self.quiet_lines = QuietLines(self.console)
        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.task = self.bar.add_task(title, total=total)

    def __enter__(self) -> Counter:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def __call__(self, done: Sized, told: str = "") -> None:
        """Show how far it is."""
        text = f"{self.title} {told}".strip()
        self.bar.update(self.task, completed=len(done), description=text)
        of_all = "" if self.total is None else f"/{self.total}"
        self.quiet_lines(f"{text}: {len(done)}{of_all}")
