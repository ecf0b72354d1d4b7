"""Commands about the rules, by the names of KGS and of KataGo."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession

AREA_RULES: dict[str, tuple[str, bool]] = {
    "chinese": ("positional", False),
    "chinese-kgs": ("positional", False),
    "chinese-ogs": ("positional", False),
    "aga": ("situational", False),
    "bga": ("situational", False),
    "french": ("situational", False),
    "new_zealand": ("situational", True),
    "new-zealand": ("situational", True),
    "tromp-taylor": ("positional", True),
}
"""Superko, and whether suicide is allowed."""
TERRITORY_RULES = ("japanese", "korean")


@command("kgs-rules")
def kgs_rules(session: GtpSession, arguments: Arguments) -> str:
    """Play by rules of this name."""
    _set_named(session, arguments.word("the rules"))
    return ""


@command("kata-set-rules")
def kata_set_rules(session: GtpSession, arguments: Arguments) -> str:
    """Play by rules of this name, or as a JSON object says."""
    text = " ".join(arguments.rest())
    if text.startswith("{"):
        _set_described(session, text)
    else:
        _set_named(session, text)
    return ""


@command("kata-get-rules")
def kata_get_rules(session: GtpSession, arguments: Arguments) -> str:
    """The rules as a JSON object."""
    rules = session.engine.position.rules
    return json.dumps({
        "ko": rules.superko.upper(), "scoring": "AREA", "suicide": rules.suicide,
        "tax": "NONE", "whiteHandicapBonus": "0", "hasButton": False,
    })  # fmt: skip


def _set_named(session: GtpSession, name: str) -> None:
    name = name.strip().lower()
    if name in TERRITORY_RULES:
        raise ValueError("unsupported rules: only area scoring is played")
    if name not in AREA_RULES:
        raise ValueError(f"unknown rules: {', '.join(AREA_RULES)} are known")
    _set(session, *AREA_RULES[name])


def _set_described(session: GtpSession, text: str) -> None:
    try:
        told: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("syntax error: not a JSON object") from None
    rules = session.engine.position.rules
    if str(told.get("scoring", "AREA")).upper() != "AREA":
        raise ValueError("unsupported rules: only area scoring is played")
    if str(told.get("tax", "NONE")).upper() != "NONE" or told.get("hasButton", False):
        raise ValueError("unsupported rules: taxes and buttons are not played")
    superko = str(told.get("ko", rules.superko)).lower()
    _set(session, superko, bool(told.get("suicide", rules.suicide)))


def _set(session: GtpSession, superko: str, suicide: bool) -> None:
    rules = session.engine.position.rules
    session.engine.set_rules(replace(rules, superko=superko, suicide=suicide))  # type: ignore[arg-type]
