"""The experiments, each one small file of data: R1 to R18 are the papers', K1 to K5 our own."""

from __future__ import annotations

from importlib import import_module

from montego.lab.experiments.model import Experiment

NAMES = (*(f"R{number}" for number in range(1, 19)), "K1", "K2", "K3", "K4", "K5")


def find(name: str) -> Experiment:
    """An experiment by its name, such as ``R1``; raises KeyError."""
    if name.upper() not in NAMES:
        raise KeyError(name)
    module = import_module(f"{__name__}.{name[0].lower()}{int(name[1:]):02}")
    experiment: Experiment = module.EXPERIMENT
    return experiment
