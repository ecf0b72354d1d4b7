"""``montego book grow`` and ``long`` from their options to what is printed at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from montego.book.games import BookGame
from montego.go import BLACK, Rules, sgf
from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.progress import Counter
from montego.lab.base.statistics import Score
from montego.lab.base.workers import Workers
from montego.lab.books.grow import grow
from montego.lab.books.plans import BookPlan, Start
from montego.lab.matches.entrants import Entrant, parse_player

WINDOW = 100
"""Games of the moving average, as in figures 3.2 to 3.4 of the thesis."""


def thinker(recipe: str, limits: dict[str, float | None], changes: Sequence[str]) -> Entrant:
    """The player that thinks; raises LabError for what is none."""
    given = [f"{name}={value:g}" for name, value in limits.items() if value is not None]
    entrant = parse_player(",".join([recipe, *given, *changes]))
    if entrant.settings.book:
        raise LabError("a player that thinks for a book has none itself")
    return entrant


def start_of(size: int, komi: float | None, record: Path | None, move: int | None) -> Start:
    """An empty board, or a position of a game in a file."""
    if record is None:
        return Start(size, 7.5 if komi is None else komi)
    position = sgf.load(record, move, Rules()).position
    return Start.of(position if komi is None else position.with_komi(komi))


def run(plan: BookPlan, path: Path, games: int, workers: Workers) -> bool:
    """Play, show and sum up; returns False if the user interrupted it."""
    with Counter("games", games) as count, interrupts_noted() as interrupted:
        told = grow(
            plan, path, games, workers,
            watch=lambda told: count(told, standing(told)), stopped=lambda: bool(interrupted),
        )  # fmt: skip
    show(path, told)
    return not interrupted


def standing(games: Sequence[BookGame]) -> str:
    """White's rate of late, and how far the last game followed the book."""
    if not games:
        return ""
    late = games[-WINDOW:]
    rate = 1 - score_of(late).rate
    followed = games[-1].about.get("followed", "0")
    return f"White won {rate:.0%} of the last {len(late)}, {followed} moves followed in the latest"


def score_of(games: Sequence[BookGame]) -> Score:
    """Black's score."""
    wins = sum(game.winner == BLACK for game in games)
    draws = sum(game.winner is None for game in games)
    return Score(wins, len(games) - wins - draws, draws)


def show(path: Path, games: Sequence[BookGame]) -> None:
    """Print how the games went."""
    console, score = plain_console(), score_of(games)
    low, high = score.interval
    console.print(f"{path}: {len(games)} games were grown", soft_wrap=True)
    if games:
        rates = f"{100 * score.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        console.print(f"Black won {score.wins}, White {score.losses}, drawn {score.draws}: {rates}")
