"""TAG tunes a matrix product: the order of its loops and the sizes of its tiles, on this machine.

The product of two 160 × 160 matrices is computed tile by tile in Numba.  The grammar chooses one of
six orders of the loops, then the tile's extent in each direction: 6 × 5³ = 750 programs that
compute the same.  What is fast depends on the caches of the machine, so the objective is the
measured time (processor time of this thread, the best of five), and low values are good.
"""

from __future__ import annotations

import time
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from montego.planning.dynamic import derive
from montego.planning.graph import Grammar
from montego.planning.optimiser import optimise

SIDE = 160
ORDERS = ["".join(order) for order in permutations("ijk")]
TILES = (4, 8, 16, 40, 160)
DEFAULTS = ("ijk", 160, 160, 160)
"""The order of the loops and the tiles in i, j and k of a plain triple loop."""

TEMPLATE = """
def product(A, B, C, ti, tj, tk):
    C[:] = 0.0
    for {0}0 in range(0, {n}, t{0}):
        for {1}0 in range(0, {n}, t{1}):
            for {2}0 in range(0, {n}, t{2}):
                for {0} in range({0}0, min({0}0 + t{0}, {n})):
                    for {1} in range({1}0, min({1}0 + t{1}, {n})):
                        for {2} in range({2}0, min({2}0 + t{2}, {n})):
                            C[i, j] += A[i, k] * B[k, j]
"""


@cache
def product(order: str) -> Any:
    """The compiled product with this order of loops."""
    import numba

    names: dict[str, Any] = {}
    exec(TEMPLATE.format(*order, n=SIDE), names)
    return numba.njit("void(f8[:,::1],f8[:,::1],f8[:,::1],i8,i8,i8)")(names["product"])


@cache
def matrices() -> tuple[np.ndarray[Any, Any], ...]:
    rng = np.random.default_rng(1)
    return rng.random((SIDE, SIDE)), rng.random((SIDE, SIDE)), np.zeros((SIDE, SIDE))


def milliseconds(word: tuple[Any, ...]) -> float:
    """The time of one product; a part of a word is completed by defaults."""
    order = next((s for s in word if isinstance(s, str)), DEFAULTS[0])
    tiles: dict[str, int] = dict(s for s in word if isinstance(s, tuple))
    i, j, k = (tiles.get(name, extent) for name, extent in zip("ijk", DEFAULTS[1:], strict=True))
    run, (a, b, c) = product(order), matrices()
    best = float("inf")
    for _ in range(5):
        start = time.thread_time_ns()
        run(a, b, c, i, j, k)
        best = min(best, (time.thread_time_ns() - start) / 1e6)
    return best


def grammar() -> Grammar:
    """Order, then the tiles of i, j and k."""
    rules: dict[Any, list[list[Any]]] = {"S": [["O", "I", "J", "K"]], "O": [[o] for o in ORDERS]}
    for name in "ijk":
        rules[name.upper()] = [[(name, tile)] for tile in TILES]
    return Grammar(rules, "S", leftmost=True)


def by_tag(evaluations: int, seed: int) -> tuple[Any, ...]:
    study = optimise(grammar(), milliseconds, evaluations=evaluations, seed=seed, minimise=True)
    return study.best  # type: ignore[no-any-return]


def at_random(evaluations: int, seed: int) -> tuple[Any, ...]:
    rng, choices = Random(seed), grammar()
    return min((choices.random_word(rng) for _ in range(evaluations)), key=milliseconds)


def by_dynamic_programming(evaluations: int, seed: int) -> tuple[Any, ...]:
    """Each choice by itself, the others at their defaults; needs 22 evaluations."""
    return derive(grammar(), milliseconds, minimise=True).word


def by_tpe(evaluations: int, seed: int) -> tuple[Any, ...]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def word(choices: Any) -> tuple[Any, ...]:
        return choices["order"], *((name, choices[name]) for name in "ijk")

    def run(trial: Any) -> float:
        trial.suggest_categorical("order", ORDERS)
        for name in "ijk":
            trial.suggest_categorical(name, TILES)
        return milliseconds(word(trial.params))

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(run, n_trials=evaluations)
    return word(study.best_params)


METHODS = {
    "TAG": by_tag,
    "random": at_random,
    "dynamic programming": by_dynamic_programming,
    "TPE": by_tpe,
}


def figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """The time of each method's result, measured again, against the plain loops."""
    from montego.planning.figures import canvas, save

    evaluations, runs = (10, 1) if quick else (60, 2)
    names = [name for name in METHODS if not (quick and name == "TPE")]
    for order in ORDERS:
        product(order)
    words = {name: [METHODS[name](evaluations, seed) for seed in range(runs)] for name in names}
    times = {name: [] for name in (*names, "plain loops")}  # type: dict[str, list[float]]
    for _ in range(5):  # alternating, since the noise of a busy machine varies
        for name in names:
            times[name].append(
                sum(min(milliseconds(w) for _ in range(2)) for w in words[name]) / runs
            )
        times["plain loops"].append(milliseconds(DEFAULTS[:1]))
    best = {name: min(some) for name, some in times.items()}
    picture, (axis,) = canvas(inches=(7.0, 2.6))
    axis.barh(list(best), list(best.values()), color="#1f5fa8")
    axis.invert_yaxis()
    axis.set_xlabel(
        f"milliseconds of a product, mean of {runs} searches of {evaluations} evaluations"
    )
    save(picture, folder / "planning-tiling.svg")
    return {
        "evaluations": evaluations, "runs": runs, "milliseconds": best,
        "best": {name: str(words[name][0]) for name in names},
    }  # fmt: skip
