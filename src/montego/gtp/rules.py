"""Commands about the rules, by the names of KGS and of KataGo."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from montego.gtp.arguments import Arguments
from montego.gtp.table import command

if TYPE_CHECKING:
    from montego.go.rulesets import Ruleset
    from montego.gtp.session import GtpSession


@command("kgs-rules")
def kgs_rules(session: GtpSession, arguments: Arguments) -> str:
    """Play by rules of this name, as KGS plays them."""
    from montego.go.rulesets import find_ruleset

    name = arguments.word("the rules").lower()
    _set(session, find_ruleset("chinese-kgs" if name == "chinese" else name))
    return ""


@command("kata-set-rules")
def kata_set_rules(session: GtpSession, arguments: Arguments) -> str:
    """Play by rules of this name, or as a JSON object says."""
    from montego.go.rulesets import describe_ruleset, find_ruleset, ruleset_of

    text = " ".join(arguments.rest())
    if text.startswith("{"):
        now = ruleset_of(session.engine.position.rules)
        _set(session, describe_ruleset(_object(text), now))
    else:
        _set(session, find_ruleset(text))
    return ""


@command("kata-get-rules")
def kata_get_rules(session: GtpSession, arguments: Arguments) -> str:
    """The rules as a JSON object."""
    rules = session.engine.position.rules
    return json.dumps({
        "ko": rules.superko.upper(), "scoring": "AREA", "suicide": rules.suicide,
        "tax": "NONE", "whiteHandicapBonus": "0", "hasButton": False,
    })  # fmt: skip


def _object(text: str) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("syntax error: not a JSON object") from None
    return told


def _set(session: GtpSession, ruleset: Ruleset) -> None:
    if ruleset.territory:
        raise ValueError("unsupported rules: only area scoring is played")
    if ruleset.unplayed:
        raise ValueError("unsupported rules: taxes and buttons are not played")
    engine = session.engine
    engine.set_rules(ruleset.rules(engine.position.komi))
