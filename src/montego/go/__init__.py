"""The game for people: names of points and players, rules, positions, handicap."""

from montego.go.colors import BLACK, EMPTY, WHITE, color_letter, color_name, parse_color
from montego.go.errors import (
    BadDiagram,
    BadHandicap,
    BadRules,
    BadSgf,
    BadSize,
    GoError,
    IllegalMove,
    MalformedColor,
    MalformedMove,
    NothingToUndo,
    Reason,
    TooLong,
)
from montego.go.handicap import fixed_handicap, free_handicap, place_free
from montego.go.points import parse_move, vertex
from montego.go.position import Captured, Position
from montego.go.rules import Rules
from montego.kernels.board.board import PASS

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "WHITE",
    "BadDiagram",
    "BadHandicap",
    "BadRules",
    "BadSgf",
    "BadSize",
    "Captured",
    "GoError",
    "IllegalMove",
    "MalformedColor",
    "MalformedMove",
    "NothingToUndo",
    "Position",
    "Reason",
    "Rules",
    "TooLong",
    "color_letter",
    "color_name",
    "fixed_handicap",
    "free_handicap",
    "parse_color",
    "parse_move",
    "place_free",
    "vertex",
]
