"""K2: the kinds of knowledge that matter most, on 13×13."""

from __future__ import annotations

from montego.lab.experiments.k01 import HELPS_OR_HARMS, kind_row
from montego.lab.experiments.matches import Amount
from montego.lab.experiments.model import Experiment, Panel, Row, Scale

KINDS = ("learned", "atari", "local", "veto", "fill", "eye")
"""Those that decided their matches on 9×9 (K1), for better or worse."""
PANEL = Panel("games won with a kind of knowledge against without it, 13×13", even=50.0)
AMOUNTS = {
    Scale.quick: Amount("simulations=300", 10),
    Scale.full: Amount("seconds=0.3", 100, HELPS_OR_HARMS),
}


def rows(scale: Scale) -> list[Row]:
    return [kind_row("K2", scale, key, PANEL, 13, AMOUNTS[scale]) for key in KINDS]


EXPERIMENT = Experiment(
    "K2",
    "Each kind of knowledge, 13×13",
    "our own question",
    rows,
    notes="As K1, on a larger board.",
)
