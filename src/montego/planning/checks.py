"""Checks of the values that a user's code returns, and of arguments."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from montego.planning.errors import PlanningError

MOST = 1_000_000
"""Actions of a state or successors of a vertex; a longer list is taken for an endless one."""
EXACT = 1 << 53
"""Whole numbers below are exact as a float, too."""
NOT_A_LIST = "not a list"


def real(value: Any) -> float | None:
    """A real number, infinities and NaN included; None for anything else, or if it overflows."""
    if type(value) is float or (type(value) is int and -EXACT < value < EXACT):
        return value
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", None):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def listed(things: Any, refuse: Callable[[str], Exception]) -> list[Any]:
    """An iterable as a list; ``refuse`` makes the error from a reason."""
    if not isinstance(things, Iterable):
        raise refuse(NOT_A_LIST)
    if isinstance(things, (list, tuple)):
        return list(things)
    found = list(islice(things, MOST + 1))
    if len(found) > MOST:
        raise refuse(f"more than {MOST:,}, or endless")
    return found


def whole(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """An argument that is a whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise PlanningError(f"{name} is a whole number, not {value!r}") from None
    if number < least:
        raise PlanningError(f"{name} is at least {least}, not {number}")
    if most is not None and number > most:
        raise PlanningError(f"{name} is at most {most:,}")
    return number


def not_negative(name: str, value: Any) -> float:
    """An argument that is a finite number, at least 0."""
    number = real(value)
    if number is None or not 0 <= number < math.inf:
        raise PlanningError(f"{name} is a number that is not negative, not {value!r}")
    return number


def positive(name: str, value: Any) -> float:
    """An argument that is a finite number, above 0."""
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise PlanningError(f"{name} has to be positive, not {value!r}")
    return number
