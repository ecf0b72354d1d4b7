"""Ways to use the page: keyboard, phone, reloading, when things die, screen readers."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.browser.driver import (
    Browser,
    Page,
    Watched,
    click,
    expect,
    expect_stone,
    expect_stones,
    expect_turn,
)
from tests.web.client import children
from tests.web.conftest import Server, running


def test_a_page_is_usable_within_a_second(watched: Watched) -> None:
    """From the server's first answer to a board that can be clicked; the best of three."""
    watched.open()
    times = []
    for _ in range(3):
        watched.page.reload()
        expect(watched.page.locator(".shudan-vertex").first).to_be_visible()
        times.append(watched.page.evaluate(
            "performance.now() - performance.getEntriesByType('navigation')[0].responseStart"
        ))  # fmt: skip
    assert min(times) < 1000


def test_by_keyboard_alone(watched: Watched) -> None:
    page = watched.open(user="both")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skip to the board
    expect(page.locator("#board")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cursor-told")).to_have_text("D3, empty")
    page.keyboard.press("Enter")
    expect_stone(page, "D3", 1)
    expect(page.get_by_role("status")).to_contain_text("Black plays D3")
    page.keyboard.press("u")
    expect_stones(page, 0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator("main.analyse")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    page.keyboard.press("Space")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_on_a_phone(browser: Browser, server: Server) -> None:
    watched = Watched(
        browser, server, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = watched.open(size=19, user="both")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".shudan-vertex[data-x='15'][data-y='3']").tap()
    expect_stones(page, 0)  # a finger is wider than the lines are apart
    page.locator(".confirm").tap()
    expect_stones(page, 1)
    for view in ("Analyse", "Review", "Inside"):
        page.get_by_role("button", name=view).first.tap()
        expect(page.locator(f"aside[aria-label='{view}']")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    watched.context.close()
    assert watched.wrong == []


def test_reload_in_the_middle_of_a_game_and_of_a_search(watched: Watched) -> None:
    page = watched.open(user="both", size=9)
    click(page, "C3")
    expect_stones(page, 1)
    page.reload()
    expect_stone(page, "C3", 1)
    page.get_by_role("button", name="Analyse").first.click()
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    page.reload()
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    expect(page.locator(".panel").get_by_role("button", name="Stop")).to_be_visible()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_engines_and_server_die_and_the_game_goes_on(browser: Browser) -> None:
    with running() as server:
        watched = Watched(browser, server)
        page = watched.open(user="white", size=9, limit={"by": "seconds", "amount": 3})
        expect(page.locator(".status small")).to_contain_text("simulations")
        for process in children(server.process.pid):
            os.kill(process, signal.SIGKILL)
        expect_stones(page, 1)
        expect_turn(page)
        server.process.kill()
        expect(page.get_by_role("alert")).to_contain_text("No connection")
        with running("--port", str(urlsplit(server.address).port)):
            expect_stones(page, 1)  # from the link that the page remembers
            expect(page.get_by_role("alert")).not_to_contain_text("No connection")
            expect(page.locator("main.play")).to_be_visible()
            click(page, "A1")
            expect_stones(page, 3)
        watched.context.close()
        assert [text for text in watched.wrong if "ERR_CONNECTION" not in text] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(
    browser: Browser, equipped: tuple[Server, Path], theme: str
) -> None:
    """By axe, on every view."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe is missing").Axe()
    watched = Watched(browser, equipped[0], color_scheme=theme)
    page = watched.open(user="both")
    found: dict[str, tuple[str, ...]] = {}

    def look(view: str) -> None:
        told = axe.run(page)["violations"]
        found[view] = tuple(
            f"{one['id']}: {one['nodes'][0]['html'][:120]}"
            for one in told
            if one["impact"] in ("serious", "critical")
        )

    look("play")
    page.keyboard.press("n")
    look("new game")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    look("help")
    page.keyboard.press("Escape")
    for _ in range(2):
        page.get_by_role("button", name="Pass").click()
    expect(page.locator(".count")).to_be_visible()
    look("scoring")
    page.get_by_role("button", name="Accept").click()
    look("over")
    page.keyboard.press("a")
    page.get_by_role("button", name="First").click()
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    look("analyse")
    page.locator(".panel").get_by_role("button", name="Stop").click()
    expect(page.locator(".panel").get_by_role("button", name="Analyse")).to_be_visible()
    page.keyboard.press("r")
    look("review")
    page.keyboard.press("i")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".why")).to_be_visible()
    look("inside")
    page.get_by_role("tab", name="Tree").click()
    page.locator(".search-tree .box").first.click()
    look("tree")
    page.get_by_role("tab", name="Playouts").click()
    page.get_by_role("button", name="100 more").click()
    expect(page.locator(".rules")).to_be_visible()
    look("playouts")
    page.keyboard.press("b")
    expect(page.locator(".book .fold").first).to_be_visible()
    look("book")
    page.keyboard.press("t")
    page.locator(".row").first.click()
    expect(page.locator(".games")).to_be_visible()
    look("laboratory")
    page.get_by_role("tab", name="The papers").click()
    page.locator(".row", has_text="R1").first.click()
    expect(page.locator(".paper")).to_be_visible()
    look("papers")
    watched.context.close()
    assert {*found.values()} == {()}
    assert watched.wrong == []


def test_a_page_that_is_loaded_again_shows_what_it_showed(
    browser: Browser, equipped: tuple[Server, Path]
) -> None:
    with Watched(browser, equipped[0]) as watched:
        page = watched.open(user="both")
        for key, view in (("i", "Inside"), ("r", "Review"), ("b", "Book"), ("a", "Analyse")):
            page.keyboard.press(key)
            expect(page.locator(f"aside[aria-label='{view}']")).to_be_visible()
            page.reload()
            expect(page.locator(f"aside[aria-label='{view}']")).to_be_visible()
        page.keyboard.press("t")
        expect(page.locator(".row", has_text="mine")).to_be_visible()
        page.reload()
        expect(page.locator(".row", has_text="mine")).to_be_visible()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("aside[aria-label='Play']")).to_be_visible()


def tab_to(page: Page, selector: str) -> None:
    """By the keyboard alone; it has to be reached within the page's own controls."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached")


def test_every_view_by_keyboard_alone(browser: Browser, equipped: tuple[Server, Path]) -> None:
    """No pointer: a new game, the count, a review, inside the search, the book, the laboratory."""
    with Watched(browser, equipped[0]) as watched:
        page = watched.open(user="both")
        page.keyboard.press("n")
        expect(page.get_by_role("dialog")).to_be_visible()
        tab_to(page, "dialog .primary")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        tab_to(page, "#board")
        page.keyboard.press("Enter")
        expect_stone(page, "C3", 1)
        for _ in range(2):
            watched.skip()
            page.keyboard.press("p")
            watched.hear_until("state", lambda told: told["board"]["last"] == "pass")
        expect(page.locator(".count")).to_be_visible()
        tab_to(page, "#board")
        page.keyboard.press("Enter")  # the stone is dead
        expect(page.locator(".overlay .dead")).to_have_count(1)
        tab_to(page, ".panel .primary")
        page.keyboard.press("Enter")
        expect(page.locator("section[aria-label='The game is over']")).to_be_visible()
        page.keyboard.press("r")
        expect(page.locator("aside[aria-label='Review']")).to_be_visible()
        tab_to(page, ".panel .primary")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Save with notes")).to_be_visible()
        page.keyboard.press("{")
        expect_stones(page, 0)
        page.keyboard.press("i")
        expect(page.locator("aside[aria-label='Inside']")).to_be_visible()
        page.keyboard.press("Space")
        tab_to(page, "input[name=layer]")
        chosen = watched.page.locator("input[name=layer]:checked + span")
        before_keys = chosen.inner_text()
        page.keyboard.press("ArrowRight")
        expect(chosen).not_to_have_text(before_keys)
        tab_to(page, ".slider input")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="As before")).to_be_visible()
        tab_to(page, "[role=tab][aria-selected=true]")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".search-tree .box").first).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Play one")).to_be_visible()
        page.keyboard.press("b")
        expect(page.locator("aside[aria-label='Book']")).to_be_visible()
        tab_to(page, ".book .link")
        page.keyboard.press("Enter")
        expect_stones(page, 1)
        page.keyboard.press("t")
        tab_to(page, ".row")
        page.keyboard.press("Enter")
        expect(page.locator(".games")).to_be_visible()
        tab_to(page, ".games .link")
        page.keyboard.press("Enter")
        expect(page.locator("main.analyse")).to_be_visible()


def test_a_phone_that_is_turned_shows_board_and_panel_side_by_side(
    browser: Browser, equipped: tuple[Server, Path]
) -> None:
    turned = {"width": 667, "height": 375}
    with Watched(browser, equipped[0], viewport=turned, has_touch=True, is_mobile=True) as watched:
        page = watched.open()
        for locator, wide in ((page.locator(".board"), 240), (page.locator(".panel"), 280)):
            box = locator.bounding_box()
            assert box is not None
            assert box["width"] >= wide
            assert box["y"] + min(box["height"], 300) <= 375
        assert page.evaluate("document.documentElement.scrollWidth") <= 667


def test_what_there_is_beside_the_board_fits_a_phone(
    browser: Browser, equipped: tuple[Server, Path]
) -> None:
    phone = {"width": 360, "height": 740}
    with Watched(browser, equipped[0], viewport=phone, has_touch=True, is_mobile=True) as watched:
        page = watched.open(user="both")

        def fits() -> None:
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            for button in page.locator("nav button").all():
                box = button.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= 360

        page.get_by_role("button", name="Book").tap()
        expect(page.locator(".book tbody tr").first).to_be_visible()
        fits()
        page.get_by_role("button", name="Laboratory").tap()
        page.locator(".row").first.tap()
        expect(page.locator(".games")).to_be_visible()
        fits()
        page.get_by_role("button", name="All of them").tap()
        page.get_by_role("tab", name="The papers").tap()
        page.locator(".row", has_text="R1").first.tap()
        expect(page.locator(".paper")).to_be_visible()
        fits()
        table = page.locator(".paper").bounding_box()
        assert table is not None
        assert table["width"] <= 360
