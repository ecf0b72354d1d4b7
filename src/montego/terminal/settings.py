"""How the program plays: its recipe, its threads and how long it thinks, or its level.

The module needs no NumPy: the command line reads it before that is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from montego.engine.levels import Level, find_level

DEFAULT_SECONDS = 2.0
DEFAULT_RECIPE = "montego"


@dataclass(frozen=True)
class Settings:
    """The opponent, without its game."""

    recipe: str = DEFAULT_RECIPE
    threads: int = 1
    simulations: int | None = None
    """The most for a move; seconds limit it otherwise."""
    seconds: float | None = DEFAULT_SECONDS
    book: str = ""
    """A file of openings that it plays by, or ``shipped``; empty: none."""
    book_learns: bool = False
    """Whether its games become part of the book."""
    level: int | None = None
    """Decides about all but threads and the book, if there is one."""

    def __post_init__(self) -> None:
        if self.level is not None:
            find_level(self.level)

    def at_level(self, level: Level) -> Settings:
        """The same opponent at a level."""
        return replace(
            self, level=level.number, recipe=DEFAULT_RECIPE, simulations=None,
            seconds=DEFAULT_SECONDS,
        )  # fmt: skip

    def for_engine(self) -> dict[str, Any]:
        """How an engine is made that plays so: arguments by name."""
        if self.level is not None:
            level = find_level(self.level)
            return {
                "recipe": level.recipe,
                "simulations": level.simulations,
                "parameters": level.parameters,
            }
        return {"recipe": self.recipe, "simulations": self.simulations, "seconds": self.seconds}

    @property
    def told(self) -> str:
        """What it does for a move, such as "level 4, improver", "2 seconds a move"."""
        if self.level is not None:
            level = find_level(self.level)
            return f"{level.title}: it {level.description}"
        if self.simulations is None:
            return f"{self.seconds:g} seconds a move"
        return f"{self.simulations:,} simulations a move"
