"""R13: patterns, tuned coefficients, the constant C and shapes in MoGo's formula."""

from __future__ import annotations

from montego.lab.experiments.matches import Amount, duel
from montego.lab.experiments.model import Experiment, Panel, Row, Scale, plus_minus

FORMULA = Panel("games won by the more complete formula, 9×9", even=50.0)
SHAPES = Panel("games won with shapes as RAVE simulations, 19×19", even=50.0)
AMOUNTS = {
    9: {Scale.quick: Amount("simulations=1000", 60), Scale.full: Amount("simulations=3000", 1000)},
    19: {Scale.quick: Amount("simulations=500", 12), Scale.full: Amount("simulations=3000", 1000)},
}
UNTUNED = (
    "selection.rave_bias=0.0003,selection.gamma=1,selection.bias_c=0.1,"
    "knowledge.pattern_value=10,knowledge.rule_value=0.1"
)
"""The numbers before `montego tune` (results/tune-mogo)."""
RAVE_ALONE = "search:mogo,knowledge.rule_value=0"
"""Rules and shapes begin the RAVE counts, and add nothing to H."""
NO_SHAPES = ",".join(
    f"knowledge.{name}=0"
    for name in (
        "territory_line", "line_of_death", "peep_connect", "hane", "threat", "connect", "wall",
        "bad_kogeima", "empty_triangle",
    )
)  # fmt: skip
ROWS = (  # key, label, panel, size, players, paper
    (
        "patterns", "patterns in H against none", FORMULA, 9,
        ("search:mogo", "search:mogo,knowledge.pattern_value=0"), (56.0, 1.0),
    ),
    (
        "tuned", "tuned coefficients against untuned", FORMULA, 9,
        ("search:mogo", f"search:mogo,{UNTUNED}"), (55.2, 0.8),
    ),
    (
        "constant", "C against no C", FORMULA, 9,
        ("search:mogo", "search:mogo,selection.bias_c=0"), (61.7, 3.1),
    ),
    (
        "shapes", "shapes against none", SHAPES, 19,
        (RAVE_ALONE, f"{RAVE_ALONE},{NO_SHAPES}"), (63.9, 0.5),
    ),
)  # fmt: skip


def rows(scale: Scale) -> list[Row]:
    return [
        duel(
            "R13", scale, key, panel, label, players, size, AMOUNTS[size][scale], plus_minus(*paper)
        )
        for key, label, panel, size, players, paper in ROWS
    ]


EXPERIMENT = Experiment(
    "R13",
    "Patterns and shapes in MoGo's formula",
    "Thesis, table 4.1 and section 4.2.1",
    rows,
    notes="Patterns are learned from games of strong players. The thesis gives 3,000 simulations "
    "for patterns, one second a move for tuned coefficients and C, and nothing for shapes, which "
    "it uses on 19×19; cuts were there before and are in both players.",
)
