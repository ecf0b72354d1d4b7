"""What a second process brings (T24): ranks of an MPI job against one, in the same time.

The ceiling is the machine's own: trees that are joined only at the end (root).  Runs alternate,
because machines are noisy; as many cores as ranks have to be idle.  What messages cost is the
processor time of the first process of a job with --crowd ranks that it does not search in, as
a part of a core: its main thread, and the giving and taking of sums.

    python benchmarks/ranks.py [--size 9] [--size 19] [--seconds 2] [--repeats 7] [--ranks 2]
                               [--crowd 4] [--out FILE] [RECIPE ...]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from montego import __version__
from montego.cluster.mpi import MpiSearch, Ranks
from montego.go import Position
from montego.mcts.found import Budget, Found
from montego.mcts.recipes import RECIPES

MEMORY = 256


def search_for(search: MpiSearch, size: int, seconds: float) -> Found:
    """What all processes find in some seconds, on a new tree."""
    search.clear()

    def goes_on(found: Found) -> bool:
        return found.seconds < seconds

    return search.run(Position.start(size), Budget(seconds=100 * seconds), goes_on, 0.05)


def simulations(search: MpiSearch, size: int, seconds: float) -> int:
    """What all processes have done in some seconds: the visits of the root."""
    found = search_for(search, size, seconds)
    done = sum(candidate.visits for candidate in found.candidates)
    return round(done * seconds / found.seconds)


def compare(name: str, size: int, options: argparse.Namespace) -> dict[str, Any]:
    """One recipe: the speed of one process, and how many times that the others reach."""
    ranks, seconds = options.ranks, options.seconds
    ways = {"one": Ranks("root", 1), "shared": Ranks(ranks=ranks), "apart": Ranks("root", ranks)}
    searches = {way: given.make(RECIPES[name], 1, MEMORY, 1) for way, given in ways.items()}
    try:
        runs = [
            {way: simulations(search, size, seconds) for way, search in searches.items()}
            for _ in range(options.repeats + 1)
        ][1:]  # the first warms up
    finally:
        for search in searches.values():
            search.close()
    shared = [run["shared"] / run["one"] for run in runs]
    return {
        "recipe": name,
        "size": size,
        "ranks": ranks,
        "simulations_per_second": median(run["one"] for run in runs) / seconds,
        "shared": median(shared),
        "shared_quartiles": quantiles(shared, n=4)[::2],
        "apart": median(run["apart"] / run["one"] for run in runs),
        "crowd": options.crowd,
        "cost": cost(name, size, options),
    }


def cost(name: str, size: int, options: argparse.Namespace) -> float:
    """The part of a core that messages take in a larger job, at 20 shares a second."""
    search = Ranks(ranks=options.crowd).make(RECIPES[name], 1, MEMORY, 1)
    parts = []
    try:
        for _ in range(3):
            before = search.cost
            found = search_for(search, size, 2 * options.seconds)
            parts.append((search.cost - before) / found.seconds)
    finally:
        search.close()
    return median(parts)


def line(told: dict[str, Any]) -> str:
    """A row of the table."""
    low, high = told["shared_quartiles"]
    return (
        f"{told['recipe']:13} {told['size']}×{told['size']}  "
        f"{told['simulations_per_second']:9,.0f} simulations/s  {told['ranks']} ranks "
        f"{told['shared']:.2f} times ({low:.2f} to {high:.2f}; joined at the end "
        f"{told['apart']:.2f})  messages of {told['crowd']} ranks {told['cost']:.1%} of a core"
    )


def main() -> None:
    """Compare the recipes asked for."""
    parser = argparse.ArgumentParser(description="What a second process brings.")
    parser.add_argument("recipes", nargs="*", default=["montego"])
    parser.add_argument("--size", type=int, action="append")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--crowd", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for name in options.recipes:
        for size in options.size or [9, 19]:
            rows.append(compare(name, size, options))
            print(line(rows[-1]), flush=True)
    told = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "montego": __version__,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "rows": rows,
    }
    print(json.dumps(told), flush=True)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
