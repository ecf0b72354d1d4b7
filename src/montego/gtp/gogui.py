"""What GoGui's analysis window can show of the search: pictures of the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession
    from montego.mcts.search import Candidate

ANALYZE_COMMANDS = """\
dboard/Ownership/montego-ownership
sboard/Win Rates/montego-win-rates
sboard/Visits/montego-visits
sboard/Prior Knowledge/montego-priors
cboard/Open Moves/montego-open
varc/Principal Variation/montego-variation %c
plist/Dead Stones/montego-dead
param/Parameters/montego-param
string/Final Score/final_score
plist/All Legal/all_legal %c"""
OPEN, PRUNED = "green", "red"


@command("gogui-analyze_commands", "gogui_analyze_commands")
def analyze_commands(session: GtpSession, arguments: Arguments) -> str:
    """The commands that GoGui offers in its window."""
    return ANALYZE_COMMANDS


@command("montego-ownership")
def ownership(session: GtpSession, arguments: Arguments) -> str:
    """How often a point is Black's (1) or White's (-1) at the end of playouts."""
    grid = session.engine.status().ownership
    return "\n" + "\n".join(" ".join(f"{value:.2f}" for value in row) for row in grid.tolist())


@command("montego-win-rates")
def win_rates(session: GtpSession, arguments: Arguments) -> str:
    """The chance to win after every move, in percent, for the player to move."""
    return _picture(session, lambda c: f"{(c.value + 1) * 50:.0f}" if c.visits else '""')


@command("montego-visits")
def visits(session: GtpSession, arguments: Arguments) -> str:
    """How often the search tried every move."""
    return _picture(session, lambda c: str(c.visits))


@command("montego-priors")
def priors(session: GtpSession, arguments: Arguments) -> str:
    """What knowledge thinks of every move: H."""
    return _picture(session, lambda c: f"{c.prior:.2g}")


@command("montego-open")
def open_moves(session: GtpSession, arguments: Arguments) -> str:
    """The moves that progressive unpruning has opened, and those it keeps closed."""
    return _picture(session, lambda c: OPEN if c.is_open else PRUNED)


@command("montego-variation")
def variation(session: GtpSession, arguments: Arguments) -> str:
    """The line of play that the search expects."""
    from montego.go import vertex

    found = session.engine.search(arguments.optional_color())
    return " ".join(vertex(move, found.size) for move in found.variation)


@command("montego-dead")
def dead(session: GtpSession, arguments: Arguments) -> str:
    """The stones that playouts take for dead."""
    from montego.gtp.judging import names

    return names(session, session.engine.status().dead())


def _picture(session: GtpSession, show: Callable[[Candidate], str]) -> str:
    """Row by row, what is shown for each move of the search; empty strings elsewhere."""
    from montego.go.points import point_at

    found = session.engine.search()
    shown = {candidate.move: show(candidate) for candidate in found.candidates}
    lines = range(1, found.size + 1)
    rows = (" ".join(shown.get(point_at(r, c), '""') for c in lines) for r in lines)
    return "\n" + "\n".join(rows)
