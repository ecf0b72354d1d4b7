"""A tournament to look at: live while it runs; at its end a cross table, ratings and a figure."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from montego.lab.base.console import plain_console
from montego.lab.base.journal import Line, write_whole
from montego.lab.base.statistics import Score
from montego.lab.matches import rank
from montego.lab.matches.rating import Rating
from montego.lab.matches.report import Watch, commits_of
from montego.lab.matches.scale import draw
from montego.lab.matches.tournament import Standing
from montego.planning.figures import NoMatplotlibError

WIDEST = 1_000
"""Columns that a cross table may have, whatever the window has."""


class StandingWatch(Watch):
    """A bar, and below it the ratings so far."""

    def __init__(self, total: int, zero: str | None) -> None:
        super().__init__(total)
        self.zero = zero
        self.standing: Standing | None = None

    def __enter__(self) -> StandingWatch:
        super().__enter__()
        return self

    def look(self, standing: Standing) -> None:
        """Show how the tournament stands."""
        self.standing = standing
        self([line for games in standing.games.values() for line in games])

    def _standing(self, games: Sequence[Line]) -> str:
        assert self.standing is not None
        ratings = self.standing.ratings(self.zero)
        told = [f"{rating.elo:+5.0f} {rating.name}" for rating in ratings]
        return ("\n" if self.console.is_terminal else ", ").join(told) or "not all have met"


# --- as text ---------------------------------------------------------------------------


def cells(standing: Standing) -> tuple[list[int], list[list[str]]]:
    """The places of the players, the best first, and what each has scored against each other."""
    names, ratings = standing.names, standing.ratings()
    places = [names.index(rating.name) + 1 for rating in ratings]
    order = places or list(range(1, len(names) + 1))
    return order, [[_cell(standing.score(one, other)) for other in order] for one in order]


def _cell(score: Score | None) -> str:
    """Games won and lost, and drawn if there are any."""
    if score is None or not score.games:
        return ""
    drawn = f"-{score.draws}" if score.draws else ""
    return f"{score.wins}-{score.losses}{drawn}"


def show(standing: Standing, zero: str | None) -> None:
    """Print the ratings and the cross table; both number the players, the best first."""
    console, ratings = plain_console(), standing.ratings(zero)
    order, rows = cells(standing)
    numbers = range(1, len(order) + 1)
    if ratings:
        pairs = zip(numbers, ratings, strict=True)
        rank.show([replace(rating, name=f"{number} {rating.name}") for number, rating in pairs])
    else:
        for number, place in zip(numbers, order, strict=True):
            console.print(f"{number} {standing.names[place - 1]}", soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("", *map(str, numbers)):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, row in zip(numbers, rows, strict=True):
        table.add_row(str(number), *row)
    console.print("won-lost of the row against the column:")
    console.width = max(console.width, WIDEST)  # lines may be broken, but no cell is cut
    console.print(table)
    for told in remarks(standing):
        console.print(told, soft_wrap=True)


def remarks(standing: Standing) -> list[str]:
    """What there is to notice: games lost by a foul, several versions of the sources."""
    lines = [line for games in standing.games.values() for line in games]
    fouls = sum(line["reason"].startswith("forfeit") for line in lines)
    told = [f"lost by a foul: {fouls} games"] if fouls else []
    if len(commits := commits_of(lines)) > 1:
        told.append(f"played by several versions of the sources: {', '.join(commits)}")
    return told


def summary(standing: Standing, asked: int, zero: str | None) -> dict[str, Any]:
    """The figures in the shape that is promised to programs."""
    lines = [line for games in standing.games.values() for line in games]
    scores = {pair: standing.score(*pair) or Score() for pair in standing.games}
    return {
        **standing.tournament.config(),
        "games": standing.played,
        "asked": asked,
        "ratings": rank.as_json(standing.ratings(zero)),
        "pairs": [
            {
                "first": standing.names[one - 1],
                "second": standing.names[other - 1],
                "wins": score.wins,
                "losses": score.losses,
                "draws": score.draws,
            }
            for (one, other), score in scores.items()
        ],
        "commits": commits_of(lines),
    }


# --- as files --------------------------------------------------------------------------


def write(standing: Standing, folder: Path, zero: str | None) -> None:
    """Write table.md and figure.svg into the folder of the tournament."""
    ratings = standing.ratings(zero)
    write_whole(folder / "table.md", as_markdown(standing, ratings))
    if not ratings:
        return
    try:
        draw(ratings, folder / "figure.svg")
    except NoMatplotlibError as error:
        print(f"montego: no figure: {error}", file=sys.stderr)


def as_markdown(standing: Standing, ratings: Sequence[Rating]) -> str:
    """Ratings and cross table."""
    order, rows = cells(standing)
    by_name = {rating.name: rating for rating in ratings}
    numbers = range(1, len(order) + 1)
    heads = ["", "player", "Elo", "95 %", "games", *map(str, numbers)]
    lines = [heads, ["---:", "---", *["---:"] * (len(heads) - 2)]]
    for number, place, row in zip(numbers, order, rows, strict=True):
        name = standing.names[place - 1]
        lines.append([str(number), f"`{name}`", *_rated(by_name.get(name)), *row])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _rated(rating: Rating | None) -> tuple[str, str, str]:
    if rating is None:
        return "", "", ""
    low, high = rating.interval
    return f"{rating.elo:+.0f}", f"{low:+.0f} to {high:+.0f}", str(rating.games)
