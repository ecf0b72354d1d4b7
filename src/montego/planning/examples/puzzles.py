"""Nested searches on Morpion Solitaire, SameGame and Sudoku: the runs behind their figures.

A run of SameGame and Morpion is stored with its moves, one line of JSON each, so that it need not
be repeated, and can be checked (``check``).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from montego.planning.budget import Progress
from montego.planning.examples import morpion, same_game, sudoku
from montego.planning.nested_search import nested
from montego.planning.policy_adaptation import nrpa

CAZENAVE = 77_934
"""SameGame's standard set by nested search of level 3 (Cazenave 2009)."""


@dataclass(frozen=True)
class Run:
    """One search of one puzzle."""

    puzzle: str
    method: str
    level: int
    seed: int
    score: int
    playouts: int
    seconds: float
    """Of the processor."""
    moves: list[int]


def show_progress(progress: Progress) -> None:
    """One line on standard error that is overwritten."""
    best = "-" if progress.best is None else f"{progress.best:g}"
    sys.stderr.write(f"\r{progress.evaluations:,} playouts, best {best} ")


def searched(puzzle: str, method: str, level: int, seed: int, search: Callable[..., Any]) -> Run:
    """A run, timed."""
    start = time.process_time()
    found = search(seed=seed, progress=show_progress)
    seconds = round(time.process_time() - start, 1)
    score = int(found.value)
    return Run(puzzle, method, level, seed, score, found.evaluations, seconds, found.sequence)


class RunLog:
    """Stored runs, which are not repeated."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.runs = [Run(**json.loads(line)) for line in lines]

    def get(
        self, puzzle: str, method: str, level: int, seed: int, search: Callable[..., Any]
    ) -> Run:
        """A stored run, or a new one."""
        asked = (puzzle, method, level, seed)
        for run in self.runs:
            if (run.puzzle, run.method, run.level, run.seed) == asked:
                return run
        run = searched(puzzle, method, level, seed, search)
        self.runs.append(run)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run)) + "\n")
        return run


def morpion_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The best grid of nested search (level 3, nine million playouts) and of adaptation."""
    game, record = morpion.Morpion(), RunLog(folder / "planning-morpion.jsonl")

    def by_nesting(**options: Any) -> Any:
        budget = 10_000 if quick else 9_100_000
        return nested(game, game.START, 3, evaluations=budget, **options)

    def by_adaptation(**options: Any) -> Any:
        return nrpa(game, game.START, 4, iterations=6 if quick else 50, **options)

    runs = [
        record.get("morpion", "nested", 3, 1, by_nesting),
        record.get("morpion", "nrpa", 4, 1, by_adaptation),
    ]
    best = max(runs, key=lambda run: morpion.check(run.moves))
    title = f"Morpion Solitaire 5D: {best.score} lines, {best.method} level {best.level}"
    morpion.draw(best.moves, folder / "planning-morpion.svg", title)
    return {run.method: {"lines": run.score, "playouts": run.playouts} for run in runs}


def same_game_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The scores of the 20 boards, by policy adaptation with a million playouts each."""
    from montego.planning.figures import canvas, save

    game, record = same_game.SameGame(), RunLog(folder / "planning-same-game.jsonl")
    boards = same_game.standard_set()[: 2 if quick else None]
    iterations = 8 if quick else 100
    scores = []
    for number, rows in enumerate(boards, 1):
        search = partial(nrpa, game, game.board(rows), level=3, iterations=iterations)
        run = record.get(f"same-game {number}", "nrpa", 3, 1, search)
        scores.append(same_game.check(rows, run.moves))
        sys.stderr.write(f"\rboard {number}: {run.score}, sum {sum(scores):,}            \n")
    picture, (axis,) = canvas()
    axis.bar(range(1, len(scores) + 1), scores, color="#1f5fa8")
    axis.set_xlabel("board of the standard set")
    axis.set_ylabel("score")
    axis.set_title(f"policy adaptation, level 3: {sum(scores):,} points", loc="left", fontsize=10)
    save(picture, folder / "planning-same-game.svg")
    return {"sum": sum(scores), "scores": scores, "published, nested level 3": CAZENAVE}


def sudoku_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """How many playouts it takes to solve grids of 16 × 16, by their empty cells."""
    from montego.planning.figures import canvas, save

    game, shares, grids = sudoku.Sudoku(), (0.5, 0.6, 0.66), 3 if quick else 10
    found: dict[str, object] = {"grids": grids}
    picture, (axis,) = canvas()
    for share in shares:
        counts, seconds = [], time.process_time()
        for seed in range(grids):
            grid = sudoku.puzzle(Random(seed), share)
            answer = nested(game, game.grid(grid), 2, goal=256, evaluations=10**6, seed=seed)
            if sudoku.is_solved(sudoku.filled_in(grid, answer.sequence)):
                counts.append(answer.evaluations)
        seconds = time.process_time() - seconds
        axis.plot([100 * share] * len(counts), counts, "o", c="#1f5fa8", alpha=0.4)
        found[f"{share:.0%} empty"] = {
            "solved": len(counts), "playouts": sorted(counts), "seconds": round(seconds, 2),
        }  # fmt: skip
    axis.set_yscale("log")
    axis.set_xlabel("empty cells, %")
    axis.set_ylabel("playouts until solved")
    save(picture, folder / "planning-sudoku.svg")
    return found
