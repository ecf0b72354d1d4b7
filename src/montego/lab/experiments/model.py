"""What an experiment is: rows, each with the paper's figure and with the work that gives ours.

Data decides everything: an experiment is a list of rows for every scale, a row names the
works that it is read from, and a work is a folder of lines that can be resumed at any
time (a match, or measurements).  Tables and pictures follow from the rows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from montego.lab.base.journal import Line
from montego.lab.base.workers import Workers


class Scale(StrEnum):
    """How much is played: minutes, or what the paper did."""

    quick = "quick"
    full = "full"


class Figure(NamedTuple):
    """A number with its 95 % interval, and how many games or measurements it rests on."""

    value: float
    low: float | None = None
    high: float | None = None
    number: int | None = None


def plus_minus(value: float, half: float, number: int | None = None) -> Figure:
    """A paper's figure such as 61.7 ± 2.2."""
    return Figure(value, value - half, value + half, number)


class Work(Protocol):
    """Something to be done in pieces, which are lines in a folder of its own."""

    @property
    def folder(self) -> str:
        """Below the folder of all results."""

    @property
    def total(self) -> int:
        """How many pieces are asked for."""

    def left(self, lines: Sequence[Line]) -> int:
        """How many are still to be done after these; none where a test is decided already."""

    @property
    def noun(self) -> str:
        """What the pieces are: games, positions."""

    def missing(self) -> str:
        """What this machine lacks for it; empty if nothing."""

    def lines(self, folder: Path) -> list[Line]:
        """All pieces that are done; there may be more than are asked for."""

    def run(
        self,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Do what is missing; ``watch`` sees all lines so far."""


def numbers_left(total: int, done: Iterable[int]) -> int:
    """How many of the numbers 1 to ``total`` are not among those that are done."""
    return total - sum(number <= total for number in done)


Read = Callable[[Mapping[str, Sequence[Line]]], "Figure | None"]
"""From the lines of a row's works, by folder, to its figure; None before there is one."""


@dataclass(frozen=True)
class Panel:
    """One picture: what its rows have in common."""

    title: str
    unit: str = "%"
    digits: int = 1
    x: str = ""
    """The name of the horizontal axis; without one the rows are bars."""
    log_x: bool = False
    log_y: bool = False
    even: float | None = None
    """Where nobody is ahead: a thin line."""


@dataclass(frozen=True)
class Row:
    """One figure of a paper."""

    key: str
    label: str
    panel: Panel
    read: Read
    works: tuple[Work, ...] = ()
    paper: Figure | None = None
    x: float = 0.0
    """Its place in a picture of curves, and the curve."""
    curve: str = ""
    missing: str = ""
    """Why it cannot be done at all."""

    def obstacle(self) -> str:
        """Why it cannot be done here; empty if it can."""
        return self.missing or next(filter(None, (work.missing() for work in self.works)), "")


class Claim(NamedTuple):
    """A finding of the paper: the figure of one row is above that of another."""

    text: str
    above: str
    below: str


@dataclass(frozen=True)
class Experiment:
    """A paper's table or figure, or a question of our own."""

    name: str
    title: str
    source: str
    rows: Callable[[Scale], Sequence[Row]]
    claims: tuple[Claim, ...] = ()
    finding: str = ""
    """The paper's result where it is no number of a row."""
    notes: str = ""
    """Where our setting differs from the paper's."""
    missing: str = ""
    """Why there are no rows yet."""


def nothing(scale: Scale) -> Sequence[Row]:
    """The rows of an experiment whose methods are not there."""
    return ()
