"""The messages' types in TypeScript are those of Python."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import get_args

from montego.web import messages
from montego.web.acts import ACTS
from montego.web.app import PAGE
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
    assert {*ACTS} == {*get_args(messages.Act)} - {messages.LookUp}


def test_all_rules_can_be_chosen() -> None:
    assert {*RULES} == {*get_args(messages.RulesName)}


def shown_words(source: str) -> list[str]:
    """Words that a component shows without words.ts: between tags, or in attributes."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.DOTALL)
    between = re.findall(r"(?<!=)>(?!,)([^<>{}()=;&|?]*[A-Za-z]{2,}[^<>{}()=;&|?]*)[<{]", code)
    told = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z][^"]*)"', code)
    return [text.strip() for text in (*between, *told)]


def test_shown_words_are_found() -> None:
    assert shown_words("<p>Hello {name}</p> // <b>no</b>") == ["Hello"]
    assert shown_words('<i title="Wrong" class="a">{words.x}</i>') == ["Wrong"]
    assert shown_words("const f = (a: number) => b < 3; list.map((x) => <b>{x}</b>)") == []


def test_all_words_are_in_one_file() -> None:
    found = {path.name: shown_words(path.read_text("utf-8")) for path in SOURCES.glob("*.tsx")}
    assert {name: words for name, words in found.items() if words} == {}
    assert len(found) > 15
