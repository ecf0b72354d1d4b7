"""Commands about the program itself; all are answered before the engine is ready."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego import __version__
from montego.gtp.arguments import Arguments
from montego.gtp.table import COMMANDS, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@dataclass(frozen=True)
class Identity:
    """What the program says of itself."""

    name: str = "Montego"
    version: str = __version__


IDENTITIES = {
    "montego": Identity(),
    # Lizzie complains unless the number behind the first dot is at least 15, Leela Zero's.
    "leelaz": Identity(version=f"0.17 (Montego {__version__})"),
    # Lizzie and LizzieYzy ask for points and ownership only if the name begins with KataGo.
    "katago": Identity(name="KataGo-compatible Montego"),
}
"""By the program whose protocol a GUI believes to speak."""


@command("protocol_version")
def protocol_version(session: GtpSession, arguments: Arguments) -> str:
    """The protocol's version."""
    return "2"


@command("name")
def name(session: GtpSession, arguments: Arguments) -> str:
    """The program's name."""
    return session.identity.name


@command("version")
def version(session: GtpSession, arguments: Arguments) -> str:
    """The program's version."""
    return session.identity.version


@command("known_command")
def known_command(session: GtpSession, arguments: Arguments) -> str:
    """Whether a command is known."""
    return "true" if arguments.word("the command") in COMMANDS else "false"


@command("list_commands", "help")
def list_commands(session: GtpSession, arguments: Arguments) -> str:
    """All commands."""
    return "\n".join(sorted(COMMANDS))


@command("quit")
def leave(session: GtpSession, arguments: Arguments) -> str:
    """End the session."""
    session.is_over = True
    return ""


@command("cputime", "gomill-cpu_time")
def cputime(session: GtpSession, arguments: Arguments) -> str:
    """Processor time that the program has used, in seconds."""
    return f"{time.process_time():.2f}"


@command("kgs-game_over", "gogui-interrupt")
def nothing_to_do(session: GtpSession, arguments: Arguments) -> str:
    """Known, and answered by success alone."""
    return ""
