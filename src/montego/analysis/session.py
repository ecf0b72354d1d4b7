"""A session: lines of JSON in, lines of JSON out, and several searches in between.

One thread reads.  Each search has a thread of its own that takes the most urgent task, answers
it and takes the next one, so replies come in any order.  Nothing that a client sends ends the
session: what cannot be understood is answered with an error.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TextIO

from montego import __version__
from montego.analysis.fields import Fields, QueryError
from montego.analysis.passing import with_pass
from montego.analysis.query import Task, parse_query
from montego.analysis.replies import no_result, result
from montego.analysis.settings import Settings
from montego.analysis.tasks import Tasks
from montego.engine.answer import Search
from montego.engine.manners import turn_of
from montego.mcts.found import Budget, Found

READY = "Started, ready to begin handling requests"
"""KataGo's line on the standard error; some clients wait for it."""
PATIENCE = 0.1
"""Seconds until a search notices that it is to stop."""
FAREWELL = 2.0
"""Seconds that stopped searches get to end."""

Json = dict[str, Any]


class AnalysisSession:
    """A client, its queries, and the searches that work on them."""

    def __init__(
        self,
        searches: Sequence[Search],
        settings: Settings,
        write: Callable[[str], None],
        model: str = "montego",
        log: TextIO | None = None,
    ) -> None:
        """``model``: what ``query_models`` is answered with."""
        self._settings, self._model = settings, model
        self._write, self._log = write, log or sys.stderr
        self._writing = threading.Lock()
        self._is_silent = False
        self._failure: Exception | None = None
        self._noted: set[str] = set()
        self._tasks = Tasks()
        self._threads = [
            threading.Thread(target=self._work, args=(search,), daemon=True) for search in searches
        ]
        for thread in self._threads:
            thread.start()

    # --- coming and going ---------------------------------------------------------------

    def run(self, source: Iterable[bytes], waits: bool = True) -> None:
        """Answer all lines.  At their end all queries are finished first, if it ``waits``.

        Raises what replies could not be written for, unless the client has gone away.
        """
        self.log(READY)
        try:
            for line in source:
                self.receive(line)
            self._tasks.close()
            if not waits:
                self._stop(lambda task: True)
            self.join()
            if self._failure is not None:
                raise self._failure
        except BaseException:
            self._is_silent = True
            self._tasks.close()
            self._tasks.stop(lambda task: True)
            self.join(FAREWELL)
            raise

    def join(self, timeout: float | None = None) -> None:
        """Wait until all searches have ended."""
        for thread in self._threads:
            thread.join(timeout)

    def log(self, text: str) -> None:
        """Write a line for people, beside the protocol."""
        print(text, file=self._log, flush=True)

    def note(self, names: Iterable[str]) -> None:
        """Say once of each name that it means nothing here."""
        new = [name for name in names if name not in self._noted]
        if new:
            self._noted.update(new)
            self.log(f"without meaning here, ignored: {', '.join(new)}")

    def reply(self, told: Json) -> None:
        """Write one line; when nobody listens any more, all searches are stopped."""
        line = json.dumps(told) + "\n"
        with self._writing:
            if self._is_silent:
                return
            try:
                self._write(line)
            except (OSError, ValueError) as error:
                self._is_silent = True
                self._failure = None if isinstance(error, BrokenPipeError) else error
                self._tasks.stop(lambda task: True)

    # --- queries ------------------------------------------------------------------------

    def receive(self, raw: bytes) -> None:
        """Understand one line, and answer at once what needs no search."""
        if not raw.strip():
            return
        told = _parse(raw)
        if not isinstance(told, dict):
            self.reply({"error": told})
            return
        try:
            self._obey(told)
        except QueryError as error:
            known = {"id": told["id"]} if isinstance(told.get("id"), str) else {}
            self.reply({"error": str(error), "field": error.field} | known)
        except Exception as error:
            self._report_failure(error, told.get("id"))

    def _obey(self, told: Json) -> None:
        fields = Fields(told)
        name = fields.text("id")
        if "action" in fields:
            action = _ACTIONS.get(fields.text("action"))
            if action is None:
                raise QueryError("action", f"action is one of {', '.join(_ACTIONS)}")
            action(self, fields, told)
            return
        query = parse_query(told, self._settings)
        self.note(query.ignored)
        for field, warning in query.warnings:
            self.reply({"warning": warning, "field": field, "id": name})
        self._tasks.put(query.tasks)

    def query_version(self, fields: Fields, told: Json) -> None:
        """The program's version."""
        self.reply(told | {"version": __version__, "git_hash": "<omitted>"})

    def query_models(self, fields: Fields, told: Json) -> None:
        """What takes the place of a network."""
        model = {"name": self._model, "internalName": self._model, "usesHumanSLProfile": False}
        self.reply(told | {"models": [model]})

    def clear_cache(self, fields: Fields, told: Json) -> None:
        """Every search begins with an empty tree anyway."""
        self.reply(told)

    def terminate(self, fields: Fields, told: Json) -> None:
        """Stop the tasks of a query."""
        name = fields.text("terminateId")
        self._terminate(fields, told, lambda task: task.id == name)

    def terminate_all(self, fields: Fields, told: Json) -> None:
        """Stop all tasks."""
        self._terminate(fields, told, lambda task: True)

    def _terminate(self, fields: Fields, told: Json, is_meant: Callable[[Task], bool]) -> None:
        turns = fields.integers("turnNumbers") if "turnNumbers" in fields else None
        self.reply(told)
        self._stop(lambda task: is_meant(task) and (turns is None or task.turn in turns))

    def _stop(self, is_meant: Callable[[Task], bool]) -> None:
        for task in self._tasks.stop(is_meant):
            self.reply(no_result(task))

    # --- searching ----------------------------------------------------------------------

    def _work(self, search: Search) -> None:
        while (task := self._tasks.take()) is not None:
            try:
                self._answer(search, task)
            except Exception as error:
                self._report_failure(error, task.id)
            finally:
                self._tasks.done(task)

    def _answer(self, search: Search, task: Task) -> None:
        """Search a position, from an empty tree, and report."""
        progress = _Progress(task, self.reply)
        search.clear()
        position = turn_of(task.game, task.game.to_play)
        budget = Budget(simulations=task.settings.simulations)
        found = search.run(position, budget, progress, progress.interval, task.avoided)
        if not task.avoided and progress.goes_on():
            found = with_pass(search, task.game, found, progress.quietly, progress.interval)
        self.reply(result(task, found, during=False))

    def _report_failure(self, error: Exception, name: Any) -> None:
        self.log("".join(traceback.format_exception(error)))
        known = {"id": name} if isinstance(name, str) else {}
        self.reply({"error": f"internal error: {error!r}"} | known)


class _Progress:
    """Watches a search: whether it is to go on, and when it is to be reported."""

    def __init__(self, task: Task, reply: Callable[[Json], None]) -> None:
        self._task, self._reply = task, reply
        self._begin = self._reported = time.perf_counter()
        limits = [limit for limit in (task.every, task.settings.seconds) if limit is not None]
        self.interval = min([PATIENCE, *limits])

    def goes_on(self) -> bool:
        """Whether nobody has stopped it, and its time is not over."""
        seconds = self._task.settings.seconds
        in_time = seconds is None or time.perf_counter() - self._begin < seconds
        return in_time and not self._task.stopped.is_set()

    def __call__(self, found: Found) -> bool:
        every, now = self._task.every, time.perf_counter()
        if not self.goes_on():
            return False
        if every is not None and now - self._reported >= every:
            self._reported = now
            self._reply(result(self._task, found, during=True))
        return True

    def quietly(self, found: Found) -> bool:
        """The same without reports."""
        return self.goes_on()


Action = Callable[[AnalysisSession, Fields, Json], None]
_ACTIONS: dict[str, Action] = {
    "query_version": AnalysisSession.query_version,
    "query_models": AnalysisSession.query_models,
    "clear_cache": AnalysisSession.clear_cache,
    "terminate": AnalysisSession.terminate,
    "terminate_all": AnalysisSession.terminate_all,
}


def _parse(raw: bytes) -> Json | str:
    """The JSON object of a line, or what is wrong with it."""
    try:
        told = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        return "Could not parse input line: it is not UTF-8"
    except RecursionError:
        return "Could not parse input line: it is nested too deeply"
    except ValueError as error:
        return f"Could not parse input line: {error}"
    return told if isinstance(told, dict) else "A query has to be a JSON object"


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
