"""What the server says of a game: what there is to choose from, the state, the end."""

from __future__ import annotations

from typing import Literal

from montego.web.limits import MOST_SECONDS, MOST_SGF, MOST_SIMULATIONS
from montego.web.messages.base import Message, Mode, Phase, Rows, RulesName, Settings, Side, Work


class Ruleset(Message):
    """Rules that can be chosen."""

    name: RulesName
    komi: float
    """The usual one."""
    territory: bool


class Parameter(Message):
    """A number of a recipe, and what it can be turned to."""

    name: str
    value: float
    least: float
    most: float
    whole: bool


class Level(Message):
    """A strength of the program."""

    name: str
    description: str
    """One line for people."""


class Welcome(Message):
    """What there is to choose from."""

    type: Literal["welcome"] = "welcome"
    version: str
    recipes: list[str]
    rules: list[Ruleset]
    parameters: dict[str, list[Parameter]]
    """Of each recipe, the numbers that steer its search."""
    levels: list[Level]
    """The weakest first."""
    book: str
    """What the book is called; empty without one."""
    laboratory: bool
    """Whether there is a folder of results."""
    most_seconds: float = MOST_SECONDS
    most_simulations: int = MOST_SIMULATIONS
    most_sgf: int = MOST_SGF


class Board(Message):
    """A position as it is drawn."""

    size: int
    stones: Rows
    to_play: Side
    last: str | None
    ko: str | None
    black_captured: int
    """Black stones that were taken."""
    white_captured: int


class Node(Message):
    """A position of the tree, by the move that led to it."""

    id: int
    parent: int | None
    color: Side | None
    move: str | None
    win_rate: float | None
    """Black's, by the last search there."""
    lead: float | None
    """Black's, in points, komi counted."""
    seconds: float | None
    """That the program thought about the move."""


class Count(Message):
    """A finished game, counted."""

    dead: list[str]
    owners: Rows
    black: float
    """Points: areas, or territories and prisoners; komi not counted."""
    white: float
    komi: float
    result: str
    territory: bool


class State(Message):
    """The whole game as it is now."""

    type: Literal["state"] = "state"
    game: str
    mode: Mode
    phase: Phase
    settings: Settings
    board: Board
    nodes: list[Node]
    at: int
    line: list[int]
    """The nodes from the start through this position to the end of its line."""
    black: str
    white: str
    """The players' names."""
    result: str
    count: Count | None
    working: Work | None
    analysing: bool
    beside: str | None
    """The second recipe of the analysis."""
    parameters: dict[str, float]
    """Numbers of the recipe that the analysis has otherwise."""
    reviewing: bool
    link: str


class Thinking(Message):
    """How far the program is."""

    type: Literal["thinking"] = "thinking"
    work: Work
    simulations: int
    seconds: float
    share: float
    """Of what it may do, 0 to 1."""
    win_rate: float | None
    """Black's."""
    move: str | None


class Hinted(Message):
    """What the program would play, and why."""

    type: Literal["hinted"] = "hinted"
    node: int
    move: str
    win_rate: float
    """Of the player to move."""
    simulations: int
    line: list[str]


class Estimated(Message):
    """How the game stands, if it is played to its end."""

    type: Literal["estimated"] = "estimated"
    node: int
    ownership: list[list[float]]
    lead: float
    """Black's."""


class ReviewedMove(Message):
    """A move of the game, judged; chances are those of the player who made it."""

    node: int
    before: int
    """The node of the position that it was played in."""
    number: int
    color: Side
    move: str
    best: str
    verdict: Literal["", "doubtful", "bad"]
    chance: float
    """To win, with the best move."""
    loss: float
    """Of the chance to win."""
    points_lost: float
    line: list[str]
    """The best move, and what is expected after it."""


class Reviewed(Message):
    """A review, as far as it is."""

    type: Literal["reviewed"] = "reviewed"
    done: int
    total: int
    by: str
    win_rates: list[float]
    """Black's, of every position that was looked at."""
    leads: list[float]
    """Black's."""
    moves: list[ReviewedMove]


class Saved(Message):
    """A file."""

    type: Literal["saved"] = "saved"
    name: str
    text: str


class Problem(Message):
    """What cannot be done, and why; nothing has changed."""

    type: Literal["problem"] = "problem"
    code: Literal["illegal", "bad", "limit", "late", "lost", "engine"]
    text: str
    point: str | None = None
