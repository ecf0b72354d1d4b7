"""R9: what twice and four times the computation is worth."""

from __future__ import annotations

from montego.lab.experiments.matches import MatchWork, match_row
from montego.lab.experiments.model import Experiment, Figure, Panel, Row, Scale, plus_minus

PANEL = Panel("games won by more computation, 9×9", even=50.0)
ROWS = (  # key, recipe, times, unit, paper
    ("2x-simulations", "search:mogo", 2, "simulations", plus_minus(62.0, 2.2)),
    ("4x-simulations", "search:mogo", 4, "simulations", plus_minus(74.4, 2.4)),
    ("2x-seconds", "search:mogo", 2, "seconds", plus_minus(62.0, 2.2)),
    ("classic-2x-simulations", "search:classic", 2, "simulations", Figure(63.0)),
)
BASE: dict[Scale, dict[str, float]] = {
    Scale.quick: {"simulations": 500, "seconds": 0.05},
    Scale.full: {"simulations": 2_000, "seconds": 1.0},
}
GAMES = {Scale.quick: 80, Scale.full: 1_000}


def rows(scale: Scale) -> list[Row]:
    found = []
    for key, recipe, times, unit, paper in ROWS:
        less = BASE[scale][unit]
        more = less * times
        work = MatchWork(
            f"R9/{scale}/{key}", f"{recipe},{unit}={more:g}", f"{recipe},{unit}={less:g}", 9,
            GAMES[scale],
        )  # fmt: skip
        label = f"{recipe}, {unit}: {more:g} against {less:g}"
        found.append(match_row(key, label, PANEL, work, paper))
    return found


EXPERIMENT = Experiment(
    "R9",
    "Twice the time",
    "Thesis, table 2.1 and section 2.2.2",
    rows,
    finding="Twice the computation wins 62 to 63 % of the games.",
    notes="Against itself; the thesis plays against one fixed version of MoGo with 10 s a move.",
)
