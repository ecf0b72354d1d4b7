"""``montego review`` from its request to its files.

All that can be refused is refused before the first search.  After it nothing is lost: what
cannot be written where it should be is kept elsewhere, and an interruption keeps what there is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from montego.go.notes import annotate
from montego.lab.base import outputs
from montego.lab.base.console import plain_console
from montego.lab.base.interrupts import interrupts_noted
from montego.lab.base.progress import Counter
from montego.lab.tools.review import Review, Reviewer, ReviewError, positions, review
from montego.lab.tools.review_games import Game, choose, read_file
from montego.lab.tools.review_page import page
from montego.lab.tools.review_report import graph, notes, show, summary, title
from montego.planning.figures import NoMatplotlibError

PICTURES = (".png", ".svg")


@dataclass(frozen=True)
class Asked:
    """What the user wants; None is the usual place."""

    path: Path
    out: Path | None = None
    graph: Path | None = None
    html: Path | None = None
    player: str = "montego"
    simulations: int = 5_000
    as_json: bool = False
    force: bool = False


@dataclass(frozen=True)
class Files:
    """Where a review goes."""

    sgf: Path
    graph: Path
    html: Path

    @property
    def all(self) -> tuple[Path, Path, Path]:
        """In the order in which they are written: what matters most first."""
        return self.sgf, self.html, self.graph


@dataclass(frozen=True)
class Job:
    """What is going to be done."""

    reviewer: Reviewer
    games: list[tuple[Game, Files]]
    as_json: bool
    as_list: bool
    """Whether the JSON is a list."""

    @property
    def has_several(self) -> bool:
        """Whether there is more than one game."""
        return len(self.games) > 1


# --- planning --------------------------------------------------------------------------


def prepare(asked: Asked, number: int | None = None, everything: bool = False) -> Job:
    """Which games, and where to; refuses what could not be done, or would destroy something."""
    reviewer = Reviewer.parse(asked.player, asked.simulations)
    for path in filter(None, (asked.out, asked.graph, asked.html)):
        if path.is_dir():
            raise ReviewError(f"{path} is a folder: name a file in it")
    if asked.graph and asked.graph.suffix not in PICTURES and not outputs.is_device(asked.graph):
        raise ReviewError(f"--graph: {asked.graph} is neither .png nor .svg")
    there = read_file(asked.path)
    chosen = choose(asked.path, there, number, everything)
    games = [(game, files_of(asked, game, len(there), len(chosen))) for game in chosen]
    paths = [path for _, files in games for path in files.all]
    outputs.check(paths, [asked.path], asked.force)
    if asked.as_json and any(map(outputs.is_stdout, paths)):
        raise ReviewError("--json is printed where a file should go: choose one of them")
    return Job(reviewer, games, asked.as_json, everything or len(games) > 1)


def files_of(asked: Asked, game: Game, games: int, chosen: int) -> Files:
    """Where the review of a game goes, if it is one of so many, and so many are reviewed.

    What the user names gets a number only where there are several reviews.
    """
    own = f"-{game.number}" if games > 1 else ""
    is_device = not asked.path.is_file() or Path("/dev") in asked.path.parents
    folder = Path() if is_device else asked.path.parent
    usual = folder / f"{asked.path.stem}{own}-review.sgf"

    def numbered(path: Path) -> Path:
        several = chosen > 1 and not outputs.is_device(path)
        return path.with_name(f"{path.stem}-{game.number}{path.suffix}") if several else path

    out = numbered(asked.out) if asked.out else usual
    beside = usual if outputs.is_device(out) else out
    return Files(
        out,
        numbered(asked.graph) if asked.graph else beside.with_suffix(".png"),
        numbered(asked.html) if asked.html else beside.with_suffix(".html"),
    )


# --- reviewing -------------------------------------------------------------------------


def run(job: Job) -> bool:
    """Analyse, write and tell, game by game; returns False if the user interrupted it."""
    told: list[dict[str, Any]] = []
    problems = list[str]()
    with interrupts_noted() as interrupted:

        def stopped() -> bool:
            return bool(interrupted)

        for game, files in job.games:
            done = _analyse(job, game, stopped)
            if done.views:
                written, problems = _write(done, game, files)
                told.append(_tell(job, done, game, files))
                _console().print(", ".join(written), soft_wrap=True)
            if stopped() or problems:
                break
    if told and job.as_json:
        print(json.dumps(told if job.as_list else told[0], indent=2, ensure_ascii=False))
    if problems:
        raise ReviewError("; ".join(problems))
    if not told:
        _console().print("interrupted before the first position was done; nothing is written")
    return not interrupted


def _analyse(job: Job, game: Game, stopped: Callable[[], bool]) -> Review:
    look = job.reviewer.searcher(stopped)  # a new one: no game depends on those before it
    total = len(positions(game.record.position))
    name = f"game {game.number}, positions" if job.has_several else "positions"
    with Counter(name, total) as watch:
        views = review(game.record.position, look, watch, stopped)
    return Review(game.record, views, len(views) == total, str(job.reviewer))


def _write(done: Review, game: Game, files: Files) -> tuple[list[str], list[str]]:
    """Write all files, whatever happens to one of them: what there is now, and what went wrong."""
    picture = files.graph.suffix if files.graph.suffix in PICTURES else PICTURES[0]
    makers: dict[Path, Callable[[], bytes]] = {
        files.sgf: lambda: annotate(game.data, notes(done)),
        files.html: lambda: page(done).encode(),
        files.graph: lambda: graph(done, picture.removeprefix(".")),
    }
    written, problems = list[str](), list[str]()
    for path, make in makers.items():
        try:
            problem = outputs.keep(path, make())
        except NoMatplotlibError as error:
            written.append(f"no graph: {error}")
        else:
            (problems if problem else written).append(problem or str(path))
    return written, problems


def _tell(job: Job, done: Review, game: Game, files: Files) -> dict[str, Any]:
    """Print the tables, if no JSON is wanted; returns what the JSON says.

    They go to the standard error where a file goes to the standard output.
    """
    if not job.as_json:
        elsewhere = any(map(outputs.is_stdout, files.all))
        console = _console(elsewhere)
        if job.has_several:
            console.print(f"game {game.number}: {title(done.record)}", soft_wrap=True)
        show(done, console)
    return ({"game": game.number} if job.as_list else {}) | summary(done)


def _console(stderr: bool = True) -> Console:
    return plain_console(stderr)
