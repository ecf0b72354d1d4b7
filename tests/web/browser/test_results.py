"""The laboratory and the book in the browser."""

from __future__ import annotations

from pathlib import Path

from tests.web.browser.driver import Browser, Watched, expect, expect_stone, expect_stones
from tests.web.conftest import Server
from tests.web.test_laboratory import add


def test_matches_are_watched_live_and_their_games_opened(
    browser: Browser, equipped: tuple[Server, Path]
) -> None:
    watched = Watched(browser, equipped[0])
    page = watched.open()
    page.get_by_role("button", name="Laboratory").click()
    page.locator(".row", has_text="mine").click()
    scores = page.locator(".scores")
    expect(scores).to_contain_text("5 – 1 – 0")
    expect(page.locator(".sprt")).to_contain_text("open")
    expect(page.locator("code").last).to_have_text("uct,<b>x</b>")
    add(equipped[1] / "mine", 7, 8)
    expect(scores).to_contain_text("6 – 2 – 0")
    expect(page.locator(".games tbody tr")).to_have_count(8)
    page.locator(".games .link", has_text="7").click()
    expect(page.locator("main.analyse")).to_be_visible()
    expect_stones(page, 2)
    page.keyboard.press("t")
    page.get_by_role("tab", name="The papers").click()
    page.locator(".row", has_text="Mango against GNU Go").click()
    expect(page.locator(".paper tbody tr").first).to_contain_text("33.2 %")
    watched.context.close()
    assert watched.wrong == []


def test_the_book_shows_its_lines(browser: Browser, equipped: tuple[Server, Path]) -> None:
    watched = Watched(browser, equipped[0])
    page = watched.open(user="both")
    page.get_by_role("button", name="Book").click()
    expect(page.locator(".book tr[data-line='C3']")).to_contain_text("3")
    expect(page.locator(".overlay .mark[data-move='C3'] text")).to_have_text("3")
    expect(page.locator(".book .depth-2")).to_have_count(2)
    page.locator(".book tr[data-line='C3'] .fold").click()
    expect(page.locator(".book .depth-2")).to_have_count(0)
    page.locator(".book tr[data-line='C3'] .link").click()
    expect_stone(page, "C3", 1)
    expect(page.locator(".book .depth-1").first).to_be_visible()
    watched.context.close()
    assert watched.wrong == []
