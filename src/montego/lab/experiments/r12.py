"""R12: opening books, grown and written by hand."""

from __future__ import annotations

from montego.lab.experiments.model import Experiment, nothing

EXPERIMENT = Experiment(
    "R12",
    "Opening book against none",
    "Thesis, table 3.1",
    nothing,
    finding="Grown: 74.5 % as White, 64.6 % as Black; by hand: 62.9 and 49.7 %.",
    missing="opening books (T30 to T32) are not there yet",
)
