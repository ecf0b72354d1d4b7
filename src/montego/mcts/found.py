"""What a search is given and what it finds, as values: a budget, candidates, and all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Budget:
    """How much a search may do; whichever limit comes first."""

    simulations: int | None = None
    seconds: float | None = None
    """The aim; less where the second move cannot catch up any more."""
    longest: float | None = None
    """Up to this, the search goes on while the second move is close."""

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("a budget needs a number of simulations or of seconds")


class Valued:
    """Something with a value in [-1, 1], seen by the player to move."""

    value: float

    @property
    def win_rate(self) -> float:
        """The same as a chance to win, 0 to 1."""
        return (self.value + 1) / 2


@dataclass(frozen=True)
class Candidate(Valued):
    """A move of the root."""

    move: int
    visits: int
    value: float
    prior: float
    variation: tuple[int, ...]
    is_open: bool
    score: float = 0.0
    """Points that the player to move is ahead on average, komi counted."""
    deviation: float = 0.0
    """The standard deviation of the scores that this is the mean of."""
    variation_visits: tuple[int, ...] = ()
    """Visits of each move of the variation."""
    ownership: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)
    """Whose points are after this move, as in Found; None while no playout has told."""


@dataclass(frozen=True)
class Found(Valued):
    """All that a search found."""

    move: int
    value: float
    visits: int
    simulations: int
    seconds: float
    candidates: tuple[Candidate, ...]
    variation: tuple[int, ...]
    ownership: NDArray[np.float64] = field(repr=False)
    score: float = 0.0
    """Points that the player to move is ahead after ``move``, on average, komi counted."""
    deviation: float = 0.0
    """The standard deviation of those scores."""
    extra_komi: float = 0.0
    """Points more for White that the tree counted at last; values and scores do not."""
    balanced_value: float | None = None
    """The value with the extra komi, as the tree has it; None where there is no such thing."""


Progress = Callable[[Found], bool]
"""Told how far a search is; False stops it."""
