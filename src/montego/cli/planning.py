"""``montego optimise``: TAG on a graph and an objective of the user's own."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from itertools import dropwhile
from json import dumps
from pathlib import Path
from traceback import extract_tb, format_exception
from typing import TYPE_CHECKING, Annotated, Any

import typer

import montego
from montego.cli.common import (
    INTERRUPTED,
    Json,
    Seed,
    Workers,
    told_to_the_user,
)
from montego.cli.typed import check_picture, check_writable, parse_seconds

if TYPE_CHECKING:
    from montego.planning import Progress, Study

DEFAULT_SECONDS = 60.0
OUR_FRAME = f'File "{Path(montego.__file__).parent}'
"""The beginning of a frame of this package in a traceback."""

app = typer.Typer()


@app.command()
def optimise(
    graph: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:GRAPH", help="A graph or grammar, or a function that returns one."
        ),
    ],
    objective: Annotated[
        str, typer.Option(metavar="MODULE:F", help="A function from a sink to a number.")
    ],
    seconds: Annotated[
        float | None,
        typer.Option(parser=parse_seconds, metavar="S", show_default="60", help="Time in all."),
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
        typer.Option(
            parser=parse_seconds, metavar="S", help="Time for one evaluation; then it is stopped."
        ),
    ] = None,
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", help="An exception of the objective is a failed trial."),
    ] = False,
    workers: Workers = 1,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Store the study there (SQLite), or resume it."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the trials (.svg, .png).")
    ] = None,
    json: Json = False,
) -> None:
    """Find the best sink of a graph by TAG; Ctrl-C keeps the best so far.

    The module is in this folder or installed. The same --out again resumes the study.
    """
    if out is not None:
        check_writable(out, "'--out'")
    if plot is not None:
        check_picture(plot, "'--plot'")
    from montego.planning import PlanningError, Study, optimise as search

    if seconds is None and evaluations is None:
        seconds = DEFAULT_SECONDS
    with own_errors_shown():
        target, function = load(graph), load_function(objective)
        study = Study(
            called(graph, target), minimise=minimise, deterministic=not noisy, seed=seed, path=out
        )
    hint = "with --keep-going, an exception of the objective is a failed trial"
    if out is not None:
        hint += f"; earlier trials are kept in {out}"
    with own_errors_shown(hint), Bar() as bar:
        search(
            study, function, seconds=seconds, evaluations=evaluations, timeout=timeout,
            workers=workers, progress=bar, catch=(Exception,) if keep_going else (),
        )  # fmt: skip
    typer.echo(dumps(as_json(study), indent=2, default=str) if json else as_text(study))
    if plot is not None:
        with told_to_the_user(PlanningError):
            study.plot(plot)
    if study.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


@contextmanager
def own_errors_shown(hint: str = "") -> Iterator[None]:
    """Mistakes in the request are one line; exceptions of the user's code have a traceback of that
    code, and exit code 1."""
    from montego.planning import PlanningError

    try:
        with told_to_the_user(PlanningError):
            yield
    except typer.TyperException:
        raise
    except Exception as error:
        typer.echo(own_traceback(error), err=True)
        if hint:
            typer.echo(f"montego: {hint}", err=True)
        raise typer.Exit(1) from None


def own_traceback(error: Exception) -> str:
    """A traceback from the user's code on; for an exception in a worker, the worker's."""
    text = getattr(error.__cause__, "tb", None) or "".join(format_exception(error))
    head, *frames = re.split(r'(?m)^(?=  File ")', text.strip('\n"'))
    own = list(dropwhile(lambda frame: OUR_FRAME in frame, frames))
    return (head + "".join(own or frames)).rstrip()


def load(name: str) -> Any:
    """The object ``module:name``; modules of the current folder are found, too."""
    from montego.planning import PlanningError

    module, _, attribute = name.partition(":")
    if not module or not attribute or module.startswith("."):
        raise PlanningError(f"{name!r} is not module:name")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = import_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise PlanningError(f"there is no module {error.name!r}") from None
        reason = f"{place_of(error)}: {type(error).__name__}: {error}"
        raise PlanningError(f"{module} cannot be imported: {reason}") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise PlanningError(f"{module} has no {attribute!r}")
        found = getattr(found, part)
    return found


def place_of(error: Exception) -> str:
    """The file and line where an exception was raised, or where the syntax is wrong."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    last = extract_tb(error.__traceback__)[-1]
    return f"{last.filename}:{last.lineno}"


def load_function(name: str) -> Callable[..., Any]:
    """The function ``module:name``."""
    from montego.planning import PlanningError

    found = load(name)
    if not callable(found):
        raise PlanningError(f"{name} cannot be called")
    return found  # type: ignore[no-any-return]


def called(name: str, target: Any) -> Any:
    """A graph; if a function or class was given, what it returns."""
    from montego.planning import PlanningError

    is_graph = hasattr(target, "root") and hasattr(target, "successors")
    if not callable(target) or is_graph:
        return target
    try:
        signature(target).bind()
    except TypeError:
        message = f"{name} is neither a graph nor a function without arguments that returns one"
        raise PlanningError(message) from None
    return target()


def as_json(study: Study) -> dict[str, Any]:
    """The result for programs; its keys are stable."""
    return study.summary() | {"stopped": study.stopped}


def as_text(study: Study) -> str:
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
    """A progress bar on standard error; without a terminal, a line now and then."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            Progress as RichProgress,
            TextColumn,
            TimeRemainingColumn,
        )

        from montego.lab.base.console import plain_console
        from montego.lab.base.progress import QuietLines

        self.console = plain_console(stderr=True)
        self.quiet_lines = QuietLines(self.console)
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
        self.quiet_lines(text)
