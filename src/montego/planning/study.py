"""A study: a search by TAG with its log, which can be saved, resumed, exported and plotted.

The log says which edge was added, which trial began where, what its outcome was, and which vertex
was closed.  Replaying it in order gives the same subgraph.  The state of the random generator and
the paths of the elite are stored with it, so an interrupted study continues as if it had not been
interrupted.  On disk it is an SQLite file; vertices are written as Python literals (text, numbers,
tuples …) and read back without running any code.
"""

from __future__ import annotations

import ast
import csv
import json
import math
import os
import sqlite3
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from montego.planning.errors import LONGEST_NAME, PlanningError, named
from montego.planning.tag import DEFAULT_SETTINGS, Tag, TagSettings
from montego.planning.trials import Trial

VERSION = 3
TABLES = (
    "study (key TEXT PRIMARY KEY, value TEXT)",
    "log (number INTEGER PRIMARY KEY, kind TEXT, tail TEXT, head TEXT, trial INTEGER)",
    "trials (number INTEGER PRIMARY KEY, sink TEXT, outcome TEXT, value REAL, seconds REAL,"
    " message TEXT)",
)
STATE = ("dice", "paths")
"""What changes as a study continues; older files call the paths ``ways``."""
FLUSH_SECONDS = 1.0
DAMAGE = (
    ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, SyntaxError,
    TypeError, ValueError,
)  # fmt: skip
"""What may be raised when a damaged log is replayed."""
Entry = tuple[str, Any, Any, int | None]


def encoded(vertex: Any) -> str:
    """A vertex as a Python literal."""
    try:
        text = repr(vertex)
        if ast.literal_eval(text) == vertex:
            return text
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    raise PlanningError(
        f"a study can save vertices of text, numbers and tuples, not {named(vertex)}"
    )


def one_line(reason: object) -> str:
    """Text of another library as a part of a message."""
    text = " ".join(str(reason).split())
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 2] + " …"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file that replaces another atomically once it is complete."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        yield new
        os.replace(new, path)
    except OSError as error:
        raise PlanningError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        new.unlink(missing_ok=True)


class Study:
    """A search by TAG and its trials; the result of ``optimise``."""

    def __init__(
        self,
        graph: Any,
        *,
        minimise: bool = False,
        deterministic: bool = True,
        seed: int = 0,
        settings: TagSettings = DEFAULT_SETTINGS,
        path: str | Path | None = None,
    ) -> None:
        """``path`` is an SQLite file: the study is stored there and resumed from there."""
        self.tag = Tag(
            graph, minimise=minimise, deterministic=deterministic, seed=seed, settings=settings
        )
        self.path = None if path is None else Path(path)
        self._entries: list[Entry] = []
        self._written = 0
        self._flushed = time.monotonic()
        self.stopped = "complete"
        """Why the search ended last: complete, budget, interrupt or error."""
        if self.path is not None and self.path.exists():
            self._resume(self.path)
        self.tag.log = lambda *entry: self._entries.append(entry)
        if self.path is not None:
            self.flush()

    # --- the search --------------------------------------------------------------------

    def ask(self) -> Trial | None:
        """A sink to evaluate; None if none is left."""
        return self.tag.ask()

    def tell(self, trial: Trial, value: float, seconds: float | None = None) -> None:
        """The value of a sink."""
        self.tag.tell(trial, value, seconds)
        self._flush_now_and_then()

    def fail(
        self, trial: Trial, message: str, *, timeout: bool = False, seconds: float | None = None
    ) -> None:
        """A sink that has no value."""
        self.tag.fail(trial, message, timeout=timeout, seconds=seconds)
        self._flush_now_and_then()

    def put_back(self, trial: Trial) -> None:
        """A sink that was not evaluated after all; it will be asked for again."""
        self.tag.put_back(trial)

    # --- what was found ----------------------------------------------------------------

    @property
    def best(self) -> Any:
        """The best sink; None before any has a value."""
        return self.tag.best()

    @property
    def best_value(self) -> float | None:
        """Its value."""
        trial = self.tag.best_trial
        return None if trial is None else trial.value

    @property
    def trials(self) -> list[Trial]:
        """All trials in the order in which they were asked for."""
        return self.tag.trials

    @property
    def minimise(self) -> bool:
        return self.tag.minimise

    @property
    def is_exhausted(self) -> bool:
        """Whether every sink has been asked for."""
        return self.tag.is_exhausted

    def counts(self) -> dict[str, int]:
        """The number of trials by outcome."""
        counts = {"done": 0, "failed": 0, "timeout": 0, "pending": 0}
        for trial in self.trials:
            counts[trial.outcome] += 1
        return counts

    def history(self) -> list[float]:
        """The best value after every trial that has one."""
        better = min if self.minimise else max
        best: list[float] = []
        for trial in self.trials:
            if trial.value is not None:
                best.append(better(best[-1], trial.value) if best else trial.value)
        return best

    # --- on disk -----------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the study to an SQLite file, which ``Study(graph, path=...)`` resumes."""
        path = Path(path)
        if self.path is not None and path.resolve() == self.path.resolve():
            self.flush()
            return
        with replacing(path) as new:
            self._write(new, 0)

    def flush(self) -> None:
        """Write new entries to the study's own file."""
        if self.path is not None:
            self._write(self.path, self._written)
            self._written = len(self._entries)
        self._flushed = time.monotonic()

    def _flush_now_and_then(self) -> None:
        if self.path is not None and time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def _write(self, path: Path, begin: int) -> None:
        """Write entries from ``begin`` on and their trials in one transaction, tables included."""
        new = self._entries[begin:]
        changed = [entry[3] for entry in new if entry[0] in ("trial", "told")]
        numbers = {number for number in changed if number is not None}
        try:
            with closing(sqlite3.connect(path)) as base, base:
                base.execute("BEGIN")
                for table in TABLES:
                    base.execute(f"CREATE TABLE IF NOT EXISTS {table}")
                base.executemany(
                    "INSERT INTO log VALUES (?, ?, ?, ?, ?)",
                    [(begin + i, *self._line(entry)) for i, entry in enumerate(new)],
                )
                base.executemany(
                    "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?, ?)",
                    [self._row(self.trials[number]) for number in sorted(numbers)],
                )
                base.executemany(
                    "INSERT OR REPLACE INTO study VALUES (?, ?)", list(self._settings().items())
                )
        except sqlite3.IntegrityError:
            raise PlanningError(f"{path} has been changed by another process") from None
        except sqlite3.Error as error:
            raise PlanningError(f"{path} cannot be written: {one_line(error)}") from None

    def _line(self, entry: Entry) -> tuple[Any, ...]:
        kind, tail, head, number = entry
        names = [None if name is None else encoded(name) for name in (tail, head)]
        return kind, *names, number

    def _row(self, trial: Trial) -> tuple[Any, ...]:
        return (
            trial.number, encoded(trial.sink), trial.outcome, trial.value, trial.seconds,
            trial.message and trial.message.encode(errors="backslashreplace").decode(),
        )  # fmt: skip

    def _settings(self) -> dict[str, str]:
        tag = self.tag
        options = {"minimise": tag.minimise, "deterministic": tag.deterministic}
        options |= asdict(tag.settings)
        return {name: json.dumps(value) for name, value in options.items()} | {
            "version": str(VERSION),
            "root": encoded(tag.subgraph.root.name),
            "dice": json.dumps(tag.rng.getstate()),
            "paths": json.dumps({trial.number: trial.path for trial in self.trials if trial.path}),
        }

    def _resume(self, path: Path) -> None:
        """Replay the log of a file."""
        try:
            with closing(sqlite3.connect(path)) as base:
                if base.execute("SELECT * FROM sqlite_master").fetchone() is None:
                    return  # whoever made it was killed before anything was written
                settings = dict(base.execute("SELECT key, value FROM study"))
                rows = {row[0]: row for row in base.execute("SELECT * FROM trials")}
                log = list(base.execute("SELECT kind, tail, head, trial FROM log ORDER BY number"))
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged schema may be no text
            raise PlanningError(f"{path} is not a study: {one_line(error)}") from None
        if not settings:
            return
        self._check_settings(path, settings)
        try:
            self._replay(settings, rows, log)
        except DAMAGE as error:
            reason = f"{type(error).__name__} {one_line(error)}"
            raise PlanningError(f"{path} is damaged, or its graph has changed: {reason}") from error

    def _replay(self, settings: dict[str, str], rows: dict[int, Any], log: list[Any]) -> None:
        stored = json.loads(settings["paths" if "paths" in settings else "ways"])
        paths = {int(number): tuple(map(tuple, path)) for number, path in stored.items()}
        replay = Replay(self.tag, rows, paths)
        for kind, tail, head, number in log:
            names = [None if t is None else ast.literal_eval(t) for t in (tail, head)]
            replay.KINDS[kind](replay, *names, number)
            self._entries.append((kind, *names, number))
        self._written = len(self._entries)
        version, numbers, gauss = json.loads(settings["dice"])
        self.tag.rng.setstate((version, tuple(numbers), gauss))
        self.tag.waiting = [trial for trial in self.trials if trial.outcome == "pending"]

    def _check_settings(self, path: Path, settings: dict[str, str]) -> None:
        """A study is resumed with the settings that it began with."""
        if settings.get("version") != str(VERSION):
            raise PlanningError(f"{path} is a study of another version")
        for key, now in self._settings().items():
            was = settings.get(key)
            if key not in STATE and was != now:
                difference = f"its {key} is {one_line(was)}, not {one_line(now)}"
                raise PlanningError(f"{path} is another study: {difference}")

    def export(self, path: str | Path) -> None:
        """All trials as .csv, .json or .sqlite."""
        path = Path(path)
        if path.suffix in (".sqlite", ".db"):
            self.save(path)
        elif path.suffix == ".csv":
            with replacing(path) as new, new.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(["number", "sink", "outcome", "value", "seconds", "message"])
                for t in self.trials:
                    writer.writerow([t.number, t.sink, t.outcome, t.value, t.seconds, t.message])
        elif path.suffix == ".json":
            text = json.dumps(self.as_json(), indent=2, default=str) + "\n"
            with replacing(path) as new:
                new.write_text(text, "utf-8")
        else:
            raise PlanningError(f"{path.name}: a study is exported as .csv, .json or .sqlite")

    def as_json(self) -> dict[str, Any]:
        """The summary and all trials, for programs; its keys are stable."""
        return self.summary() | {
            "trials": [
                {"number": t.number, "sink": t.sink, "outcome": t.outcome, "value": t.value,
                 "seconds": t.seconds, "message": t.message}
                for t in self.trials
            ]
        }  # fmt: skip

    def summary(self) -> dict[str, Any]:
        """The result, for programs; its keys are stable."""
        return {
            "best": self.best,
            "best_value": self.best_value,
            "minimise": self.minimise,
            "trials": len(self.trials),
            "outcomes": self.counts(),
            "vertices": len(self.tag.subgraph.vertices),
            "edges": self.tag.subgraph.edges,
            "exhausted": self.is_exhausted,
        }

    def plot(self, path: str | Path) -> None:
        """Plot every trial and the best so far."""
        from montego.planning.figures import canvas, save

        picture, (axis,) = canvas()
        done = [t for t in self.trials if t.value is not None and math.isfinite(t.value)]
        axis.plot([t.number + 1 for t in done], [t.value for t in done], ".", ms=3, c="#888888",
                  label="trials")  # fmt: skip
        axis.step([t.number + 1 for t in done], self.history()[: len(done)], where="post",
                  label="best so far")  # fmt: skip
        axis.set_xlabel("trial")
        axis.set_ylabel("value, low is good" if self.minimise else "value")
        axis.legend(frameon=False)
        save(picture, Path(path))


class Replay:
    """Replays a log on a fresh search."""

    def __init__(self, tag: Tag, rows: dict[int, tuple[Any, ...]], paths: dict[int, Any]) -> None:
        self.tag, self.rows, self.paths = tag, rows, paths

    def edge(self, tail: Hashable, head: Hashable, number: int | None) -> None:
        vertices = self.tag.subgraph.vertices
        self.tag.subgraph.connect(vertices[tail], vertices[head])

    def trial(self, tail: Hashable, head: Hashable, number: int) -> None:
        subgraph = self.tag.subgraph
        if head not in subgraph.vertices:
            subgraph.connect(subgraph.vertices[tail], subgraph.add(head))
        sink = ast.literal_eval(self.rows[number][1])
        trial = Trial(number, sink, head, path=self.paths.get(number, ()))
        self.tag.attach(trial, subgraph.vertices[head])

    def told(self, tail: None, head: None, number: int) -> None:
        _, _, outcome, value, seconds, message = self.rows[number]
        trial = self.tag.trials[number]
        if outcome == "done":
            self.tag.tell(trial, value, seconds)
        else:
            self.tag.fail(trial, message, timeout=outcome == "timeout", seconds=seconds)

    def closed(self, tail: None, head: Hashable, number: None) -> None:
        self.tag.subgraph.close(head)

    KINDS: ClassVar[dict[str, Callable[..., None]]] = {
        "edge": edge, "trial": trial, "told": told, "closed": closed,
        "arrow": edge,  # in older files
    }  # fmt: skip
