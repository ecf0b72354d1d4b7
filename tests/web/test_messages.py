"""The messages' types in TypeScript are those of Python."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import get_args

from montego.web import messages
from montego.web.app import PAGE
from montego.web.table import ACTS
from montego.web.typescript import types
from montego.web.views import RULES

SOURCES = Path(__file__).parents[2] / "web" / "src"


def test_the_page_has_the_types_of_now() -> None:
    written = (SOURCES / "messages.ts").read_text(encoding="utf-8")
    assert written == types(), "python -m montego.web.typescript > web/src/messages.ts"


def test_the_page_is_small_and_fetches_nothing() -> None:
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) <= 400_000
    for name in ("index.html", "montego.js", "montego.css"):
        text = (PAGE / name).read_text(encoding="utf-8")
        addresses = set(re.findall(r"https?://[\w.]+", text))
        assert addresses <= {"http://www.w3.org"}  # the names of SVG and MathML


def test_every_request_is_answered() -> None:
    assert {*ACTS} == {*get_args(messages.Act)}


def test_all_rules_can_be_chosen() -> None:
    assert {*RULES} == {*get_args(messages.RulesName)}
