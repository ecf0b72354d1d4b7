"""What all messages are made of, and the settings of a game.

Points are named as players name them, "D4" or "pass"; boards are rows from the top, 1 for Black
and -1 for White.  Win rates and leads have the view that their names say.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from montego.engine.levels import LEVELS
from montego.web.limits import (
    LARGEST,
    MOST_HANDICAP,
    MOST_KOMI,
    MOST_SECONDS,
    MOST_SIMULATIONS,
    SMALLEST,
)

Side = Literal["black", "white"]
User = Literal["black", "white", "both"]
"""Whom the user plays: one side against the program, or both."""
Mode = Literal["play", "analyse"]
Phase = Literal["playing", "scoring", "over"]
Work = Literal["move", "hint", "estimate", "count"]
RulesName = Literal["chinese", "japanese", "aga", "new-zealand", "tromp-taylor"]
Name = Annotated[str, Field(max_length=40)]
Point = Annotated[str, Field(max_length=5)]
Number = Annotated[int, Field(ge=0, lt=2**31)]
Rows = list[list[int]]


class Message(BaseModel):
    """Anything that is sent: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Limit(Message):
    """How long the program thinks about a move."""

    by: Literal["level", "seconds", "simulations"] = "level"
    amount: float = 4

    @model_validator(mode="after")
    def _is_possible(self) -> Limit:
        least, most = LIMITS[self.by]
        if not least <= self.amount <= most:
            raise ValueError(f"{self.by} are {least:g} to {most:,g}")
        if self.by != "seconds" and self.amount != int(self.amount):
            raise ValueError(f"{self.by} are whole numbers")
        return self


LIMITS: dict[str, tuple[float, float]] = {
    "level": (1, LEVELS),
    "seconds": (0.1, MOST_SECONDS),
    "simulations": (1, MOST_SIMULATIONS),
}


class Settings(Message):
    """How a game is played."""

    size: int = Field(default=9, ge=SMALLEST, le=LARGEST)
    user: User = "black"
    komi: float = Field(default=7.5, ge=-MOST_KOMI, le=MOST_KOMI)
    handicap: int = Field(default=0, ge=0, le=MOST_HANDICAP)
    rules: RulesName = "chinese"
    recipe: Name = "montego"
    limit: Limit = Field(default_factory=Limit)
