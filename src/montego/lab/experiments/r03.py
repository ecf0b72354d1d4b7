"""R3: how often knowledge is asked, what it costs, and how visits spread over the nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from montego.lab.base.journal import Line
from montego.lab.experiments.measurements import turns_row, turns_work
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale
from montego.lab.experiments.speed import SearchSpeed, rate
from montego.mcts import node_knowledge, strategies
from montego.mcts.recipes import RECIPES

SIZE = 19
THRESHOLDS = (2, 3, 5, 9, 15, 30, 60, 100)
CALLS = Panel(
    "calls to knowledge, figure 4", "calls per 1,000 simulated moves", 3,
    x="threshold T", log_x=True, log_y=True,
)  # fmt: skip
SPEED = Panel("speed with knowledge at T = 30", "% of the speed without")
NODES = Panel(
    "nodes by visits, figure 5", "nodes with that many visits", 2,
    x="visits", log_x=True, log_y=True,
)  # fmt: skip
POWER = Panel("exponent of the power law", "", 2)
AMOUNTS = {Scale.quick: (2.0, 5), Scale.full: (30.0, 10)}
"""Seconds of a search, and how often it is repeated."""
LARGEST = 10
"""Nodes are counted up to 2^10 visits."""


def rows(scale: Scale) -> list[Row]:
    seconds, repeats = AMOUNTS[scale]
    mango = RECIPES["mango"]
    recipes = {f"T{t}": replace(mango, growth=strategies.Threshold(t)) for t in THRESHOLDS}
    recipes["plain"] = RECIPES["mango-plain"]
    recipes["nothing"] = replace(RECIPES["mango-plain"], knowledge=node_knowledge.NoKnowledge())
    measures = {name: SearchSpeed(recipe, SIZE, seconds) for name, recipe in recipes.items()}
    work = turns_work(f"R3/{scale}/searches", measures, repeats)
    return [
        *(
            turns_row(f"calls-T{t}", f"T = {t}", CALLS, work, _calls(f"T{t}"), x=t, curve="calls")
            for t in THRESHOLDS
        ),
        turns_row("speed", "plain UCT, T = 30", SPEED, work, _relative_speed, Figure(96.0)),
        *(
            turns_row(
                f"nodes-{2**k}", f"{2**k} visits", NODES, work, _nodes(k), x=2**k, curve="nodes"
            )
            for k in range(LARGEST)
        ),
        turns_row("exponent", "nodes ∝ visits^−a", POWER, work, _exponent),
    ]


def _calls(name: str) -> Callable[[Mapping[str, Line]], float]:
    return lambda of: 1000 * of[name]["knowledge_calls"] / of[name]["playout_moves"]


def _relative_speed(of: Mapping[str, Line]) -> float:
    return 100 * rate(of["plain"]) / rate(of["nothing"])


def _nodes(k: int) -> Callable[[Mapping[str, Line]], float | None]:
    """Nodes with 2^k visits: those in the class from there to the next power, by its width."""

    def nodes(of: Mapping[str, Line]) -> float | None:
        counts = of["T30"]["nodes"]
        return counts[k] / 2**k if k < len(counts) and counts[k] else None

    return nodes


def _exponent(of: Mapping[str, Line]) -> float:
    """The slope of a straight line through the logarithms."""
    import numpy as np

    density = [(k, _nodes(k)(of)) for k in range(LARGEST)]
    known = np.array([(k, np.log2(nodes)) for k, nodes in density if nodes])
    return -float(np.polyfit(known[:, 0], known[:, 1], 1)[0])


EXPERIMENT = Experiment(
    "R3",
    "What knowledge costs",
    "Progressive strategies, figures 4 and 5, section 3.4",
    rows,
    claims=(
        Claim("fewer calls at T = 9 than at T = 2", "calls-T2", "calls-T9"),
        Claim("fewer calls at T = 30 than at T = 9", "calls-T9", "calls-T30"),
    ),
    finding="Calls fall quickly with T; T = 30 costs 4 % of the speed; the number of nodes falls "
    "with their visits by a power law.",
    notes="19×19, empty board.",
)
