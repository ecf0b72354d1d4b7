"""Commands that ask about the position: legality, stones, life and death, the score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


def names(session: GtpSession, points: Iterable[int]) -> str:
    """The names of points in one line."""
    from montego.go import vertex

    size = session.engine.position.size
    return " ".join(vertex(point, size) for point in points)


@command("final_score")
def final_score(session: GtpSession, arguments: Arguments) -> str:
    """The score with dead stones taken off."""
    return session.engine.final_score()


@command("final_status_list")
def final_status_list(session: GtpSession, arguments: Arguments) -> str:
    """The chains that are alive, dead or in seki, a line each."""
    wanted = arguments.word("the status").lower()
    if wanted not in ("alive", "dead", "seki"):
        raise ValueError("syntax error: a status is alive, dead or seki")
    chains = session.engine.status().chains(wanted)  # type: ignore[arg-type]
    return "\n".join(names(session, sorted(chain)) for chain in chains)


@command("list_stones")
def list_stones(session: GtpSession, arguments: Arguments) -> str:
    """The points with stones of this colour."""
    return names(session, session.engine.position.stones(arguments.color()))


@command("all_legal")
def all_legal(session: GtpSession, arguments: Arguments) -> str:
    """The points where this colour may play."""
    return names(session, session.engine.position.legal(arguments.color()))


@command("is_legal")
def is_legal(session: GtpSession, arguments: Arguments) -> str:
    """1 if this colour may play there, else 0."""
    color, vertex = arguments.color(), arguments.word("the vertex")
    return str(int(session.engine.position.is_legal(vertex, color)))


@command("captures")
def captures(session: GtpSession, arguments: Arguments) -> str:
    """How many stones this colour has captured."""
    captured = session.engine.position.captured
    return str(captured.white if arguments.color()[0] == "b" else captured.black)
