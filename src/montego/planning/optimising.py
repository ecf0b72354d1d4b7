"""``optimise``: TAG on a graph and an objective, one sink after the other or many at a time.

The objective may fail: an exception is the outcome of its trial, and the search goes on.  It may
take too long: with a ``timeout`` it is given up.  In this process that needs the alarm clock of
Unix and the main thread; in an executor's worker it cannot be stopped, but is not waited for.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from montego.planning.budget import Hook, Meter, SpentError
from montego.planning.errors import PlanningError
from montego.planning.study import Study
from montego.planning.tag import ALPHA, ELITE, S
from montego.planning.trials import Trial

Objective = Callable[[Any], float]
GLANCE_SECONDS = 0.05
"""How long a wait for workers lasts before we look at the clocks again."""


class TookTooLongError(Exception):
    """The alarm clock of one evaluation."""


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

    Ends when the budget is spent, when every sink has been evaluated, or on Ctrl-C.  With an
    ``executor`` so many ``workers`` are busy at a time.  ``path`` is an SQLite file that the study
    is kept in, and goes on from; ``study`` goes on with one at hand.  A larger ``s`` and a larger
    ``alpha`` explore more; random ways learn from so many of the best trials (``elite``).  THESIS
    has the settings of the thesis, whose ``delta`` takes the place of alpha.
    """
    if study is None:
        study = Study(
            graph, minimise=minimise, deterministic=deterministic, seed=seed, s=s, alpha=alpha,
            delta=delta, elite=elite, path=path,
        )  # fmt: skip
    meter = Meter(evaluations, seconds, progress)
    meter.best = study.best_value
    if workers < 1:
        raise PlanningError(f"workers is at least 1, not {workers}")
    try:
        if executor is None:
            one_by_one(study, objective, meter, timeout)
        else:
            Team(study, objective, meter, timeout, executor, workers).run()
    finally:
        study.stopped = meter.stopped
        study.flush()
    return study


def one_by_one(study: Study, objective: Objective, meter: Meter, timeout: float | None) -> None:
    """Ask, evaluate, tell."""
    with meter:
        while True:
            meter.evaluate()
            trial = study.ask()
            if trial is None:
                meter.evaluations -= 1
                return
            start = time.monotonic()
            try:
                with alarm(timeout):
                    value = as_number(objective(trial.sink))
            except KeyboardInterrupt:
                study.put_back(trial)
                raise
            except TookTooLongError:
                told = f"more than {timeout} s"
                study.fail(trial, told, timeout=True, seconds=time.monotonic() - start)
                continue
            except Exception as error:
                study.fail(trial, told_as(error), seconds=time.monotonic() - start)
                continue
            study.tell(trial, value, time.monotonic() - start)
            meter.best = study.best_value


def as_number(value: Any) -> float:
    """The objective's answer; what is not a number has failed."""
    number = float(value)
    if number != number:
        raise ValueError("the objective returned a value that is not a number")
    return number


def told_as(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


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


@dataclass
class Out:
    """A trial in a worker's hands."""

    trial: Trial
    start: float


class Team:
    """Several evaluations at a time, in any executor."""

    def __init__(
        self,
        study: Study,
        objective: Objective,
        meter: Meter,
        timeout: float | None,
        executor: Executor,
        workers: int,
    ) -> None:
        self.study, self.objective, self.meter = study, objective, meter
        self.timeout, self.executor, self.workers = timeout, executor, workers
        self.out: dict[Future[float], Out] = {}

    def run(self) -> None:
        with self.meter:
            while self.submit() or self.out:
                self.collect()
                self.meter.look()
        if self.meter.stopped == "budget":
            with self.meter:  # what is out was paid for; a second Ctrl-C still ends it
                while self.out and time.monotonic() < self.meter.end:
                    self.collect()
        for future, out in self.out.items():
            future.cancel()
            self.study.put_back(out.trial)

    def submit(self) -> bool:
        """Keep the workers busy; returns whether there was anything to do."""
        busy = False
        while len(self.out) < self.workers:
            if self.meter.evaluations >= self.meter.limit:
                if not self.out:
                    raise SpentError
                return busy
            trial = self.study.ask()
            if trial is None:
                return busy
            self.meter.evaluate()
            future = self.executor.submit(self.objective, trial.sink)
            self.out[future] = Out(trial, time.monotonic())
            busy = True
        return busy

    def collect(self) -> None:
        """Tell what is done, give up what takes too long."""
        done, _ = wait(self.out, timeout=GLANCE_SECONDS, return_when=FIRST_COMPLETED)
        now = time.monotonic()
        for future in done:
            out = self.out.pop(future)
            try:
                value = as_number(future.result())
            except Exception as error:
                self.study.fail(out.trial, told_as(error), seconds=now - out.start)
            else:
                self.study.tell(out.trial, value, now - out.start)
                self.meter.best = self.study.best_value
        if self.timeout is not None:
            late = [f for f, out in self.out.items() if now - out.start > self.timeout]
            for future in late:
                out = self.out.pop(future)
                future.cancel()
                told = f"more than {self.timeout} s"
                self.study.fail(out.trial, told, timeout=True, seconds=now - out.start)
