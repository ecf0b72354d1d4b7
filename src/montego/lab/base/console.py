"""The terminal, for text that people have typed: it is printed as it is.

Rich reads ``[bold]`` as markup and ``:cat:`` as a picture of a cat.  Names of players, files
and rows may hold either, as in ``gtp:cat: 3 games``.
"""

from __future__ import annotations

from rich.console import Console


def plain_console(stderr: bool = False) -> Console:
    """A console that changes no letter of what it is given, tables and their titles included."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
