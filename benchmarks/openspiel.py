"""Our uniform playouts beside the simulations of OpenSpiel's MCTS, which is written in C++.

A simulation there is a walk down the tree and one uniform playout, so it does a little
more than a playout of ours; the playout is nearly all of it.  Both take turns, a batch
each, in the same minute on the same core: only the ratio means anything, and it is taken
between the best batches of either side.

    python benchmarks/openspiel.py [--sizes 9,19] [--rounds 5] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pyspiel
from rich.console import Console
from rich.table import Table

from montego.bench.speed import Cell

OUR_BATCH_SECONDS = 0.5
THEIR_SIMULATIONS = {9: 5000, 13: 1500, 19: 400}
"""A search of a second or two."""
UCT_C = 1.4
SEED = 1


@dataclass(frozen=True)
class Comparison:
    """Playouts and simulations per second on one size of board."""

    size: int
    montego: float
    openspiel: float

    @property
    def ratio(self) -> float:
        """How many of our playouts fit into one of their simulations."""
        return self.montego / self.openspiel


def simulations_per_second(size: int, simulations: int) -> float:
    """The rate of one search of OpenSpiel's from the empty board."""
    game = pyspiel.load_game("go", {"board_size": size})
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, SEED),
        UCT_C,
        simulations,
        1000,  # megabytes, more than such a tree needs
        False,  # no solver: it would only cost time here
        SEED,
        False,  # not verbose
    )
    state = game.new_initial_state()
    begin = time.perf_counter()
    bot.step(state)
    return simulations / (time.perf_counter() - begin)


def compare(size: int, rounds: int) -> Comparison:
    """Let both sides take turns; the best batch of either counts."""
    simulations = THEIR_SIMULATIONS.get(size, 1000)
    ours = Cell("uniform", size)
    ours.calibrate(OUR_BATCH_SECONDS)
    theirs = 0.0
    for _ in range(rounds):
        ours.run()
        theirs = max(theirs, simulations_per_second(size, simulations))
    return Comparison(size, ours.best, theirs)


def show(comparisons: list[Comparison]) -> None:
    """Print the table."""
    table = Table(title="playouts or simulations per second, one core, empty board")
    for heading in ("board", "montego, uniform", "OpenSpiel, C++ MCTS", "ratio"):
        table.add_column(heading, justify="right")
    for found in comparisons:
        table.add_row(
            f"{found.size}×{found.size}",
            f"{found.montego:,.0f}",
            f"{found.openspiel:,.0f}",
            f"{found.ratio:.1f}",
        )
    Console().print(table)


def as_json(comparisons: list[Comparison]) -> str:
    """The same figures for programs."""
    figures = {
        str(found.size): {
            "montego": round(found.montego, 1),
            "openspiel": round(found.openspiel, 1),
            "ratio": round(found.ratio, 2),
        }
        for found in comparisons
    }
    return json.dumps({"openspiel": figures}, indent=2) + "\n"


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description="Uniform playouts beside OpenSpiel's MCTS.")
    parser.add_argument("--sizes", default="9,19", help="board sizes, with commas")
    parser.add_argument("--rounds", type=int, default=5, help="batches of either side")
    parser.add_argument("--json", metavar="FILE", help="write the figures; - is stdout")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    comparisons = [compare(size, max(1, options.rounds)) for size in sizes]
    if options.json == "-":
        sys.stdout.write(as_json(comparisons))
        return
    show(comparisons)
    if options.json:
        Path(options.json).write_text(as_json(comparisons), encoding="utf-8")


if __name__ == "__main__":
    main()
