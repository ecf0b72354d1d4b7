"""Answers of the user's code, looked at before anything is computed with them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from montego.planning.errors import PlanningError

MOST = 1_000_000
"""Actions of a state or successors of a vertex; a list of more seems to have no end."""
EXACT = 1 << 53
"""Whole numbers below are what they are as a float, too."""


def real(value: Any) -> float | None:
    """A number, infinite ones and NaN included; None if it is none, or too large for one."""
    if type(value) is float or (type(value) is int and -EXACT < value < EXACT):
        return value
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", None):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def listed(things: Any, refuse: Callable[[str], Exception]) -> list[Any]:
    """What the user's code hands out one by one, as a list; ``refuse`` makes the error."""
    if not isinstance(things, Iterable):
        raise refuse("no list")
    if isinstance(things, (list, tuple)):
        return list(things)
    found = list(islice(things, MOST + 1))
    if len(found) > MOST:
        raise refuse(f"more than {MOST:,}, or without end")
    return found


def whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number of a request."""
    try:
        number = operator.index(value)
    except TypeError:
        raise PlanningError(f"{name} is a whole number, not {value!r}") from None
    if number < least:
        raise PlanningError(f"{name} is at least {least}, not {number}")
    return number


def positive(name: str, value: Any) -> float:
    """A number above zero."""
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise PlanningError(f"{name} has to be positive, not {value!r}")
    return number
