"""R11: the slow tree on a cluster."""

from __future__ import annotations

from montego.lab.experiments.model import Experiment, nothing

EXPERIMENT = Experiment(
    "R11",
    "32 machines against fewer",
    "Thesis, figure 2.5",
    nothing,
    finding="9×9 from 75.9 % against one machine to 48.9 % against 32; 19×19 from 95.1 to 48.0 %.",
    missing="search on several machines (T24) is not there yet",
)
