"""A match to look at: live while it runs, as a table and as JSON when it is over."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from montego.lab.base.console import plain_console
from montego.lab.base.journal import Line
from montego.lab.base.progress import QuietLines
from montego.lab.base.record import judged_score, score_of
from montego.lab.base.statistics import Interval, Score, Sprt
from montego.lab.matches.match import Match


class Watch:
    """A bar and the score below it on the standard error; without a terminal, lines of text."""

    def __init__(self, total: int, sprt: Sprt | None = None, title: str = "") -> None:
        self.console = plain_console(stderr=True)
        self.total = total
        self.sprt = sprt
        self.title = title
        self.begin = time.monotonic()
        self.quiet_lines = QuietLines(self.console)
        self.played_before: int | None = None
        told = TextColumn("{task.description}", markup=False)
        self.bar = Progress(BarColumn(), MofNCompleteColumn(), told)
        self.task = self.bar.add_task(f"{title}the first games are being played", total=total)
        self.text = Text()
        self.display = Live(
            Group(self.bar, self.text), console=self.console, transient=True, refresh_per_second=4
        )

    def __enter__(self) -> Watch:
        if self.console.is_terminal:
            self.display.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.display.stop()

    def __call__(self, games: Sequence[Line]) -> None:
        """Show how the match stands."""
        if self.played_before is None:
            self.played_before = len(games)
        if not games:
            return
        pace, standing = self._pace(len(games)), self.title + self._standing(games)
        self.bar.update(self.task, completed=len(games), description=pace)
        self.text.plain = standing
        told = f"{len(games)}/{self.total} {standing}, {pace}"
        self.quiet_lines(told, now=len(games) == self.total)

    def _standing(self, games: Sequence[Line]) -> str:
        told = describe(score_of(games))
        if self.sprt is None:
            return told
        ratio = self.sprt.ratio(judged_score(games, self.sprt))
        low, high = self.sprt.bounds
        return f"{told}, LLR {ratio:+.2f} ({low:.2f} to {high:.2f})"

    def _pace(self, played: int) -> str:
        """Games an hour since this start, and the expected end."""
        new = played - (self.played_before or 0)
        if not new:
            return "going on"
        seconds = (time.monotonic() - self.begin) / new
        end = time.localtime(time.time() + seconds * max(self.total - played, 0))
        return f"{3600 / seconds:.0f} games/h, end {time.strftime('%a %H:%M', end)}"


def describe(score: Score) -> str:
    """Score, rate and Elo with their intervals, in one line."""
    games, rate, elo = _cells(score)
    return f"{games}: {rate} %, Elo {elo}"


def _cells(score: Score) -> tuple[str, str, str]:
    """Games, rate in per cent and Elo with their intervals."""
    low, high = score.interval
    elo_low, elo_high = score.elo_interval
    return (
        f"{score.wins}-{score.losses}-{score.draws}",
        f"{100 * score.rate:.1f} ({100 * low:.1f} to {100 * high:.1f})",
        f"{score.elo:+.0f} ({elo_low:+.0f} to {elo_high:+.0f})",
    )


# --- when it is over -------------------------------------------------------------------


def summary(match: Match, games: Sequence[Line], asked: int, sprt: Sprt | None) -> dict[str, Any]:
    """The figures in the shape that is promised to programs."""
    score = score_of(games)
    return {
        **match.config(),
        "games": score.games,
        "asked": asked,
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
        "score": round(score.rate, 4),
        "interval": _finite(score.interval),
        "elo": _finite([score.elo])[0],
        "elo_interval": _finite(score.elo_interval),
        "as_black": _short(score_of(games, "black")),
        "as_white": _short(score_of(games, "white")),
        "reasons": dict(Counter(game["reason"] for game in games)),
        "forfeits": {name: _forfeits(games, name) for name in ("first", "second")},
        "sprt": _sprt(sprt, games),
        "commits": commits_of(games),
    }


def show(match: Match, games: Sequence[Line], sprt: Sprt | None) -> None:
    """Print the score, by colour and in all, and what there is to notice."""
    console = plain_console()
    table = Table(title=f"{match.first.text} against {match.second.text}", title_justify="left")
    for heading in ("as", "won-lost-drawn", "score, %", "Elo"):
        table.add_column(heading, justify="left" if heading == "as" else "right", no_wrap=True)
    for name, color in (("Black", "black"), ("White", "white"), ("either", None)):
        table.add_row(name, *_cells(score_of(games, color)))
    console.print(table)
    console.print("in brackets: intervals of 95 %")
    for reason, count in sorted(Counter(game["reason"] for game in games).items()):
        console.print(f"ended by {reason}: {count}")
    for name, entrant in (("first", match.first), ("second", match.second)):
        if _forfeits(games, name):
            console.print(f"forfeited by {entrant.text}: {_forfeits(games, name)}")
    if len(commits_of(games)) > 1:
        console.print(f"played by several versions of the sources: {', '.join(commits_of(games))}")
    if sprt is not None:
        verdict = sprt.verdict(judged_score(games, sprt))
        told = "open" if verdict is None else f"{verdict:+g} Elo accepted"
        console.print(f"sequential test of {sprt.elo0:+g} against {sprt.elo1:+g} Elo: {told}")


def _finite(numbers: Sequence[float]) -> list[float | None]:
    """Numbers for JSON, which knows no infinity."""
    return [round(number, 4) if math.isfinite(number) else None for number in numbers]


def _short(score: Score) -> dict[str, int]:
    return {"wins": score.wins, "losses": score.losses, "draws": score.draws}


def _forfeits(games: Sequence[Line], name: str) -> int:
    """How many games a player has lost by a foul."""
    return sum(
        game["reason"].startswith("forfeit") and game["winner"] not in (None, name)
        for game in games
    )


def _sprt(sprt: Sprt | None, games: Sequence[Line]) -> dict[str, float | None] | None:
    if sprt is None:
        return None
    bounds: Interval = sprt.bounds
    score = judged_score(games, sprt)
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "ratio": round(sprt.ratio(score), 4),
        "low": round(bounds.low, 4),
        "high": round(bounds.high, 4),
        "accepted": sprt.verdict(score),
    }


def commits_of(games: Sequence[Line]) -> list[str]:
    """The versions of the sources that have played."""
    return sorted({f"{game.get('commit')}{'+changes' * bool(game.get('dirty'))}" for game in games})
