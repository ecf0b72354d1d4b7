"""R4: Objective Monte Carlo, progressive pruning and annealing: how fast each converges."""

from __future__ import annotations

from montego.lab.experiments.convergence import curve, settings
from montego.lab.experiments.model import Claim, Experiment, Row, Scale
from montego.mcts import strategies

STRATEGIES = {
    "omc": strategies.Objective(),
    "pruning": strategies.ProgressivePruning(),
    "annealing": strategies.Annealing(),
}
SETTINGS: dict[str, strategies.Selection] = {
    f"pruning-a{a:g}-n{n}": strategies.ProgressivePruning(confidence=a, enough_to_prune=n)
    for n in (8, 32, 100)
    for a in (1.0, 2.0, 3.0)
} | {
    f"annealing-t{t:g}-c{c}": strategies.Annealing(temperature=t, cooling=c)
    for t in (0.05, 0.1, 0.2, 0.5)
    for c in (500, 2_000, 5_000, 20_000)
}
"""The widths of the interval and the games before it counts; sixteen schedules, as in the paper."""


def rows(scale: Scale) -> list[Row]:
    compared = [
        row
        for name, selection in STRATEGIES.items()
        for row in curve("R4", scale, name, selection, strategies.Minimax())
    ]
    return compared + settings("R4", scale, SETTINGS, strategies.Minimax())


EXPERIMENT = Experiment(
    "R4",
    "Move selection: error of the value by games",
    "Objective Monte-Carlo, figure 1",
    rows,
    claims=(
        Claim("1,000 games: OMC before pruning", "pruning-1000-distance", "omc-1000-distance"),
        Claim(
            "1,000 games: pruning before annealing",
            "annealing-1000-distance",
            "pruning-1000-distance",
        ),
        Claim("5,000 games: OMC before pruning", "pruning-5000-distance", "omc-5000-distance"),
        Claim(
            "5,000 games: pruning before annealing",
            "annealing-5000-distance",
            "pruning-5000-distance",
        ),
    ),
    finding="The error of OMC is below that of pruning, and that below annealing's.",
    notes="One ply, minimax of the moves' mean scores. Positions from our own games, where the "
    "paper has games of people; the paper's figure has no numbers in its text. Settings: a is "
    "the width A of the interval, n the games before it counts; t is the temperature, of which "
    "1 are 81 points, c the games in which it falls by e.",
)
