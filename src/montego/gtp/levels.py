"""Commands about levels: ``level 3`` and ``level first game`` set one, ``montego-levels`` lists
them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.levels import TABLE, find_level, level_of, play_at
from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@command("level")
def level(session: GtpSession, arguments: Arguments) -> str:
    """Play at a level from now on; without a number or a name, which one it is."""
    if not arguments:
        now = level_of(session.engine)
        return "none" if now is None else f"{now.number} {now.name}"
    play_at(session.engine, find_level(" ".join(arguments.rest())))
    return ""


@command("montego-levels")
def levels(session: GtpSession, arguments: Arguments) -> str:
    """All levels, a line each."""
    return "\n".join(f"{level.number} {level.name}: {level.description}" for level in TABLE)
