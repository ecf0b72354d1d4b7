"""Sailing (Vanderbei; Kocsis and Szepesvári 2006): to the far corner of a lake in changing wind.

The boat goes to one of eight neighbours, never against the wind.  A leg costs 1 with the wind
behind, up to 4 close to it, times √2 on a diagonal, and 3 more if the wind then comes from the
other side.  After every leg the wind stays (40 %) or turns by 45° (30 % each way).  It is small
enough for dynamic programming, so that what UCT chooses can be compared with the optimum.
"""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

from montego.planning.bandits import UcbAlpha
from montego.planning.dynamic import Solution, value_iteration
from montego.planning.problem import Chance
from montego.planning.tree_search import mcts

DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
COSTS = (1.0, 2.0, 3.0, 4.0)
"""By the angle between the course and the wind, in steps of 45°; four steps are against it."""
TACK_COST = 3.0
ALPHA = {"mean": 0.3, "best": 0.5}
"""How much UCT explores, by its backup."""


class Boat(NamedTuple):
    """Where it is, where the wind blows to, and from which side it came (−1, 0, 1)."""

    x: int
    y: int
    wind: int
    tack: int


class Sailing:
    """A square lake; ``side`` is its number of points in each direction."""

    def __init__(self, side: int = 6) -> None:
        self.side = side

    def start(self, wind: int = 0) -> Boat:
        return Boat(0, 0, wind, 0)

    def is_terminal(self, boat: Boat) -> bool:
        return boat.x == boat.y == self.side - 1

    def reward(self, boat: Boat) -> float:
        return 0.0

    def actions(self, boat: Boat) -> list[int]:
        return [
            course
            for course, (dx, dy) in enumerate(DIRECTIONS)
            if (course - boat.wind) % 8 != 4
            and 0 <= boat.x + dx < self.side
            and 0 <= boat.y + dy < self.side
        ]

    def apply(self, boat: Boat, course: int) -> Chance:
        dx, dy = DIRECTIONS[course]
        turn = (course - boat.wind) % 8
        tack = 0 if turn == 0 else 1 if turn < 4 else -1
        x, y = boat.x + dx, boat.y + dy
        winds = ((0.4, 0), (0.3, 1), (0.3, -1))
        return Chance([(p, Boat(x, y, (boat.wind + d) % 8, tack)) for p, d in winds])

    def step(self, boat: Boat, course: int, after: Boat) -> float:
        """Costs are negative rewards."""
        turn = (course - boat.wind) % 8
        cost = COSTS[min(turn, 8 - turn)] * (math.sqrt(2) if course % 2 else 1.0)
        changed = boat.tack * after.tack == -1
        return -cost - TACK_COST * changed

    def playout(self, boat: Boat, rng: Random) -> tuple[float, list[int]]:
        """A playout of legs towards the goal, if there are any."""
        total, legs, goal = 0.0, [], self.side - 1
        while not self.is_terminal(boat):
            courses = self.actions(boat)
            near = [
                c
                for c in courses
                if max(goal - boat.x - DIRECTIONS[c][0], goal - boat.y - DIRECTIONS[c][1])
                < max(goal - boat.x, goal - boat.y)
            ]
            course = rng.choice(near or courses)
            after = self.apply(boat, course).draw(rng)
            total += self.step(boat, course, after)
            legs.append(course)
            boat = after
        return total, legs


def loss(sailing: Sailing, exact: Solution, boat: Boat, course: int) -> float:
    """The extra cost of a course as a share of the optimum, with optimal sailing afterwards."""
    after = sailing.apply(boat, course)
    value = sum(p * (sailing.step(boat, course, b) + exact.value(b)) for p, b in after.outcomes)
    best = exact.value(boat)
    return (best - value) / -best


def places(sailing: Sailing, exact: Solution, many: int, rng: Random) -> list[Boat]:
    """Random positions that a boat can reach."""
    boats = sorted(boat for boat in exact.values if isinstance(boat, Boat))
    return rng.sample([boat for boat in boats if boat.tack and not sailing.is_terminal(boat)], many)


def compare(
    side: int, budgets: tuple[int, ...], starts: int, backup: str = "mean", seed: int = 0
) -> dict[int, float]:
    """The mean loss of UCT's courses at random positions, by its budget."""
    sailing = Sailing(side)
    exact = value_iteration(sailing, sailing.start())
    boats = places(sailing, exact, starts, Random(seed))

    def lost(boat: Boat, budget: int, seed: int) -> float:
        found = mcts(
            sailing, boat, evaluations=budget, seed=seed, bandit=UcbAlpha(ALPHA[backup]),
            transpositions=True, backup=backup,
        )  # fmt: skip
        return loss(sailing, exact, boat, found.action)

    return {
        budget: fmean(lost(boat, budget, seed + i) for i, boat in enumerate(boats))
        for budget in budgets
    }


def figure(folder: Path, quick: bool = False) -> dict[str, object]:
    """UCT against the optimum: the mean loss by budget and backup, in per cent."""
    budgets = (16, 64, 256) if quick else (16, 64, 256, 1024, 4096, 16384)
    starts = 8 if quick else 40
    found = {
        backup: {n: 100 * part for n, part in compare(6, budgets, starts, backup).items()}
        for backup in ALPHA
    }
    draw(found, folder / "planning-sailing.svg")
    return {"loss_percent": found, "decisions": starts}


def draw(found: dict[str, dict[int, float]], path: Path) -> None:
    """The mean loss by playouts a decision."""
    from montego.planning.figures import canvas, save

    picture, (axis,) = canvas()
    for backup, means in found.items():
        axis.plot(list(means), list(means.values()), "o-", label=f"backup: {backup}")
    axis.set_xscale("log")
    axis.set_ylim(0)
    axis.set_xlabel("playouts a decision")
    axis.set_ylabel("mean loss, % of the optimum")
    axis.legend()
    save(picture, path)
