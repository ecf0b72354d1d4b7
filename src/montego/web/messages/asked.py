"""What a page says to the server."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from montego.web.limits import MOST_LINK, MOST_PLAYOUTS, MOST_REVIEW, MOST_SGF
from montego.web.messages.base import Limit, Message, Mode, Name, Number, Point, Settings, User


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
    mode: Mode = "analyse"


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


class PlayOut(Message):
    """Play playouts from the position that is looked at, and show the last one."""

    type: Literal["playout"]
    games: int = Field(default=1, ge=1, le=MOST_PLAYOUTS)
    restart: bool = False
    """Forget the figures of those before."""


class LookUp(Message):
    """What does the book know here?"""

    type: Literal["lookup"]


class ShowLaboratory(Message):
    """Show the matches of the results folder, as they go on; or no more."""

    type: Literal["laboratory"]
    on: bool


class ShowMatch(Message):
    """Show the games of a match, as they go on; none to show no more."""

    type: Literal["showmatch"]
    match: Name | None


class ShowTable(Message):
    """Show a paper's table."""

    type: Literal["showtable"]
    experiment: Name
    scale: Literal["quick", "full"] = "full"


class OpenGame(Message):
    """Begin with a game of a match."""

    type: Literal["opengame"]
    match: Name
    number: Number


Begin = New | Join | Open | Follow
Act = (
    Play | Undo | Resign | Hint | Stop | EstimateScore | Mark | Agree | Resume | Change | Switch
    | Goto | Remove | Analyse | ReviewGame | Save | PlayOut | LookUp
)  # fmt: skip
"""What needs a game."""
Ask = ShowLaboratory | ShowMatch | ShowTable | OpenGame
"""What is asked of the laboratory."""
FromPage = Annotated[Begin | Act | Ask, Field(discriminator="type")]
FROM_PAGE: TypeAdapter[Begin | Act | Ask] = TypeAdapter(FromPage)
