"""The table of commands: every module of commands enters its functions here.

The modules import nothing at the top that brings Numba with it: which commands there are is
known at once, what they need is imported when it is ready.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession

Emit = Callable[[str], None]
"""Writes one line of a reply that goes on."""
Stream = Callable[[Emit], None]
"""The rest of a reply whose lines come one by one; the arguments were right."""
Handler = Callable[["GtpSession", Arguments], "str | Stream"]

COMMANDS: dict[str, Handler] = {}


def command(*names: str) -> Callable[[Handler], Handler]:
    """Enter a function as the command of these names."""

    def enter(handler: Handler) -> Handler:
        for name in names:
            if name in COMMANDS:
                raise KeyError(f"the command {name} is there already")
            COMMANDS[name] = handler
        return handler

    return enter
