"""What an analysis command asks for.

A colour and an interval in centiseconds, both optional, and then pairs of a name and a value, as
Leela Zero, KataGo and their GUIs write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from montego.gtp.arguments import Arguments

if TYPE_CHECKING:
    from montego.mcts.avoid import Avoid

DEFAULT_INTERVAL = 0.5
SHORTEST_INTERVAL = 0.01
IGNORED = {"ownershipstdev", "movesownershipstdev", "pvedgevisits", "noresultvalue"}
"""KataGo's options, each with true or false, for figures that we do not have."""


@dataclass(frozen=True)
class Restriction:
    """Moves of a colour, and for how many plies of the search they are meant."""

    color: str
    vertices: frozenset[str]
    depth: int


@dataclass
class AnalysisOptions:
    """What an analysis command asks for."""

    color: str | None = None
    interval: float = DEFAULT_INTERVAL
    fewest: int = 0
    """Report at least so many moves, also some without visits."""
    most: int | None = None
    ownership: bool = False
    moves_ownership: bool = False
    line_visits: bool = False
    root: bool = False
    avoided: list[Restriction] = field(default_factory=list)
    allowed: list[Restriction] = field(default_factory=list)


def parse_options(arguments: Arguments) -> AnalysisOptions:
    """Read the arguments in all the forms that programs send."""
    options = AnalysisOptions(color=arguments.optional_color())
    _set_interval(options, arguments.optional_number())
    while arguments:
        key = arguments.word("the option").lower()
        if key in _OPTIONS:
            _OPTIONS[key](options, arguments)
        elif key in IGNORED:
            arguments.boolean(key)
        else:
            raise ValueError(f"syntax error: unknown option {key!r}")
    return options


def _set_interval(options: AnalysisOptions, centiseconds: float | None) -> None:
    if centiseconds is not None:
        if not centiseconds >= 0:
            raise ValueError("syntax error: an interval is not negative")
        options.interval = max(centiseconds / 100, SHORTEST_INTERVAL)


def _interval(options: AnalysisOptions, arguments: Arguments) -> None:
    _set_interval(options, arguments.number("the interval"))


def _fewest(options: AnalysisOptions, arguments: Arguments) -> None:
    options.fewest = max(arguments.integer("the number of moves"), 0)


def _most(options: AnalysisOptions, arguments: Arguments) -> None:
    options.most = max(arguments.integer("the number of moves"), 1)


def _ownership(options: AnalysisOptions, arguments: Arguments) -> None:
    options.ownership = arguments.boolean("ownership")


def _moves_ownership(options: AnalysisOptions, arguments: Arguments) -> None:
    options.moves_ownership = arguments.boolean("movesOwnership")


def _line_visits(options: AnalysisOptions, arguments: Arguments) -> None:
    options.line_visits = arguments.boolean("pvVisits")


def _root(options: AnalysisOptions, arguments: Arguments) -> None:
    options.root = arguments.boolean("rootInfo")


def _avoid(options: AnalysisOptions, arguments: Arguments) -> None:
    options.avoided.append(_restriction(arguments))


def _allow(options: AnalysisOptions, arguments: Arguments) -> None:
    options.allowed.append(_restriction(arguments))


def _restriction(arguments: Arguments) -> Restriction:
    """Colour, points with commas between them, and for how many plies."""
    color = arguments.color()
    names = frozenset(name.upper() for name in arguments.word("the vertices").split(",") if name)
    return Restriction(color, names, arguments.integer("the depth"))


_OPTIONS: dict[str, Callable[[AnalysisOptions, Arguments], None]] = {
    "interval": _interval,
    "minmoves": _fewest,
    "maxmoves": _most,
    "ownership": _ownership,
    "movesownership": _moves_ownership,
    "pvvisits": _line_visits,
    "rootinfo": _root,
    "avoid": _avoid,
    "allow": _allow,
}


def avoided_moves(options: AnalysisOptions, size: int) -> list[Avoid]:
    """What the search is to leave out: what is avoided, and all that is not allowed."""
    from montego.go import parse_color, parse_move
    from montego.mcts.avoid import Avoid, left_out

    def parsed(restrictions: Iterable[Restriction]) -> list[Avoid]:
        return [
            Avoid(
                parse_color(restriction.color),
                frozenset(parse_move(name, size) for name in restriction.vertices),
                restriction.depth,
            )
            for restriction in restrictions
        ]

    return left_out(parsed(options.avoided), parsed(options.allowed), size)
