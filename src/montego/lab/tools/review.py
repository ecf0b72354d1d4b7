"""``montego review``: a whole game analysed, position by position.

Every position is searched for the same number of simulations.  What a move lost is the
chance to win before it minus the chance after it, both seen by the player who made it; the
best move's chance is that of the position.  The points that it lost are told in the same way,
but decide nothing: playouts exaggerate them, most of all where one side has won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from montego.engine.manners import turn_of
from montego.go import BLACK, Position
from montego.go.sgf import GameRecord
from montego.lab.base.errors import LabError
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.players import Settings
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

DOUBTFUL, BAD = 0.10, 0.20
"""What a move has to lose, of the chance to win, to be called so."""
LONGEST_LINE = 10


class ReviewError(LabError):
    """A game that cannot be reviewed, or a review that cannot be written."""


@dataclass(frozen=True)
class View:
    """What a search found in a position."""

    color: int
    """Who is to move."""
    win_rate: float
    """Of the player to move, 0 to 1."""
    score: float
    """Points that the player to move is ahead, komi counted."""
    move: int
    line: tuple[int, ...]

    def win_rate_of(self, color: int) -> float:
        """The chance to win of either player."""
        return self.win_rate if color == self.color else 1 - self.win_rate

    def score_of(self, color: int) -> float:
        """The points that either player is ahead."""
        return self.score if color == self.color else -self.score


@dataclass(frozen=True)
class Reviewed:
    """A move of the game."""

    number: int
    color: int
    move: int
    view: View
    """Of the position before it; the player to move is the one who made it."""
    next_view: View | None = None
    """Of the position after it; None where the game had ended, or the review."""

    @property
    def best(self) -> int:
        """What the search would have played."""
        return self.view.move

    @property
    def line(self) -> tuple[int, ...]:
        """The best move and what follows it."""
        return self.view.line

    @property
    def before(self) -> float:
        """The player's chance to win with the best move."""
        return self.view.win_rate

    @property
    def after(self) -> float | None:
        """The same after the move."""
        return self.next_view.win_rate_of(self.color) if self.next_view else None

    @property
    def score_before(self) -> float:
        """Points that the player is ahead with the best move."""
        return self.view.score

    @property
    def score_after(self) -> float | None:
        """The same after the move."""
        return self.next_view.score_of(self.color) if self.next_view else None

    @property
    def loss(self) -> float:
        """What it lost of the chance to win."""
        return self._lost(self.before, self.after)

    @property
    def points_lost(self) -> float:
        """What it lost in points."""
        return self._lost(self.score_before, self.score_after)

    def _lost(self, before: float, after: float | None) -> float:
        """Nothing if it was the best move, whatever the searches say."""
        return 0.0 if after is None or self.move == self.best else max(before - after, 0.0)

    @property
    def verdict(self) -> str:
        """``bad``, ``doubtful`` or nothing."""
        return "bad" if self.loss >= BAD else "doubtful" if self.loss >= DOUBTFUL else ""


@dataclass(frozen=True)
class Review:
    """A game and what was found in it."""

    record: GameRecord
    views: Sequence[View]
    """Of its positions, the start first."""
    complete: bool = True
    """Whether all positions were searched."""
    by: str = ""
    """Who looked at it, and for how long."""

    @property
    def moves(self) -> list[Reviewed]:
        """All moves that were looked at."""
        followers = [*self.views[1:], None]
        return [
            Reviewed(number, color, move, view, after)
            for number, ((color, move), view, after) in enumerate(
                zip(self.record.position.moves, self.views, followers, strict=False), start=1
            )
        ]

    @property
    def mistakes(self) -> list[Reviewed]:
        """The doubtful and bad moves, in their order."""
        return [move for move in self.moves if move.verdict]

    def worst(self, count: int) -> list[Reviewed]:
        """The mistakes that lost most, in their order."""
        chosen = sorted(self.mistakes, key=lambda move: -move.loss)[:count]
        return sorted(chosen, key=lambda move: move.number)

    @property
    def win_rates(self) -> list[float]:
        """Black's chance to win after 0, 1, 2 … moves."""
        return [view.win_rate_of(BLACK) for view in self.views]

    @property
    def leads(self) -> list[float]:
        """Points that Black is ahead after 0, 1, 2 … moves."""
        return [view.score_of(BLACK) for view in self.views]


# --- analysing -------------------------------------------------------------------------


def positions(game: Position) -> list[Position]:
    """Those that are looked at: before every move, seen by who made it, and after the last one.

    As by the engine, a pass before them is forgotten: to pass again would win by counting dead
    stones as alive.
    """
    seen, position = [] if game.is_over else [turn_of(game, game.to_play)], game
    for color, _ in reversed(game.moves):
        assert position.parent is not None
        position = position.parent
        seen.append(turn_of(position, color))
    return seen[::-1]


def review(
    game: Position,
    look: Callable[[Position], View],
    watch: Callable[[Sequence[View]], None] = lambda views: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[View]:
    """All positions of a game; those before the interruption, if there was one."""
    views = list[View]()
    for position in positions(game):
        if stopped():
            break
        view = look(position)
        if stopped():  # a search that was cut short is no view
            break
        views.append(view)
        watch(views)
    return views


@dataclass(frozen=True)
class Reviewer:
    """Who looks at the positions, and for how long."""

    recipe: Recipe
    settings: Settings
    budget: Budget
    text: str

    @classmethod
    def parse(cls, text: str, simulations: int) -> Reviewer:
        """From the text of a player; what it sets itself goes before the simulations."""
        entrant = parse_player(text)
        if entrant.recipe is None:
            raise ReviewError(f"{text} does not search; recipes do")
        settings = entrant.settings
        own = settings.simulations or settings.seconds
        budget = Budget(settings.simulations if own else simulations, settings.seconds)
        return cls(entrant.recipe, settings, budget, text)

    def __str__(self) -> str:
        limits = (
            f"{self.budget.simulations:,} simulations" if self.budget.simulations else "",
            f"{self.budget.seconds:g} s" if self.budget.seconds else "",
        )
        return f"{self.text}, {' or '.join(filter(None, limits))} a position"

    def searcher(self, stopped: Callable[[], bool]) -> Callable[[Position], View]:
        """The search itself, until it is stopped."""
        own = self.settings
        try:
            search = LocalSearch(self.recipe, own.threads, own.memory, own.seed)
        except (MemoryError, ValueError) as error:
            raise ReviewError(f"{self.text}: {error or 'there is not enough memory'}") from None

        def look(position: Position) -> View:
            found = search.run(position, self.budget, lambda found: not stopped())
            return view_of(position, found)

        return look


def view_of(position: Position, found: Found) -> View:
    """What is kept of a search."""
    line = found.variation[:LONGEST_LINE]
    return View(position.to_play, found.win_rate, found.score, found.move, line)
