"""MoGo's terms by name: what each means, its number, and what they say about the moves (T12, T12b).

A number is a count of simulations that a move begins its RAVE statistics with, won if it is above
0 and lost if it is below; 0 switches the term off.  The thesis prints no numbers: these are ours.
See kernels/features/mogo_terms.py for the rules and shapes themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from montego.go import PASS, Position, vertex
from montego.kernels.features.mogo_terms import MOGO_TERMS, describe_terms
from montego.kernels.playouts.policy import WORK
from montego.knowledge.strengths import shipped_tables


@dataclass(frozen=True)
class MogoTerms:
    """The number of every term, in the order of kernels/features/mogo_terms.py."""

    capture: float = 20.0
    takes_attackers: float = 20.0
    """Captures what has own stones in atari."""
    extension: float = 20.0
    """Brings a chain out of atari, and not into a ladder."""
    into_ladder: float = -15.0
    self_atari: float = -20.0
    """Only if it is bad (see selfatari)."""
    atari: float = 10.0
    """On a chain that cannot get out, a working ladder included."""
    atari_in_ko: float = 5.0
    """Any atari while a ko stands."""
    border: float = 3.0
    """Falls with the distance to the third line."""
    near_last: float = 10.0
    near_before: float = 5.0
    owned_third: float = 5.0
    """Own at the end of about a third of the playouts."""
    territory_line: float = 5.0
    line_of_death: float = -10.0
    peep_connect: float = 10.0
    hane: float = 8.0
    threat: float = 5.0
    connect: float = 8.0
    wall: float = 5.0
    bad_kogeima: float = -8.0
    empty_triangle: float = -10.0
    cut: float = 8.0

    def terms(self) -> list[float]:
        """The numbers as kernels take them."""
        return [getattr(self, name) for name in NAMES]


NAMES = tuple(f.name for f in fields(MogoTerms))
assert len(NAMES) == MOGO_TERMS


@dataclass(frozen=True)
class MogoMove:
    """A move, its probability by patterns, and the games of every term that applies."""

    move: int
    vertex: str
    probability: float
    games: dict[str, float]

    @property
    def balance(self) -> float:
        """Games won less games lost."""
        return sum(self.games.values())


def explain_mogo(position: Position, terms: MogoTerms | None = None) -> list[MogoMove]:
    """What MoGo's terms say about the moves of a position, the best first.

    Owners are only known inside a search: ``owned_third`` never applies here.
    """
    numbers = np.array((terms or MogoTerms()).terms())
    tables = shipped_tables(position.size)
    board, work = position.board_copy()[0], np.zeros(1, dtype=WORK)[0]
    found: list[tuple[int, float, dict[str, float]]] = []
    for move in (move for move in position.legal() if move != PASS):
        strength = float(describe_terms(board, tables, work, move, position.to_play))
        games = (numbers * work["terms"]).tolist()
        applying = {name: round(n, 2) for name, n in zip(NAMES, games, strict=True) if n}
        found.append((move, strength, applying))
    total = sum(strength for _, strength, _ in found)
    moves = [
        MogoMove(move, vertex(move, position.size), strength / total, games)
        for move, strength, games in found
    ]
    return sorted(moves, key=lambda move: (-move.balance, -move.probability))
