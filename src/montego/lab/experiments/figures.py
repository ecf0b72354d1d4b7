"""The figures of experiments: ours beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.lab.experiments.model import Figure, Panel
from montego.lab.experiments.reproduce import Report, Result
from montego.lab.experiments.tables import panels
from montego.planning.figures import save, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS, PAPER, GRAY = "#1f5fa8", "#c8641e", "#888888"
FEW = 8
INCHES = 3.4
INCHES_A_ROW = 0.3


def write_figure(report: Report, folder: Path) -> None:
    """Draw every picture of an experiment into figure.svg."""
    drawn = [
        (panel, results)
        for panel, results in panels(report)
        if any(result.ours for result in results)
    ]
    if not drawn:
        return
    picture, axes = stacked([_height(panel, results) for panel, results in drawn])
    for axis, (panel, results) in zip(axes, drawn, strict=True):
        (_draw_curves if panel.x else _draw_points)(axis, panel, results)
    picture.suptitle(f"{report.experiment.name}: {report.experiment.title}", x=0.01, ha="left")
    save(picture, folder / "figure.svg")


def _height(panel: Panel, results: Sequence[Result]) -> float:
    """Enough for the names of all rows."""
    return INCHES if panel.x else max(1.6, 1.0 + INCHES_A_ROW * len(results))


def _draw_points(axis: Axes, panel: Panel, results: Sequence[Result]) -> None:
    """Our figure and the paper's for every row, with their intervals."""
    for place, result in enumerate(results):
        if result.row.paper:
            _point(axis, result.row.paper, place - 0.12, PAPER, "D", "paper")
        if result.ours:
            _point(axis, result.ours, place + 0.12, OURS, "o", "ours")
    axis.set_yticks(range(len(results)), [result.row.label for result in results], fontsize=8)
    axis.set_ylim(len(results) - 0.5, -0.5)
    if panel.even is not None:
        axis.axvline(panel.even, color=GRAY, linewidth=0.8)
    axis.set_xlabel(panel.unit)
    _title(axis, panel.title)
    _legend(axis)


def _point(axis: Axes, figure: Figure, place: float, color: str, marker: str, name: str) -> None:
    low, high = _bounds(figure)
    axis.errorbar(
        figure.value, place, xerr=[[figure.value - low], [high - figure.value]],
        fmt=marker, color=color, markersize=5, capsize=3, label=name,
    )  # fmt: skip


def _draw_curves(axis: Axes, panel: Panel, results: Sequence[Result]) -> None:
    """A curve of ours for every name, with the band of its intervals; the paper's is dashed."""
    for name in dict.fromkeys(result.row.curve for result in results):
        rows = [result for result in results if result.row.curve == name]
        ours = [(result.row.x, result.ours) for result in rows if result.ours]
        paper = [(result.row.x, result.row.paper) for result in rows if result.row.paper]
        color = _curve(axis, ours, "o-", name) if ours else None
        if len(paper) > 1:
            _curve(axis, paper, "D--", f"{name}, paper", color)
    if panel.log_x:
        axis.set_xscale("log")
        _name_places(axis, sorted({result.row.x for result in results}))
    if panel.log_y:
        axis.set_yscale("log")
    if panel.even is not None:
        axis.axhline(panel.even, color=GRAY, linewidth=0.8)
    axis.set_xlabel(panel.x)
    axis.set_ylabel(panel.unit)
    _title(axis, panel.title)
    _legend(axis)


def _name_places(axis: Axes, places: Sequence[float]) -> None:
    """Few places have their numbers: 1, 2, 4 and not powers of ten."""
    if len(places) <= FEW:
        axis.set_xticks(places, [f"{place:,g}" for place in places])
        axis.minorticks_off()


def _curve(
    axis: Axes,
    points: Sequence[tuple[float, Figure]],
    style: str,
    name: str,
    color: Any = None,
) -> Any:
    """Draw a curve with its band; returns its colour."""
    x, figures = [x for x, _ in points], [figure for _, figure in points]
    values = [figure.value for figure in figures]
    (line,) = axis.plot(x, values, style, markersize=4, label=name, color=color)
    bounds = [_bounds(figure) for figure in figures]
    axis.fill_between(
        x, [low for low, _ in bounds], [high for _, high in bounds],
        color=line.get_color(), alpha=0.1 if color else 0.2,
    )  # fmt: skip
    return line.get_color()


def _title(axis: Axes, text: str) -> None:
    """A title that begins at the edge of the picture: over the axes alone a long one is cut off."""
    from matplotlib.transforms import blended_transform_factory

    axis.set_title(" ", fontsize=10)  # its room
    across = blended_transform_factory(axis.figure.transFigure, axis.transAxes)
    title = axis.text(0.01, 1.03, text, transform=across, fontsize=10, va="bottom")
    title.set_in_layout(False)


def _bounds(figure: Figure) -> tuple[float, float]:
    low, high = figure.low, figure.high
    known = low is not None and high is not None and math.isfinite(low) and math.isfinite(high)
    return (low, high) if known else (figure.value, figure.value)  # type: ignore[return-value]


def _legend(axis: Axes) -> None:
    """Every name once."""
    handles, names = axis.get_legend_handles_labels()
    unique = dict(zip(names, handles, strict=True))
    if len(unique) > 1 or "ours" not in unique:
        axis.legend(unique.values(), unique.keys(), fontsize=8, frameon=False)
