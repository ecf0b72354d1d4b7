"""How fast the value of a position is found (R4, R5): one ply of tree, many games.

The true value of a position is the best mean score of its moves, each from very many
uniform playouts; moves that are far behind after some thousands get no more of them.  A strategy
distributes a few thousand games among the moves; its error is
the value that it has then minus the true one, in points, averaged over all positions (as in
the paper: errors up and down cancel) and, beside it, without its sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import hypot
from typing import Any

from montego.go import BLACK, Position
from montego.lab.base.journal import Line
from montego.lab.experiments.measurements import MeasureWork, mean_figure
from montego.lab.experiments.model import Figure, Panel, Read, Row, Scale
from montego.lab.experiments.speed import root_value
from montego.mcts import strategies
from montego.mcts.found import Budget
from montego.mcts.playouts import Sample, Uniform, simulate
from montego.mcts.recipes import Recipe
from montego.mcts.search import LocalSearch

SIZE = 9
COUNTS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
SEEN_AT = (5_000, 20_000)
LOOKS = 20_000, 60_000
"""Playouts of a move, so that one more look shows which moves are far behind:"""
FAR = 4.0
"""by so many standard errors of each of the two, of this move and the best one."""
OTHER_SEED = 1_000_000
"""What seeds of further playouts are apart."""
NEVER = 1 << 30
DEPTH_ONE = strategies.AfterVisits(expand_at=NEVER)
"""Only the root has children."""
ERROR = Panel("mean error of the value, 9×9", "points", 2, x="games", log_x=True, even=0.0)
DISTANCE = Panel("mean distance to the true value", "points", 2, x="games", log_x=True, even=0.0)


@dataclass(frozen=True)
class Truth:
    """The true value of a position for the player to move, in points."""

    playouts: int
    """For every move that may be the best."""
    positions: str

    def __call__(self, number: int) -> Mapping[str, Any]:
        position = positions()[number - 1]
        moves, sign = moves_of(position), 1 if position.to_play == BLACK else -1
        left = dict.fromkeys(moves, Mean())
        for look, count in enumerate((*(n for n in LOOKS if n < self.playouts), self.playouts)):
            seed = number + look * OTHER_SEED
            for move, known in left.items():
                sample = simulate(position.play(move), Uniform(), count - known.count, seed)
                left[move] = known + Mean.of(sample, sign)
            left = not_far_behind(left)
        best = max(left, key=lambda move: left[move].value)
        return {"value": round(float(left[best].value), 4), "best": best, "moves": len(moves)}


@dataclass(frozen=True)
class Mean:
    """The mean score of a move's playouts for who plays it, and its standard error."""

    count: int = 0
    value: float = 0.0
    error: float = 0.0

    @classmethod
    def of(cls, sample: Sample, sign: int) -> Mean:
        """Of some playouts; ``sign`` is -1 for White."""
        error = sample.score_deviation / sample.playouts**0.5
        return cls(sample.playouts, sign * sample.mean_score, error)

    def __add__(self, other: Mean) -> Mean:
        """Of both together."""
        count = self.count + other.count
        parts = self.count / count, other.count / count
        value = parts[0] * self.value + parts[1] * other.value
        return Mean(count, value, hypot(parts[0] * self.error, parts[1] * other.error))


def not_far_behind(means: Mapping[int, Mean]) -> dict[int, Mean]:
    """The moves that may be the best."""
    surely = max(mean.value - FAR * mean.error for mean in means.values())
    return {move: mean for move, mean in means.items() if mean.value + FAR * mean.error >= surely}


@dataclass(frozen=True)
class Estimates:
    """The values that a search has after every count of games, in points."""

    recipe: Recipe
    counts: tuple[int, ...]
    positions: str

    def __call__(self, number: int) -> Mapping[str, Any]:
        position = positions()[number - 1]
        search, done, values = LocalSearch(self.recipe, memory_mb=16, seed=number), 0, []
        for count in self.counts:
            search.run(position, Budget(simulations=count - done))
            values.append(round(root_value(search) * SIZE**2, 4))
            done = count
        return {"values": values}


def moves_of(position: Position) -> list[int]:
    """The moves that a search considers there."""
    search = LocalSearch(Recipe("moves", growth=DEPTH_ONE), memory_mb=1)
    found = search.run(position, Budget(simulations=1))
    return [candidate.move for candidate in found.candidates]


@cache
def positions() -> tuple[Position, ...]:
    """A hundred positions from our own games."""
    found = []
    for line in _positions_text().splitlines():
        position = Position.start(SIZE)
        for move in line.partition("#")[0].split():
            position = position.play(move)
        if position.moves:
            found.append(position)
    return tuple(found)


def _positions_text() -> str:
    return files(__package__).joinpath("data/positions-9x9.txt").read_text(encoding="utf-8")


def digest() -> str:
    """Which positions they are."""
    return sha256(_positions_text().encode()).hexdigest()[:16]


# --- rows ------------------------------------------------------------------------------

AMOUNTS = {Scale.quick: (30, 20_000), Scale.full: (100, 200_000)}
"""Positions, and playouts for every move of each."""


def curve(
    experiment: str,
    scale: Scale,
    name: str,
    selection: strategies.Selection,
    backup: strategies.Strategy,
) -> list[Row]:
    """The rows of one strategy, one for every count of games."""
    works = _works(experiment, scale, name, selection, backup)
    return [
        Row(
            f"{name}-{count}{suffix}",
            f"{name}, {count:,} games",
            panel,
            _error_at(at, works, measure),
            works,
            x=count,
            curve=name,
        )
        for panel, suffix, measure in ((ERROR, "", float), (DISTANCE, "-distance", abs))
        for at, count in enumerate(COUNTS)
    ]


def settings(
    experiment: str,
    scale: Scale,
    selections: Mapping[str, strategies.Selection],
    backup: strategies.Strategy,
) -> list[Row]:
    """How near strategies come with other numbers: a row for each, half-way and at the end."""
    rows = []
    for count in SEEN_AT:
        panel = Panel(f"distance by setting after {count:,} games", "points", 2)
        for name, selection in selections.items():
            works = _works(experiment, scale, name, selection, backup)
            read = _error_at(COUNTS.index(count), works, abs)
            rows.append(Row(f"{name}-{count}", name, panel, read, works))
    return rows


def _works(
    experiment: str,
    scale: Scale,
    name: str,
    selection: strategies.Selection,
    backup: strategies.Strategy,
) -> tuple[MeasureWork, MeasureWork]:
    """The measurements of the true values, and those of a strategy."""
    number, playouts = AMOUNTS[scale]
    recipe = Recipe(name, selection=selection, backup=backup, growth=DEPTH_ONE)
    return (
        MeasureWork(f"truth/9x9-{playouts}", Truth(playouts, digest()), number, "positions"),
        MeasureWork(
            f"{experiment}/{scale}/{name}", Estimates(recipe, COUNTS, digest()), number, "positions"
        ),
    )


def _error_at(
    at: int, works: tuple[MeasureWork, MeasureWork], measure: Callable[[float], float]
) -> Read:
    truth, estimates = (work.folder for work in works)

    def read(lines: Mapping[str, Sequence[Line]]) -> Figure | None:
        true = {line["number"]: line["value"] for line in lines[truth]}
        return mean_figure(
            [
                measure(line["values"][at] - true[line["number"]])
                for line in lines[estimates]
                if line["number"] in true
            ]
        )

    return read
