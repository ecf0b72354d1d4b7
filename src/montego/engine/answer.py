"""What the engine asks, any search, and what it answers: a finding with the move it played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from montego.go import Position, color_letter, vertex
from montego.mcts.avoid import Avoid
from montego.mcts.found import Budget, Found, Progress
from montego.mcts.recipes import Recipe


class Search(Protocol):
    """Anything that looks for a move."""

    def run(
        self,
        position: Position,
        budget: Budget,
        progress: Progress | None = None,
        interval: float = 0.1,
        avoided: Sequence[Avoid] = (),
    ) -> Found: ...

    def clear(self) -> None: ...


MakeSearch = Callable[[Recipe, int, int, int], Search]
"""From a recipe, threads, megabytes and a seed."""


@dataclass(frozen=True, kw_only=True)
class Answer(Found):
    """What the engine did: the search's findings, with the move that was really played."""

    size: int
    resigned: bool = False
    """It gives up; no move was played."""
    from_book: bool = False
    """Nothing was searched: the visits are games of the book, and values what became of them."""

    @property
    def vertex(self) -> str:
        """The move's name: a point, "pass" or "resign"."""
        return "resign" if self.resigned else vertex(self.move, self.size)


def answer_with(found: Found, move: int, size: int, resigned: bool = False) -> Answer:
    """The findings with the move that is played; another move has figures of its own."""
    known: dict[str, Any] = {field.name: getattr(found, field.name) for field in fields(Found)}
    if move != found.move:
        known |= {"move": move, "variation": (move,)}
        for candidate in found.candidates:
            if candidate.move == move and candidate.visits > 0:
                names = ("visits", "value", "variation", "score")
                known |= {name: getattr(candidate, name) for name in names}
    return Answer(**known, size=size, resigned=resigned)


def note_of(answer: Answer, mover: int) -> str:
    """A comment for the game's record."""
    if answer.from_book:
        return f"{color_letter(mover)} {answer.win_rate:.1%} ({answer.visits:,} games of the book)"
    return (
        f"{color_letter(mover)} {answer.win_rate:.1%} "
        f"({answer.visits:,} of {answer.simulations:,} simulations"
        f"{told_komi(answer.extra_komi)})"
    )


def told_komi(extra_komi: float) -> str:
    """With what extra komi a move was searched; nothing if there was none."""
    if not extra_komi:
        return ""
    return f", searched with {abs(extra_komi):g} points {'more' if extra_komi > 0 else 'less'} komi"
