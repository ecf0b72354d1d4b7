"""What a second process brings (T24): ranks of an MPI job against one, in the same time.

The ceiling is the machine's own: trees that are joined only at the end (root).  Runs alternate,
because machines are noisy; as many cores as ranks have to be idle.

    python benchmarks/ranks.py [--size 9] [--seconds 2] [--repeats 7] [--ranks 2] [RECIPE ...]
"""

from __future__ import annotations

import argparse
import json
from statistics import median

from montego.cluster.mpi import MpiSearch, Ranks
from montego.go import Position
from montego.mcts.recipes import RECIPES
from montego.mcts.search import Budget, Found

MEMORY = 256


def simulations(search: MpiSearch, size: int, seconds: float) -> int:
    """What all processes have done in some seconds, on a new tree: the visits of the root."""
    search.clear()

    def goes_on(found: Found) -> bool:
        return found.seconds < seconds

    found = search.run(Position.start(size), Budget(seconds=100 * seconds), goes_on, 0.05)
    done = sum(candidate.visits for candidate in found.candidates)
    return round(done * seconds / found.seconds)


def compare(name: str, size: int, ranks: int, seconds: float, repeats: int) -> dict[str, object]:
    """One recipe: the speed of one process, and how many times that the others reach."""
    ways = {"one": Ranks("root", 1), "shared": Ranks(ranks=ranks), "apart": Ranks("root", ranks)}
    searches = {way: given.make(RECIPES[name], 1, MEMORY, 1) for way, given in ways.items()}
    try:
        runs = [
            {way: simulations(search, size, seconds) for way, search in searches.items()}
            for _ in range(repeats + 1)
        ][1:]  # the first warms up
    finally:
        for search in searches.values():
            search.close()
    return {
        "recipe": name,
        "size": size,
        "ranks": ranks,
        "simulations_per_second": median(run["one"] for run in runs) / seconds,
        "shared": median(run["shared"] / run["one"] for run in runs),
        "apart": median(run["apart"] / run["one"] for run in runs),
    }


def main() -> None:
    """Compare the recipes asked for."""
    parser = argparse.ArgumentParser(description="What a second process brings.")
    parser.add_argument("recipes", nargs="*", default=["montego"])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    for name in options.recipes:
        told = compare(name, options.size, options.ranks, options.seconds, options.repeats)
        print(
            f"{name:13} {options.size}×{options.size}  {told['simulations_per_second']:9,.0f} "
            f"simulations/s  {options.ranks} ranks {told['shared']:.2f} times  "
            f"(joined at the end {told['apart']:.2f})"
        )
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
