"""What it costs to be watched: simulations of a search that reports to a page, and of one alone.

python benchmarks/streaming.py [--simulations 30000] [--repeats 5] [--sizes 9 19] [--json]

A real server, a real page's socket, an analysis at ten reports a second, with and without the
tree (Inside); beside it the same search without any report.  They take turns.  What is compared
is the processor time of a simulation, reports included: it depends less than the clock on what
else the machine does.  Linux only, for it reads /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from montego.go import Position
from montego.go.rulesets import find_ruleset
from montego.mcts.found import Budget
from montego.mcts.ready import warm_up
from montego.mcts.recipes import RECIPES
from montego.mcts.search import LocalSearch
from tests.web.client import children
from tests.web.conftest import Server, running

WAYS = ("alone", "watched", "inside")


def alone(size: int, simulations: int) -> float:
    """Seconds of the processor for a simulation, without any report."""
    search = LocalSearch(RECIPES["montego"], memory_mb=128, seed=1)
    position = Position.start(size, find_ruleset("chinese").rules(7.5))
    begin = time.process_time()
    found = search.run(position, Budget(simulations=simulations))
    return (time.process_time() - begin) / found.simulations


def processor_time(process: int) -> float:
    """Seconds that a process has had the processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watched(server: Server, size: int, simulations: int, inside: bool) -> tuple[float, float]:
    """The same of an analysis in the browser, and its reports a second."""
    with server.client() as client:
        client.begin("analyse", size=size)
        (engine,) = children(server.process.pid)
        begin = processor_time(engine)
        client.say("analyse", on=True, inside=inside)
        reports = 0
        while True:
            told = client.until("analysis")
            reports += 1
            if told["simulations"] >= simulations:
                used = processor_time(engine) - begin
                return used / told["simulations"], reports / told["seconds"]


def measure(server: Server, size: int, simulations: int, repeats: int) -> dict[str, Any]:
    """All ways by turns, and what the reports cost of the simulations."""
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    told = []
    for way in WAYS[1:]:  # once for nothing: the engine is made, and what it needs is compiled
        watched(server, size, 2_000, way == "inside")
    for _ in range(repeats):
        times["alone"].append(alone(size, simulations))
        for way in WAYS[1:]:
            used, reports = watched(server, size, simulations, way == "inside")
            times[way].append(used)
            told.append(reports)
    costs = {
        way: [1 - base / used for used, base in zip(times[way], times["alone"], strict=True)]
        for way in WAYS[1:]
    }
    return {
        "size": size,
        "simulations": simulations,
        "microseconds": {way: round(1e6 * statistics.median(t), 2) for way, t in times.items()},
        "reports_a_second": round(statistics.median(told), 1),
        "cost": {way: round(statistics.median(c), 4) for way, c in costs.items()},
        "costs": {way: [round(cost, 4) for cost in c] for way, c in costs.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=30_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=[9, 19])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    warm_up()
    with running("--processes", "1") as server:
        found = [measure(server, size, asked.simulations, asked.repeats) for size in asked.sizes]
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print("board    alone  watched   cost   inside   cost   (microseconds a simulation; medians)")
    for one in found:
        used, cost = one["microseconds"], one["cost"]
        print(
            f"{one['size']:>4}x{one['size']:<3}{used['alone']:>8}{used['watched']:>9}"
            f"{cost['watched']:>7.1%}{used['inside']:>9}{cost['inside']:>7.1%}"
        )


if __name__ == "__main__":
    main()
