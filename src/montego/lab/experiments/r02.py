"""R2: Mango with both progressive strategies against Mango without, by time."""

from __future__ import annotations

from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Claim, Experiment, Figure, Panel, Row, Scale

PANEL = Panel("games won by bias and unpruning against neither", even=50.0)
PLAYERS = ("mango", "mango-plain")
PAPER = {9: Figure(88, number=200), 13: Figure(81, number=500), 19: Figure(100, number=300)}
QUICK = {9: Amount("seconds=0.1", 60), 13: Amount("seconds=0.1", 30), 19: Amount("seconds=0.2", 10)}


def rows(scale: Scale) -> list[Row]:
    return [
        duel(
            "R2", scale, f"{size}x{size}", PANEL, f"{size}×{size}", PLAYERS, size,
            QUICK[size] if scale is Scale.quick else Amount("seconds=1", paper.number or 0), paper,
        )
        for size, paper in PAPER.items()
    ]  # fmt: skip


EXPERIMENT = Experiment(
    "R2",
    "Both progressive strategies against neither",
    "Progressive strategies, section 4.2",
    rows,
    claims=(Claim("19×19 gains more than 13×13", "19x19", "13x13"),),
    notes="Engines, as people play them. One second a move in place of ten: by section 4.1 theirs "
    "needed ten seconds for what a core of today does in three.",
)
