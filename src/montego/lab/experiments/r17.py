"""R17: TAG and the discrete Fourier transform."""

from __future__ import annotations

from montego.lab.experiments.model import Experiment, nothing

EXPERIMENT = Experiment(
    "R17",
    "Tuning a Fourier transform by TAG",
    "Thesis, figures 5.1, 5.7 and 5.8",
    nothing,
    finding="TAG is above plain Monte Carlo and steadier; it reaches dynamic programming's result "
    "sooner and ends 10 % above it.",
    missing="TAG (T40) and the transform (T41) are not there yet",
)
