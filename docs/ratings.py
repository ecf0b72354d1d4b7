"""The tables and the figure of the page about levels, from the table of levels and the records.

    python docs/ratings.py      # writes docs/levels.md and docs/levels.svg

A table stands in the page between two comments that name it; the text round it is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from montego.engine.levels import TABLE, Level
from montego.lab.base.record import read_config, read_games, score_of
from montego.lab.base.statistics import Score
from montego.lab.matches.rank import find_matches, rank, write_figure
from montego.lab.matches.rating import Rating

HERE = Path(__file__).parent
PAGE, FIGURE = HERE / "levels.md", HERE / "levels.svg"
RESULTS = HERE.parent / "results/levels"
ZERO = "random"
GNUGO = "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko"
OTHERS = {ZERO: "`random`", GNUGO: "GNU Go 3.8, level 10"}
"""Players that are no levels, as people are told of them."""

Row = Sequence[str]


def text_of(level: Level) -> str:
    """A level as a player of the records."""
    return f"montego,level={level.number}"


def ratings() -> list[Rating]:
    """All players on one scale."""
    return rank([RESULTS], ZERO)


def scores() -> dict[tuple[str, str], Score]:
    """What each player scored against each other one that it met, seen from both sides."""
    found: dict[tuple[str, str], Score] = {}
    for folder in find_matches([RESULTS]):
        config, score = read_config(folder), score_of(read_games(folder))
        first, second = config["first"], config["second"]
        found[first, second] = score
        found[second, first] = Score(score.losses, score.wins, score.draws)
    return found


def rated_rows(known: Sequence[Rating], met: Mapping[tuple[str, str], Score]) -> list[Row]:
    """The levels with their ratings, the weakest first; who is no level stands among them."""
    levels = {text_of(level): level for level in TABLE}
    rows = []
    for rating in reversed(known):
        level, (low, high) = levels.get(rating.name), rating.interval
        told, below = ("", OTHERS.get(rating.name, ""), "", ""), ""
        if level is not None:
            told = (str(level.number), level.name, level.description, f"{level.simulations:,}")
            below = _won(met.get((rating.name, _below(level))))
        rows.append((*told, f"{rating.elo:.0f}", f"{low:.0f} to {high:.0f}", below))
    return rows


def _below(level: Level) -> str:
    return ZERO if level.number == 1 else text_of(TABLE[level.number - 2])


def _won(score: Score | None) -> str:
    if score is None or not score.games:
        return ""
    return f"{score.wins}–{score.losses}, {score.rate:.0%}"


def parameter_rows() -> list[Row]:
    """How the levels are made."""
    return [
        (
            str(level.number), f"{level.simulations:,}", f"{level.temperature:g}",
            f"{level.impulse:g}", f"{level.sight:g}" if level.impulse else "",
        )
        for level in TABLE
    ]  # fmt: skip


def with_table(page: str, name: str, rows: Sequence[Row]) -> str:
    """The page with other rows in the table of this name."""
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    pattern = rf"(<!-- {name} -->\n\|.*\n\|.*\n)(?:\|.*\n)*"
    return re.sub(pattern, lambda found: found.group(1) + lines, page)


def page(before: str) -> str:
    """The page with the tables as they should be."""
    rated = with_table(before, "ratings", rated_rows(ratings(), scores()))
    return with_table(rated, "parameters", parameter_rows())


def main() -> None:
    """Write both files."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    names = {text_of(level): f"{level.number} {level.name}" for level in TABLE} | OTHERS
    shown = [replace(known, name=names[known.name].replace("`", "")) for known in ratings()]
    write_figure(shown, FIGURE)


if __name__ == "__main__":
    main()
