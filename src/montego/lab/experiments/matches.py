"""Rows that are matches: the first player's score in per cent."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montego.lab.base.journal import Line
from montego.lab.base.record import Record, judged_score, score_of
from montego.lab.base.statistics import Score, Sprt
from montego.lab.base.workers import Workers, with_cores
from montego.lab.experiments.model import Figure, Panel, Row, Scale, numbers_left
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import Match, play_match
from montego.lab.matches.program import find_program

GNUGO = "gtp:gnugo --mode gtp --level {} --chinese-rules --positional-superko"


@dataclass(frozen=True)
class MatchWork:
    """A match as a piece of an experiment."""

    folder: str
    first: str
    second: str
    size: int
    total: int
    komi: float = 7.5
    threads: int = 1
    """The most cores that a player uses at a time."""
    sprt: Sprt | None = None
    """Ends the match as soon as it is decided."""
    noun: str = "games"

    def left(self, lines: Sequence[Line]) -> int:
        decided = self.sprt and self.sprt.verdict(judged_score(lines, self.sprt)) is not None
        return 0 if decided else numbers_left(self.total, (line["game"] for line in lines))

    def missing(self) -> str:
        for text in (self.first, self.second):
            name = text.removeprefix("gtp:").split()[0]
            if text.startswith("gtp:") and find_program(name) is None:
                return f"{name} is not installed"
        cores = os.cpu_count() or 1
        return f"needs {self.threads} cores" if self.threads > cores else ""

    def match(self) -> Match:
        """The match itself."""
        first, second = parse_player(self.first), parse_player(self.second)
        return Match(first, second, size=self.size, komi=self.komi)

    def lines(self, folder: Path) -> list[Line]:
        return Record.read(folder)

    def run(
        self,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        self.play(self.match(), folder, workers, watch, stopped)

    def play(
        self,
        match: Match,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Play what is missing of a match."""
        at_a_time = with_cores(workers, self.threads)
        with Record(folder, match.config()) as record:
            play_match(
                match, record, self.total, at_a_time, self.sprt, watch=watch, stopped=stopped
            )


def percent(score: Score) -> Figure | None:
    """A score in per cent, with Wilson's interval."""
    if not score.games:
        return None
    low, high = score.interval
    return Figure(100 * score.rate, 100 * low, 100 * high, score.games)


def match_row(
    key: str, label: str, panel: Panel, work: MatchWork, paper: Figure | None = None
) -> Row:
    """A row that is one match."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        return percent(score_of(lines[work.folder]))

    return Row(key, label, panel, read, (work,), paper)


@dataclass(frozen=True)
class Amount:
    """How much of a match is played: what each move may take, and how many games."""

    budget: str
    """As players write it: ``simulations=2000``."""
    games: int
    sprt: Sprt | None = None


def duel(
    experiment: str,
    scale: Scale,
    key: str,
    panel: Panel,
    label: str,
    players: tuple[str, str],
    size: int,
    amount: Amount,
    paper: Figure | None = None,
    threads: int = 1,
) -> Row:
    """A match in which all our players have the same budget for a move."""
    first, second = (_with_budget(player, amount.budget) for player in players)
    work = MatchWork(
        f"{experiment}/{scale}/{key}", first, second, size, amount.games,
        threads=threads, sprt=amount.sprt,
    )  # fmt: skip
    told = ", ".join(filter(None, (label, _budget_text(amount.budget))))
    return match_row(key, told, panel, work, paper)


def _with_budget(player: str, budget: str) -> str:
    return player if player.startswith("gtp:") or not budget else f"{player},{budget}"


def _budget_text(budget: str) -> str:
    """What a move may take, for people."""
    name, _, value = budget.partition("=")
    return {"simulations": f"{value} simulations", "seconds": f"{value} s a move"}.get(name, budget)
