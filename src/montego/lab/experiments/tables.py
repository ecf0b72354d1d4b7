"""An experiment's rows as a table: in the terminal, as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.table import Table

from montego.lab.base.console import plain_console
from montego.lab.base.journal import write_whole
from montego.lab.experiments.model import Experiment, Figure, Panel
from montego.lab.experiments.reproduce import Report, Result

NUMBERS = ("paper", "ours", "95 %", "number")
"""The headings of columns that stand on the right."""
SHORT = 8
"""Letters of a commit."""


def cells(result: Result) -> dict[str, str]:
    """What stands in a row, by heading."""
    panel, ours = result.row.panel, result.ours
    return {
        "row": result.row.key,
        "label": result.row.label,
        "paper": _with_interval(result.row.paper, panel),
        "ours": _number(ours.value, panel) if ours else "–",
        "95 %": _interval(ours, panel) if ours else "",
        "number": str(ours.number) if ours and ours.number is not None else "",
        "commit": ", ".join(short_commit(commit) for commit in result.commits),
        "state": result.state,
    }


def grid(results: Sequence[Result], *without: str) -> list[dict[str, str]]:
    """The rows of a table; a question of our own has no column for the paper."""
    left_out = set(without) if any(result.row.paper for result in results) else {*without, "paper"}
    return [
        {heading: text for heading, text in cells(result).items() if heading not in left_out}
        for result in results
    ]


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
    console, experiment = plain_console(), report.experiment
    console.print(
        f"{experiment.name} {experiment.title} ({experiment.source}), {report.scale} scale; "
        "in brackets: intervals of 95 %"
    )
    for panel, results in panels(report):
        console.print(_terminal_table(panel, results))
        for result in results:
            if result.obstacle:
                console.print(f"{result.row.key}: {result.state}")
    for claim, verdict in report.verdicts():
        console.print(f"{claim.text}: {verdict}")
    commits = sorted({short_commit(one) for result in report.results for one in result.commits})
    made = f"Commits: {', '.join(commits)}." if commits else ""
    for text in filter(None, (experiment.finding, experiment.notes, made, *_marks(report))):
        console.print(text)


def _terminal_table(panel: Panel, results: Sequence[Result]) -> Table:
    """Narrow: commits stand below it, and so does what makes a row impossible."""
    table = Table(title=_title(panel), title_justify="left")
    rows = grid(results, "95 %", "commit")
    for heading in rows[0]:
        table.add_column(
            heading,
            justify="right" if heading in NUMBERS else "left",
            no_wrap=heading == "row",
            overflow="fold",
        )
    for row, result in zip(rows, results, strict=True):
        row["ours"] = _with_interval(result.ours, panel)
        row["state"] = "impossible" if result.obstacle else result.state
        table.add_row(*row.values())
    return table


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
    plain_console().print(table)


def show_rows(experiment: Experiment, rows: Sequence[dict[str, Any]]) -> None:
    """Print the rows of an experiment by the names that ``--only`` takes."""
    console = plain_console()
    console.print(f"{experiment.name} {experiment.title} ({experiment.source})")
    for scale, found in groupby(rows, key=lambda row: str(row["scale"])):
        table = Table(title=f"{scale} scale", title_justify="left")
        for heading in ("row", "label", "state"):
            table.add_column(heading, overflow="fold")
        for row in found:
            done = f"done, {row['done']} {row['noun']}" if row["done"] else "done"
            table.add_row(
                row["row"], row["label"], done if row["state"] == "done" else row["state"]
            )
        console.print(table)


def _state_text(state: dict[str, Any] | None) -> str:
    if state is None:
        return ""
    done, total, impossible = state["done"], state["total"], state["rows_impossible"]
    if impossible == state["rows"]:
        return "impossible here"
    told = f"{done} of {total} {state['noun']}" if done else "not begun"
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
        f"{_sentence(experiment.source)}; {report.scale} scale. Intervals are of 95 %.",
    ]
    for panel, results in panels(report):
        rows = grid(results)
        lines = [_markdown_row(list(rows[0]))]
        lines += ["|" + "".join("---:|" if name in NUMBERS else "---|" for name in rows[0])]
        lines += [_markdown_row([f"`{row.pop('row')}`", *row.values()]) for row in rows]
        parts += [f"## {_title(panel)}", "\n".join(lines)]
    claims = [f"- {claim.text}: {verdict}" for claim, verdict in report.verdicts()]
    parts += ["\n".join(claims), experiment.finding, experiment.notes, *_marks(report)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _markdown_row(words: Sequence[str]) -> str:
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"
