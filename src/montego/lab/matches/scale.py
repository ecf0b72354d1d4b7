"""The figure of a scale: every player with its rating and the interval of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from montego.lab.matches.rating import Rating
from montego.planning.figures import canvas, save

OURS = "#1f5fa8"
GRID = "#dddddd"
INCHES_WIDE, INCHES_A_ROW, INCHES_ROUND = 7.0, 0.3, 1.0
NAME_LETTERS = 48
"""Of a player's name."""


def draw(ratings: Sequence[Rating], path: Path) -> None:
    """Draw the players, the best at the top; raises NoMatplotlibError where that is missing."""
    height = INCHES_ROUND + INCHES_A_ROW * len(ratings)
    picture, (axis,) = canvas(inches=(INCHES_WIDE, height))
    for place, rating in enumerate(ratings):
        low, high = rating.elo - rating.interval.low, rating.interval.high - rating.elo
        axis.errorbar(
            rating.elo, place, xerr=[[low], [high]], fmt="o", color=OURS, markersize=5, capsize=3
        )
    axis.set_yticks(range(len(ratings)), [_short(rating.name) for rating in ratings], fontsize=8)
    axis.set_ylim(len(ratings) - 0.5, -0.5)
    axis.set_xlabel("Elo, with intervals of 95 %")
    axis.grid(axis="x", color=GRID, linewidth=0.6)
    axis.set_axisbelow(True)
    save(picture, path)


def _short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"
