"""R12: rows that are opening books: grown first, then played by at several stages of their growth.

A book is in the folder of its work, ``grown.book``.  A stage is a copy of its first games, as it
was when it had no more: ``100.book`` beside it.  What is kept for good are the games alone,
``grown.games.gz``: the book is made from them where it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from montego.book.games import BookGame
from montego.book.store import Book
from montego.book.upkeep import copy_first
from montego.go import color_name
from montego.lab.base.journal import Line
from montego.lab.base.record import score_of
from montego.lab.base.statistics import Score
from montego.lab.base.workers import Workers
from montego.lab.books.grow import grow, grown
from montego.lab.books.packed import pack, read_pack, unpack
from montego.lab.books.plans import Start
from montego.lab.books.ways import NOBODY, Way
from montego.lab.experiments.matches import MatchWork, percent
from montego.lab.experiments.model import Figure, Panel, Row, numbers_left
from montego.lab.matches.entrants import parse_player
from montego.lab.matches.match import Match, first_color

FILE, PACK = "grown.book", "grown.games.gz"


@dataclass(frozen=True)
class GrowWork:
    """T32: a book that is grown, as a piece of an experiment."""

    folder: str
    way: Way
    player: str
    total: int
    size: int = 9
    komi: float = 7.5
    noun: str = "grown games"

    def missing(self) -> str:
        return ""

    def left(self, lines: Sequence[Line]) -> int:
        return numbers_left(self.total, (line["game"] for line in lines))

    def lines(self, folder: Path) -> list[Line]:
        if (folder / FILE).exists():
            with Book(folder / FILE) as book:
                return list(map(_line, grown(book)))
        if not (folder / PACK).exists():
            return []
        about, games = read_pack(folder / PACK)
        return [_line(game) for game in games if game.name.startswith(f"{about['id']}:")]

    def run(
        self,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        _unpack(folder)
        start = Start(self.size, self.komi)
        grow(
            self.way.plan(parse_player(self.player), start), folder / FILE, self.total, workers,
            lambda games: watch([_line(game) for game in games]), stopped,
        )  # fmt: skip
        with Book(folder / FILE) as book:
            pack(book, folder / PACK)


def _unpack(folder: Path) -> None:
    """Have the book where only its games are."""
    if (folder / PACK).exists() and not (folder / FILE).exists():
        unpack(folder / PACK, folder / FILE)


def _line(game: BookGame) -> Line:
    """A grown game as a line of a record."""
    commit, changed, _ = game.about.get("commit", "None").partition("+changes")
    number = int(game.name.rpartition(":")[2])
    return {
        "game": number,
        "learner": color_name(first_color(number)).lower(),
        "winner": None if game.winner is None else color_name(game.winner).lower(),
        "commit": commit,
        "dirty": bool(changed),
        "machine": game.about.get("machine"),
    }


@dataclass(frozen=True)
class BookMatchWork(MatchWork):
    """A match in which the first player has a book at a stage of its growth."""

    book: str = ""
    """The folder of the book, beside that of the match."""
    stage: int = 0
    """How many of its games."""

    def match_in(self, folder: Path) -> Match:
        """The match, once the book is there."""
        path = os.path.normpath(folder.parent / self.book / f"{self.stage}.book")
        return replace(self, first=f"{self.first},book={path}").match()

    def run(
        self,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        if not self._prepare(folder.parent / self.book):
            return  # the growth was interrupted
        self.play(self.match_in(folder), folder, workers, watch, stopped)

    def _prepare(self, folder: Path) -> bool:
        """Have the book as it was at this stage; False if it has not got so far."""
        stage = folder / f"{self.stage}.book"
        _unpack(folder)
        if not (folder / FILE).exists():
            return False
        with Book(folder / FILE) as book:
            if len(book) < self.stage:
                return False
            if not stage.exists():
                copy_first(book, stage, self.stage)
        return True


def color_row(
    key: str,
    label: str,
    panel: Panel,
    works: tuple[GrowWork | MatchWork, ...],
    color: str,
    x: float,
    paper: Figure | None = None,
) -> Row:
    """The first player's score with one colour, in the last of some works."""
    folder = works[-1].folder

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        return percent(score_of(lines[folder], color))

    return Row(key, label, panel, read, works, paper, x, f"as {color.capitalize()}")


def average_row(
    key: str, label: str, panel: Panel, work: GrowWork, end: int, window: int, color: str
) -> Row:
    """A colour's score in the last games of a growth up to one; against no book, the learner's."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        late = [line for line in lines[work.folder] if end - window < line["game"] <= end]
        if work.way.against == NOBODY:
            late = [line for line in late if line["learner"] == color]
        other = {"black": "white", "white": "black"}[color]
        winners = [line["winner"] for line in late]
        return percent(Score(*(winners.count(name) for name in (color, other, None))))

    return Row(key, label, panel, read, (work,), None, end, f"as {color.capitalize()}")
