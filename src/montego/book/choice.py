"""T30: which move of a known position is played.

The thesis plays the most frequent move of won games: with few games, far fewer of those are
mistakes than of the moves with the highest success rate.  Other rules are there to be compared.  A
move is only chosen if it is legal in the game at hand, superko included, and never is it a pass:
whether to end a game is for the engine to say.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from montego.book.errors import BookError
from montego.book.keys import key_of
from montego.book.statistics import BookMove
from montego.go import PASS, Position, Rules

DEFAULT_RULE = "frequent"
MOST_DEPTH = 60
"""Moves ahead that negamax looks."""
MOST_LOOKUPS = 5_000
"""Positions that it looks at for one move, a quarter of a second; beyond, success rates count."""


class Population(Protocol):
    """Whatever knows what was played in a position: a book, or a copy of one elsewhere."""

    def look_up(self, position: Position) -> tuple[BookMove, ...]: ...

    def version(self) -> int: ...


@dataclass(frozen=True)
class Chosen:
    """What the book plays, and all that it knows of the position."""

    move: BookMove
    moves: tuple[BookMove, ...]
    """The legal ones, that which is played first."""


@dataclass
class Opening:
    """A book as a player uses it: the rule, and how many games a move needs."""

    book: Population
    rule: str = DEFAULT_RULE
    games: int = 1
    """Moves of fewer games are not played."""
    is_asked_for: bool = True
    """Who has named a book is told if it says nothing about the game."""
    _boards: set[tuple[int, Rules]] = field(default_factory=set, repr=False)
    _values: dict[int, float] = field(default_factory=dict, repr=False)
    _version: int = field(default=-1, repr=False)
    _left: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise BookError(f"{self.rule!r} is not a rule of a book: {', '.join(RULES)} are")
        if self.games < 1:
            raise BookError(f"a move of a book needs at least one game, not {self.games}")

    def choose(self, position: Position, seed: object = 0) -> Chosen | None:
        """The book's move, or None where it has none; the seed is for the rule that draws."""
        moves = [move for move in self.known(position) if position.is_legal(move.point)]
        if not moves:
            self._tell_if_strange(position)
            return None
        move = RULES[self.rule](self, position, moves, Random(str(seed)))
        if move is None:
            return None
        return Chosen(move, (move, *(other for other in moves if other is not move)))

    def _tell_if_strange(self, position: Position) -> None:
        """Warn once of a board of which the book has nothing: another size, or another komi."""
        board = (position.size, position.rules)
        if board in self._boards or not self.is_asked_for:
            return
        self._boards.add(board)
        if not self.book.look_up(position.first) and not self.book.look_up(position):
            logging.getLogger(__name__).warning(
                "the book has no game on a board of %d lines with komi %g: montego book info tells "
                "what it has", position.size, position.komi,
            )  # fmt: skip

    def known(self, position: Position) -> list[BookMove]:
        """The moves of enough games, without a pass."""
        moves = self.book.look_up(position)
        return [move for move in moves if move.games >= self.games and move.point != PASS]

    def value(self, position: Position, move: BookMove, depth: int = MOST_DEPTH) -> float:
        """The success rate of a move if both go on with their best moves of the book, 0 to 1."""
        if move.games == 1 or depth == 0 or self._left <= 0:
            return move.rate  # a single game goes on as it ended
        after = position.play(move.point)
        key = key_of(after).key
        if key not in self._values:
            self._left -= 1
            self._values[key] = move.rate  # what a line that comes back to here finds
            replies = [reply for reply in self.known(after) if after.is_legal(reply.point)]
            if replies:
                best = max(self.value(after, reply, depth - 1) for reply in replies)
                self._values[key] = 1 - best
        return self._values[key]

    def begin_lookahead(self) -> None:
        """Values are worked out once, as long as nobody writes to the book."""
        self._left = MOST_LOOKUPS
        if (version := self.book.version()) != self._version:
            self._values, self._version = {}, version


# --- the rules -------------------------------------------------------------------------

Rule = Callable[[Opening, Position, list[BookMove], Random], BookMove | None]


def most_frequent(
    opening: Opening, position: Position, moves: list[BookMove], rng: Random
) -> BookMove | None:
    """T30: the move that most of the won games have; none if nobody has won here."""
    best = max(moves, key=lambda move: (move.wins, move.rate))
    return best if best.wins else None


def best_rate(
    opening: Opening, position: Position, moves: list[BookMove], rng: Random
) -> BookMove | None:
    """The move of the highest success rate."""
    best = max(moves, key=lambda move: (move.rate, move.games))
    return best if best.rate > 0 else None


def negamax(
    opening: Opening, position: Position, moves: list[BookMove], rng: Random
) -> BookMove | None:
    """The best move if both sides follow the book."""
    opening.begin_lookahead()
    return max(moves, key=lambda move: (opening.value(position, move), move.games))


def sampled(
    opening: Opening, position: Position, moves: list[BookMove], rng: Random
) -> BookMove | None:
    """Any move, as often as it is in won games: for variety."""
    weights = [move.wins for move in moves]
    return rng.choices(moves, weights)[0] if sum(weights) else None


RULES: dict[str, Rule] = {
    DEFAULT_RULE: most_frequent,
    "rate": best_rate,
    "negamax": negamax,
    "sampled": sampled,
}
