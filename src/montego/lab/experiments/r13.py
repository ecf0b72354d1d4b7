"""R13: patterns and the constant C in MoGo's formula."""

from __future__ import annotations

from dataclasses import replace

from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Experiment, Panel, Row, Scale, plus_minus

PANEL = Panel("games won by the more complete formula, 9×9", even=50.0)
AMOUNTS = {
    Scale.quick: Amount("simulations=1000", 60),
    Scale.full: Amount("simulations=3000", 1000),
}
ROWS = (  # key, label, players, paper
    (
        "patterns",
        "patterns in H against none",
        ("search:mogo", "search:mogo,knowledge.pattern_value=0"),
        (56.0, 1.0),
    ),
    ("tuned", "tuned coefficients against untuned", ("search:mogo", "search:mogo"), (55.2, 0.8)),
    ("constant", "C against no C", ("search:mogo", "search:mogo,selection.bias_c=0"), (61.7, 3.1)),
)
NOT_TUNED = "coefficients of MoGo's formula have not been tuned yet (montego tune)"


def rows(scale: Scale) -> list[Row]:
    found = [
        duel(
            "R13", scale, key, PANEL, label, players, 9, AMOUNTS[scale], plus_minus(*paper)
        )
        for key, label, players, paper in ROWS
    ]  # fmt: skip
    return [
        replace(row, works=(), missing=NOT_TUNED) if row.key == "tuned" else row for row in found
    ]


EXPERIMENT = Experiment(
    "R13",
    "Patterns in MoGo's formula",
    "Thesis, table 4.1",
    rows,
    notes="Patterns are learned strengths from games of strong players; C and the numbers of the "
    "terms are untuned; simulations in place of one second a move.",
)
