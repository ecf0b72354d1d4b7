"""R16: approach moves in MoGo's playouts (T16), with against without."""

from __future__ import annotations

from montego.lab.experiments.model import Experiment, Panel, plus_minus
from montego.lab.experiments.playouts import Case, with_against_without

PANEL = Panel("games won by playouts with approach moves", even=50.0)
CASES = (
    Case(9, "simulations=20000", plus_minus(52.68, 0.33)),
    Case(19, "simulations=10000", plus_minus(54.69, 2.27)),
)

EXPERIMENT = Experiment(
    "R16",
    "Approach moves",
    "Thesis, section 4.2.2",
    with_against_without("R16", PANEL, ("search:mogo", "search:mogo,playout.approach=0"), CASES),
    notes="10,000 simulations on 19×19 in place of 50,000.",
)
