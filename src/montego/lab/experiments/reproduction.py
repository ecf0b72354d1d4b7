"""``montego reproduce`` from its options to the table and the figure.

Only a run and ``--redraw`` write anything; to list and to show reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montego.lab.base.errors import LabError
from montego.lab.base.progress import Counter
from montego.lab.base.workers import Workers
from montego.lab.experiments import reproduce, tables
from montego.lab.experiments.figures import write_figure
from montego.lab.experiments.matches import MatchWork
from montego.lab.experiments.model import Experiment, Row, Scale, Work
from montego.lab.matches.report import Watch
from montego.planning.figures import NoMatplotlibError


@dataclass(frozen=True)
class Asked:
    """The options."""

    experiment: str
    scale: str
    only: tuple[str, ...]
    games: int | None
    out: Path


@dataclass(frozen=True)
class Chosen:
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


def show_rows(name: str, out: Path, as_json: bool) -> None:
    """The rows of one experiment at both scales."""
    experiment = reproduce.find_experiment(name)
    rows = [row for scale in Scale for row in reproduce.rows_of(experiment, scale, out)]
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        tables.show_rows(experiment, rows)


def prepare(asked: Asked) -> Chosen:
    """Understand the options; raises LabError before anything is done."""
    experiment, scale = reproduce.find_experiment(asked.experiment), Scale(asked.scale)
    rows = reproduce.choose_rows(experiment, scale, asked.only, asked.games)
    return Chosen(experiment, scale, rows)


def make_folder(chosen: Chosen, out: Path) -> Path:
    """The folder of an experiment; raises LabError before hours are spent."""
    folder = out / chosen.experiment.name / chosen.scale
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"{error.filename}: {error.strerror}") from None
    return folder


def run(chosen: Chosen, asked: Asked, workers: Workers) -> bool:
    """Do what is missing; returns False if the user interrupted it."""
    return reproduce.run(chosen.rows, asked.out, workers, _watch)


def show(chosen: Chosen, asked: Asked, as_json: bool) -> None:
    """Print what has been recorded."""
    report = reproduce.read(chosen.experiment, chosen.scale, chosen.rows, asked.out)
    if as_json:
        print(json.dumps(reproduce.as_json(report), indent=2, ensure_ascii=False))
    else:
        tables.show(report)


def _watch(work: Work) -> Any:
    title = f"{work.folder}: "
    if isinstance(work, MatchWork):
        return Watch(work.total, work.sprt, title)
    return Counter(f"{title}{work.noun}", work.total)


def write(chosen: Chosen, asked: Asked) -> None:
    """Write tables and figures, always of all rows, whichever were run this time."""
    rows = reproduce.choose_rows(chosen.experiment, chosen.scale, (), asked.games)
    report = reproduce.read(chosen.experiment, chosen.scale, rows, asked.out)
    folder = make_folder(chosen, asked.out)
    tables.write_tables(report, folder)
    try:
        write_figure(report, folder)
    except NoMatplotlibError as error:
        print(f"montego: no figure: {error}", file=sys.stderr)
