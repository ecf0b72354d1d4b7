"""Settings that hold for all queries, and that a query may override; by KataGo's names.

Few of KataGo's settings mean anything to us.  The others are ignored, and named to whoever
asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from montego.analysis.fields import Fields, QueryError

SIDES = ("BLACK", "WHITE", "SIDETOMOVE")
LONGEST = 1e9


@dataclass(frozen=True)
class Settings:
    """How long to search, and whose view the figures of a reply have."""

    simulations: int = 10_000
    seconds: float | None = None
    side: str = "BLACK"
    """``BLACK``, ``WHITE`` or ``SIDETOMOVE``."""
    threads: int | None = None
    """Positions at a time."""


def _side(fields: Fields, name: str) -> str:
    side = fields.text(name).strip().upper()
    if side not in SIDES:
        raise fields.error(name, f"{name} is one of {', '.join(SIDES)}")
    return side


_KNOWN: dict[str, tuple[str, Callable[[Fields, str], Any]]] = {
    "maxVisits": ("simulations", lambda fields, name: fields.integer(name, 1)),
    "maxPlayouts": ("simulations", lambda fields, name: fields.integer(name, 1)),
    "maxTime": ("seconds", lambda fields, name: fields.number(name, 0.0, LONGEST)),
    "reportAnalysisWinratesAs": ("side", _side),
    "numAnalysisThreads": ("threads", lambda fields, name: fields.integer(name, 1)),
}
"""KataGo's names of settings: our own, and how each is read."""


def overridden(
    settings: Settings, told: Mapping[str, Any], within: str = ""
) -> tuple[Settings, list[str]]:
    """Settings with some changed, and the names of those that mean nothing here."""
    fields, changes = Fields(told, within), {}
    for name in told:
        if name in _KNOWN and name in fields:
            ours, read = _KNOWN[name]
            changes[ours] = read(fields, name)
    return replace(settings, **changes), [name for name in told if name not in _KNOWN]


def read_pairs(text: str) -> dict[str, Any]:
    """``key=value`` pairs, one a line as in a configuration file, or with commas between."""
    pairs: dict[str, Any] = {}
    for line in text.splitlines():
        for pair in line.partition("#")[0].split(","):
            name, sign, value = (part.strip() for part in pair.partition("="))
            if sign and name:
                pairs[name] = _number(value)
            elif name:
                raise QueryError(name, f"{pair.strip()!r} is not of the form key=value")
    return pairs


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
