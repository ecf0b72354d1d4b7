"""Names of the two players: "b", "black", "w", "white" in any case."""

from __future__ import annotations

from montego.go.errors import MalformedColor
from montego.kernels.board.shape import BLACK, EMPTY, WHITE

__all__ = [
    "BLACK",
    "EMPTY",
    "WHITE",
    "Color",
    "color_letter",
    "color_name",
    "other_color",
    "parse_color",
]

Color = str | int
"""A player as people and programs give one: a name, or BLACK or WHITE."""

_NAMES = {BLACK: "Black", WHITE: "White"}
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def parse_color(color: Color) -> int:
    """BLACK or WHITE from a name or from itself."""
    if isinstance(color, str):
        found = _COLORS.get(color.strip().lower())
    else:
        found = color if color in _NAMES else None
    if found is None:
        raise MalformedColor(f"{color!r} is not a colour: give black or white")
    return found


def color_name(color: int) -> str:
    """ "Black" or "White"."""
    return _NAMES[color]


def color_letter(color: int) -> str:
    """ "B" or "W"."""
    return _NAMES[color][0]


def other_color(color: int) -> int:
    """The opponent's colour."""
    return BLACK + WHITE - color
