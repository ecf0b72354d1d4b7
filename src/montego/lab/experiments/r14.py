"""R14: fill board in MoGo's playouts (T14), with against without."""

from __future__ import annotations

from montego.lab.experiments.model import Claim, Experiment, Panel, plus_minus
from montego.lab.experiments.playouts import Case, with_against_without

PANEL = Panel("games won by playouts with fill board", even=50.0)
CASES = (
    Case(9, "simulations=10000", plus_minus(52.9, 0.5)),
    Case(9, "seconds=5", plus_minus(54.3, 1.2), threads=8),
    Case(9, "simulations=100000", plus_minus(55.2, 1.4)),
    Case(9, "simulations=200000", plus_minus(55.0, 1.1)),
    Case(19, "simulations=10000", plus_minus(49.3, 1.2)),
    Case(19, "seconds=5", plus_minus(77.0, 3.3), threads=8),
    Case(19, "simulations=100000", plus_minus(73.7, 2.9)),
    Case(19, "simulations=200000", plus_minus(78.4, 2.9)),
)

EXPERIMENT = Experiment(
    "R14",
    "Fill board",
    "Thesis, figure 4.3",
    with_against_without("R14", PANEL, ("search:mogo", "search:mogo,playout.fill_tries=0"), CASES),
    claims=(
        Claim("9×9: more simulations, more gain", "9x9-200000", "9x9-10000"),
        Claim("19×19: more simulations, more gain", "19x19-200000", "19x19-10000"),
    ),
)
