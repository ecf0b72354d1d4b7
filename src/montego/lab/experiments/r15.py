"""R15: nakade in MoGo's playouts (T15), with against without."""

from __future__ import annotations

from montego.lab.experiments.model import Claim, Experiment, Panel, plus_minus
from montego.lab.experiments.playouts import Case, with_against_without

PANEL = Panel("games won by playouts with nakade", even=50.0)
CASES = (
    Case(9, "simulations=10000", plus_minus(52.8, 0.5)),
    Case(9, "simulations=100000", plus_minus(55.6, 0.6)),
    Case(9, "simulations=300000", plus_minus(56.2, 0.9)),
    Case(9, "seconds=5", plus_minus(55.8, 1.4), threads=8),
    Case(9, "seconds=15", plus_minus(60.5, 1.9), threads=8),
    Case(9, "seconds=45", plus_minus(66.2, 1.4), threads=8),
    Case(19, "simulations=10000", plus_minus(53.2, 1.1)),
)

EXPERIMENT = Experiment(
    "R15",
    "Nakade",
    "Thesis, table 4.2",
    with_against_without("R15", PANEL, ("search:mogo", "search:mogo,playout.nakade=false"), CASES),
    claims=(Claim("more simulations, more gain", "9x9-300000", "9x9-10000"),),
    notes="10,000 simulations on 19×19 in place of 100,000, with which a game takes over an hour.",
)
