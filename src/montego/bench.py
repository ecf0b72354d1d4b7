"""How fast the playouts are: ``montego bench``.

A cell is one kind of playout on one size of board.  The cells take turns, a short batch
each, until the time is over; a busy minute of the machine thus touches all of them.  Of
every cell the best batch counts: noise only ever slows, so the fastest batch is nearest
to the truth.  All batches of a cell play the same games, from the same seed, so that luck
in their length cannot make one of them the fastest.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from montego.go import Position
from montego.mcts.playouts import KINDS, simulate

BATCH_SECONDS = 0.1
"""Long enough for the clock, short enough to fall between two interruptions."""
SEED = 1


@dataclass
class Cell:
    """One kind of playout on one size of board, and the best rate seen so far."""

    kind: str
    size: int
    batch: int = 1  # playouts in a batch
    best: float = 0.0  # playouts per second
    position: Position = field(init=False)

    def __post_init__(self) -> None:
        self.position = Position.start(size=self.size)

    def run(self) -> float:
        """Play one batch; returns the seconds it took."""
        begin = time.perf_counter()
        simulate(self.position, KINDS[self.kind], self.batch, seed=SEED)
        elapsed = time.perf_counter() - begin
        self.best = max(self.best, self.batch / elapsed)
        return elapsed

    def calibrate(self, seconds: float) -> None:
        """Find how many playouts fill a batch of this duration."""
        # The shorter of two: one interruption must not make the batches too small for good.
        while (elapsed := min(self.run(), self.run())) < seconds / 2:
            self.batch *= min(16, max(2, int(seconds / elapsed)))
        # Small batches measure the overhead of the call, large ones what is asked here.
        self.best = 0.0


@dataclass(frozen=True)
class Report:
    """Playouts per second by kind and size, and the time to compile or load the kernels."""

    cells: Sequence[Cell]
    compile_seconds: float

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(cell.kind for cell in self.cells))

    @property
    def sizes(self) -> list[int]:
        return list(dict.fromkeys(cell.size for cell in self.cells))

    def rate(self, kind: str, size: int) -> float:
        return next(cell.best for cell in self.cells if (cell.kind, cell.size) == (kind, size))

    def as_json(self) -> dict[str, object]:
        """The figures in the shape that is promised to readers of the file."""
        playouts = {
            kind: {str(size): round(self.rate(kind, size), 1) for size in self.sizes}
            for kind in self.kinds
        }
        return {"playouts": playouts, "compile_seconds": round(self.compile_seconds, 2)}


def measure(
    kinds: Sequence[str], sizes: Sequence[int], seconds: float, compile_seconds: float
) -> Report:
    """Measure every kind on every size for so many seconds all in all, at least once each."""
    cells = [Cell(kind, size) for kind in kinds for size in sizes]
    begin = time.perf_counter()
    batch_seconds = min(BATCH_SECONDS, seconds / (3 * len(cells)))
    with _progress() as progress:
        task = progress.add_task("measuring", total=seconds)
        for cell in cells:
            cell.calibrate(batch_seconds)
            progress.update(task, completed=time.perf_counter() - begin)
        elapsed = 0.0
        while elapsed < seconds:
            for cell in cells:
                cell.run()
                elapsed = time.perf_counter() - begin
                progress.update(task, completed=elapsed, description=f"{cell.kind} {cell.size}")
    return Report(cells, compile_seconds)


def _progress() -> Progress:
    """A bar on the standard error, gone when it is done; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<20}"), BarColumn(), TimeRemainingColumn())
    # Few refreshes: drawing the bar takes the processor away from what is measured.
    return Progress(
        *columns,
        console=console,
        transient=True,
        refresh_per_second=4,
        disable=not console.is_terminal,
    )


def show(report: Report) -> None:
    """Print the figures as a table."""
    table = Table()
    table.add_column("kind")
    for size in report.sizes:
        table.add_column(f"{size}×{size}", justify="right")
    for kind in report.kinds:
        table.add_row(kind, *(f"{report.rate(kind, size):,.0f}" for size in report.sizes))
    console = Console()
    console.print("playouts per second, one core, empty board")
    console.print(table)
    console.print(f"compiling or loading the kernels: {report.compile_seconds:.1f} s")


def write(report: Report, target: str) -> None:
    """Write the figures as JSON into a file; ``-`` is the standard output."""
    text = json.dumps(report.as_json(), indent=2) + "\n"
    if target == "-":
        sys.stdout.write(text)
    else:
        Path(target).write_text(text, encoding="utf-8")
