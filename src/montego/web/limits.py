"""What a client may ask for: everything that a stranger can make grow has its limit here."""

from __future__ import annotations

from dataclasses import dataclass

SMALLEST, LARGEST = 2, 19
MOST_KOMI = 200.0
MOST_HANDICAP = 25
MOST_SECONDS = 60.0
"""Of a move."""
MOST_SIMULATIONS = 1_000_000
"""Of a move, or of the analysis of a position."""
MOST_REVIEW = 20_000
"""Simulations of each position of a review."""
MOST_PLAYOUTS = 2_000
"""Played at once, to be looked at."""
MOST_MOVES = 1_000
"""Of a line of play."""
MOST_NODES = 3_000
"""Positions of a game with all its variations."""
MOST_SGF = 500_000
"""Characters of a record that is sent to us."""
MOST_LINK = 10_000
MOST_MESSAGE = 2_200_000
"""Bytes of a message: a record may be escaped."""
ANALYSIS_SECONDS = 300.0
"""An analysis that nobody stops ends then."""


@dataclass(frozen=True)
class Limits:
    """What all clients, and each of them, may take of the server."""

    games: int = 100
    """In memory; those that nobody looks at make room for new ones."""
    games_each: int = 60
    sockets_each: int = 80
    burst: int = 400
    """Messages of a socket at once; more of them have to wait."""
    rate: float = 200.0
    """Messages of a socket in a second, after that."""
    unread: int = 64
    """Replies that wait for a slow reader; the oldest are dropped."""
    processes: int = 2
    memory_mb: int = 128
    """For the tree of each process."""
