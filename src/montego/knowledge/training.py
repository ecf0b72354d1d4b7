"""A whole course of learning: games are read, some are held out, the others are shown.

What is held out is decided by a seed; accuracy is only ever told for games that were not shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from montego.knowledge.games import Collection, Game, Mapped, check_paths, read
from montego.knowledge.learning import GUESSES, Accuracy, Learner, Teaching, as_moves
from montego.knowledge.mango_learning import MangoLearner
from montego.knowledge.strengths import Strengths, shipped_strengths

Draw = Callable[[Accuracy, str], None]
"""Makes a picture with a title."""
GAMES_AT_A_TIME = 250
"""Shown before the bar moves on."""
NAMED = 3
"""Files that a message names."""


@dataclass(frozen=True)
class Source:
    """Where games come from."""

    paths: Sequence[Path]
    size: int
    most: int | None = None
    mapped: Mapped = map
    """What reads them: this process, or many machines."""

    def read(self, bar: Progress) -> Collection:
        """Read them; raises ValueError if there is nothing to read."""
        check_paths(self.paths)
        task = bar.add_task("reading", total=self.most)
        tick = partial(bar.advance, task)
        collection = read(self.paths, self.size, self.most, tick, self.mapped)
        if not collection.games:
            raise ValueError(f"no games to learn from in {self.named()}: {_reasons(collection)}")
        return collection

    def named(self) -> str:
        """The first files of all."""
        names = [str(path) for path in self.paths[:NAMED]]
        return ", ".join(names) + (" …" if len(self.paths) > NAMED else "")


def teach(
    source: Source, out: Path, held_out: float, passes: int, seed: int, least_played: int
) -> dict[str, Any]:
    """Learn strengths, write them to a file, and tell what was done: the manifest."""
    with learning_bar() as bar:
        collection = source.read(bar)
        games = collection.games
        random.Random(seed).shuffle(games)
        kept = round(len(games) * held_out)
        test, lessons = games[:kept], games[kept:]
        if not lessons:
            raise ValueError("no games to learn from: all are held out")
        learner = Learner(source.size, Teaching(passes=passes, least_played=least_played))
        patterns = learner.harvest(as_moves(lessons))
        learner.count(as_moves(lessons))
        task = bar.add_task("learning", total=passes * len(lessons))
        for number in range(passes):
            for part in games_at_a_time(lessons):
                learner.learn(as_moves(part), number)
                bar.advance(task, len(part))
        accuracy = _examine(learner, test, bar)
    manifest = _account(source, collection, len(lessons))
    manifest |= {"passes": passes, "patterns": patterns} | told(accuracy, len(test))
    learner.strengths(manifest).save(out)
    return manifest


def teach_mango(source: Source, out: Path, least_played: int) -> dict[str, Any]:
    """Learn Mango's shapes, write them to a file, and tell what was done: the manifest."""
    with learning_bar() as bar:
        collection = source.read(bar)
        bar.add_task("learning", total=None)
        learner = MangoLearner(source.size, as_moves(collection.games), least_played)
        manifest = _account(source, collection, len(collection.games))
        shapes = learner.shapes(manifest)
    shapes.save(out)
    return manifest | {"patterns": len(shapes.patterns)}


def _account(source: Source, collection: Collection, games: int) -> dict[str, Any]:
    """What was learned from, on one size of board."""
    skipped = dict(collection.skipped)
    return account(source.paths, games) | {"size": source.size, "skipped": skipped}


def account(paths: Sequence[Path], games: int) -> dict[str, Any]:
    """What was learned from."""
    date = datetime.now(UTC).date().isoformat()
    return {"data": [path.name for path in paths], "games": games, "date": date}


def examine(source: Source, strengths: Path | None, draw: Draw | None = None) -> dict[str, Any]:
    """How well strengths, the shipped ones or a file of others, guess the moves of games."""
    check_paths(source.paths)  # before anything is compiled
    known = Strengths.load(strengths) if strengths else shipped_strengths(source.size)
    learner = Learner(source.size)
    learner.know(known)
    with learning_bar() as bar:
        games = source.read(bar).games
        accuracy = _examine(learner, games, bar)
    if draw is not None:
        draw(accuracy, f"{accuracy.moves:,} moves of {len(games):,} games")
    return told(accuracy, len(games)) | {
        "by_stage": {str(n): accuracy.by_stage(n) for n in GUESSES}
    }


def told(accuracy: Accuracy, games: int) -> dict[str, Any]:
    """Accuracy in numbers."""
    return {
        "test_games": games,
        "test_moves": accuracy.moves,
        "accuracy": {str(n): round(accuracy.within(n), 4) for n in GUESSES},
        "log_likelihood": round(accuracy.log_likelihood, 4),
    }


def learning_bar() -> Progress:
    """A live bar on the standard error, if that is a terminal."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def games_at_a_time(games: Sequence[Game]) -> list[Sequence[Game]]:
    """Games in parts, after each of which a bar moves on."""
    return [games[i : i + GAMES_AT_A_TIME] for i in range(0, len(games), GAMES_AT_A_TIME)]


def _examine(learner: Learner, games: Sequence[Game], bar: Progress) -> Accuracy:
    task = bar.add_task("examining", total=len(games))
    found = learner.examine(as_moves([]))
    for part in games_at_a_time(games):
        found += learner.examine(as_moves(part))
        bar.advance(task, len(part))
    return found


def _reasons(collection: Collection) -> str:
    reasons = [f"{count} {reason}" for reason, count in collection.skipped.most_common(3)]
    return "; ".join(reasons) or "the files are empty"
