"""TAG against plain Monte Carlo and Optuna's TPE on graphs, with equal numbers of evaluations.

The objectives cost nothing, so that hundreds of runs can be compared.  TAG's s and its elite were
chosen on four of the graphs, its α on all of them:

* ``transform``: the derivations of a DFT of size 2^18 (Problem 1 of the thesis) with a model of its
  time in which neighbours matter, as caches make them matter;
* ``recipe``: amounts of five ingredients, added one at a time; many paths lead to the same vertex;
* ``expression``: formulas of a small grammar, by how well they fit some points;
* ``route``: paths through a network of towns, where the same turn means another town elsewhere;

and three more:

* ``landscape``: bits one after the other, whose worth depends on three neighbours each (Kauffman);
* ``knapsack``: things to take or leave, as long as they can be carried;
* ``tour``: the shortest round trip through nine towns.

Plain Monte Carlo takes every edge with equal probability (section 5.1.1).  TPE is asked for the
edge at each depth, as a user of Optuna would write it.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any

from montego.planning.graph import Grammar, graph_of
from montego.planning.optimiser import optimise
from montego.planning.tag import DEFAULT_SETTINGS, THESIS, TagSettings

Objective = Callable[[Any], float]
BASE = (1, 2, 3, 4, 5)
"""Codelets that a transform ends with, as powers of two."""
TARGET = (1, 5, 0, 4, 2)
OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: a - b,
}


def transform(t: int = 18) -> tuple[Any, Objective]:
    """A DFT of size 2^t as a row of codelets: D7 → 3 D4, …"""
    rules: dict[Any, list[list[Any]]] = {}
    for size in range(1, t + 1):
        rules["D", size] = [[k, ("D", size - k)] for k in BASE if k < size]
        rules["D", size] += [[size]] if size in BASE else []
    return Grammar(rules, ("D", t)), speed_of


def speed_of(word: tuple[int, ...]) -> float:
    """Pseudo operations a second: wide codelets are good, but too wide ones in a row spill."""
    time, left = 0.0, sum(word)
    for place, size in enumerate(word):
        own = {1: 1.0, 2: 0.62, 3: 0.5, 4: 0.46, 5: 0.52}[size]
        before = word[place - 1] if place else 3
        stride = 1.0 + 0.25 * max(0, left - 9) * (size < 3) + 0.3 * (before + size > 8)
        time += size * own * stride + 0.15 * abs(before - size)
        left -= size
    return sum(word) / time


def recipe() -> tuple[Any, Objective]:
    """Twelve spoons of five ingredients."""

    def successors(amounts: tuple[int, ...]) -> list[tuple[int, ...]]:
        if sum(amounts) == 12:
            return []
        return [(*amounts[:i], amounts[i] + 1, *amounts[i + 1 :]) for i in range(5)]

    def taste(amounts: tuple[int, ...]) -> float:
        return -float(sum((a - b) ** 2 for a, b in zip(amounts, TARGET, strict=True)))

    return ((0,) * 5, successors), taste


def expression() -> tuple[Any, Objective]:
    """Formulas in prefix form of x and 1, four deep; wanted is x³ − 2x + 1."""
    rules: dict[Any, list[list[Any]]] = {"E0": [["x"], ["1"]]}
    for depth in (1, 2, 3, 4):
        deeper = f"E{depth - 1}"
        rules[f"E{depth}"] = [["x"], ["1"], *([sign, deeper, deeper] for sign in OPERATIONS)]
    return Grammar(rules, "E4", leftmost=True), fit_of


@lru_cache(100_000)
def fit_of(formula: tuple[str, ...]) -> float:
    """1 / (1 + the mean error at nine points)."""
    points = [k / 2 - 2 for k in range(9)]
    error = sum(abs(value_at(list(formula), x) - (x**3 - 2 * x + 1)) for x in points)
    return 1 / (1 + error / len(points))


def value_at(formula: list[str], x: float) -> float:
    sign = formula.pop(0)
    if sign not in OPERATIONS:
        return x if sign == "x" else 1.0
    first = value_at(formula, x)
    return OPERATIONS[sign](first, value_at(formula, x))


def route(layers: int = 10, width: int = 10) -> tuple[Any, Objective]:
    """Paths through a network of towns, three roads from each; every town has a random value."""
    rng = Random(1)
    towns = [(layer, place) for layer in range(layers) for place in range(width)]
    values = {town: rng.gauss(0, 1) for town in towns}
    roads = {town: rng.sample(range(width), 3) for town in towns}

    def successors(path: tuple[int, ...]) -> list[tuple[int, ...]]:
        if len(path) == layers:
            return []
        return [(*path, place) for place in roads[len(path) - 1, path[-1]]]

    def total(path: tuple[int, ...]) -> float:
        return sum(values[town] for town in enumerate(path))

    return ((0,), successors), total


def landscape(bits: int = 18, neighbours: int = 3) -> tuple[Any, Objective]:
    """An NK landscape: every bit with its neighbours has a worth of its own, drawn at random."""
    rng = Random(5)
    worth = [[rng.random() for _ in range(2 ** (neighbours + 1))] for _ in range(bits)]

    def successors(word: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [] if len(word) == bits else [(*word, 0), (*word, 1)]

    def fitness(word: tuple[int, ...]) -> float:
        round_it = word + word
        places = (round_it[i : i + neighbours + 1] for i in range(bits))
        return sum(w[int("".join(map(str, p)), 2)] for w, p in zip(worth, places, strict=True))

    return ((), successors), fitness


def knapsack(things: int = 14) -> tuple[Any, Objective]:
    """Take or leave one thing after the other; half of all their weight can be carried."""
    rng = Random(3)
    weights = [rng.randint(1, 9) for _ in range(things)]
    values = [weight + rng.randint(1, 20) for weight in weights]

    def total(numbers: list[int], word: tuple[int, ...]) -> int:
        return sum(number for number, is_taken in zip(numbers, word, strict=False) if is_taken)

    def successors(word: tuple[int, ...]) -> list[tuple[int, ...]]:
        if len(word) == things:
            return []
        fits = total(weights, (*word, 1)) <= sum(weights) // 2
        return [(*word, 0), (*word, 1)] if fits else [(*word, 0)]

    return ((), successors), lambda word: float(total(values, word))


def tour(towns: int = 9) -> tuple[Any, Objective]:
    """The towns in the order of the round trip; short ones are good."""
    rng = Random(2)
    places = [complex(rng.random(), rng.random()) for _ in range(towns)]

    def successors(path: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [(*path, town) for town in range(towns) if town not in path]

    def shortness(path: tuple[int, ...]) -> float:
        pairs = zip(path, (*path[1:], path[0]), strict=True)
        return -sum(abs(places[a] - places[b]) for a, b in pairs)

    return ((0,), successors), shortness


GRAPHS = {
    "transform": transform,
    "recipe": recipe,
    "expression": expression,
    "route": route,
    "landscape": landscape,
    "knapsack": knapsack,
    "tour": tour,
}


def by_tag(
    graph: Any,
    objective: Objective,
    evaluations: int,
    seed: int,
    settings: TagSettings = DEFAULT_SETTINGS,
) -> float:
    study = optimise(graph, objective, evaluations=evaluations, seed=seed, settings=settings)
    assert study.best_value is not None
    return study.best_value


def by_monte_carlo(graph: Any, objective: Objective, evaluations: int, seed: int) -> float:
    """Every edge with equal probability, from the root each time."""
    known, rng, best = graph_of(graph), Random(seed), -math.inf
    for _ in range(evaluations):
        vertex = known.root
        while successors := list(known.successors(vertex)):
            vertex = rng.choice(successors)
        best = max(best, objective(vertex))
    return best


def by_tpe(graph: Any, objective: Objective, evaluations: int, seed: int) -> float:
    """Optuna's tree-structured Parzen estimator, asked for every edge."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    known = graph_of(graph)

    def run(trial: Any) -> float:
        vertex, depth = known.root, 0
        while successors := list(known.successors(vertex)):
            name = f"{depth} of {len(successors)}"
            vertex = successors[trial.suggest_categorical(name, range(len(successors)))]
            depth += 1
        return objective(vertex)

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(run, n_trials=evaluations)
    return float(study.best_value)


Method = Callable[[Any, Objective, int, int], float]
METHODS: dict[str, Method] = {
    "TAG": by_tag,
    "TAG of the thesis": partial(by_tag, settings=THESIS),
    "Monte Carlo": by_monte_carlo,
    "TPE": by_tpe,
}


def compare(name: str, method: str, evaluations: int, runs: int) -> tuple[float, float, float]:
    """The mean of the best values, its 95 % interval (±), and the standard deviation."""
    graph, objective = GRAPHS[name]()
    best = [METHODS[method](graph, objective, evaluations, seed) for seed in range(runs)]
    deviation = statistics.stdev(best)
    return statistics.fmean(best), 1.96 * deviation / math.sqrt(runs), deviation


RUNS = {"TAG": 100, "TAG of the thesis": 100, "Monte Carlo": 100, "TPE": 30}
EVALUATIONS = 200


def figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """Means and spreads of the methods on the graphs."""
    evaluations = 40 if quick else EVALUATIONS
    runs = dict.fromkeys(("TAG", "Monte Carlo"), 3) if quick else RUNS
    found: dict[str, Any] = {}
    for name in GRAPHS:
        found[name] = {m: compare(name, m, evaluations, count) for m, count in runs.items()}
        sys.stderr.write(f"{name} {found[name]}\n")
    draw(found, folder / "planning-contest.svg")
    return found


def draw(found: dict[str, dict[str, tuple[float, float, float]]], path: Path) -> None:
    """A panel for each graph: means with their intervals, standard deviations behind them."""
    from montego.planning.figures import canvas, save

    picture, axes = canvas(4, inches=(11.0, 5.6), rows=2)
    for axis, (name, results) in zip(axes, found.items(), strict=False):
        for place, (mean, interval, deviation) in enumerate(results.values()):
            axis.errorbar(place, mean, yerr=deviation, fmt="none", ecolor="#bbbbbb", lw=6)
            axis.errorbar(place, mean, yerr=interval, fmt="o", c="#1f5fa8", capsize=4)
        labels = [label.replace(" ", "\n", 1) for label in results]
        axis.set_xticks(range(len(labels)), labels, fontsize=7)
        axis.set_xlim(-0.5, len(labels) - 0.5)
        axis.set_title(name, loc="left", fontsize=10)
    for axis in axes[len(found) :]:
        axis.axis("off")
    save(picture, path)
