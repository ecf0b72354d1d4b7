"""R5: the value of a position by OMC's backup and by minimax."""

from __future__ import annotations

from montego.lab.experiments.convergence import COUNTS, curve
from montego.lab.experiments.model import Claim, Experiment, Row, Scale
from montego.mcts import strategies

BACKUPS = {"omc-backup": strategies.ObjectiveBackup(), "minimax": strategies.Minimax()}


def rows(scale: Scale) -> list[Row]:
    return [
        row
        for name, backup in BACKUPS.items()
        for row in curve("R5", scale, name, strategies.Objective(), backup)
    ]


EXPERIMENT = Experiment(
    "R5",
    "Backup: error of the value by games",
    "Objective Monte-Carlo, figure 2",
    rows,
    claims=tuple(
        Claim(
            f"{count:,} games: OMC backup is nearer",
            f"minimax-{count}-distance",
            f"omc-backup-{count}-distance",
        )
        for count in COUNTS
    ),
    finding="The error of OMC's backup is below that of minimax at every number of games.",
    notes="One ply, OMC selection in both.",
)
