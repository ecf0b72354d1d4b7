"""``optimise``: TAG on a graph and an objective, one sink after the other or many at a time.

An exception of the objective ends the search and reaches the user as it is; its sink will be asked
for again.  Kinds of exceptions that are to be expected (``catch``) are the outcome of their trial
instead, and the search goes on.  So are values that are not numbers (NaN), and the death of a
worker.  The objective may take too long: with a ``timeout`` it is given up.  In this process that
needs the alarm clock of Unix and the main thread; for workers see working.py.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from montego.planning.budget import Hook, Meter, SpentError
from montego.planning.checking import positive, whole
from montego.planning.errors import PlanningError
from montego.planning.study import Study
from montego.planning.tag import ALPHA, ELITE, S
from montego.planning.trials import Trial
from montego.planning.working import (
    Failed,
    InExecutor,
    Kinds,
    Objective,
    Processes,
    Task,
    TookTooLongError,
)

GLANCE_SECONDS = 0.05
"""How long a wait for workers lasts before we look at the clocks again."""


def optimise(
    graph: Any,
    objective: Objective,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    minimise: bool = False,
    deterministic: bool = True,
    timeout: float | None = None,
    catch: Kinds | type[Exception] = (),
    executor: Executor | None = None,
    workers: int = 1,
    path: str | Path | None = None,
    study: Study | None = None,
    progress: Hook | None = None,
    s: int = S,
    alpha: float = ALPHA,
    delta: float | None = None,
    elite: int = ELITE,
) -> Study:
    """The best sink of a graph by TAG (T40).

    Ends when the budget is spent, when every sink has been evaluated, on Ctrl-C, or with an
    exception of the objective; those of the kinds in ``catch`` are failed trials.  Several
    ``workers`` are processes that evaluate at the same time; an ``executor`` may bring its own.
    An evaluation that takes longer than ``timeout`` seconds is ended, and its trial has no value.
    ``path`` is an SQLite file that the study is kept in, and goes on from; ``study`` goes on with
    one at hand.  A larger ``s`` and a larger ``alpha`` explore more; random ways learn from so many
    of the best trials (``elite``).  THESIS has the settings of the thesis, whose ``delta`` takes
    the place of alpha.
    """
    if study is None:
        study = Study(
            graph, minimise=minimise, deterministic=deterministic, seed=seed, s=s, alpha=alpha,
            delta=delta, elite=elite, path=path,
        )  # fmt: skip
    meter = Meter(evaluations, seconds, progress)
    meter.best = study.best_value
    whole("workers", workers)
    if timeout is not None:
        positive("timeout", timeout)
    if not callable(objective):
        raise PlanningError(f"the objective is a function, not {objective!r}")
    study.tag.look = meter.look
    task = Task(objective, kinds_of(catch))
    try:
        if executor is not None:
            Team(study, InExecutor(task, executor, workers), meter, timeout).run()
        elif workers > 1:
            Team(study, Processes(task, workers), meter, timeout).run()
        else:
            one_by_one(study, task, meter, timeout)
    except BaseException:
        meter.stopped = "error"
        raise
    finally:
        study.tag.look = lambda: None
        study.stopped = meter.stopped
        study.flush()
    return study


def kinds_of(catch: Kinds | type[Exception]) -> Kinds:
    """One kind of exception, or several."""
    kinds = (catch,) if isinstance(catch, type) else tuple(catch)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            raise PlanningError(f"catch is a tuple of kinds of exceptions: {kind!r} is none")
    return kinds


def record(study: Study, trial: Trial, outcome: float | Failed, seconds: float) -> None:
    """Tell what came of a trial."""
    if isinstance(outcome, Failed):
        study.fail(trial, outcome.message, seconds=seconds)
    else:
        study.tell(trial, outcome, seconds)


def one_by_one(study: Study, task: Task, meter: Meter, timeout: float | None) -> None:
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
            except TookTooLongError:
                told = f"more than {timeout} s"
                study.fail(trial, told, timeout=True, seconds=time.monotonic() - start)
                continue
            except BaseException:
                study.put_back(trial)
                raise
            record(study, trial, outcome, time.monotonic() - start)
            meter.best = study.best_value


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt what takes longer."""
    if seconds is None:
        yield
        return
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        raise PlanningError("a timeout needs an executor here: no alarm clock in this thread")

    def ring(number: int, frame: FrameType | None) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Team:
    """Several evaluations at a time."""

    def __init__(
        self, study: Study, hands: Processes | InExecutor, meter: Meter, timeout: float | None
    ) -> None:
        self.study, self.hands, self.meter, self.timeout = study, hands, meter, timeout
        self.out = 0
        """Trials that are being evaluated."""

    def run(self) -> None:
        """Until the end; what is still out then will be asked for again."""
        try:
            with self.meter:
                while self.submit() or self.out:
                    self.collect()
                    self.meter.look()
            if self.meter.stopped == "budget":
                with self.meter:  # what is out was paid for; a second Ctrl-C still ends it
                    while self.out and time.monotonic() < self.meter.end:
                        self.collect()
        finally:
            for trial in self.hands.close():
                self.study.put_back(trial)

    def submit(self) -> bool:
        """Keep all hands busy; returns whether there is anything left to do."""
        while True:
            if self.meter.evaluations >= self.meter.limit:
                if not self.out:
                    raise SpentError
                return False
            if self.hands.free <= 0:
                return True
            trial = self.study.ask()
            if trial is None:
                return False
            try:
                self.meter.evaluate()
                self.hands.begin(trial)
            except BaseException:
                self.study.put_back(trial)
                raise
            self.out += 1

    def collect(self) -> None:
        """Tell what is done, give up what takes too long."""
        done = self.hands.wait(GLANCE_SECONDS)
        if self.timeout is not None:
            done += self.hands.late(self.timeout)
        failures: list[Exception] = []
        for one in done:
            self.out -= 1
            if isinstance(one.outcome, TookTooLongError):
                told = f"more than {self.timeout} s"
                self.study.fail(one.trial, told, timeout=True, seconds=one.seconds)
            elif isinstance(one.outcome, Exception):
                self.study.put_back(one.trial)
                failures.append(one.outcome)
            else:
                record(self.study, one.trial, one.outcome, one.seconds)
        self.meter.best = self.study.best_value
        if failures:  # only now: the work of the others is not lost
            raise failures[0]
