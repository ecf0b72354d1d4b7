"""How the program plays: its recipe, its threads and how long it thinks.

The module needs no NumPy: the command line reads it before that is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from montego.engine.levels import LEVELS, simulations_of

DEFAULT_SECONDS = 2.0


@dataclass(frozen=True)
class Settings:
    """The opponent, without its game."""

    recipe: str = "montego"
    threads: int = 1
    simulations: int | None = None
    """The most for a move; seconds limit it otherwise."""
    seconds: float | None = DEFAULT_SECONDS
    book: str = ""
    """A file of openings that it plays by; empty: none."""
    book_learns: bool = False
    """Whether its games become part of the book."""

    def at_level(self, level: int) -> Settings:
        """The same opponent at a level."""
        return replace(self, simulations=simulations_of(level), seconds=None)

    @property
    def level(self) -> int | None:
        """The level that has these simulations, if one has."""
        numbers = range(1, LEVELS + 1)
        return next((n for n in numbers if self.at_level(n) == self), None)

    @property
    def told(self) -> str:
        """What it does for a move, such as "level 4, 400 simulations a move"."""
        if self.simulations is None:
            return f"{self.seconds:g} seconds a move"
        level = f"level {self.level}, " if self.level else ""
        return f"{level}{self.simulations:,} simulations a move"


def parse_level(text: str) -> int:
    """A level from 1 on, or a ValueError that says which there are."""
    if not text.isdecimal() or not 1 <= int(text[:9]) <= LEVELS:
        raise ValueError(f"{text} is not a level: 1 to {LEVELS} are")
    return int(text)
