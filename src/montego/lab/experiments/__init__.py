"""The papers' experiments R1 to R18, each one small file of data, by name."""

from __future__ import annotations

from importlib import import_module

from montego.lab.experiments.model import Experiment

NAMES = tuple(f"R{number}" for number in range(1, 19))


def find(name: str) -> Experiment:
    """An experiment by its name, such as ``R1``; raises KeyError."""
    if name.upper() not in NAMES:
        raise KeyError(name)
    module = import_module(f"{__name__}.r{int(name[1:]):02}")
    experiment: Experiment = module.EXPERIMENT
    return experiment
