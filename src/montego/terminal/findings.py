"""What a search found, as players read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from montego.engine.answer import Answer
from montego.go import Position, color_letter, vertex
from montego.go.colors import other_color

if TYPE_CHECKING:
    from rich.table import Table

SHOWN = 8
"""Moves in the table."""
LONGEST_LINE = 6
"""Moves of a variation there."""


def figures(answer: Answer) -> str:
    """The chance to win of the player who was to move, and what it rests on."""
    if answer.from_book:
        games = "one game" if answer.visits == 1 else f"{answer.visits:,} games"
        return f"{answer.win_rate:.0%} won of {games} in the book"
    return f"{answer.win_rate:.0%} to win after {answer.simulations:,} simulations"


def candidates(answer: Answer, size: int) -> Table:
    """The most visited moves, seen by the player to move."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for heading in ("move", "wins", "points", "visits"):
        table.add_column(heading, justify="left" if heading == "move" else "right", no_wrap=True)
    table.add_column("expected")
    visited = [c for c in answer.candidates if c.visits > 0 and c.is_open]
    for candidate in visited[:SHOWN]:
        table.add_row(
            vertex(candidate.move, size),
            f"{candidate.win_rate:.0%}",
            f"{round(candidate.score, 1) + 0.0:+.1f}",  # no -0.0
            f"{candidate.visits:,}",
            " ".join(vertex(move, size) for move in candidate.variation[:LONGEST_LINE]),
        )
    return table


def line_of_play(moves: Sequence[int], position: Position) -> str:
    """Moves by turns, such as "B D4, W E5"."""
    colors = (position.to_play, other_color(position.to_play))
    parts = [
        f"{number} {color_letter(colors[(number - 1) % 2])} {vertex(move, position.size)}"
        for number, move in enumerate(moves, start=1)
    ]
    return ", ".join(parts)
