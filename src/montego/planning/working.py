"""Those who evaluate sinks for ``optimise``: processes of our own, or an executor of the user's.

A process of our own can be ended.  One that takes too long is killed, with all that it has started,
and replaced; one that dies costs its trial and nothing else.  A trial is given only to one who is
ready for it, so its time is that of its evaluation.

An executor of the user's has to be taken as it is.  A task of it that takes too long cannot be
stopped: it is not waited for, its worker counts as busy until it is done, and no trial is left to
wait behind it.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from traceback import extract_tb, format_exception
from typing import Any

from montego.planning.errors import ObjectiveError, PlanningError, WorkerDiedError, named
from montego.planning.trials import Trial

Objective = Callable[[Any], float]
Kinds = tuple[type[Exception], ...]
DIED = "a worker process died: it was killed, crashed, or ran out of memory"
STUCK = (
    "all workers of the executor have tasks that take too long, and cannot be stopped; "
    "workers that can are those of optimise(workers=...) without an executor"
)
PATIENCE = 10
"""So many times the time-out we wait for one of them."""


# --- what is done with a sink ----------------------------------------------------------


class TookTooLongError(Exception):
    """The alarm clock of one evaluation."""


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
    except (TypeError, ValueError, OverflowError):
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


# --- those who do it -------------------------------------------------------------------


@dataclass
class Done:
    """What came of a trial; an exception of the objective's is for its author."""

    trial: Trial
    outcome: float | Failed | Exception
    seconds: float


class Remote(Exception):  # noqa: N818 - the words of another process
    """Where in a worker an exception was raised: the cause of one that came from there."""

    def __init__(self, tb: str) -> None:
        super().__init__(tb)
        self.tb = tb

    def __str__(self) -> str:
        return f'\n"""\n{self.tb}"""'


class Worker:
    """A process, our end of the pipe to it, and the trial it has."""

    def __init__(self, task: Task, others: list[Connection]) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(task, theirs, others))
        try:
            self.process.start()
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            told = f"the objective cannot be sent to another process: {error}"
            raise PlanningError(told) from None
        finally:
            theirs.close()
        self.is_ready = False
        self.trial: Trial | None = None
        self.start = 0.0

    def kill(self) -> None:
        """End it, and whatever it has started."""
        try:
            if self.is_ready and hasattr(os, "killpg"):
                os.killpg(self.process.pid or 0, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def how_it_died(self) -> str:
        self.process.join(1.0)
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"its worker process died ({signal.Signals(-code).name})"
        return f"its worker process died (exit code {code})"


def serve(task: Task, pipe: Connection, others: list[Connection]) -> None:
    """What a worker does: evaluate whatever comes through its pipe."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # whom Ctrl-C does not reach, and who is ended with all that it started
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    threading.Thread(target=leave_with_parent, daemon=True).start()
    pipe.send(None)
    while True:
        try:
            sink = pipe.recv()
        except EOFError:
            return
        try:
            answer: Any = task(sink)
        except Exception as error:
            answer = error, "".join(format_exception(error))
        pipe.send(answer)


def leave_with_parent() -> None:
    """A worker whose parent is gone has nobody to work for."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


class Processes:
    """So many processes of our own."""

    def __init__(self, task: Task, workers: int) -> None:
        self.task = task
        self.team: list[Worker] = []
        for _ in range(workers):
            self.hire()

    def hire(self) -> None:
        is_fork = multiprocessing.get_start_method() == "fork"
        others = [worker.pipe for worker in self.team] if is_fork else []
        self.team.append(Worker(self.task, others))

    @property
    def free(self) -> int:
        """How many trials could begin now."""
        return sum(worker.is_ready and worker.trial is None for worker in self.team)

    def begin(self, trial: Trial) -> None:
        """Let one who is free evaluate a trial."""
        worker = next(one for one in self.team if one.is_ready and one.trial is None)
        try:
            worker.pipe.send(trial.sink)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            told = f"{named(trial.sink)} cannot be sent to another process: {error}"
            raise PlanningError(told) from None
        except OSError:  # it is dead, which we shall hear
            pass
        worker.trial, worker.start = trial, time.monotonic()

    def wait(self, seconds: float) -> list[Done]:
        """What is done, as soon as something is."""
        ready = connection.wait([worker.pipe for worker in self.team], seconds)
        done: list[Done] = []
        for worker in [one for one in self.team if one.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                done += self.bury(worker)
            else:
                done += self.hear(worker, answer)
        return done

    def hear(self, worker: Worker, answer: Any) -> list[Done]:
        """The answer of a worker; its first one says that it is ready."""
        if worker.trial is None:
            worker.is_ready = True
            return []
        if isinstance(answer, tuple):
            answer, tb = answer
            answer.__cause__ = Remote(tb)
        trial, worker.trial = worker.trial, None
        return [Done(trial, answer, time.monotonic() - worker.start)]

    def bury(self, worker: Worker) -> list[Done]:
        """One that has died; it is replaced."""
        how, trial = worker.how_it_died(), worker.trial
        self.dismiss(worker)
        if not worker.is_ready:
            raise WorkerDiedError(f"no worker process can be started: {how}")
        self.hire()
        if trial is None:
            return []
        return [Done(trial, Failed(how), time.monotonic() - worker.start)]

    def late(self, timeout: float) -> list[Done]:
        """End what has taken longer; the outcome is its time."""
        now, done = time.monotonic(), []
        for worker in list(self.team):
            if worker.trial is not None and now - worker.start > timeout:
                done.append(Done(worker.trial, TookTooLongError(), now - worker.start))
                self.dismiss(worker)
                self.hire()
        return done

    def dismiss(self, worker: Worker) -> None:
        self.team.remove(worker)
        worker.kill()

    def close(self) -> list[Trial]:
        """End them all; returns the trials that they had."""
        trials = [worker.trial for worker in self.team if worker.trial is not None]
        for worker in list(self.team):
            self.dismiss(worker)
        return trials


@dataclass
class Out:
    """A trial in the hands of an executor."""

    trial: Trial
    start: float


class InExecutor:
    """The workers of an executor of the user's."""

    def __init__(self, task: Task, executor: Executor, workers: int) -> None:
        self.task, self.executor, self.workers = task, executor, workers
        self.all = int(getattr(executor, "_max_workers", workers))
        self.out: dict[Future[float | Failed], Out] = {}
        self.stuck: set[Future[float | Failed]] = set()
        """Given up, but not done."""
        self.hope = math.inf
        """Until when we wait for one of them, if all are."""

    @property
    def free(self) -> int:
        self.stuck = {future for future in self.stuck if not future.done()}
        return min(self.workers, self.all - len(self.stuck)) - len(self.out)

    def begin(self, trial: Trial) -> None:
        try:
            future = self.executor.submit(self.task, trial.sink)
        except BrokenExecutor as error:
            raise WorkerDiedError(DIED) from error
        self.out[future] = Out(trial, time.monotonic())

    def wait(self, seconds: float) -> list[Done]:
        if not self.out:
            time.sleep(seconds)
        done, _ = wait(self.out, timeout=seconds, return_when=FIRST_COMPLETED)
        found: list[Done] = []
        for future in done:
            out = self.out.pop(future)
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                died = WorkerDiedError(DIED)
                died.__cause__ = error
                error = died
            outcome: Any = future.result() if error is None else error
            found.append(Done(out.trial, outcome, time.monotonic() - out.start))
        return found

    def late(self, timeout: float) -> list[Done]:
        now = time.monotonic()
        late = [future for future, out in self.out.items() if now - out.start > timeout]
        done = []
        for future in late:
            out = self.out.pop(future)
            if not future.cancel():
                self.stuck.add(future)
            done.append(Done(out.trial, TookTooLongError(), now - out.start))
        if self.out or self.free > 0:
            self.hope = math.inf
        elif self.hope == math.inf:
            self.hope = now + PATIENCE * timeout
        elif now > self.hope:
            raise WorkerDiedError(STUCK)
        return done

    def close(self) -> list[Trial]:
        for future in self.out:
            future.cancel()
        return [out.trial for out in self.out.values()]
