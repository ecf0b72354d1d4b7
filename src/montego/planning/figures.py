"""Figures with matplotlib, which is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from montego.planning.errors import PlanningError

INCHES = (7.0, 3.6)


class NoMatplotlibError(PlanningError):
    """Matplotlib is not installed."""

    exit_code = 1


def canvas(
    columns: int = 1, inches: tuple[float, float] = INCHES, rows: int = 1
) -> tuple[Any, list[Any]]:
    """A figure with a grid of axes."""
    picture = blank(inches)
    return picture, plain(picture.subplots(rows, columns, squeeze=False).flat)


def stacked(heights: Sequence[float]) -> tuple[Any, list[Any]]:
    """A figure with axes of these heights, in inches, below each other."""
    picture = blank((INCHES[0], sum(heights)))
    axes = picture.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
    return picture, plain(axes.flat)


def blank(inches: tuple[float, float]) -> Any:
    """A figure without axes."""
    try:
        import matplotlib as mpl
    except ImportError:
        message = "pictures need matplotlib: pip install 'montego[lab]'"
        raise NoMatplotlibError(message) from None
    mpl.rcParams["svg.hashsalt"] = "montego"  # equal figures make equal files
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    picture = Figure(figsize=inches, layout="constrained")
    FigureCanvasAgg(picture)
    return picture


def plain(axes: Iterable[Any]) -> list[Any]:
    """The axes, without a frame at the top and at the right."""
    listed = list(axes)
    for axis in listed:
        axis.spines[["top", "right"]].set_visible(False)
    return listed


def save(picture: Any, path: Path) -> None:
    """Write a file in the format of its suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
