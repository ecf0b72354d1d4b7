"""What GoGui's analysis window can show of the search: pictures of the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession
    from montego.mcts.found import Candidate

ANALYZE_COMMANDS = """\
dboard/Ownership/montego-ownership
sboard/Win Rates/montego-win-rates
sboard/Visits/montego-visits
sboard/Prior Knowledge/montego-priors
cboard/Open Moves/montego-open
sboard/Learned Probabilities/montego-probabilities
sboard/Network/montego-network
sboard/Term: Large Patterns/montego-term pattern
sboard/Term: 3x3 Shapes/montego-term shape
sboard/Term: Features Together/montego-term together
string/Why This Move/montego-why %p
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
    from montego.gtp.inspection import names

    return names(session, session.engine.status().dead())


@command("montego-probabilities")
def probabilities(session: GtpSession, arguments: Arguments) -> str:
    """How probable a strong player's choice of every move is, in percent, by what was learned."""
    from montego.knowledge.explain import explain

    explained = explain(session.engine.position)
    return _board(session, {one.move: f"{100 * one.probability:.1f}" for one in explained})


@command("montego-network")
def network(session: GtpSession, arguments: Arguments) -> str:
    """The same by a network, such as ``montego-network 32x2``, or the one that is asked here."""
    from montego.knowledge.guess import guess
    from montego.knowledge.network import BY_SIZE

    name = arguments.word("a network") if arguments else BY_SIZE
    chances = guess(session.engine.position, name).probabilities
    return _board(session, {move: f"{100 * chance:.1f}" for move, chance in chances.items()})


@command("montego-term")
def term(session: GtpSession, arguments: Arguments) -> str:
    """The factor that one term brings to every move, such as ``montego-term pattern``."""
    from montego.knowledge.explain import TERMS, explain

    name = arguments.word(f"a term: {', '.join(TERMS)}")
    if name not in TERMS:
        raise ValueError(f"there is no term {name!r}: {', '.join(TERMS)} are")
    explained, index = explain(session.engine.position), TERMS.index(name)
    return _board(session, {one.move: f"{one.terms[index].gamma:.2g}" for one in explained})


@command("montego-why")
def why(session: GtpSession, arguments: Arguments) -> str:
    """Every term of a move's strength."""
    from montego.go.points import parse_vertex
    from montego.knowledge.explain import explain

    position = session.engine.position
    move = parse_vertex(arguments.word("a point"), position.size)
    for one in explain(position):
        if one.move == move:
            terms = "\n".join(f"x {term.gamma:.3g}  {term.name}" for term in one.terms)
            return f"{one.vertex}: {one.probability:.1%}\n{terms}"
    raise ValueError("that move is not legal")


def _picture(session: GtpSession, show: Callable[[Candidate], str]) -> str:
    """What is shown for each move of the search."""
    found = session.engine.search()
    return _board(session, {candidate.move: show(candidate) for candidate in found.candidates})


def _board(session: GtpSession, shown: Mapping[int, str]) -> str:
    """Row by row, what is shown at each point; empty strings elsewhere."""
    from montego.go.points import point_at

    lines = range(1, session.engine.position.size + 1)
    rows = (" ".join(shown.get(point_at(r, c), '""') for c in lines) for r in lines)
    return "\n" + "\n".join(rows)
