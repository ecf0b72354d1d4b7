"""Figures with matplotlib, which is imported only when one is drawn."""

from __future__ import annotations

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
    axes = list(picture.subplots(rows, columns, squeeze=False).flat)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
    return picture, axes


def save(picture: Any, path: Path) -> None:
    """Write a file in the format of its suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
