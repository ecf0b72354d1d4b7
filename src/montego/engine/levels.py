"""Levels of play: simulations a move, so that a level is the same on every machine.

The module imports nothing: the command line reads its levels before NumPy is there.
"""

from __future__ import annotations

LEVELS, LEVEL_ONE = 10, 50
"""How many levels there are, and the simulations of the first."""


def simulations_of(level: int) -> int:
    """Simulations of a level; each has twice as many as the one before."""
    return LEVEL_ONE << (level - 1)
