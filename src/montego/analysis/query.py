"""A query: the game that it tells, and a task for each position that it asks about."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from montego.analysis.fields import Fields, QueryError
from montego.analysis.settings import LONGEST, Settings, overridden
from montego.go import (
    BLACK,
    PASS,
    WHITE,
    GoError,
    IllegalMove,
    Position,
    Reason,
    Rules,
    parse_color,
    parse_move,
)
from montego.go.points import MIN_SIZE, is_on_board, point_at
from montego.go.rulesets import Ruleset, describe_ruleset, find_ruleset
from montego.kernels.board.board import MAX_SIZE
from montego.mcts.avoid import Avoid, left_out

LARGEST_KOMI = 150.0
MEANINGLESS = (
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "includeNoResultValue",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "warnUnusedFields",
)
"""Fields of KataGo's that ask for what a search without a network does not have."""

_COORDINATES = re.compile(r"\(\s*(\d{1,4})\s*,\s*(\d{1,4})\s*\)")

Stones = Sequence[tuple[int, int]]
"""Colours and points."""


@dataclass(frozen=True)
class Wanted:
    """What a reply contains."""

    ownership: bool = False
    moves_ownership: bool = False
    policy: bool = False
    line_visits: bool = False


@dataclass(eq=False)
class Task:
    """One position to be searched."""

    id: str
    turn: int
    game: Position
    settings: Settings = field(default_factory=Settings)
    wanted: Wanted = field(default_factory=Wanted)
    every: float | None = None
    """Seconds between two reports of a search that goes on."""
    avoided: tuple[Avoid, ...] = ()
    priority: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)


@dataclass
class Query:
    """The tasks of one line, and what is to be said about it."""

    tasks: list[Task]
    warnings: list[tuple[str, str]]
    """Fields, and what is not as they say."""
    ignored: list[str]
    """Settings and fields that mean nothing here."""


def parse_query(told: dict[str, Any], settings: Settings) -> Query:
    """Read a query; raises QueryError."""
    fields = Fields(told)
    name = fields.text("id")
    warnings: list[tuple[str, str]] = []
    positions = _game(fields, warnings)
    turns = _turns(fields, len(positions) - 1)
    settings, ignored = _settings(fields, settings)
    wanted, every = _wanted(fields), _every(fields)
    avoided = _avoided(fields, positions[0].size)
    tasks = [
        Task(name, turn, positions[turn], settings, wanted, every, avoided, priority)
        for turn, priority in turns.items()
    ]
    ignored += [name for name in MEANINGLESS if name in fields]
    warnings += [(name, "Unexpected or unused field") for name in fields.unasked()]
    return Query(tasks, warnings, ignored)


def _wanted(fields: Fields) -> Wanted:
    return Wanted(
        fields.boolean("includeOwnership"),
        fields.boolean("includeMovesOwnership"),
        fields.boolean("includePolicy"),
        fields.boolean("includePVVisits"),
    )


def _every(fields: Fields) -> float | None:
    name = "reportDuringSearchEvery"
    return fields.number(name, 0.001, LONGEST) if name in fields else None


def _settings(fields: Fields, settings: Settings) -> tuple[Settings, list[str]]:
    told = fields.object("overrideSettings")
    settings, ignored = overridden(settings, told, "overrideSettings")
    if "maxVisits" in fields:
        settings = replace(settings, simulations=fields.integer("maxVisits", 1))
    return settings, ignored


def _turns(fields: Fields, last: int) -> dict[int, int]:
    """The turns to be analysed, and the priority of each."""
    turns = fields.integers("analyzeTurns", 0, last) if "analyzeTurns" in fields else [last]
    usual = fields.integer("priority") if "priority" in fields else 0
    priorities = [usual] * len(turns)
    if "priorities" in fields:
        if "analyzeTurns" not in fields:
            raise QueryError("priorities", "priorities need analyzeTurns")
        priorities = fields.integers("priorities")
        if len(priorities) != len(turns):
            raise QueryError("priorities", "priorities has to be as long as analyzeTurns")
    return dict(zip(turns, priorities, strict=True))


# --- the game --------------------------------------------------------------------------


def _game(fields: Fields, warnings: list[tuple[str, str]]) -> list[Position]:
    """The positions of the game, from the first one on."""
    size = _size(fields)
    stones = _stones(fields, "initialStones", size)
    fields.get("moves")
    moves = _stones(fields, "moves", size)
    rules = _rules(fields, _handicap(stones, moves), warnings)
    player = _first_player(fields, stones, moves)
    try:
        return _play(_set_up(size, stones, player, rules), moves)
    except IllegalMove as error:
        if error.reason not in (Reason.SUPERKO, Reason.SUICIDE):
            raise QueryError("moves", str(error)) from None
        warnings.append(("moves", f"{error}; the query is answered by lenient rules"))
    lenient = replace(rules, superko="simple", suicide=True)
    try:
        return _play(_set_up(size, stones, player, lenient), moves)
    except IllegalMove as error:
        raise QueryError("moves", str(error)) from None


def _size(fields: Fields) -> int:
    width, height = (
        fields.integer(name, MIN_SIZE, MAX_SIZE) for name in ("boardXSize", "boardYSize")
    )
    if width != height:
        raise QueryError("boardYSize", f"only square boards are played, not {width}x{height}")
    return width


def _stones(fields: Fields, name: str, size: int) -> list[tuple[int, int]]:
    """A list of [player, location]."""
    stones = []
    for number, pair in enumerate(fields.items(name), start=1):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise fields.error(name, f"{name}: the entry {number} is not [player, location]")
        stones.append((_color(fields, name, pair[0]), _point(fields, name, pair[1], size)))
    return stones


def _color(fields: Fields, name: str, told: Any) -> int:
    try:
        return parse_color(told if isinstance(told, str) else repr(told))
    except GoError as error:
        raise fields.error(name, f"{name}: {error}") from None


def _point(fields: Fields, name: str, told: Any, size: int) -> int:
    """A point from its name, or from its column and row from the top left, both from 0."""
    try:
        text = told if isinstance(told, str) else repr(told)
        found = _COORDINATES.fullmatch(text.strip())
        if found is None:
            return parse_move(text, size)
        point = point_at(int(found[2]) + 1, int(found[1]) + 1)
        if int(found[1]) >= size or not is_on_board(point, size):
            raise GoError(f"{text} lies off the board")
        return point
    except GoError as error:
        raise fields.error(name, f"{name}: {error}") from None


def _set_up(size: int, stones: Stones, player: int, rules: Rules) -> Position:
    black, white = ([p for c, p in stones if c == color] for color in (BLACK, WHITE))
    try:
        return Position.set_up(size, black, white, player, rules)
    except GoError as error:
        raise QueryError("initialStones", str(error)) from None


def _play(position: Position, moves: Stones) -> list[Position]:
    positions = [position]
    for number, (color, move) in enumerate(moves, start=1):
        try:
            positions.append(positions[-1].play(move, color))
        except IllegalMove as error:
            raise IllegalMove(f"Illegal move {number}: {error}", error.reason) from None
    return positions


def _first_player(fields: Fields, stones: Stones, moves: Stones) -> int:
    if "initialPlayer" in fields:
        return _color(fields, "initialPlayer", fields.get("initialPlayer"))
    if moves:
        return moves[0][0]
    return WHITE if _handicap(stones, moves) else BLACK


def _handicap(stones: Stones, moves: Stones) -> int:
    """Black's stones before White's first move; a single one is no handicap."""
    if any(color == WHITE for color, _ in stones):
        return 0
    played = [(color, move) for color, move in moves if move != PASS]
    whites = [i for i, (color, _) in enumerate(played) if color == WHITE]
    started = whites[0] if whites else len(played)
    count = len(stones) + (started if started > 1 else 0)
    return count if count > 1 else 0


# --- rules -----------------------------------------------------------------------------


def _rules(fields: Fields, handicap: int, warnings: list[tuple[str, str]]) -> Rules:
    ruleset = _ruleset(fields)
    if ruleset.unplayed:
        parts = " and ".join(ruleset.unplayed)
        told = f"{parts} cannot be played: the query is answered by area scoring"
        warnings.append(("rules", told))
    komi = ruleset.komi
    if "komi" in fields:
        komi = fields.number("komi", -LARGEST_KOMI, LARGEST_KOMI)
    return ruleset.rules(komi + ruleset.handicap_bonus(handicap))


def _ruleset(fields: Fields) -> Ruleset:
    told = fields.get("rules")
    try:
        if isinstance(told, dict):
            ruleset = describe_ruleset(told)
        else:
            ruleset = find_ruleset(fields.text("rules"))
    except GoError as error:
        raise QueryError("rules", str(error)) from None
    if "whiteHandicapBonus" not in fields:
        return ruleset
    try:
        bonus = {"whiteHandicapBonus": fields.get("whiteHandicapBonus")}
        return describe_ruleset(bonus, ruleset)
    except GoError as error:
        raise QueryError("whiteHandicapBonus", str(error)) from None


# --- moves to leave out ----------------------------------------------------------------


def _avoided(fields: Fields, size: int) -> tuple[Avoid, ...]:
    avoided, allowed = (_restrictions(fields, name, size) for name in ("avoidMoves", "allowMoves"))
    return tuple(left_out(avoided, allowed, size))


def _restrictions(fields: Fields, name: str, size: int) -> list[Avoid]:
    restrictions = []
    for told in fields.items(name):
        if not isinstance(told, dict):
            raise fields.error(name, f"{name} has to be a list of objects")
        entry = Fields(told, within=name)
        moves = frozenset(_point(entry, "moves", move, size) for move in entry.items("moves"))
        color = _color(entry, "player", entry.get("player"))
        restrictions.append(Avoid(color, moves, entry.integer("untilDepth", 1)))
    return restrictions
