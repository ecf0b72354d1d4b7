"""Commands about the program itself; all are answered before the engine is ready."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego import __version__
from montego.gtp.arguments import Arguments
from montego.gtp.table import COMMANDS, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@command("protocol_version")
def protocol_version(session: GtpSession, arguments: Arguments) -> str:
    """The protocol's version."""
    return "2"


@command("name")
def name(session: GtpSession, arguments: Arguments) -> str:
    """The program's name."""
    return "Montego"


@command("version")
def version(session: GtpSession, arguments: Arguments) -> str:
    """The program's version."""
    return __version__


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
