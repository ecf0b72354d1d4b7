"""Numbers that an engine is given, checked before anything is done with them."""

from __future__ import annotations

import math
from numbers import Integral, Real


class BadSetting(ValueError):  # noqa: N818 - the name already says what is wrong
    """A setting that an engine cannot have; the message names it."""


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number from ``least`` on; text, fractions and truth values are none."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise BadSetting(f"{name} has to be a whole number, not {value!r}")
    number = int(value)
    if number < least:
        raise BadSetting(f"{name} has to be {least} or more, not {number}")
    if most is not None and number > most:
        raise BadSetting(f"{name} has to be {most} or less, not {number}")
    return number


def duration(name: str, value: object) -> float:
    """A positive, finite number of seconds."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadSetting(f"{name} has to be a number of seconds, not {value!r}")
    seconds = float(value)
    if not (math.isfinite(seconds) and seconds > 0):
        raise BadSetting(f"{name} has to be a positive number of seconds, not {seconds:g}")
    return seconds
