"""``montego reproduce`` from its options to the table and the figure."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montego.lab import reproduce, tables
from montego.lab.errors import LabError
from montego.lab.experiments.matches import MatchWork
from montego.lab.experiments.model import Experiment, Row, Scale, Work
from montego.lab.figures import NoMatplotlibError, write_figure
from montego.lab.progress import Counter
from montego.lab.report import Watch


@dataclass(frozen=True)
class Asked:
    """The options."""

    experiment: str
    scale: str
    only: tuple[str, ...]
    games: int | None
    out: Path
    workers: int


@dataclass(frozen=True)
class Plan:
    """What follows from them."""

    experiment: Experiment
    scale: Scale
    rows: Sequence[Row]


def show_list(out: Path, as_json: bool) -> None:
    """All experiments and how far they are."""
    states = reproduce.states(out)
    if as_json:
        print(json.dumps(states, indent=2, ensure_ascii=False))
    else:
        tables.show_states(states)


def plan(asked: Asked) -> Plan:
    """Understand the options; raises LabError before anything is done."""
    experiment, scale = reproduce.find_experiment(asked.experiment), Scale(asked.scale)
    rows = reproduce.choose_rows(experiment, scale, asked.only, asked.games)
    try:
        (asked.out / experiment.name / scale).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"{error.filename}: {error.strerror}") from None
    return Plan(experiment, scale, rows)


def carry_out(plan: Plan, asked: Asked, as_json: bool, play: bool = True) -> bool:
    """Run, show and write; returns False if the user interrupted it."""
    complete = True
    if play:
        complete = reproduce.run(plan.rows, asked.out, asked.workers, _watch)
    report = reproduce.read(plan.experiment, plan.scale, plan.rows, asked.out)
    if as_json:
        print(json.dumps(reproduce.as_json(report), indent=2, ensure_ascii=False))
    else:
        tables.show(report)
    _write(plan, asked)
    return complete


def _watch(work: Work) -> Any:
    title = f"{work.folder}: "
    if isinstance(work, MatchWork):
        return Watch(work.total, work.sprt, title)
    return Counter(f"{title}{work.noun}", work.total)


def _write(plan: Plan, asked: Asked) -> None:
    """The files are always of all rows, whichever were run this time."""
    rows = reproduce.choose_rows(plan.experiment, plan.scale, (), asked.games)
    report = reproduce.read(plan.experiment, plan.scale, rows, asked.out)
    folder = asked.out / plan.experiment.name / plan.scale
    tables.write_tables(report, folder)
    try:
        write_figure(report, folder)
    except NoMatplotlibError as error:
        print(f"montego: no figure: {error}", file=sys.stderr)
