"""What a process with an engine is asked for, and what it answers; lines of JSON on pipes.

A job holds the whole game.  So any process can take it, also one that has been started because
another one died.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from montego.go import BLACK, WHITE, Position
from montego.go.rules import Rules, Superko
from montego.web.messages import Analysis, Hinted, Inside, Known, Playouts, Reviewed, Thinking


class Line(BaseModel):
    """One line on a pipe."""

    model_config = ConfigDict(frozen=True)


class Start(Line):
    """Where a game begins."""

    size: int
    black: tuple[int, ...]
    white: tuple[int, ...]
    to_play: int
    komi: float
    suicide: bool
    superko: Superko

    @classmethod
    def of(cls, position: Position) -> Start:
        """That of a position's game."""
        first, rules = position.first, position.rules
        return cls(
            size=first.size, black=tuple(first.stones(BLACK)), white=tuple(first.stones(WHITE)),
            to_play=first.to_play, komi=rules.komi, suicide=rules.suicide, superko=rules.superko,
        )  # fmt: skip

    def position(self) -> Position:
        """As it was."""
        rules = Rules(self.komi, self.suicide, self.superko)
        return Position.set_up(self.size, self.black, self.white, self.to_play, rules)


def position_of(start: Start, moves: tuple[tuple[int, int], ...]) -> Position:
    """Where a game stands."""
    position = start.position()
    for color, move in moves:
        position = position.play(move, color)
    return position


class Thinker(Line):
    """The program that shall think."""

    recipe: str = "montego"
    seed: int = 1
    simulations: int | None = None
    seconds: float | None = None
    parameters: dict[str, int | float] = Field(default_factory=dict)


class Job(Line):
    """Something to think about."""

    id: int
    game: str
    work: Literal["move", "hint", "estimate", "count", "analyse", "review", "playout"]
    player: Thinker
    start: Start
    moves: tuple[tuple[int, int], ...]
    node: int = 0
    """What the page calls the position."""
    beside: bool = False
    """An analysis by the second recipe."""
    inside: bool = False
    """An analysis that shows its tree."""
    games: int = 1
    """Playouts that are played to be looked at."""
    line: tuple[int, ...] = ()
    """Of a review: the nodes of the moves, the start first."""
    sgf: str = ""
    """The record that the review is written into."""


class StopJob(Line):
    """Think no longer about this job."""

    stop: int


class Moved(Line):
    """What the engine did, with Black's chances as it saw them."""

    kind: Literal["moved"] = "moved"
    move: int
    resigned: bool
    win_rate: float
    lead: float
    seconds: float
    """That it thought."""
    note: str


class Judged(Line):
    """Whose points are, and which stones are dead."""

    kind: Literal["judged"] = "judged"
    dead: tuple[int, ...]
    ownership: list[list[float]]
    lead: float
    """Black's, as expected."""


class ReviewDone(Line):
    """A review to its end, or to where it was stopped, and what can be kept of it."""

    kind: Literal["review"] = "review"
    reviewed: Reviewed
    page: str
    sgf: str


Done = Moved | Judged | Hinted | Analysis | ReviewDone | Playouts
Progress = Thinking | Analysis | Inside | Known | Reviewed


class Reply(Line):
    """A line from the process: how far it is, the end of the job, or why there is none."""

    id: int
    progress: Progress | None = None
    done: Done | None = None
    failed: str | None = None


ORDERS: TypeAdapter[Job | StopJob] = TypeAdapter(Job | StopJob)
