"""``montego optimise``: TAG on a graph and an objective of the user's own."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montego.cli.common import (
    INTERRUPTED,
    QUIET_SECONDS,
    Json,
    Seed,
    Workers,
    told_to_the_user,
)
from montego.cli.typed import check_writable

if TYPE_CHECKING:
    from montego.planning import Progress, Study

DEFAULT_SECONDS = 60.0

app = typer.Typer()


@app.command()
def optimise(
    graph: Annotated[
        str,
        typer.Argument(metavar="MODULE:GRAPH", help="A graph or grammar, or a function of it."),
    ],
    objective: Annotated[
        str, typer.Option(metavar="MODULE:F", help="What to call with a sink; a number.")
    ],
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="S", show_default="60", help="Time in all."),
    ] = None,
    evaluations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Evaluations in all.")
    ] = None,
    minimise: Annotated[bool, typer.Option("--minimise", help="Low values are good.")] = False,
    noisy: Annotated[
        bool, typer.Option("--noisy", help="A sink may be evaluated more than once.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="S", help="Time for one evaluation, then it failed."),
    ] = None,
    workers: Workers = 1,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the study there (SQLite); one in it goes on."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the trials (.svg, .png).")
    ] = None,
    json: Json = False,
) -> None:
    """Find the best sink of a graph by TAG; Ctrl-C keeps what has been found.

    The module is one in this folder or installed. With the same --out again, it goes on.
    """
    for path, option in ((out, "'--out'"), (plot, "'--plot'")):
        if path is not None:
            check_writable(path, option)
    from montego.planning import PlanningError, Study, optimise as search

    if seconds is None and evaluations is None:
        seconds = DEFAULT_SECONDS
    with told_to_the_user(PlanningError):
        target, function = load(graph), load_function(objective)
        study = Study(
            called(target), minimise=minimise, deterministic=not noisy, seed=seed, path=out
        )
        with team(workers) as executor, Bar() as bar:
            search(
                target, function, study=study, seconds=seconds, evaluations=evaluations,
                timeout=timeout, executor=executor, workers=workers, progress=bar,
            )  # fmt: skip
        typer.echo(dumps(as_json(study), indent=2, default=str) if json else told(study))
        if plot is not None:
            study.plot(plot)
    if study.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def load(name: str) -> Any:
    """The object that ``module:name`` names; modules of this folder are found, too."""
    from montego.planning import PlanningError

    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise PlanningError(f"{name!r} is not module:name")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise PlanningError(f"there is no module {error.name!r}") from None
    except Exception as error:
        raise PlanningError(f"{module} cannot be imported: {error!r}") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise PlanningError(f"{module} has no {attribute!r}")
        found = getattr(found, part)
    return found


def load_function(name: str) -> Callable[..., Any]:
    """The same of something that can be called."""
    from montego.planning import PlanningError

    found = load(name)
    if not callable(found):
        raise PlanningError(f"{name} cannot be called")
    return found  # type: ignore[no-any-return]


def called(target: Any) -> Any:
    """A graph; or, where a function or class was named, what it returns."""
    is_graph = hasattr(target, "root") and hasattr(target, "successors")
    return target() if callable(target) and not is_graph else target


def leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal: only the first one has to hear it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def team(workers: int) -> Iterator[Executor | None]:
    """Processes that leave Ctrl-C to us, and that end with us, whatever they are doing.

    One worker is this process itself.
    """
    if workers == 1:
        yield None
        return
    executor = ProcessPoolExecutor(workers, initializer=leave_interrupts)
    try:
        yield executor
    finally:
        processes = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def as_json(study: Study) -> dict[str, Any]:
    """The result in the shape that is promised to programs."""
    return study.summary() | {"stopped": study.stopped}


def told(study: Study) -> str:
    """The result for people."""
    counts = study.counts()
    bad = "".join(f", {counts[kind]} {kind}" for kind in ("failed", "timeout") if counts[kind])
    many = f"{counts['done']} evaluated{bad}"
    if study.is_exhausted:
        many += ", all there are"
    if study.best is None:
        return f"no value found: {many}"
    return f"best: {study.best}\nvalue: {study.best_value:g} ({many})"


class Bar:
    """A live bar on the standard error; without a terminal, a line now and then."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            Progress as RichProgress,
            TextColumn,
            TimeRemainingColumn,
        )

        from montego.lab.console import plain_console

        self.console = plain_console(stderr=True)
        self.next_line = time.monotonic() + QUIET_SECONDS
        self.bar = RichProgress(
            TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn(),
            console=self.console, transient=True, disable=not self.console.is_terminal,
        )  # fmt: skip
        self.task = self.bar.add_task("optimising", total=1.0)

    def __enter__(self) -> Bar:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def __call__(self, progress: Progress) -> None:
        best = "" if progress.best is None else f", best {progress.best:.6g}"
        text = f"{progress.evaluations:,} evaluations{best}"
        self.bar.update(self.task, completed=progress.share or 0.0, description=text)
        if not self.console.is_terminal and time.monotonic() >= self.next_line:
            self.next_line = time.monotonic() + QUIET_SECONDS
            self.console.print(text)
