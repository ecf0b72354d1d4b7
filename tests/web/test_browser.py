"""The page in a real browser: Chromium, driven as people drive it.

Every page that a test opens is watched: an error in its console, or a request to another host,
fails the test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.web.client import PATIENCE, children
from tests.web.conftest import Server, running

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
MILLISECONDS = PATIENCE * 1000
QUICK = {"size": 5, "user": "black", "komi": 7.5, "handicap": 0, "rules": "chinese",
         "recipe": "montego", "limit": {"by": "simulations", "amount": 20}}  # fmt: skip


@pytest.fixture(scope="module")  # its event loop must not outlive these tests
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page, and what went wrong on it."""

    def __init__(self, browser: Browser, server: Server, **context: Any) -> None:
        self.address = server.address
        self.context = browser.new_context(accept_downloads=True, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.wrong: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._request)
        self.page.on("websocket", self._websocket)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "WebSocket" not in message.text:
            self.wrong.append(f"{message.text} ({message.location})")

    def _request(self, request: Any) -> None:
        place = urlsplit(request.url)
        if place.scheme not in ("data", "blob") and place.netloc != urlsplit(self.address).netloc:
            self.wrong.append(f"a request to {request.url}")

    def _websocket(self, socket: Any) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.address).netloc:
            self.wrong.append(f"a socket to {socket.url}")
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def open(self, **settings: Any) -> Page:
        """The page with a small, quick game."""
        chosen = json.dumps(QUICK | settings)
        self.page.add_init_script(f"localStorage.setItem('montego-settings', {chosen!r})")
        self.page.goto(self.address)
        expect(self.page.locator(".shudan-vertex").first).to_be_visible()
        return self.page

    def latest(self, kind: str) -> dict[str, Any]:
        return next(told for told in reversed(self.heard) if told["type"] == kind)

    def last(self, kind: str) -> dict[str, Any]:
        """The latest when no other has come for a second: an analysis that is over."""
        told = self.latest(kind)
        self.page.wait_for_timeout(1000)
        return told if told is self.latest(kind) else self.last(kind)


@pytest.fixture
def watched(browser: Browser, server: Server) -> Iterator[Watched]:
    watched = Watched(browser, server)
    yield watched
    watched.context.close()
    assert watched.wrong == []


def point(page: Page, name: str) -> Any:
    """A point of a small board, by its name."""
    size = page.locator(".shudan-vertex").count() ** 0.5
    x, y = "ABCDEFGHJ".index(name[0]), int(size) - int(name[1:])
    return page.locator(f".shudan-vertex[data-x='{x}'][data-y='{y}']")


def click(page: Page, name: str) -> None:
    point(page, name).click()


def expect_stone(page: Page, name: str, sign: int) -> None:
    classes = point(page, name)
    expect(classes).to_have_class(re.compile(rf"shudan-sign_{sign}\b"))


def stones(page: Page) -> int:
    return page.locator(".shudan-sign_1.shudan-vertex, .shudan-sign_-1.shudan-vertex").count()


def expect_stones(page: Page, count: int) -> None:
    expect(
        page.locator(".shudan-sign_1.shudan-vertex, .shudan-sign_-1.shudan-vertex")
    ).to_have_count(count)


def expect_turn(page: Page) -> None:
    expect(page.locator(".status")).to_contain_text("Your turn")


# --- playing ---------------------------------------------------------------------------


def test_a_whole_game_by_clicks(watched: Watched) -> None:
    page = watched.open(user="both")
    moves = ["B1", "C1", "B2", "C2", "B3", "C3", "B4", "C4", "B5", "C5", "D2", "A1"]
    for number, move in enumerate(moves, start=1):
        click(page, move)
        expect_stones(page, number)
    for _ in range(2):
        page.get_by_role("button", name="Pass").click()
    expect(page.locator(".count")).to_be_visible()
    expect(page.locator(".overlay .dead")).to_have_count(2)  # D2 and A1
    expect(page.locator(".result")).to_have_text("White wins by 12.5 points")
    click(page, "A1")  # alive after all, and with it nothing on the left is Black's alone
    expect(page.locator(".overlay .dead")).to_have_count(1)
    click(page, "A1")
    expect(page.locator(".overlay .dead")).to_have_count(2)
    page.get_by_role("button", name="Accept").click()
    expect(page.locator("section[aria-label='The game is over']")).to_be_visible()
    expect(page.locator(".result")).to_have_text("White wins by 12.5 points")


def test_the_program_answers_and_undo_takes_both_moves_back(watched: Watched) -> None:
    page = watched.open()
    click(page, "C3")
    expect_stones(page, 2)
    expect_turn(page)
    page.get_by_role("button", name="Undo").click()
    expect_stones(page, 0)
    expect_turn(page)


def test_an_illegal_move_is_explained(watched: Watched) -> None:
    page = watched.open(user="both")
    click(page, "C3")
    expect_stones(page, 1)
    click(page, "C3")
    expect(page.get_by_role("alert")).to_contain_text("C3 is occupied by Black.")


def test_a_hint_is_drawn_and_told(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".said")).to_contain_text("It would play C3.")
    expect(page.locator(".overlay .hint")).to_have_count(1)


def test_the_score_is_estimated(watched: Watched) -> None:
    page = watched.open(user="both")
    click(page, "C3")
    expect_stones(page, 1)
    page.get_by_role("button", name="Score").click()
    expect(page.locator(".said")).to_contain_text("ahead by about")


def test_a_new_game_with_other_settings(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="New game").first.click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#size").select_option("7")
    dialog.get_by_label("Both sides").check()
    dialog.get_by_text("More settings").click()
    dialog.locator("#handicap").select_option("3")
    expect(dialog.locator("#komi")).to_have_value("0.5")
    dialog.locator("#rules").select_option("japanese")
    dialog.get_by_role("button", name="Start the game").click()
    expect(page.locator(".shudan-vertex")).to_have_count(49)
    expect_stones(page, 3)
    assert watched.latest("state")["settings"]["rules"] == "japanese"


def test_resigning(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("White wins by resignation")


def test_the_curve_is_drawn(watched: Watched) -> None:
    page = watched.open(user="white")
    expect_turn(page)
    for move in ("A1", "E5"):
        before = stones(page)
        click(page, move)
        expect(page.locator(f".shudan-vertex:has(.shudan-inner) >> nth={before}")).to_be_visible()
        expect_turn(page)
    expect(page.locator(".curve canvas")).to_be_visible()


# --- files and links -------------------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)>"


def test_a_game_goes_out_and_comes_in(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(user="both")
    for number, move in enumerate(["C3", "D4", "B2"], start=1):
        click(page, move)
        expect_stones(page, number)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SGF").click()
    path = tmp_path / "game.sgf"
    download.value.save_as(path)
    assert ";B[cc];W[db];B[bd]" in path.read_text()
    page.get_by_role("button", name="Undo").click()
    expect_stones(page, 2)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("main.analyse")).to_be_visible()
    expect_stones(page, 3)


def test_a_file_may_be_dropped_and_its_names_are_never_html(watched: Watched) -> None:
    page = watched.open()
    sgf = f"(;SZ[5]PB[{HOSTILE}]PW[<b>Bob</b>]RE[<i>B+R</i>]C[<script>alert(2)</script>];B[aa])"
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.sgf"));
            document.querySelector(".page").dispatchEvent(
                new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        sgf,
    )
    expect(page.locator(".player .name").first).to_have_text(HOSTILE)
    expect(page.locator(".player .name").last).to_have_text("<b>Bob</b>")
    assert (
        page.locator(".panel img, .panel b b, .panel i:not(.stone), script:not([src])").count() == 0
    )


def test_names_in_other_encodings(watched: Watched, tmp_path: Path) -> None:
    page = watched.open()
    path = tmp_path / "game.sgf"
    path.write_bytes("(;SZ[5]CA[GB18030]PB[柯洁]PW[朴廷桓];B[cc])".encode("gb18030"))
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator(".player .name").first).to_have_text("柯洁")


def test_what_is_no_record_is_explained(watched: Watched, tmp_path: Path) -> None:
    page = watched.open()
    path = tmp_path / "game.sgf"
    path.write_text("no game at all")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_role("alert")).to_contain_text("not a readable game record")


def test_a_link_leads_to_the_position(watched: Watched) -> None:
    page = watched.open(user="both")
    click(page, "C3")
    expect_stones(page, 1)
    link = watched.latest("state")["link"]
    page.goto(f"{watched.address}licenses.txt")
    page.goto(f"{watched.address}#position?{link}")
    expect_stone(page, "C3", 1)
    expect(page.locator("main.analyse")).to_be_visible()


# --- analysing -------------------------------------------------------------------------


def test_the_overlay_and_the_table_show_the_engines_numbers(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    page.locator(".panel").get_by_role("button", name="Stop").click()
    expect(page.locator(".panel").get_by_role("button", name="Analyse")).to_be_visible()
    told = watched.last("analysis")
    for candidate in told["candidates"][:3]:
        row = page.locator(f".candidates tr[data-move='{candidate['move']}']")
        expect(row.locator("td")).to_have_text([
            f"{100 * candidate['win_rate']:.1f}", f"{candidate['lead']:.1f}",
            f"{candidate['visits']:,}", f"{100 * candidate['prior']:.1f}",
        ])  # fmt: skip
    best = page.locator(f".overlay .candidate.best[data-move='{told['move']}']")
    expect(best.locator(".rate")).to_have_text(f"{100 * told['candidates'][0]['win_rate']:.0f}")
    line = told["candidates"][0]["line"]
    page.locator(".candidates tbody tr").first.hover()
    expect(page.locator(".overlay .expected")).to_have_count(len({*line} - {"pass"}))
    page.get_by_label("Ownership").check()
    surely = sum(abs(owner) >= 0.1 for row in told["ownership"] for owner in row)
    expect(page.locator(".overlay .owner")).to_have_count(surely)


def test_variations_are_kept_as_a_tree(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    for number, move in enumerate(["C3", "D4"], start=1):
        click(page, move)
        expect_stones(page, number)
    page.get_by_role("button", name="Back").click()
    expect_stones(page, 1)
    click(page, "B2")
    expect_stones(page, 2)
    expect(page.locator(".tree circle")).to_have_count(4)
    page.get_by_role("button", name="Other variation").click()
    expect_stone(page, "D4", -1)
    page.get_by_role("button", name="Remove from here on").click()
    expect(page.locator(".tree circle")).to_have_count(3)


def test_two_recipes_on_one_board(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator("#beside").select_option("uct")
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".found.second .figures")).to_contain_text("uct")
    expect(page.locator(".found.first .figures")).to_contain_text("montego")
    expect(page.locator(".overlay .candidate.right").first).to_be_visible()


def test_a_review_leads_to_the_mistakes(watched: Watched, tmp_path: Path) -> None:
    page = watched.open()
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]KM[0.5];B[cc];W[aa];B[bc];W[ae];B[dc];W[ea])")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("main.analyse")).to_be_visible()
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator("#depth").select_option("200")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Save with notes")).to_be_visible()
    expect(page.locator(".curve canvas")).to_be_visible()
    told = watched.latest("reviewed")
    wrong = [move for move in told["moves"] if move["verdict"]]
    assert wrong  # White in the corner of a board that Black has the middle of
    expect(page.locator(".mistakes tbody tr")).to_have_count(len(wrong))
    page.locator(".mistakes tbody .link").first.click()
    expect_stones(page, wrong[0]["number"] - 1)
    expect(page.locator(".overlay .hint")).to_have_count(1)
    expect(page.locator(".overlay .wrong")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").click()
    assert download.value.suggested_filename.endswith("-review.html")


def test_one_sees_inside_the_search(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".search-tree .box").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    told = watched.latest("inside")
    first = [node for node in told["nodes"] if node["parent"] is None]
    page.get_by_text("H", exact=True).click(force=True)
    known = {node["move"]: node["h"] for node in first if node["h"] > 0 and node["move"] != "pass"}
    expect(page.locator(".overlay .mark")).to_have_count(len(known))
    expect(page.locator(".overlay .mark[data-move='C3'] text")).to_have_text(f"{known['C3']:.2f}")
    page.locator(".search-tree .box").first.click()
    best = max(first, key=lambda node: node["visits"])
    expect(page.locator(".numbers")).to_contain_text(best["move"])
    expect(page.locator(".numbers")).to_contain_text(f"{best['visits']:,}")
    page.locator(".slider input").first.fill("0.5")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


# --- ways to use it --------------------------------------------------------------------


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
        watched.context.close()
        assert [text for text in watched.wrong if "ERR_CONNECTION" not in text] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(browser: Browser, server: Server, theme: str) -> None:
    """By axe, on every view."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe is missing").Axe()
    watched = Watched(browser, server, color_scheme=theme)
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
    page.keyboard.press("r")
    look("review")
    page.keyboard.press("i")
    look("inside")
    watched.context.close()
    assert {*found.values()} == {()}
    assert watched.wrong == []
