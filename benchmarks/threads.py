"""What a second thread brings (T21): two threads on one tree against one thread.

The ceiling is the machine's own: two searches that share nothing, at the same time.  Runs
alternate, because machines are noisy; both cores have to be idle.

    python benchmarks/threads.py [--size 9] [--simulations 20000] [--repeats 11] [RECIPE ...]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from montego.go import Position
from montego.mcts.recipes import RECIPES
from montego.mcts.search import Budget, LocalSearch


def rate(searches: list[LocalSearch], size: int, simulations: int) -> float:
    """Simulations per second of searches that run at the same time."""
    position, budget = Position.start(size), Budget(simulations=simulations)

    def run(search: LocalSearch) -> None:
        search.run(position, budget)

    for search in searches:
        search.clear()
    with ThreadPoolExecutor(len(searches)) as pool:
        begin = time.perf_counter()
        list(pool.map(run, searches))
        return len(searches) * simulations / (time.perf_counter() - begin)


def compare(name: str, size: int, simulations: int, repeats: int) -> str:
    """One recipe: the speed of one thread, and how many times that the others reach."""
    one, apart, shared = (LocalSearch(RECIPES[name], threads=n) for n in (1, 1, 2))
    ways: list[Callable[[], float]] = [
        lambda searches=searches: rate(searches, size, simulations)  # type: ignore[misc]
        for searches in ([one], [shared], [one, apart])
    ]
    runs = [[way() for way in ways] for _ in range(repeats + 1)][1:]  # the first warms up
    on_one_tree = median(run[1] / run[0] for run in runs)
    on_two_trees = median(run[2] / run[0] for run in runs)
    return (
        f"{name:13} {size}×{size}  {median(run[0] for run in runs):9,.0f} simulations/s  "
        f"two threads {on_one_tree:.2f} times  (two trees {on_two_trees:.2f})"
    )


def main() -> None:
    """Compare the recipes asked for."""
    parser = argparse.ArgumentParser(description="What a second thread brings.")
    parser.add_argument("recipes", nargs="*", default=["rave-uniform", "montego"])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=11)
    options = parser.parse_args()
    for name in options.recipes:
        print(compare(name, options.size, options.simulations, options.repeats), flush=True)


if __name__ == "__main__":
    main()
