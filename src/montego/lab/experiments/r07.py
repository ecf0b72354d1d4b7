"""R7: how many playouts Orego plays in ten seconds, by heuristic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from montego.lab.base.journal import Line
from montego.lab.experiments.measurements import turns_row, turns_work
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale
from montego.lab.experiments.speed import SearchSpeed, rate
from montego.mcts.playouts import Orego, Uniform
from montego.mcts.recipes import RECIPES, Recipe

SECONDS = 10
PAPER = {
    "random": 308_112,
    "capture-4": 225_483,
    "fighting-4": 269_760,
    "pattern-4": 235_155,
    "capture-81": 77_054,
    "fighting-81": 85_360,
    "pattern-81": 59_956,
}
PANEL = Panel("playouts in ten seconds, 9×9, one thread", "playouts", 0)
AMOUNTS = {Scale.quick: (1.0, 8), Scale.full: (10.0, 10)}
"""Seconds of a search, and how often it is repeated."""


def rows(scale: Scale) -> list[Row]:
    seconds, repeats = AMOUNTS[scale]
    measures = {key: SearchSpeed(_recipe(key), 9, seconds) for key in PAPER}
    work = turns_work(f"R7/{scale}/searches", measures, repeats)
    return [
        turns_row(key, _label(key), PANEL, work, _in_ten_seconds(key), Figure(playouts))
        for key, playouts in PAPER.items()
    ]


def _recipe(key: str) -> Recipe:
    heuristic, _, best_of = key.partition("-")
    playout = Orego(heuristic, int(best_of)) if best_of else Uniform()
    return replace(RECIPES["orego"], playout=playout)


def _label(key: str) -> str:
    heuristic, _, best_of = key.partition("-")
    return f"{heuristic}, best of {best_of}" if best_of else heuristic


def _in_ten_seconds(key: str) -> Callable[[Mapping[str, Line]], float]:
    return lambda of: SECONDS * rate(of[key])


EXPERIMENT = Experiment(
    "R7",
    "What heuristics cost",
    "Move ordering vs heavy playouts, experiment 2",
    rows,
    claims=tuple(
        Claim(f"best of {n}: fighting is faster than {name}", f"fighting-{n}", f"{name}-{n}")
        for n in (4, 81)
        for name in ("capture", "pattern")
    ),
    notes="One thread; the paper does not tell how many of its four cores were used. "
    "Seconds are those of the processor; quick scale searches one second and multiplies by ten.",
)
