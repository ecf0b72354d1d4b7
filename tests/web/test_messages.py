"""The messages' types in TypeScript are those of Python."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from montego.web import messages
from montego.web.table import ACTS
from montego.web.typescript import types
from montego.web.views import RULES

SOURCES = Path(__file__).parents[2] / "web" / "src"


def test_the_page_has_the_types_of_now() -> None:
    written = (SOURCES / "messages.ts").read_text(encoding="utf-8")
    assert written == types(), "python -m montego.web.typescript > web/src/messages.ts"


def test_every_request_is_answered() -> None:
    assert {*ACTS} == {*get_args(messages.Act)}


def test_all_rules_can_be_chosen() -> None:
    assert {*RULES} == {*get_args(messages.RulesName)}
