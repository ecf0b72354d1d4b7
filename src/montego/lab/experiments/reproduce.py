"""``montego reproduce``: a paper's experiment again, our figures beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from montego.lab import experiments
from montego.lab.base.errors import LabError
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.journal import Line
from montego.lab.base.provenance import provenance
from montego.lab.base.workers import Workers
from montego.lab.experiments.matches import MatchWork
from montego.lab.experiments.model import Claim, Experiment, Figure, Row, Scale, Work
from montego.lab.matches.report import commits_of


@dataclass(frozen=True)
class Result:
    """A row with our figure, as far as there is one."""

    row: Row
    ours: Figure | None
    done: int
    total: int
    commits: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()

    @property
    def obstacle(self) -> str:
        """Why it cannot be finished here; empty if it is, or can be."""
        return self.row.missing or ("" if self.done >= self.total else self.row.obstacle())

    @property
    def state(self) -> str:
        """How far it is, in a few words."""
        begun = f"{self.done} of {self.total}" if self.done else ""
        if self.obstacle:
            return "; ".join(filter(None, (begun, self.obstacle)))
        return "done" if self.done >= self.total else begun or "not begun"


@dataclass(frozen=True)
class Report:
    """An experiment at one scale, as far as it has been done."""

    experiment: Experiment
    scale: Scale
    results: tuple[Result, ...]

    def find(self, key: str) -> Result | None:
        return next((result for result in self.results if result.row.key == key), None)

    def verdicts(self) -> Iterator[tuple[Claim, str]]:
        """What our figures say to the paper's findings."""
        for claim in self.experiment.claims:
            above, below = self.find(claim.above), self.find(claim.below)
            if above and below and above.ours and below.ours:
                yield claim, compare(above.ours, below.ours)


def compare(above: Figure, below: Figure) -> str:
    """Whether one figure is above another, and whether their intervals leave a doubt."""
    holds = above.value > below.value
    higher, lower = (above, below) if holds else (below, above)
    clear = (
        higher.low is not None and lower.high is not None and higher.low > lower.high
    )  # cautious: intervals may overlap a little and the difference still be sure
    return ("holds" if holds else "does not hold") + ("" if clear else ", not sure")


# --- choosing --------------------------------------------------------------------------


def find_experiment(name: str) -> Experiment:
    """By its name; raises LabError."""
    try:
        return experiments.find(name)
    except KeyError:
        told = f"{name!r} is not an experiment; montego reproduce --list shows all of them"
        raise LabError(told) from None


def choose_rows(
    experiment: Experiment, scale: Scale, only: Sequence[str], games: int | None
) -> list[Row]:
    """The rows that are wanted, with another number of games if one is given."""
    if experiment.missing:
        raise LabError(f"{experiment.name} cannot be run: {experiment.missing}")
    rows = list(experiment.rows(scale))
    for pattern in only:
        if not any(fnmatch(row.key, pattern) for row in rows):
            known = ", ".join(row.key for row in rows)
            raise LabError(f"{experiment.name} has no row {pattern!r}: {known}")
    chosen = [row for row in rows if not only or any(fnmatch(row.key, p) for p in only)]
    return [with_games(row, games) for row in chosen] if games else chosen


def with_games(row: Row, games: int) -> Row:
    """The same row with so many games in each of its matches."""
    works = tuple(
        replace(work, total=games) if isinstance(work, MatchWork) else work for work in row.works
    )
    return replace(row, works=works)


def works_of(rows: Sequence[Row]) -> list[Work]:
    """What there is to do, each once."""
    return list({work.folder: work for row in rows for work in row.works}.values())


# --- running ---------------------------------------------------------------------------

Show = Callable[[Work], Any]
"""Makes what watches a work: a context that is called with its lines."""


def run(rows: Sequence[Row], out: Path, workers: Workers, show: Show) -> bool:
    """Do what is missing; returns False if the user interrupted it."""
    possible = [row for row in rows if not row.obstacle()]
    with interrupts_noted() as interrupted:
        for work in works_of(possible):
            folder = out / work.folder
            lines = work.lines(folder)
            if work.left(lines) and not interrupted:
                with show(work) as watch:
                    work.run(folder, workers, watch, lambda: bool(interrupted))
    return not interrupted


def read(experiment: Experiment, scale: Scale, rows: Sequence[Row], out: Path) -> Report:
    """Our figures from what has been recorded."""
    lines = _lines(rows, out)
    return Report(experiment, scale, tuple(_result(row, lines) for row in rows))


Lines = Mapping[str, list[Line]]
"""What has been recorded, by the folder of the work."""


def _lines(rows: Sequence[Row], out: Path) -> Lines:
    return {work.folder: work.lines(out / work.folder) for work in works_of(rows)}


def _without_figure(row: Row, lines: Lines) -> Result:
    """How far a row is, and nothing that takes time to compute."""
    done = sum(len(lines[work.folder]) for work in row.works)
    left = sum(work.left(lines[work.folder]) for work in row.works)
    return Result(row, None, done, done + left)


def _result(row: Row, lines: Lines) -> Result:
    own = {work.folder: lines[work.folder] for work in row.works}
    ours = None if row.missing else _figure(row, own)
    behind = [line for found in own.values() for line in found]
    if ours and not row.works:  # computed, here and now
        behind = [dict(provenance())]
    machines = sorted({str(line.get("machine")) for line in behind}) if row.works else []
    return replace(
        _without_figure(row, lines),
        ours=ours,
        commits=tuple(commits_of(behind)),
        machines=tuple(machines),
    )


def _figure(row: Row, own: Lines) -> Figure | None:
    try:
        return row.read(own)
    except (LookupError, TypeError) as error:
        if not row.works:
            raise
        raise LabError(f"{', '.join(own)}: a damaged line, without {error}") from None


# --- as data ---------------------------------------------------------------------------


def as_json(report: Report) -> dict[str, Any]:
    """The figures in the shape that is promised to programs."""
    return {
        "experiment": report.experiment.name,
        "title": report.experiment.title,
        "source": report.experiment.source,
        "scale": report.scale.value,
        "rows": [
            {
                "row": result.row.key,
                "label": result.row.label,
                "unit": result.row.panel.unit,
                "paper": _figure_json(result.row.paper),
                "ours": _figure_json(result.ours),
                "state": result.state,
                "commits": list(result.commits),
                "machines": list(result.machines),
            }
            for result in report.results
        ],
        "claims": [{"claim": claim.text, "verdict": told} for claim, told in report.verdicts()],
    }


def _figure_json(figure: Figure | None) -> dict[str, float | None] | None:
    if figure is None:
        return None
    rounded = [
        None if number is None or abs(number) == float("inf") else round(number, 4)
        for number in figure[:3]
    ]
    return dict(zip(("value", "low", "high"), rounded, strict=True)) | {"number": figure.number}


def states(out: Path) -> list[dict[str, Any]]:
    """All experiments and how far each scale is."""
    found = []
    for name in experiments.NAMES:
        experiment = experiments.find(name)
        found.append(
            {
                "experiment": name,
                "title": experiment.title,
                "source": experiment.source,
                "missing": experiment.missing,
                **{scale.value: state_of(experiment, scale, out) for scale in Scale},
            }
        )
    return found


def state_of(experiment: Experiment, scale: Scale, out: Path) -> dict[str, Any] | None:
    """Pieces of work done and in all, leaving out what cannot be done here."""
    if experiment.missing:
        return None
    rows = list(experiment.rows(scale))
    lines = _lines(rows, out)
    possible = [row for row in rows if not _without_figure(row, lines).obstacle]
    works = works_of(possible)
    done = sum(len(lines[work.folder]) for work in works)
    return {
        "done": done,
        "total": done + sum(work.left(lines[work.folder]) for work in works),
        "noun": _noun(works),
        "rows": len(rows),
        "rows_impossible": len(rows) - len(possible),
    }


def rows_of(experiment: Experiment, scale: Scale, out: Path) -> list[dict[str, Any]]:
    """The rows of one experiment, by the names that ``--only`` takes, and how far each is."""
    rows = choose_rows(experiment, scale, (), None)
    lines = _lines(rows, out)
    found = [_without_figure(row, lines) for row in rows]
    return [
        {
            "scale": scale.value,
            "row": result.row.key,
            "label": result.row.label,
            "done": result.done,
            "total": result.total,
            "noun": _noun(result.row.works),
            "state": result.state,
        }
        for result in found
    ]


def _noun(works: Sequence[Work]) -> str:
    nouns = {work.noun for work in works}
    return nouns.pop() if len(nouns) == 1 else "pieces"
