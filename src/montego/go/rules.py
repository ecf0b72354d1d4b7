"""The rules that differ from place to place: komi, suicide, and what may not be repeated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Literal, get_args

from montego.go.errors import BadRules
from montego.kernels.board import legality

Superko = Literal["positional", "situational", "simple"]

_KINDS = {
    "simple": legality.SIMPLE,
    "positional": legality.POSITIONAL,
    "situational": legality.SITUATIONAL,
}


@dataclass(frozen=True)
class Rules:
    """Area scoring with this komi; an integer komi makes draws possible.

    ``superko``: "positional" forbids the same stones again, "situational" the same stones
    with the same player to move (a pass counts as a situation too), "simple" only retaking
    a ko at once.
    """

    komi: float = 7.5
    suicide: bool = False
    superko: Superko = "positional"

    def __post_init__(self) -> None:
        if not (isinstance(self.komi, Real) and math.isfinite(self.komi)):
            raise BadRules(f"komi has to be a finite number, not {self.komi!r}")
        if self.superko not in get_args(Superko):
            raise BadRules(f"superko is one of {', '.join(get_args(Superko))}, not {self.superko}")

    @property
    def superko_kind(self) -> int:
        """The kernels' number of the superko rule."""
        return _KINDS[self.superko]
