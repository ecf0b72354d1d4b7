"""Rows that are measurements: numbered tasks whose answers are lines of a journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from montego.lab.base.journal import Journal, Line
from montego.lab.base.provenance import provenance
from montego.lab.base.statistics import mean_interval
from montego.lab.base.workers import Workers, work_through
from montego.lab.experiments.model import Figure, Panel, Row, numbers_left
from montego.mcts.ready import warm_up


class Measurements(Journal):
    """The folder of measurements."""

    KIND, LINES, KEY = "measurement", "measurements.jsonl", "number"

    @classmethod
    def kind_of(cls, head: Line) -> str:
        return str(head.get("kind", cls.KIND))  # those of an earlier version do not say it


class Measure(Protocol):
    """What is measured; has to be picklable, and its text has to say all that decides it."""

    def __call__(self, number: int) -> Mapping[str, Any]:
        """The figures of one task, 1 the first."""


@dataclass(frozen=True)
class MeasureWork:
    """Tasks 1 to ``total`` of a measure."""

    folder: str
    measure: Measure
    total: int
    noun: str = "measurements"
    alone: bool = False
    """Speed is measured by one process at a time."""

    def missing(self) -> str:
        return ""

    def left(self, lines: Sequence[Line]) -> int:
        return numbers_left(self.total, (line["number"] for line in lines))

    def lines(self, folder: Path) -> list[Line]:
        return sorted(Measurements.read(folder), key=lambda line: int(line["number"]))

    def run(
        self,
        folder: Path,
        workers: Workers,
        watch: Callable[[Sequence[Line]], None],
        stopped: Callable[[], bool],
    ) -> None:
        with Measurements(folder, {"measure": str(self.measure)}) as journal:
            watch(journal.lines)
            tasks, at_a_time = journal.missing(self.total), 1 if self.alone else workers
            factory = partial(MeasureWorker, self.measure)
            for number, answer in work_through(factory, tasks, at_a_time, stopped):
                finished = datetime.now(UTC).isoformat(timespec="seconds")
                line = {"number": number, **answer, "finished": finished, **provenance()}
                journal.append(line)
                watch(journal.lines)


class MeasureWorker:
    """What a worker process does."""

    def __init__(self, measure: Measure) -> None:
        warm_up()
        self.measure = measure

    def __call__(self, number: int) -> Mapping[str, Any]:
        return self.measure(number)

    def close(self) -> None:
        """Nothing to end."""


def mean_figure(values: Sequence[float]) -> Figure | None:
    """A mean with Student's interval."""
    if not values:
        return None
    low, high = mean_interval(values)
    return Figure(sum(values) / len(values), low, high, len(values))


# --- several things in turn ------------------------------------------------------------


@dataclass(frozen=True)
class Turns:
    """Several measures that take turns, so that a busy minute touches all of them."""

    measures: Mapping[str, Callable[[], Mapping[str, Any]]]

    def __call__(self, number: int) -> Mapping[str, Any]:
        names = list(self.measures)
        name = names[(number - 1) % len(names)]
        return {"name": name, **self.measures[name]()}


def turns_work(
    folder: str, measures: Mapping[str, Callable[[], Mapping[str, Any]]], repeats: int
) -> MeasureWork:
    """Each of some measures ``repeats`` times."""
    return MeasureWork(folder, Turns(measures), repeats * len(measures), alone=True)


def turns_row(
    key: str,
    label: str,
    panel: Panel,
    work: MeasureWork,
    value: Callable[[Mapping[str, Line]], float | None],
    paper: Figure | None = None,
    x: float = 0.0,
    curve: str = "",
) -> Row:
    """The mean over all rounds of a value, computed from the lines of one round by name."""

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        values = (value(one) for one in _rounds(work, lines[work.folder]))
        return mean_figure([number for number in values if number is not None])

    return Row(key, label, panel, read, (work,), paper, x, curve)


def _rounds(work: MeasureWork, lines: Sequence[Line]) -> list[dict[str, Line]]:
    """The lines of every complete round by name."""
    assert isinstance(work.measure, Turns)
    width = len(work.measure.measures)
    rounds: dict[int, dict[str, Line]] = {}
    for line in lines:
        rounds.setdefault((line["number"] - 1) // width, {})[line["name"]] = line
    return [one for one in rounds.values() if len(one) == width]
