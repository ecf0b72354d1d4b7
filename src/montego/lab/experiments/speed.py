"""How fast a search is, and what its tree looks like afterwards."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go import Position
from montego.kernels.tree.tree import ROOT
from montego.lab.base.journal import Line
from montego.mcts.found import Budget
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

MEMORY = 1024  # megabytes


@dataclass(frozen=True)
class SearchSpeed:
    """A search from the empty board for some seconds, in a new tree."""

    recipe: Recipe
    size: int
    seconds: float
    threads: int = 1

    def __call__(self) -> Mapping[str, Any]:
        search = LocalSearch(self.recipe, self.threads, MEMORY, seed=1)
        begin = time.process_time()
        # The search ends early where the second move cannot catch up; here it has to go on.
        found = search.run(
            Position.start(self.size),
            Budget(simulations=1 << 40),
            lambda found: found.seconds < self.seconds,
            min(self.seconds / 4, 0.25),  # to be asked costs a little time
        )
        return {
            "simulations": found.simulations,
            "seconds": round(found.seconds, 4),
            "cpu_seconds": round(time.process_time() - begin, 4),
            **inside(search),
        }


def rate(line: Line) -> float:
    """Simulations a second of one core: what others do on the machine does not count."""
    return float(line["simulations"] / line["cpu_seconds"])


def wall_rate(line: Line) -> float:
    """Simulations a second by the clock on the wall, for several threads."""
    return float(line["simulations"] / line["seconds"])


# --- what a search does not tell by itself ---------------------------------------------


def inside(search: LocalSearch) -> dict[str, Any]:
    """Calls to knowledge, moves of playouts, and how many nodes have 1, 2–3, 4–7 … visits."""
    tree = search.tree
    visits = search.pool[ROOT : int(tree["used"])]["visits"]
    seen = np.floor(np.log2(visits[visits > 0])).astype(np.int64)
    return {
        "knowledge_calls": int(tree["knowledge_calls"]),
        "playout_moves": int(sum(space.work["playout_moves"] for space in search.workspaces)),
        "nodes": np.bincount(seen).tolist(),
    }


def root_value(search: LocalSearch) -> float:
    """The backed-up value of the root, from -1 to 1, for the player to move."""
    # A node's own value is seen by the player who moved into it.
    return -float(search.pool[ROOT]["value"])
