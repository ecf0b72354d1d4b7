"""Which values a parameter may have; a number out of its range is refused, NaN included."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""What may be written for a parameter that is true or false."""
USUAL = (0.0, 1e6)
RULES: dict[str, tuple[float, float]] = {
    "rave_decay": (0, 100),
    "first_play": (-1000, 1e6),
    "expand_at": (1, 2**31 - 1),
    "k_init": (1, 361),
    "unprune_b": (1.01, 100),
    "temperature": (1e-6, 1e6),
    "cooling": (1, 1e9),
    "objective_shift": (-2, 2),
    "extension": (0, 10),
}
"""By name; all others have the usual range."""


def check(name: str, number: float, low: float, high: float) -> None:
    """Refuse a number out of its range."""
    if not low <= number <= high:
        raise ValueError(f"{name} has to be between {low:,} and {high:,}, not {number:,}")


def check_rule(rule: Any, ranges: dict[str, tuple[float, float]] | None = None) -> None:
    """Refuse a rule with a number out of its range."""
    for field in fields(rule):
        number = getattr(rule, field.name)
        if isinstance(number, int | float) and not isinstance(number, bool):
            low, high = (ranges or {}).get(field.name) or RULES.get(field.name, USUAL)
            check(field.name, number, low, high)
