"""What more threads bring (T21): two threads on one tree against one thread, and what locks cost.

The ceiling is the machine's own: two searches that share nothing, at the same time.  Runs
alternate, because machines are noisy; the cores have to be idle.  With ``--locks``, one tree is
grown by 1, 2, 4 ... threads in each of three ways: without locks, with a global lock, and with a
lock for every node.

    python benchmarks/threads.py [--size 9] [--simulations 20000] [--repeats 11] [RECIPE ...]
    python benchmarks/threads.py --locks [--threads 4] [RECIPE ...]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from montego.go import Position
from montego.mcts.found import Budget
from montego.mcts.recipes import RECIPES
from montego.mcts.rules import RULES
from montego.mcts.search import LocalSearch


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


def compare_locks(name: str, size: int, simulations: int, repeats: int, most: int) -> str:
    """One recipe: simulations a second by threads, in the three ways to share a tree."""
    numbers = [1 << i for i in range(most.bit_length()) if 1 << i <= most]
    searches = {
        (locks, threads): LocalSearch(
            RECIPES[name].with_parameters({"locks": locks}), threads, memory_mb=128
        )
        for threads in numbers
        for locks in RULES["locks"]
    }
    runs = [
        {key: rate([search], size, simulations) for key, search in searches.items()}
        for _ in range(repeats + 1)
    ][1:]  # the first warms up
    lines = [f"{name} {size}×{size}, simulations/s (times one thread without locks)"]
    lines += ["threads" + "".join(f"{locks:>20}" for locks in RULES["locks"])]
    for threads in numbers:
        cells = [_cell(runs, (locks, threads)) for locks in RULES["locks"]]
        lines.append(f"{threads:7}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def _cell(runs: list[dict[tuple[str, int], float]], key: tuple[str, int]) -> str:
    times = median(run[key] / run["none", 1] for run in runs)
    return f"{median(run[key] for run in runs):,.0f} ({times:.2f})"


def main() -> None:
    """Compare the recipes asked for."""
    parser = argparse.ArgumentParser(description="What more threads bring.")
    parser.add_argument("recipes", nargs="*", default=["rave-uniform", "montego"])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=11)
    parser.add_argument("--locks", action="store_true", help="by how the tree is locked")
    parser.add_argument("--threads", type=int, default=2, help="with --locks: at most so many")
    options = parser.parse_args()
    for name in options.recipes:
        settings = (name, options.size, options.simulations, options.repeats)
        shown = compare_locks(*settings, options.threads) if options.locks else compare(*settings)
        print(shown, flush=True)


if __name__ == "__main__":
    main()
