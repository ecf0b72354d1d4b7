"""Workers that evaluate sinks for ``optimise``: our own processes, or a given executor.

Our own processes can be stopped.  One that takes too long is killed, with everything that it has
started, and replaced; one that dies costs its trial and nothing else.  A trial is given only to an
idle worker, so its time is that of its evaluation.

Tasks of an executor cannot be stopped.  One that takes too long is abandoned: its worker counts as
busy until it is done, and no trial is queued behind it.
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

from montego.planning.checks import whole
from montego.planning.errors import ObjectiveError, PlanningError, WorkerDiedError, named
from montego.planning.trials import Trial

Objective = Callable[[Any], float]
ExceptionTypes = tuple[type[Exception], ...]
DIED = "a worker process died: it was killed, crashed, or ran out of memory"
STUCK = (
    "all workers of the executor have tasks that take too long, and cannot be stopped; "
    "workers that can are those of optimise(workers=...) without an executor"
)
PATIENCE = 10
"""How many timeouts we wait for one of them."""


MOST_WORKERS = 1_000


@dataclass(frozen=True)
class Workers:
    """A number of processes, or of workers of an executor."""

    number: int = 1
    executor: Executor | None = None

    def __post_init__(self) -> None:
        whole("workers", self.number, most=MOST_WORKERS)


# --- an evaluation ---------------------------------------------------------------------


class EvaluationTimeoutError(Exception):
    """An evaluation took longer than its timeout."""


@dataclass(frozen=True)
class Failed:
    """The outcome of an evaluation without a value."""

    message: str


@dataclass(frozen=True)
class Task:
    """The evaluation of a sink, here or in another process."""

    objective: Objective
    catch: ExceptionTypes

    def __call__(self, sink: Any) -> float | Failed:
        try:
            number = as_number(self.objective(sink), sink)
        except EvaluationTimeoutError:
            raise
        except self.catch as error:
            return Failed(described(error))
        except Exception as error:
            if parent_process() is None or is_picklable(error):
                raise
            at = extract_tb(error.__traceback__)[-1]
            raise ObjectiveError(f"{at.filename}:{at.lineno}: {described(error)}") from error
        return Failed("the objective returned nan") if math.isnan(number) else number


def as_number(value: Any, sink: Any) -> float:
    """The objective's value as a float."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        message = f"the objective returned {named(value)} for {named(sink)}, not a number"
        raise ObjectiveError(message) from None


def described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def is_picklable(error: Exception) -> bool:
    """Whether an exception can be sent to another process; one that cannot breaks the executor."""
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)
    except Exception:  # a constructor of the user's may raise anything
        return False


# --- our own processes -----------------------------------------------------------------


@dataclass
class Done:
    """The outcome of a trial; an exception of the objective is passed on to the user."""

    trial: Trial
    outcome: float | Failed | Exception
    seconds: float


class RemoteTraceback(Exception):  # noqa: N818 - named as in multiprocessing
    """The traceback in a worker: the cause of an exception that was raised there."""

    def __init__(self, tb: str) -> None:
        super().__init__(tb)
        self.tb = tb

    def __str__(self) -> str:
        return f'\n"""\n{self.tb}"""'


class Worker:
    """A process, our end of the pipe to it, and its trial."""

    def __init__(self, task: Task, others: list[Connection]) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(task, theirs, others))
        try:
            self.process.start()
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            message = f"the objective cannot be sent to another process: {error}"
            raise PlanningError(message) from None
        finally:
            theirs.close()
        self.is_ready = False
        self.trial: Trial | None = None
        self.start = 0.0

    def kill(self) -> None:
        """Kill the process and everything that it has started."""
        try:
            if self.is_ready and hasattr(os, "killpg"):
                os.killpg(self.process.pid or 0, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def cause_of_death(self) -> str:
        self.process.join(1.0)
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"its worker process died ({signal.Signals(-code).name})"
        return f"its worker process died (exit code {code})"


def serve(task: Task, pipe: Connection, others: list[Connection]) -> None:
    """The main loop of a worker: evaluate the sinks that come through its pipe."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # out of reach of Ctrl-C, and killed together with all that it has started
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    threading.Thread(target=exit_with_parent, daemon=True).start()
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


def exit_with_parent() -> None:
    """Exit when the parent process is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


class ProcessWorkers:
    """A fixed number of processes; one that dies or is killed is replaced."""

    def __init__(self, task: Task, workers: int) -> None:
        self.task = task
        self.all: list[Worker] = []
        for _ in range(workers):
            self.start()

    def start(self) -> None:
        """Start one more worker."""
        is_fork = multiprocessing.get_start_method() == "fork"
        others = [worker.pipe for worker in self.all] if is_fork else []
        self.all.append(Worker(self.task, others))

    @property
    def free(self) -> int:
        """The number of idle workers."""
        return sum(worker.is_ready and worker.trial is None for worker in self.all)

    def begin(self, trial: Trial) -> None:
        """Give a trial to an idle worker."""
        worker = next(one for one in self.all if one.is_ready and one.trial is None)
        try:
            worker.pipe.send(trial.sink)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            message = f"{named(trial.sink)} cannot be sent to another process: {error}"
            raise PlanningError(message) from None
        except OSError:  # it is dead: wait() will find out
            pass
        worker.trial, worker.start = trial, time.monotonic()

    def wait(self, seconds: float) -> list[Done]:
        """Finished trials, as soon as there are any, or none after some seconds."""
        ready = connection.wait([worker.pipe for worker in self.all], seconds)
        done: list[Done] = []
        for worker in [one for one in self.all if one.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                done += self.replace(worker)
            else:
                done += self.receive(worker, answer)
        return done

    def receive(self, worker: Worker, answer: Any) -> list[Done]:
        """The answer of a worker; the first one means that it is ready."""
        if worker.trial is None:
            worker.is_ready = True
            return []
        if isinstance(answer, tuple):
            answer, tb = answer
            answer.__cause__ = RemoteTraceback(tb)
        trial, worker.trial = worker.trial, None
        return [Done(trial, answer, time.monotonic() - worker.start)]

    def replace(self, worker: Worker) -> list[Done]:
        """Replace a worker that has died; its trial has failed."""
        cause, trial = worker.cause_of_death(), worker.trial
        self.stop(worker)
        if not worker.is_ready:
            raise WorkerDiedError(f"no worker process can be started: {cause}")
        self.start()
        if trial is None:
            return []
        return [Done(trial, Failed(cause), time.monotonic() - worker.start)]

    def stop_late(self, timeout: float) -> list[Done]:
        """Stop evaluations that take longer than the timeout."""
        now, done = time.monotonic(), []
        for worker in list(self.all):
            if worker.trial is not None and now - worker.start > timeout:
                done.append(Done(worker.trial, EvaluationTimeoutError(), now - worker.start))
                self.stop(worker)
                self.start()
        return done

    def stop(self, worker: Worker) -> None:
        self.all.remove(worker)
        worker.kill()

    def close(self) -> list[Trial]:
        """Stop all workers; returns their trials."""
        trials = [worker.trial for worker in self.all if worker.trial is not None]
        for worker in list(self.all):
            self.stop(worker)
        return trials


# --- an executor -----------------------------------------------------------------------


@dataclass
class Submitted:
    """A trial that was submitted to an executor."""

    trial: Trial
    start: float


class ExecutorWorkers:
    """Workers of a given executor."""

    def __init__(self, task: Task, workers: Workers) -> None:
        assert workers.executor is not None
        self.task, self.executor, self.number = task, workers.executor, workers.number
        self.most = int(getattr(self.executor, "_max_workers", self.number))
        self.pending: dict[Future[float | Failed], Submitted] = {}
        self.stuck: set[Future[float | Failed]] = set()
        """Abandoned, but not done."""
        self.deadline = math.inf
        """Until when we wait for one of them, if all workers are stuck."""

    @property
    def free(self) -> int:
        self.stuck = {future for future in self.stuck if not future.done()}
        return min(self.number, self.most - len(self.stuck)) - len(self.pending)

    def begin(self, trial: Trial) -> None:
        try:
            future = self.executor.submit(self.task, trial.sink)
        except BrokenExecutor as error:
            raise WorkerDiedError(DIED) from error
        self.pending[future] = Submitted(trial, time.monotonic())

    def wait(self, seconds: float) -> list[Done]:
        if not self.pending:
            time.sleep(seconds)
        done, _ = wait(self.pending, timeout=seconds, return_when=FIRST_COMPLETED)
        found: list[Done] = []
        for future in done:
            submitted = self.pending.pop(future)
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                died = WorkerDiedError(DIED)
                died.__cause__ = error
                error = died
            outcome: Any = future.result() if error is None else error
            found.append(Done(submitted.trial, outcome, time.monotonic() - submitted.start))
        return found

    def stop_late(self, timeout: float) -> list[Done]:
        """Abandon evaluations that take longer than the timeout."""
        now = time.monotonic()
        late = [future for future, one in self.pending.items() if now - one.start > timeout]
        done = []
        for future in late:
            submitted = self.pending.pop(future)
            if not future.cancel():
                self.stuck.add(future)
            done.append(Done(submitted.trial, EvaluationTimeoutError(), now - submitted.start))
        if self.pending or self.free > 0:
            self.deadline = math.inf
        elif self.deadline == math.inf:
            self.deadline = now + PATIENCE * timeout
        elif now > self.deadline:
            raise WorkerDiedError(STUCK)
        return done

    def close(self) -> list[Trial]:
        """Cancel tasks that have not begun; returns all pending trials."""
        for future in self.pending:
            future.cancel()
        return [submitted.trial for submitted in self.pending.values()]
