"""What the page and the server say to each other, as pydantic models.

The page's TypeScript types are made from these (``montego.web.typescript``).  Points are named
as players name them, "D4" or "pass"; boards are rows from the top, 1 for Black and -1 for White.
Win rates and leads have the view that their names say.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from montego.engine.levels import LEVELS
from montego.web.limits import (
    LARGEST,
    MOST_HANDICAP,
    MOST_KOMI,
    MOST_LINK,
    MOST_REVIEW,
    MOST_SECONDS,
    MOST_SGF,
    MOST_SIMULATIONS,
    SMALLEST,
)

Side = Literal["black", "white"]
User = Literal["black", "white", "both"]
"""Whom the user plays: one side against the program, or both."""
Mode = Literal["play", "analyse"]
Phase = Literal["playing", "scoring", "over"]
Work = Literal["move", "hint", "estimate", "count"]
RulesName = Literal["chinese", "japanese", "aga", "new-zealand", "tromp-taylor"]
Name = Annotated[str, Field(max_length=40)]
Point = Annotated[str, Field(max_length=5)]
Number = Annotated[int, Field(ge=0, lt=2**31)]
Rows = list[list[int]]


class Message(BaseModel):
    """Anything that is sent: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


# --- settings --------------------------------------------------------------------------


class Limit(Message):
    """How long the program thinks about a move."""

    by: Literal["level", "seconds", "simulations"] = "level"
    amount: float = 4

    @model_validator(mode="after")
    def _is_possible(self) -> Limit:
        least, most = LIMITS[self.by]
        if not least <= self.amount <= most:
            raise ValueError(f"{self.by} are {least:g} to {most:,g}")
        if self.by != "seconds" and self.amount != int(self.amount):
            raise ValueError(f"{self.by} are whole numbers")
        return self


LIMITS: dict[str, tuple[float, float]] = {
    "level": (1, LEVELS),
    "seconds": (0.1, MOST_SECONDS),
    "simulations": (1, MOST_SIMULATIONS),
}


class Settings(Message):
    """How a game is played."""

    size: int = Field(default=9, ge=SMALLEST, le=LARGEST)
    user: User = "black"
    komi: float = Field(default=7.5, ge=-MOST_KOMI, le=MOST_KOMI)
    handicap: int = Field(default=0, ge=0, le=MOST_HANDICAP)
    rules: RulesName = "chinese"
    recipe: Name = "montego"
    limit: Limit = Field(default_factory=Limit)


# --- what a page says ------------------------------------------------------------------


class New(Message):
    """Begin a game."""

    type: Literal["new"]
    settings: Settings
    mode: Mode = "play"


class Join(Message):
    """Come back to a game."""

    type: Literal["join"]
    game: Name


class Open(Message):
    """Begin with a game record."""

    type: Literal["open"]
    sgf: str = Field(max_length=MOST_SGF)
    settings: Settings = Field(default_factory=Settings)
    mode: Mode = "analyse"


class Follow(Message):
    """Begin with a position that somebody has sent a link to."""

    type: Literal["follow"]
    link: str = Field(max_length=MOST_LINK)


class Play(Message):
    """A move, for the position that the page shows."""

    type: Literal["play"]
    move: Point
    at: Number


class Undo(Message):
    """Take the user's last move back."""

    type: Literal["undo"]


class Resign(Message):
    """Give up."""

    type: Literal["resign"]


class Hint(Message):
    """What would the program play?"""

    type: Literal["hint"]


class Stop(Message):
    """Think no longer: play the best move so far."""

    type: Literal["stop"]


class EstimateScore(Message):
    """How does the game stand?"""

    type: Literal["estimate"]


class Mark(Message):
    """These stones are dead, or not dead after all."""

    type: Literal["mark"]
    point: Point


class Agree(Message):
    """The count is right."""

    type: Literal["agree"]


class Resume(Message):
    """Play on: the count, or giving up, was a mistake."""

    type: Literal["resume"]


class Change(Message):
    """Other settings for a game that goes on."""

    type: Literal["change"]
    user: User | None = None
    recipe: Name | None = None
    limit: Limit | None = None


class Switch(Message):
    """To playing, or to analysing."""

    type: Literal["switch"]
    mode: Mode


class Goto(Message):
    """Look at another position of the tree."""

    type: Literal["goto"]
    node: Number


class Remove(Message):
    """Forget a variation."""

    type: Literal["remove"]
    node: Number


class Analyse(Message):
    """Start or stop the analysis; a second recipe may look at the same position."""

    type: Literal["analyse"]
    on: bool
    beside: Name | None = None
    inside: bool = False
    """Show the tree, too."""
    parameters: dict[Name, float] = Field(default_factory=dict, max_length=12)
    """Other numbers for the recipe."""


class ReviewGame(Message):
    """Look at every position of the line; or stop it."""

    type: Literal["review"]
    on: bool = True
    simulations: int = Field(default=1_000, ge=10, le=MOST_REVIEW)
    """Of each position."""


class Save(Message):
    """Give me the game as SGF, its review as SGF, or as a page that needs no server."""

    type: Literal["save"]
    what: Literal["game", "review", "page"] = "game"


Begin = New | Join | Open | Follow
Act = (
    Play | Undo | Resign | Hint | Stop | EstimateScore | Mark | Agree | Resume | Change | Switch
    | Goto | Remove | Analyse | ReviewGame | Save
)  # fmt: skip
FromPage = Annotated[Begin | Act, Field(discriminator="type")]
FROM_PAGE: TypeAdapter[Begin | Act] = TypeAdapter(FromPage)


# --- what the server says --------------------------------------------------------------


class Ruleset(Message):
    """Rules that can be chosen."""

    name: RulesName
    komi: float
    """The usual one."""
    territory: bool


class Parameter(Message):
    """A number of a recipe."""

    name: str
    value: float
    whole: bool


class Welcome(Message):
    """What there is to choose from."""

    type: Literal["welcome"] = "welcome"
    version: str
    recipes: list[str]
    rules: list[Ruleset]
    parameters: dict[str, list[Parameter]]
    """Of each recipe, the numbers that steer its search."""
    levels: list[int]
    """Simulations of each level, the first one first."""
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


class Candidate(Message):
    """A move that was looked at; seen by the player to move."""

    move: str
    visits: int
    win_rate: float
    lower: float
    """The least win rate that the visits leave likely."""
    lead: float
    prior: float
    line: list[str]


class Analysis(Message):
    """What a search has found."""

    type: Literal["analysis"] = "analysis"
    node: int
    beside: bool
    """By the second recipe."""
    recipe: str
    to_play: Side
    running: bool
    simulations: int
    seconds: float
    win_rate: float
    """Black's."""
    lead: float
    """Black's."""
    move: str
    candidates: list[Candidate]
    ownership: list[list[float]]
    """1: always Black's at the end, -1: always White's."""


class TreeNode(Message):
    """A node of the search tree; values are those of the player who moved there, 0 to 1."""

    id: int
    parent: int | None
    move: str
    color: Side
    visits: int
    win_rate: float | None
    rave: float | None
    """The win rate of all playouts in which the move was played some time."""
    rave_visits: int
    h: float
    """What knowledge says of the move."""


class Inside(Message):
    """The most visited part of the tree, and all moves of the root."""

    type: Literal["inside"] = "inside"
    node: int
    simulations: int
    size: int
    """Nodes of the whole tree."""
    nodes: list[TreeNode]


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


ToPage = (
    Welcome | State | Thinking | Analysis | Inside | Reviewed | Hinted | Estimated | Saved | Problem
)
