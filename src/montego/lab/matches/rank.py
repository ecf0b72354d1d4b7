"""``montego rank``: all players of some matches on one scale."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError, RecordError
from montego.lab.base.record import Record, digest_key, read_config, read_games, score_of
from montego.lab.matches.rating import Rating, rate

PICTURES = (".svg", ".png", ".pdf")
"""What a figure may be."""


def rank(results: Sequence[Path], zero: str | None = None) -> list[Rating]:
    """Ratings from the matches in these folders and below them."""
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    conditions: set[tuple[int, float]] = set()
    matches = {folder: _players(folder) for folder in find_matches(results)}
    names = _names([player for first, second, _ in matches.values() for player in (first, second)])
    for folder, (one, other, condition) in matches.items():
        first, second = names[one], names[other]
        score = score_of(read_games(folder))
        if first != second and score.games:
            points[first, second] += score.points
            points[second, first] += score.games - score.points
            conditions.add(condition)
    if not points:
        raise LabError("no game of two different players has been played there")
    if len(conditions) > 1:
        told = ", ".join(f"{size}×{size} with komi {komi:g}" for size, komi in sorted(conditions))
        raise LabError(f"matches on {told} have no common scale; name some of them only")
    return rate(points, zero)


class Named(NamedTuple):
    """A player of a match, and the digest of the file that it comes from, if any."""

    text: str
    digest: str


def _names(players: Sequence[Named]) -> dict[Named, str]:
    """What players are called: by their texts, and where one text stood for different things, by
    the digests too."""
    digests: defaultdict[str, set[str]] = defaultdict(set)
    for player in players:
        digests[player.text].add(player.digest)
    return {
        player: player.text if len(digests[player.text]) == 1 else " ".join(player)
        for player in players
    }


def _players(folder: Path) -> tuple[Named, Named, tuple[int, float]]:
    """The players of a match, and size and komi."""
    config = read_config(folder)
    first, second, size, komi = map(config.get, ("first", "second", "size", "komi"))
    if not (isinstance(first, str) and isinstance(second, str)):
        raise RecordError(f"{Record.config_path(folder)} is damaged: it names no players")
    if not (isinstance(size, int) and isinstance(komi, (int, float))):
        raise RecordError(f"{Record.config_path(folder)} is damaged: it tells no size and komi")
    one, other = (Named(text, str(config.get(digest_key(text), ""))) for text in (first, second))
    return one, other, (size, komi)


def find_matches(results: Sequence[Path]) -> list[Path]:
    """The folders of matches among and below those named, each once."""
    found: dict[Path, None] = {}
    for result in results:
        below = Record.find(result)
        if not below:
            raise LabError(f"{result} holds no match")
        found |= dict.fromkeys(folder.resolve() for folder in below)
    return list(found)


def write_figure(ratings: Sequence[Rating], path: Path) -> None:
    """Draw the scale; raises LabError for a file that is no picture."""
    from montego.lab.matches.scale import draw
    from montego.planning.errors import PlanningError

    if path.suffix not in PICTURES:
        raise LabError(f"{path}: a figure is one of {', '.join(PICTURES)}")
    try:
        draw(ratings, path)
    except PlanningError as error:
        raise LabError(str(error)) from None


def as_json(ratings: Sequence[Rating]) -> list[dict[str, object]]:
    """The figures in the shape that is promised to programs."""
    return [
        {
            "player": rating.name,
            "elo": round(rating.elo, 1),
            "interval": [round(bound, 1) for bound in rating.interval],
            "games": rating.games,
            "points": rating.points,
        }
        for rating in ratings
    ]


def show(ratings: Sequence[Rating]) -> None:
    """Print the players, best first."""
    table = Table()
    table.add_column("player", overflow="fold")
    for heading in ("Elo", "95 %", "games", "score"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rating in ratings:
        low, high = rating.interval
        share = f"{rating.points / rating.games:.1%}"
        span = f"{low:+.0f} to {high:+.0f}"
        table.add_row(rating.name, f"{rating.elo:+.0f}", span, str(rating.games), share)
    plain_console().print(table)
