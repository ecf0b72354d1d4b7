"""Rules by the names that players and other programs have for them.

A ruleset is described as KataGo does, also in what we do not play: territory scoring, taxes on
groups and the button.  ``unplayed`` names that part of it; the rest is a ``Rules``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from montego.go.errors import BadRules
from montego.go.rules import Rules, Superko


@dataclass(frozen=True)
class Ruleset:
    """How a game is scored and what may not be repeated."""

    superko: Superko
    suicide: bool = False
    territory: bool = False
    """Score territory and captures instead of area."""
    tax: str = "none"
    """Which groups pay two points for their eyes: ``none``, in ``seki``, or ``all``."""
    button: bool = False
    """The first to pass gets half a point."""
    bonus: str = "0"
    """What White gets for Black's handicap stones: ``0``, ``n``, or ``n-1`` points."""

    @property
    def komi(self) -> float:
        """The usual komi."""
        return 6.5 if self.territory else 7.0 if self.button else 7.5

    @property
    def unplayed(self) -> list[str]:
        """What of these rules is not played here."""
        parts = {
            "territory scoring": self.territory,
            "a tax on groups": self.tax != "none" and not self.territory,
            "a button": self.button,
        }
        return [name for name, is_there in parts.items() if is_there]

    def rules(self, komi: float) -> Rules:
        """What of these rules is played here."""
        return Rules(komi, self.suicide, self.superko)

    def handicap_bonus(self, stones: int) -> int:
        """Points that White gets for so many handicap stones."""
        if stones < 2 or self.bonus == "0":
            return 0
        return stones - (self.bonus == "n-1")


_JAPANESE = Ruleset("simple", territory=True, tax="seki")
_ONLINE = Ruleset("positional", bonus="n")
_STONES = Ruleset("simple", tax="all")
_AGA = Ruleset("situational", bonus="n-1")
_NEW_ZEALAND = Ruleset("situational", suicide=True)
TROMP_TAYLOR = Ruleset("positional", suicide=True)

NAMED: dict[str, Ruleset] = {
    "chinese": replace(_ONLINE, superko="simple"),
    "chinese-kgs": _ONLINE,
    "chinese-ogs": _ONLINE,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "aga-button": replace(_AGA, button=True),
    "new-zealand": _NEW_ZEALAND,
    "nz": _NEW_ZEALAND,
    "tromp-taylor": TROMP_TAYLOR,
    "ing": TROMP_TAYLOR,
    "goe": TROMP_TAYLOR,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "stone-scoring": _STONES,
    "ancient-area": _STONES,
    "ancient-territory": replace(_JAPANESE, tax="all"),
}
"""Rulesets by name."""


def _plain(name: str) -> str:
    return name.strip().lower().translate(str.maketrans("", "", "-_ "))


_PLAIN = {_plain(name): ruleset for name, ruleset in NAMED.items()}


def find_ruleset(name: str) -> Ruleset:
    """A ruleset by its name; capitals, hyphens, blanks and underscores do not matter."""
    found = _PLAIN.get(_plain(name))
    if found is None:
        raise BadRules(f"unknown rules: {', '.join(NAMED)} are known")
    return found


_FIELDS = {
    "ko": "superko",
    "scoring": "territory",
    "score": "territory",
    "tax": "tax",
    "suicide": "suicide",
    "hasButton": "button",
    "whiteHandicapBonus": "bonus",
}
"""KataGo's names of the fields, and ours."""
_WORDS: dict[str, dict[str, str | bool]] = {
    "superko": {"simple": "simple", "positional": "positional", "situational": "situational"},
    "territory": {"area": False, "territory": True},
    "tax": {"none": "none", "seki": "seki", "all": "all"},
    "bonus": {"0": "0", "n": "n", "n-1": "n-1"},
}
_IGNORED = {"friendlyPassOk", "komi"}
"""Whether dead stones have to be captured is decided by playouts; the komi is told apart."""


def describe_ruleset(told: Mapping[str, Any], base: Ruleset = TROMP_TAYLOR) -> Ruleset:
    """A ruleset from KataGo's description; what it does not tell is as in another one."""
    changes: dict[str, Any] = {}
    for name, value in told.items():
        if name in _FIELDS:
            changes[_FIELDS[name]] = _value(name, value)
        elif name not in _IGNORED:
            raise BadRules(f"unknown rule {name!r}: {', '.join(_FIELDS)} are known")
    if changes.get("territory"):
        changes.setdefault("tax", "seki")
    return replace(base, **changes)


def _value(name: str, value: Any) -> Any:
    words = _WORDS.get(_FIELDS[name])
    if words is None:
        if not isinstance(value, bool):
            raise BadRules(f"{name} is true or false, not {value!r}")
        return value
    word = str(value).strip().lower()
    if word not in words:
        raise BadRules(f"{name} is one of {', '.join(w.upper() for w in words)}, not {value!r}")
    return words[word]


def ruleset_of(rules: Rules) -> Ruleset:
    """The ruleset of rules that are played."""
    return Ruleset(rules.superko, rules.suicide)
