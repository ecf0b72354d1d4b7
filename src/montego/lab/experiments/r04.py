"""R4: Objective Monte Carlo, progressive pruning and annealing: how fast each converges."""

from __future__ import annotations

from montego.lab.experiments.convergence import curve
from montego.lab.experiments.model import Claim, Experiment, Row, Scale
from montego.mcts import rules

STRATEGIES = {
    "omc": rules.Objective(),
    "pruning": rules.ProgressivePruning(),
    "annealing": rules.Annealing(),
}


def rows(scale: Scale) -> list[Row]:
    return [
        row
        for name, selection in STRATEGIES.items()
        for row in curve("R4", scale, name, selection, rules.Minimax())
    ]


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
    "paper has games of people; the paper's figure has no numbers in its text.",
)
