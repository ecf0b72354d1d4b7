"""``optimise``: TAG on a graph and an objective, one sink after the other or many at a time.

An exception of the objective ends the search and reaches the user as it is; its sink will be asked
for again.  Kinds of exceptions that are to be expected (``catch``) are the outcome of their trial
instead, and the search goes on.  So are values that are not numbers (NaN).  The objective may take
too long: with a ``timeout`` it is given up.  In this process that needs the alarm clock of Unix and
the main thread; in an executor's worker it cannot be stopped, but is not waited for.
"""

from __future__ import annotations

import math
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from traceback import extract_tb
from types import FrameType
from typing import Any

from montego.planning.budget import Hook, Meter, SpentError
from montego.planning.errors import ObjectiveError, PlanningError, WorkerDiedError, named
from montego.planning.study import Study
from montego.planning.tag import ALPHA, ELITE, S
from montego.planning.trials import Trial

Objective = Callable[[Any], float]
Kinds = tuple[type[Exception], ...]
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
    exception of the objective; those of the kinds in ``catch`` are failed trials.  With an
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
    task = Task(objective, kinds_of(catch))
    try:
        if executor is None:
            one_by_one(study, task, meter, timeout)
        else:
            Team(study, task, meter, timeout, executor, workers).run()
    except BaseException:
        meter.stopped = "error"
        raise
    finally:
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


@dataclass(frozen=True)
class Failed:
    """A sink without a value, and why."""

    message: str


@dataclass(frozen=True)
class Task:
    """What is done with every sink, here or in another process."""

    objective: Objective
    catch: Kinds

    def __call__(self, sink: Any) -> float | Failed:
        try:
            number = as_number(self.objective(sink), sink)
        except TookTooLongError:
            raise
        except self.catch as error:
            return Failed(told_as(error))
        except Exception as error:
            if parent_process() is None or can_travel(error):
                raise
            at = extract_tb(error.__traceback__)[-1]
            raise ObjectiveError(f"{at.filename}:{at.lineno}: {told_as(error)}") from error
        return Failed("the objective returned nan") if math.isnan(number) else number


def as_number(value: Any, sink: Any) -> float:
    """The objective's answer."""
    try:
        return float(value)
    except (TypeError, ValueError):
        told = f"the objective returned {named(value)} for {named(sink)}, and not a number"
        raise ObjectiveError(told) from None


def told_as(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def can_travel(error: Exception) -> bool:
    """Whether an exception can be sent to another process; one that cannot breaks the executor."""
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)
    except Exception:  # a constructor of the user's may raise anything
        return False


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
            meter.evaluate()
            trial = study.ask()
            if trial is None:
                meter.evaluations -= 1
                return
            start = time.monotonic()
            try:
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
        task: Task,
        meter: Meter,
        timeout: float | None,
        executor: Executor,
        workers: int,
    ) -> None:
        self.study, self.task, self.meter = study, task, meter
        self.timeout, self.executor, self.workers = timeout, executor, workers
        self.out: dict[Future[float | Failed], Out] = {}

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
        except BrokenExecutor as error:
            told = "a worker process died: it was killed, crashed, or ran out of memory"
            raise WorkerDiedError(told) from error
        finally:
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
            try:
                self.meter.evaluate()
                future = self.executor.submit(self.task, trial.sink)
            except BaseException:
                self.study.put_back(trial)
                raise
            self.out[future] = Out(trial, time.monotonic())
            busy = True
        return busy

    def collect(self) -> None:
        """Tell what is done, give up what takes too long."""
        done, _ = wait(self.out, timeout=GLANCE_SECONDS, return_when=FIRST_COMPLETED)
        now = time.monotonic()
        failures: list[Exception] = []
        for future in done:
            out = self.out.pop(future)
            try:
                outcome = future.result()
            except Exception as error:
                self.study.put_back(out.trial)
                failures.append(error)
            else:
                record(self.study, out.trial, outcome, now - out.start)
        self.meter.best = self.study.best_value
        self.give_up(now)
        if failures:  # only now: the work of the others is not lost
            raise failures[0]

    def give_up(self, now: float) -> None:
        """Do not wait any longer for what takes too long."""
        if self.timeout is None:
            return
        for future in [f for f, out in self.out.items() if now - out.start > self.timeout]:
            out = self.out.pop(future)
            future.cancel()
            told = f"more than {self.timeout} s"
            self.study.fail(out.trial, told, timeout=True, seconds=now - out.start)
