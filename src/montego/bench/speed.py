"""How fast the playouts and the searches are: ``montego bench``.

A cell is one kind of playout or one recipe on one size of board.  The cells take turns, a
short batch each, until the time is over; a busy minute of the machine thus touches all of
them.  Of every cell the best batch counts: noise only ever slows, so the fastest batch is
nearest to the truth.  All batches of a cell play the same games, from the same seed, so that luck
in their length cannot make one of them the fastest.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from montego.go import Position
from montego.mcts.found import Budget
from montego.mcts.playouts import KINDS, simulate
from montego.mcts.recipes import parse_recipe
from montego.mcts.search import LocalSearch

BATCH_SECONDS = 0.1
"""Long enough for the clock, short enough to fall between two interruptions."""
SEED = 1
SEARCH_SIMULATIONS = 20_000
SEARCH_MEMORY = 512  # megabytes
TITLES = {
    "playouts": "playouts per second, one core, empty board",
    "search": "simulations per second, one thread, empty board, the first 20,000",
}


@dataclass
class Cell:
    """One kind of playout on one size of board, and the best rate seen so far."""

    kind: str
    size: int
    batch: int = 1  # playouts in a batch
    best: float = 0.0  # playouts per second
    position: Position = field(init=False)
    section: ClassVar[str] = "playouts"

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


@dataclass
class SearchCell(Cell):
    """A recipe: simulations per second while a tree of 20,000 grows from nothing."""

    batch: int = SEARCH_SIMULATIONS
    section: ClassVar[str] = "search"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.search = LocalSearch(parse_recipe(self.kind), memory_mb=SEARCH_MEMORY, seed=SEED)

    def run(self) -> float:
        self.search.clear()
        found = self.search.run(self.position, Budget(simulations=self.batch))
        self.best = max(self.best, self.batch / found.seconds)
        return found.seconds

    def calibrate(self, seconds: float) -> None:
        """The size of the tree is given; how long it takes is what is asked."""


@dataclass(frozen=True)
class Report:
    """Rates by kind and size, and the time to compile or load the kernels."""

    cells: Sequence[Cell]
    compile_seconds: float

    @property
    def sizes(self) -> list[int]:
        return list(dict.fromkeys(cell.size for cell in self.cells))

    def rates(self, section: str) -> dict[str, dict[int, float]]:
        """Rates by kind and size, of the playouts or of the searches."""
        rates: dict[str, dict[int, float]] = {}
        for cell in self.cells:
            if cell.section == section:
                rates.setdefault(cell.kind, {})[cell.size] = cell.best
        return rates

    def as_json(self) -> dict[str, object]:
        """The figures in the shape that is promised to readers of the file."""
        sections: dict[str, object] = {
            section: {
                kind: {str(size): round(rate, 1) for size, rate in by_size.items()}
                for kind, by_size in self.rates(section).items()
            }
            for section in TITLES
        }
        return sections | {"compile_seconds": round(self.compile_seconds, 2)}


def measure(
    kinds: Sequence[str],
    recipes: Sequence[str],
    sizes: Sequence[int],
    seconds: float,
    compile_seconds: float,
) -> Report:
    """Measure every kind on every size for so many seconds all in all, at least once each."""
    cells: list[Cell] = [Cell(kind, size) for kind in kinds for size in sizes]
    cells += [SearchCell(recipe, size) for recipe in recipes for size in sizes]
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
    """Print the figures as tables."""
    console = Console()
    for section, title in TITLES.items():
        rates = report.rates(section)
        if not rates:
            continue
        table = Table()
        table.add_column("kind" if section == "playouts" else "recipe")
        for size in report.sizes:
            table.add_column(f"{size}×{size}", justify="right")
        for kind, by_size in rates.items():
            table.add_row(kind, *(f"{rate:,.0f}" for rate in by_size.values()))
        console.print(title)
        console.print(table)
    console.print(f"compiling or loading the kernels: {report.compile_seconds:.1f} s")


def write(report: Report, target: str) -> None:
    """Write the figures as JSON into a file; ``-`` is the standard output."""
    text = json.dumps(report.as_json(), indent=2) + "\n"
    if target == "-":
        sys.stdout.write(text)
    else:
        Path(target).write_text(text, encoding="utf-8")
