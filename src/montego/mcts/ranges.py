"""Which values a parameter may have; a number out of its range is refused, NaN included."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""What may be written for a parameter that is true or false."""
Range = tuple[float, float]
USUAL: Range = (0.0, 1e6)
CHANCE: Range = (0.0, 1.0)
RANGES: dict[str, Range] = {
    "rave_decay": (0, 100),
    "first_play": (-1000, 1e6),
    "expand_at": (1, 2**31 - 1),
    "n_prior": (1e-3, 1e6),
    "k_init": (1, 361),
    "unprune_a": (1e-3, 1e6),
    "unprune_b": (1.01, 100),
    "enough_to_prune": (1, 1e6),
    "temperature": (1e-6, 1e6),
    "cooling": (1, 1e9),
    "objective_shift": (-2, 2),
    "extension": (0, 10),
}
"""By name; all others have the usual range, unless their rule has another one (``RANGES``)."""


def range_of(rule: Any, name: str) -> Range:
    """The least and the most that a number of a rule may be."""
    own: dict[str, Range] = getattr(rule, "RANGES", {})
    return own.get(name) or RANGES.get(name, USUAL)


def check_rule(rule: Any) -> None:
    """Refuse a rule with a number out of its range."""
    for field in fields(rule):
        number = getattr(rule, field.name)
        if isinstance(number, int | float) and not isinstance(number, bool):
            low, high = range_of(rule, field.name)
            if not low <= number <= high:
                raise ValueError(
                    f"{type(rule).__name__}: {field.name} has to be between "
                    f"{low:,.10g} and {high:,.10g}, not {number:,}"
                )
