"""``montego regress``: files of GTP commands and the replies that are right.

    loadsgf nakade/bulky-five.sgf
    10 reg_genmove black
    #? [D4|E5]*

The line with the question mark is a regular expression for the whole reply to the command
before it.  An exclamation mark in front turns it round, an asterisk behind says that the
failure is known.  GNU Go's and GoGui's tools read the same files.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter as Counts
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from montego.cluster.settings import PLAIN, PREFIX
from montego.lab.base.console import plain_console
from montego.lab.base.errors import LabError
from montego.lab.base.inputs import read_text_lines
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.progress import Counter
from montego.lab.base.workers import Workers, work_through
from montego.lab.matches.entrants import OWN_SETTINGS, parse_player, split_player
from montego.lab.matches.foul import Foul
from montego.lab.matches.program import GtpProgram, Refusal

FRESH = ("loadsgf", "clear_board", "boardsize")
"""Commands after which nothing before them matters."""
EXPECTATION = re.compile(r"#\?\s*\[(!?)(.*)\]\s*(\*?)\s*(?:#.*)?")


class RegressError(LabError):
    """A file or a player that cannot be used."""


class Outcome(StrEnum):
    """What became of a test."""

    passed = "passed"
    failed = "failed"
    known_failure = "known failure"
    unexpected_pass = "unexpected pass"


@dataclass(frozen=True)
class Expectation:
    """What the reply has to be."""

    pattern: str
    negated: bool = False
    known_failure: bool = False

    def __str__(self) -> str:
        return f"[{'!' * self.negated}{self.pattern}]{'*' * self.known_failure}"

    def judge(self, reply: str | None) -> Outcome:
        """``None`` is no reply at all: always wrong."""
        right = reply is not None and self._fits(reply) != self.negated
        if self.known_failure:
            return Outcome.unexpected_pass if right else Outcome.known_failure
        return Outcome.passed if right else Outcome.failed

    def _fits(self, reply: str) -> bool:
        """In GTP pass and PASS are one move."""
        return re.fullmatch(self.pattern, reply, re.IGNORECASE) is not None


@dataclass
class Step:
    """A command, perhaps with the reply that is right."""

    line: int
    number: str
    command: str
    expected: Expectation | None = None

    @property
    def is_fresh(self) -> bool:
        return self.command.split()[0] in FRESH


@dataclass(frozen=True)
class Tested:
    """A test and its reply."""

    line: int
    number: str
    command: str
    expected: str
    reply: str
    outcome: Outcome


@dataclass
class FileResult:
    """All tests of a file, and commands that were refused on the way."""

    file: str
    tests: list[Tested] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def count(self, outcome: Outcome) -> int:
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def is_good(self) -> bool:
        return not self.errors and not self.count(Outcome.failed)


# --- reading ---------------------------------------------------------------------------


def read_steps(path: Path) -> list[Step]:
    """The steps of a file; raises RegressError."""
    steps: list[Step] = []
    for number, line in enumerate(read_text_lines(path, RegressError), start=1):
        text = line.strip()
        if text.startswith("#?"):
            if not steps or steps[-1].expected is not None:
                raise RegressError(f"{path}, line {number}: there is no command before it")
            steps[-1].expected = _expectation(path, number, text)
        elif text := text.partition("#")[0].strip():
            head, _, rest = text.partition(" ")
            has_number = head.isdigit() and bool(rest.strip())
            command = rest.strip() if has_number else text
            steps.append(Step(number, head if has_number else "", command))
    if not any(step.expected for step in steps):
        raise RegressError(f"{path} holds no test")
    return steps


def _expectation(path: Path, number: int, text: str) -> Expectation:
    found = EXPECTATION.fullmatch(text)
    if found is None:
        raise RegressError(f"{path}, line {number}: {text!r} is not of the form #? [pattern]")
    try:
        re.compile(found[2])
    except re.error as error:
        raise RegressError(f"{path}, line {number}: [{found[2]}]: {error}") from None
    return Expectation(found[2], found[1] == "!", found[3] == "*")


def command_of(player: str) -> list[str]:
    """The program of a player: any GTP program, or ours with a recipe and its settings."""
    entrant = parse_player(player)
    if entrant.command is not None:
        return entrant.command
    if entrant.manners is None and not entrant.is_engine:
        raise RegressError(f"{player} answers no commands; recipes, engines and gtp:COMMAND do")
    name, given = split_player(player)
    if entrant.file:  # from wherever it is asked
        name = name.replace(entrant.file, str(Path(entrant.file).absolute()), 1)
    options = [word for key, value in given.items() for word in _words(key, value)]
    return [sys.executable, "-m", "montego", "gtp", "--recipe", name, *options]


def _words(key: str, value: str) -> list[str]:
    """A setting as options of ours have it."""
    if key in OWN_SETTINGS or key == "cluster":
        return [f"--{key.replace('_', '-')}", value]
    return [f"{PREFIX if key in PLAIN else ''}{key}={value}"]


# --- running ---------------------------------------------------------------------------


class FileRunner:
    """What a worker process does: run files by their place in the list."""

    def __init__(self, files: Sequence[Path], command: Sequence[str], seconds: float) -> None:
        self.files, self.command, self.seconds = files, command, seconds
        self.program: GtpProgram | None = None

    def __call__(self, place: int) -> FileResult:
        path = self.files[place]
        result = FileResult(str(path))
        try:
            for tested in self._run(path, result):
                result.tests.append(tested)
        finally:
            self.close()
        return result

    def close(self) -> None:
        if self.program is not None:
            self.program.close()
            self.program = None

    def _run(self, path: Path, result: FileResult) -> Iterator[Tested]:
        """Ask step by step; after a refusal or a crash, tests fail until a new position."""
        lost = ""
        for step in read_steps(path):
            if step.is_fresh:
                lost = ""
            reply = None if lost else self._ask(path, step)
            told = lost or str(reply)
            if isinstance(reply, Exception):
                reply, told = None, f"{reply}"
                lost = "" if step.expected else f"after line {step.line}"
                if not step.expected:
                    result.errors.append(f"line {step.line}: {step.command}: {told}")
            if self.program is None and not lost:
                lost = f"the program has stopped at line {step.line}"
            if step.expected is not None:
                outcome = step.expected.judge(reply)
                yield Tested(
                    step.line, step.number, step.command, str(step.expected), told, outcome
                )

    def _ask(self, path: Path, step: Step) -> str | Exception:
        try:
            if self.program is None:
                self.program = GtpProgram(self.command, folder=path.parent)
            return self.program.ask(step.command, self.seconds)
        except Refusal as refusal:
            return refusal
        except Foul as foul:
            self.close()
            return foul


def run_files(
    files: Sequence[Path],
    player: str,
    workers: Workers,
    seconds: float,
    watch: Callable[[Sequence[FileResult]], None] = lambda results: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[FileResult]:
    """Run all files, several at a time; in the order given."""
    prepare(files, player)
    factory = partial(FileRunner, files, command_of(player), seconds)
    results: dict[int, FileResult] = {}
    for place, result in work_through(factory, iter(range(len(files))), workers, stopped):
        results[place] = result
        watch(list(results.values()))
    return [results[place] for place in sorted(results)]


def prepare(files: Sequence[Path], player: str) -> None:
    """Raise a RegressError for a file or a player that cannot be, before anything is run."""
    command_of(player)
    for path in files:
        read_steps(path)


def run(files: Sequence[Path], player: str, workers: Workers, seconds: float, as_json: bool) -> int:
    """Run, show, and say how it went: the exit code."""
    with Counter("regression files", len(files)) as watch, interrupts_noted() as interrupted:
        results = run_files(files, player, workers, seconds, watch, lambda: bool(interrupted))
    if as_json:
        print(json.dumps(summary(player, results), indent=2, ensure_ascii=False))
    else:
        show(results)
    if interrupted:
        return 130
    return 0 if all(result.is_good for result in results) else 1


# --- showing ---------------------------------------------------------------------------


def summary(player: str, results: Sequence[FileResult]) -> dict[str, Any]:
    """The results in the shape that is promised to programs."""
    return {
        "player": player,
        "totals": {outcome.value: _total(results, outcome) for outcome in Outcome},
        "errors": sum(len(result.errors) for result in results),
        "files": [
            {
                "file": result.file,
                "counts": dict(Counts(test.outcome.value for test in result.tests)),
                "errors": result.errors,
                "tests": [vars(test) for test in result.tests],
            }
            for result in results
        ],
    }


def _total(results: Sequence[FileResult], outcome: Outcome) -> int:
    return sum(result.count(outcome) for result in results)


def show(results: Sequence[FileResult]) -> None:
    """Print what failed, then a line for every file."""
    console = plain_console()
    for result in results:
        for error in result.errors:
            console.print(f"{result.file}, {error}", soft_wrap=True)
        for test in result.tests:
            if test.outcome in (Outcome.failed, Outcome.unexpected_pass):
                console.print(
                    f"{result.file}, line {test.line}: {test.outcome.value}: {test.number} "
                    f"{test.command}: {test.reply}, expected {test.expected}",
                    soft_wrap=True,
                )
    table = Table()
    table.add_column("file", overflow="fold")
    for outcome in Outcome:
        table.add_column(outcome.value, justify="right")
    for result in results:
        table.add_row(result.file, *(str(result.count(outcome)) for outcome in Outcome))
    if len(results) > 1:
        table.add_section()
        table.add_row("all", *(str(_total(results, outcome)) for outcome in Outcome))
    console.print(table)
