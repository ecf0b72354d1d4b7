"""The book that comes with the program, by its name: 9×9 openings for komi 7 and 7.5.

It was grown by MVBM (T32) against a player without a book, at 1,000 simulations a move.  What it
began with were openings of strong players and of other programs' books; the file holds the first
moves of the games that were grown, and nothing of those.
"""

from __future__ import annotations

from pathlib import Path

SHIPPED = "shipped"
"""Stands for its file wherever a book is named, unless there is a file of that name."""
GAMES = 2
"""Games that one of its moves needs to be played: after a single one nothing is known."""
RULE = "sampled"
"""Who plays against the program wants to see more than one opening."""
FILE = Path(__file__).parent / "data" / "9x9.book"


def is_shipped(path: Path | str) -> bool:
    """Whether that is the name of the book, not of a file."""
    return Path(path) == Path(SHIPPED) and not Path(path).exists()


def file_of(path: Path | str) -> Path:
    """The file of a book that is named."""
    return FILE if is_shipped(path) else Path(path)
