"""What the server says of the laboratory: matches, games, the papers' tables; and of a book."""

from __future__ import annotations

from typing import Literal

from montego.web.messages.base import Message, Side


class SprtState(Message):
    """How far a sequential test is: decided where the ratio leaves the bounds."""

    elo0: float
    elo1: float
    ratio: float
    low: float
    high: float
    accepted: float | None


class MatchLine(Message):
    """A match as it stands; the score is the first player's."""

    id: str
    name: str
    first: str
    second: str
    size: int
    komi: float
    games: int
    asked: int | None
    """How many there are to be, where that is known."""
    wins: int
    losses: int
    draws: int
    rate: float
    low: float
    high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    """None beyond what the games can tell."""
    sprt: SprtState | None
    running: bool
    latest: str
    """When the last game ended; empty before the first."""
    problem: str
    """Why it cannot be read."""


class ExperimentLine(Message):
    """A paper's table, and how far ours is."""

    name: str
    title: str
    source: str
    scale: Literal["quick", "full"]
    """That which there is more of: as much as the paper played, or a quick run."""
    done: int
    total: int
    noun: str
    missing: str
    """Why it cannot be done."""


class Matches(Message):
    """All that a results folder holds."""

    type: Literal["matches"] = "matches"
    matches: list[MatchLine]
    experiments: list[ExperimentLine]


class GameLine(Message):
    """A game of a match."""

    number: int
    black: Literal["first", "second"]
    winner: Literal["first", "second"] | None
    result: str
    reason: str
    moves: int
    is_kept: bool
    """Whether its moves are there to be looked at."""


class MatchShown(Message):
    """The games of a match, the latest last, and the score after each."""

    type: Literal["match"] = "match"
    match: MatchLine
    total: int
    """Of all games; only the latest ones are sent."""
    games: list[GameLine]
    rates: list[float]
    lows: list[float]
    highs: list[float]
    """The score after every game, thinned out, with its interval."""
    numbers: list[int]
    """After how many games."""


class FigureShown(Message):
    """A number with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None
    number: int | None


class TableRow(Message):
    """A row of a paper's table, ours beside it."""

    label: str
    unit: str
    paper: FigureShown | None
    ours: FigureShown | None
    state: str


class ClaimShown(Message):
    """A finding of the paper, and what our figures say to it."""

    claim: str
    verdict: str


class TableShown(Message):
    """A paper's table with ours beside."""

    type: Literal["table"] = "table"
    experiment: str
    scale: Literal["quick", "full"]
    title: str
    source: str
    finding: str
    notes: str
    rows: list[TableRow]
    claims: list[ClaimShown]


class BookLine(Message):
    """A move of the book; the rate is that of who plays it."""

    line: list[str]
    """From the position that is looked at on."""
    move: str
    color: Side
    games: int
    rate: float
    low: float
    high: float
    elsewhere: bool
    """The position comes in another line before, and goes on there."""


class BookShown(Message):
    """What the book knows of the position that is looked at, and of what may follow."""

    type: Literal["book"] = "book"
    node: int
    games: int
    """That came through here."""
    lines: list[BookLine]
