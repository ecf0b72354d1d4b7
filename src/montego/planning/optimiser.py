"""``optimise``: TAG on a graph and an objective, one evaluation at a time or many in parallel.

An exception of the objective ends the search and is passed on; its sink will be asked for again.
Exceptions of the types in ``catch`` make a failed trial instead, and the search continues.  So do
values that are NaN and workers that die.  An evaluation that takes longer than ``timeout`` is
stopped.  In this process that needs Unix signals and the main thread; for workers see workers.py.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import Any

from montego.planning.budget import Hook, Meter, SpentError
from montego.planning.checks import positive
from montego.planning.errors import PlanningError
from montego.planning.study import Study
from montego.planning.tag import DEFAULT_SETTINGS, TagSettings
from montego.planning.trials import Trial
from montego.planning.workers import (
    EvaluationTimeoutError,
    ExceptionTypes,
    ExecutorWorkers,
    Failed,
    Objective,
    ProcessWorkers,
    Task,
    Workers,
)

POLL_SECONDS = 0.05
"""How long a wait for workers lasts before the clocks are checked again."""


def optimise(
    graph: Any,
    objective: Objective,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    workers: int | Workers = 1,
    timeout: float | None = None,
    catch: ExceptionTypes | type[Exception] = (),
    progress: Hook | None = None,
    seed: int = 0,
    minimise: bool = False,
    deterministic: bool = True,
    settings: TagSettings = DEFAULT_SETTINGS,
    path: str | Path | None = None,
) -> Study:
    """Find the best sink of a graph by TAG (T40), or continue a Study given in its place.

    Ends when the budget is spent, when every sink has been evaluated, on Ctrl-C, or with an
    exception of the objective; exceptions of the types in ``catch`` are failed trials.  ``workers``
    is the number of processes that evaluate in parallel; ``Workers(number, executor)`` uses an
    executor.  An evaluation is stopped after ``timeout`` seconds, and its trial has no value.

    The other arguments are those of Study: ``path`` is an SQLite file where the study is stored and
    resumed from, ``settings=THESIS`` are the settings of the thesis.
    """
    options = {
        "seed": seed, "minimise": minimise, "deterministic": deterministic, "settings": settings,
        "path": path,
    }  # fmt: skip
    study = study_of(graph, options)
    meter = Meter(evaluations, seconds, progress)
    meter.best = study.best_value
    if not isinstance(workers, Workers):
        workers = Workers(workers)
    if timeout is not None:
        positive("timeout", timeout)
    if not callable(objective):
        raise PlanningError(f"the objective is a function, not {objective!r}")
    task = Task(objective, exception_types(catch))
    study.tag.check_budget = meter.look
    try:
        run(study, task, workers, meter, timeout)
    except BaseException:
        meter.stopped = "error"
        raise
    finally:
        study.tag.check_budget = lambda: None
        study.stopped = meter.stopped
        study.flush()
    return study


def study_of(graph: Any, options: dict[str, Any]) -> Study:
    """A new study of a graph; or the study itself, which has its options already."""
    if not isinstance(graph, Study):
        return Study(graph, **options)
    parameters = signature(Study).parameters
    for name, given in options.items():
        if given != parameters[name].default:
            raise PlanningError(f"{name} is an option of a new study: this one has its own")
    return graph


def exception_types(catch: ExceptionTypes | type[Exception]) -> ExceptionTypes:
    """One type of exception, or several."""
    types = (catch,) if isinstance(catch, type) else tuple(catch)
    for one in types:
        if not (isinstance(one, type) and issubclass(one, Exception)):
            raise PlanningError(f"catch is a tuple of exception types: {one!r} is not one")
    return types


def run(study: Study, task: Task, workers: Workers, meter: Meter, timeout: float | None) -> None:
    """Evaluate sinks until the end."""
    if workers.executor is not None:
        ParallelRun(study, ExecutorWorkers(task, workers), meter, timeout).run()
    elif workers.number > 1:
        ParallelRun(study, ProcessWorkers(task, workers.number), meter, timeout).run()
    else:
        serial_run(study, task, meter, timeout)


def record(study: Study, trial: Trial, outcome: float | Failed, seconds: float) -> None:
    """Tell the outcome of a trial."""
    if isinstance(outcome, Failed):
        study.fail(trial, outcome.message, seconds=seconds)
    else:
        study.tell(trial, outcome, seconds)


def serial_run(study: Study, task: Task, meter: Meter, timeout: float | None) -> None:
    """Ask, evaluate, tell."""
    with meter:
        while True:
            if meter.evaluations >= meter.limit:
                raise SpentError
            trial = study.ask()
            if trial is None:
                return
            start = time.monotonic()
            try:
                meter.evaluate()
                with alarm(timeout):
                    outcome = task(trial.sink)
            except EvaluationTimeoutError:
                message = f"more than {timeout} s"
                study.fail(trial, message, timeout=True, seconds=time.monotonic() - start)
                continue
            except BaseException:
                study.put_back(trial)
                raise
            record(study, trial, outcome, time.monotonic() - start)
            meter.best = study.best_value


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise an EvaluationTimeoutError after some seconds."""
    if seconds is None:
        yield
        return
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        raise PlanningError("a timeout needs workers here: this thread cannot set an alarm")

    def ring(number: int, frame: FrameType | None) -> None:
        raise EvaluationTimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class ParallelRun:
    """Several evaluations at a time."""

    def __init__(
        self,
        study: Study,
        workers: ProcessWorkers | ExecutorWorkers,
        meter: Meter,
        timeout: float | None,
    ) -> None:
        self.study, self.workers, self.meter, self.timeout = study, workers, meter, timeout
        self.pending = 0
        """Trials that are being evaluated."""

    def run(self) -> None:
        """Until the end; trials that are still pending then will be asked for again."""
        try:
            with self.meter:
                while self.submit() or self.pending:
                    self.collect()
                    self.meter.look()
            if self.meter.stopped == "budget":
                with self.meter:  # pending trials are in the budget; a second Ctrl-C still ends it
                    while self.pending and time.monotonic() < self.meter.end:
                        self.collect()
        finally:
            for trial in self.workers.close():
                self.study.put_back(trial)

    def submit(self) -> bool:
        """Keep all workers busy; returns whether there is anything left to do."""
        while True:
            if self.meter.evaluations >= self.meter.limit:
                if not self.pending:
                    raise SpentError
                return False
            if self.workers.free <= 0:
                return True
            trial = self.study.ask()
            if trial is None:
                return False
            try:
                self.meter.evaluate()
                self.workers.begin(trial)
            except BaseException:
                self.study.put_back(trial)
                raise
            self.pending += 1

    def collect(self) -> None:
        """Tell the outcomes of finished trials, and of those that take too long."""
        done = self.workers.wait(POLL_SECONDS)
        if self.timeout is not None:
            done += self.workers.stop_late(self.timeout)
        failures: list[Exception] = []
        for one in done:
            self.pending -= 1
            if isinstance(one.outcome, EvaluationTimeoutError):
                message = f"more than {self.timeout} s"
                self.study.fail(one.trial, message, timeout=True, seconds=one.seconds)
            elif isinstance(one.outcome, Exception):
                self.study.put_back(one.trial)
                failures.append(one.outcome)
            else:
                record(self.study, one.trial, one.outcome, one.seconds)
        self.meter.best = self.study.best_value
        if failures:  # raised last: the other outcomes are not lost
            raise failures[0]
