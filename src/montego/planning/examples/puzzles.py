"""Nested Monte Carlo on Morpion Solitaire, SameGame and Sudoku: the runs behind their figures."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from montego.planning.budget import Progress
from montego.planning.examples import morpion, same_game, sudoku
from montego.planning.nesting import nested

CAZENAVE = 77_934
"""SameGame's standard set by nested search of level 3 (Cazenave 2009)."""


def told(progress: Progress) -> None:
    """One line on the standard error that is written over."""
    best = "-" if progress.best is None else f"{progress.best:g}"
    sys.stderr.write(f"\r{progress.evaluations:,} playouts, best {best} ")


def morpion_figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The grid of a search of level 3, with a budget of nine million playouts."""
    game, budget = morpion.Morpion(), 10_000 if quick else 9_100_000
    found = nested(game, game.START, 3, evaluations=budget, seed=1, progress=told)
    lines = morpion.check(found.sequence)
    title = f"Morpion Solitaire 5D: {lines} lines, nested level 3"
    morpion.draw(found.sequence, folder / "planning-morpion.svg", title)
    return {"lines": lines, "playouts": found.evaluations, "sequence": found.sequence}


def same_game_figure(folder: Path, quick: bool = False, seconds: float = 0.5) -> dict[str, object]:
    """The scores of the 20 boards, with so many seconds of processor time for each."""
    from montego.planning.figures import canvas, save

    game, scores, playouts = same_game.SameGame(), [], 0
    boards = same_game.standard_set()[: 2 if quick else None]
    for number, rows in enumerate(boards):
        start, state = time.process_time(), game.board(rows)
        dice, best = Random(number), 0
        while time.process_time() - start < (0.2 if quick else seconds):
            score, line, count = game.nested(state, 1, dice)
            playouts += count
            if score > best:
                best = same_game.check(rows, line)
        scores.append(best)
        sys.stderr.write(f"\rboard {number + 1}: {best}, sum {sum(scores)} ")
    picture, (axis,) = canvas()
    axis.bar(range(1, len(scores) + 1), scores, color="#1f5fa8")
    axis.set_xlabel("board of the standard set")
    axis.set_ylabel("score")
    save(picture, folder / "planning-same-game.svg")
    return {"sum": sum(scores), "scores": scores, "playouts": playouts, "published": CAZENAVE}


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
