"""The folder of results, read for the page: matches as they stand, games, the papers' tables.

A client names a match by a number that the server has made up, and that is looked up: no name
that it sends ever becomes a path.  What has not changed on disk is not read again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from montego.go import GoError
from montego.lab.base.errors import LabError
from montego.lab.base.journal import Line
from montego.lab.base.record import (
    Record,
    judged_score,
    read_config,
    read_game,
    read_games,
    score_of,
)
from montego.lab.base.statistics import Score, Sprt, wilson
from montego.web.messages import (
    ExperimentLine,
    GameLine,
    MatchLine,
    MatchShown,
    SprtState,
)

LOCK = "lock"
MOST_MATCHES = 1_000
MOST_GAMES = 400
"""Games of a match that are listed: the latest ones."""
POINTS = 160
"""Of the curve of a match."""
STALE = 3600.0
"""Seconds without a game after which a lock is taken for that of a killed process."""
LONGEST_NAME = 160


@dataclass
class Kept:
    """A match as it was read last."""

    folder: Path
    stamp: tuple[int, int, bool]
    line: MatchLine
    games: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Aim:
    """What is known of a match beside its record: how many games, and which test."""

    total: int | None = None
    sprt: Sprt | None = None


class Results:
    """A folder of results; to be used by one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[str, Kept] = {}
        self._aims: dict[str, Aim] | None = None

    # --- matches ----------------------------------------------------------------------

    def matches(self) -> list[MatchLine]:
        """All of them, those that run first, then the latest."""
        found: dict[str, Kept] = {}
        for folder in self._folders():
            name = folder.relative_to(self.folder).as_posix()
            number = hashlib.sha256(name.encode()).hexdigest()[:12]
            found[number] = self._look(number, name, folder)
        self._kept = found
        lines = [kept.line for kept in found.values()]
        return sorted(lines, key=lambda line: (line.running, line.latest), reverse=True)

    def _folders(self) -> list[Path]:
        found: list[Path] = []
        for place, folders, _ in os.walk(self.folder):
            folders.sort()
            if Record.is_there(Path(place)):
                found.append(Path(place))
                folders.clear()
            if len(found) >= MOST_MATCHES:
                break
        return found

    def _look(self, number: str, name: str, folder: Path) -> Kept:
        stamp = _stamp(folder)
        kept = self._kept.get(number)
        if kept is not None and kept.stamp == stamp:
            return kept
        try:
            config, games = read_config(folder), read_games(folder)
            line = _match_line(number, name, config, games, stamp[2], self._aim(name, games))
        except (LabError, LookupError, TypeError, ValueError) as error:
            games, line = [], _unreadable(number, name, error)
        return Kept(folder, stamp, line, games)

    def _aim(self, name: str, games: Sequence[Line]) -> Aim:
        """By what the last game says, or by the experiment that the match is a part of."""
        if games and "asked" in games[-1]:
            test = games[-1].get("sprt")
            return Aim(int(games[-1]["asked"]), Sprt(*map(float, test)) if test else None)
        if self._aims is None:
            self._aims = _experiment_aims()
        return self._aims.get(name, Aim())

    def match(self, number: str) -> MatchShown:
        """A match with its games."""
        kept = self._known(number)
        after = sorted({round(i * len(kept.games) / POINTS) for i in range(1, POINTS + 1)} - {0})
        scores = [score_of(kept.games[:count]) for count in after]
        return MatchShown(
            match=kept.line, total=len(kept.games),
            games=[_game_line(line) for line in kept.games[-MOST_GAMES:]],
            numbers=after, rates=[round(score.rate, 4) for score in scores],
            lows=[round(score.interval.low, 4) for score in scores],
            highs=[round(score.interval.high, 4) for score in scores],
        )  # fmt: skip

    def game(self, number: str, game: int) -> str:
        """A game of a match as SGF."""
        return read_game(self._known(number).folder, game).decode("utf-8", "replace")

    def _known(self, number: str) -> Kept:
        if number not in self._kept:
            self.matches()
        if number not in self._kept:
            raise GoError("there is no such match")
        return self._kept[number]

    # --- experiments ------------------------------------------------------------------

    def experiments(self) -> list[ExperimentLine]:
        """The papers' tables, and how far ours are; at the scale of the paper if that has begun."""
        from montego.lab.experiments import reproduce  # takes a second

        lines = []
        for state in reproduce.states(self.folder):
            nothing: dict[str, Any] = {"done": 0, "total": 0, "noun": ""}
            full, quick = state["full"] or nothing, state["quick"] or nothing
            is_quick = quick["done"] > 0 and not full["done"]
            known = quick if is_quick else full
            lines.append(
                ExperimentLine(
                    name=state["experiment"], title=state["title"], source=state["source"],
                    missing=state["missing"], scale="quick" if is_quick else "full",
                    done=known["done"], total=known["total"], noun=known["noun"],
                )
            )  # fmt: skip
        return lines


def _experiment_aims() -> dict[str, Aim]:
    from montego.lab import experiments
    from montego.lab.experiments.matches import MatchWork
    from montego.lab.experiments.model import Scale

    aims = {}
    for name in experiments.NAMES:
        experiment = experiments.find(name)
        rows = [row for scale in Scale for row in experiment.rows(scale)]
        for work in (work for row in rows for work in row.works):
            if isinstance(work, MatchWork):
                aims[work.folder] = Aim(work.total, work.sprt)
    return aims


def _stamp(folder: Path) -> tuple[int, int, bool]:
    """What changes when a match goes on."""
    try:
        told = (folder / Record.LINES).stat()
        size, changed, at = told.st_size, told.st_mtime_ns, told.st_mtime
    except OSError:
        size, changed, at = 0, 0, time.time()
    return size, changed, (folder / LOCK).exists() and time.time() - at < STALE


# --- as messages -----------------------------------------------------------------------


def _match_line(
    number: str, name: str, config: dict[str, Any], games: Sequence[Line], runs: bool, aim: Aim
) -> MatchLine:
    score = score_of(games)
    return MatchLine(
        id=number, name=name[:LONGEST_NAME], first=str(config["first"])[:LONGEST_NAME],
        second=str(config["second"])[:LONGEST_NAME], size=config["size"], komi=config["komi"],
        games=score.games, asked=aim.total, wins=score.wins, losses=score.losses,
        draws=score.draws, rate=round(score.rate, 4), low=round(score.interval.low, 4),
        high=round(score.interval.high, 4), elo=_finite(score.elo),
        elo_low=_finite(score.elo_interval.low), elo_high=_finite(score.elo_interval.high),
        sprt=_sprt(aim.sprt, games), running=runs,
        latest=str(games[-1].get("finished", "")) if games else "", problem="",
    )  # fmt: skip


def _unreadable(number: str, name: str, error: Exception) -> MatchLine:
    none = Score()
    low, high = wilson(0, 0)
    return MatchLine(
        id=number, name=name[:LONGEST_NAME], first="", second="", size=0, komi=0, games=0,
        asked=None, wins=0, losses=0, draws=0, rate=none.rate, low=low, high=high, elo=None,
        elo_low=None, elo_high=None, sprt=None, running=False, latest="",
        problem=f"{str(error) or type(error).__name__}"[:300],
    )  # fmt: skip


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None


def _sprt(sprt: Sprt | None, games: Sequence[Line]) -> SprtState | None:
    if sprt is None:
        return None
    score = judged_score(games, sprt)
    low, high = sprt.bounds
    return SprtState(
        elo0=sprt.elo0, elo1=sprt.elo1, ratio=round(sprt.ratio(score), 3), low=round(low, 3),
        high=round(high, 3), accepted=sprt.verdict(score),
    )  # fmt: skip


def _game_line(line: Line) -> GameLine:
    return GameLine(
        number=line["game"], black=line["black"], winner=line["winner"],
        result=str(line.get("result", ""))[:40], reason=line["reason"][:80],
        moves=int(line.get("moves", 0)), is_kept="sgf" in line,
    )  # fmt: skip


def table_from(text: bytes, finding: str, notes: str) -> dict[str, Any]:
    """What ``montego reproduce --show --json`` tells, for the page."""
    told = json.loads(text)
    rows = [
        {name: row[name] for name in ("label", "unit", "paper", "ours", "state")}
        for row in told["rows"]
    ]
    kept = ("experiment", "scale", "title", "source", "claims")
    return {name: told[name] for name in kept} | {"rows": rows, "finding": finding, "notes": notes}
