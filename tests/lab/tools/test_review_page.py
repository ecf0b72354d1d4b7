"""The page of a review: whole, safe, and with a board for every mistake."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from montego.go import WHITE, sgf
from montego.lab.tools.review import Review
from montego.lab.tools.review_page import page
from tests.lab.tools.review_of_a_game import GAME, VIEWS, reviewed, view

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Reader(HTMLParser):
    """Notes what there is, and that every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.classes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        self.classes += (given.get("class") or "").split()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_what_the_page_tells() -> None:
    found = read(page(reviewed()))
    for told in ("one", "two", "W+R", "komi 7.5", "3 moves", "2 mistakes", "45% → 10%"):
        assert told in found.text
    assert "about 4.5 points lost" in found.text
    assert "better: D4 B2 A1" in found.text
    assert "after B4: D3" in found.text
    assert found.text.count("doubtful") >= 1
    assert found.tags.count("article") == 2
    assert found.tags.count("svg") == 2 + 2  # two curves, two boards


def test_every_link_leads_to_something_on_the_page() -> None:
    found = read(page(reviewed()))
    assert {"#move-2", "#move-3", "#top", "#curves", "#worst", "#mistakes"} <= set(found.links)
    assert len(found.ids) == len(set(found.ids))
    assert all(link.removeprefix("#") in found.ids for link in found.links)


def test_nothing_comes_from_elsewhere() -> None:
    text = page(reviewed())
    found = read(text)
    assert not {"script", "link", "img", "iframe"} & set(found.tags)
    addresses = set(re.findall(r"https?://[^\"' ]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of SVG, not a place
    assert "@import" not in text
    assert "url(" not in text


def test_names_are_escaped() -> None:
    evil = '<script>alert("x")</script>&amp;'
    record = sgf.GameRecord(sgf.loads(GAME).position, evil[:38], evil, '"><b>')
    text = page(Review(record, VIEWS, by="<i>"))
    assert "<script" not in text
    assert "<b>" not in text
    assert "<i>" not in text
    assert '<script>alert("x")</script>' in read(text).text


def test_a_game_without_mistakes_and_one_cut_short() -> None:
    found = read(page(reviewed(1)))
    assert "No move lost 10% of the chance to win" in found.text
    assert "reviewed up to move 1" in found.text
    assert found.tags.count("article") == 0
    assert "#mistakes" not in found.links


@pytest.mark.parametrize("count", [2, 7, 41, 300, 900])
def test_curves_of_any_length(count: int) -> None:
    record = sgf.loads(GAME)
    views = [VIEWS[i % 2] for i in range(count)]
    found = read(page(Review(record, views)))
    assert 2 <= found.classes.count("x") <= 2 * 10


def test_a_mistake_that_is_a_pass_and_a_better_line_that_is_one() -> None:
    views = [VIEWS[0], view(WHITE, 0.45, 0.0, "pass", "D4"), *VIEWS[2:]]
    found = read(page(Review(sgf.loads(GAME), views)))
    assert "Black pass" in found.text
    assert "not drawn: 1 pass" in found.text
