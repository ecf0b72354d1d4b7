"""An experiment's rows as a table: in the terminal, as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from montego.lab.experiments.model import Figure, Panel
from montego.lab.record import write_whole
from montego.lab.reproduce import Report, Result

HEADINGS = ("row", "paper", "ours", "95 %", "number", "commit", "state")
SHORT = 8
"""Letters of a commit."""


def cells(result: Result) -> tuple[str, ...]:
    """What stands in a row."""
    panel, ours = result.row.panel, result.ours
    return (
        result.row.label,
        _with_interval(result.row.paper, panel),
        _number(ours.value, panel) if ours else "–",
        _interval(ours, panel) if ours else "",
        str(ours.number) if ours and ours.number is not None else "",
        ", ".join(short_commit(commit) for commit in result.commits),
        result.state,
    )


def _number(value: float | None, panel: Panel) -> str:
    return "–" if value is None or math.isinf(value) else f"{value:,.{panel.digits}f}"


def _interval(figure: Figure, panel: Panel) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{_number(figure.low, panel)} to {_number(figure.high, panel)}"


def _with_interval(figure: Figure | None, panel: Panel) -> str:
    if figure is None:
        return "–"
    interval = _interval(figure, panel)
    return _number(figure.value, panel) + (f" ({interval})" if interval else "")


def short_commit(commit: str) -> str:
    """The first letters, and a plus where the sources had changes."""
    name, plus, _ = commit.partition("+")
    return name[:SHORT] + plus


def panels(report: Report) -> Iterator[tuple[Panel, list[Result]]]:
    """The results of every picture."""
    by_panel = sorted(report.results, key=lambda result: _place(report, result))
    for panel, results in groupby(by_panel, key=lambda result: result.row.panel):
        yield panel, list(results)


def _place(report: Report, result: Result) -> int:
    """Where the picture of a result comes first."""
    order = list(dict.fromkeys(one.row.panel for one in report.results))
    return order.index(result.row.panel)


# --- for people ------------------------------------------------------------------------


def show(report: Report) -> None:
    """Print the table and what it says to the paper's findings."""
    console, experiment = Console(highlight=False, markup=False), report.experiment
    console.print(
        f"{experiment.name} {experiment.title} ({experiment.source}), {report.scale} scale"
    )
    for panel, results in panels(report):
        table = Table(title=_title(panel), title_justify="left")
        for heading in HEADINGS:
            justify = "right" if heading in ("paper", "ours", "95 %", "number") else "left"
            table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
        for result in results:
            state = "impossible" if result.row.obstacle() else result.state
            table.add_row(*cells(result)[:-1], state)
        console.print(table)
        for result in results:
            if result.row.obstacle():
                console.print(f"{result.row.label}: {result.row.obstacle()}")
    for claim, verdict in report.verdicts():
        console.print(f"{claim.text}: {verdict}")
    for text in filter(None, (experiment.finding, experiment.notes, *_marks(report))):
        console.print(text)


def _marks(report: Report) -> list[str]:
    """What the marks in the table mean, and where it was measured."""
    told = []
    if any("+" in commit for result in report.results for commit in result.commits):
        told += ["+ behind a commit: the sources differed from it."]
    machines = sorted({machine for result in report.results for machine in result.machines})
    if len(machines) == 1:
        told += [f"Machine: {machines[0]}."]
    elif machines:
        told += [f"Machines: {'; '.join(machines)}. table.csv tells which row is from which."]
    return told


def _title(panel: Panel) -> str:
    return f"{panel.title}, {panel.unit}" if panel.unit else panel.title


def show_states(states: Sequence[dict[str, Any]]) -> None:
    """Print all experiments and how far they are."""
    table = Table()
    for heading in ("", "experiment", "quick", "full"):
        table.add_column(heading, overflow="fold")
    for state in states:
        scales = [_state_text(state[scale]) for scale in ("quick", "full")]
        scales = [state["missing"], ""] if state["missing"] else scales
        table.add_row(state["experiment"], state["title"], *scales)
    Console(highlight=False, markup=False).print(table)


def _state_text(state: dict[str, Any] | None) -> str:
    if state is None:
        return ""
    done, total = state["done"], state["total"]
    told = f"{done} of {total} {state['noun']}" if done else "not begun"
    impossible = state["rows_impossible"]
    return ("done" if done >= total else told) + (
        f"; impossible here: {impossible} of {state['rows']} rows" if impossible else ""
    )


# --- files -----------------------------------------------------------------------------


def write_tables(report: Report, folder: Path) -> None:
    """Write table.csv and table.md."""
    write_whole(folder / "table.csv", as_csv(report))
    write_whole(folder / "table.md", as_markdown(report))


def as_csv(report: Report) -> str:
    """A line for every row, with full numbers."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    figures = ("value", "low", "high", "number")
    writer.writerow(
        ["experiment", "scale", "row", "label", "unit"]
        + [f"{whose}_{name}" for whose in ("paper", "ours") for name in figures]
        + ["state", "commits", "machines"]
    )
    for result in report.results:
        row = result.row
        writer.writerow(
            [report.experiment.name, report.scale.value, row.key, row.label, row.panel.unit]
            + [number for figure in (row.paper, result.ours) for number in figure or [None] * 4]
            + [result.state, " ".join(result.commits), "; ".join(result.machines)]
        )
    return text.getvalue()


def as_markdown(report: Report) -> str:
    """A page."""
    experiment = report.experiment
    parts = [
        f"# {experiment.name}: {experiment.title}",
        f"{experiment.source}; {report.scale} scale. Intervals are of 95 %.",
    ]
    for panel, results in panels(report):
        lines = [_markdown_row(HEADINGS), "|---|" + "---:|" * 4 + "---|---|"]
        lines += [_markdown_row(cells(result)) for result in results]
        parts += [f"## {_title(panel)}", "\n".join(lines)]
    claims = [f"- {claim.text}: {verdict}" for claim, verdict in report.verdicts()]
    parts += ["\n".join(claims), experiment.finding, experiment.notes, *_marks(report)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _markdown_row(words: Sequence[str]) -> str:
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"
