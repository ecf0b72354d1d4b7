"""Games out and in: files, links, names that want to be HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser.driver import Browser, Watched, click, expect, expect_stone, expect_stones
from tests.web.conftest import Server

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


@pytest.mark.parametrize("hash_", ["position?size=99", "position?moves=BZ9", "new?recipe=stew"])
def test_an_address_that_makes_no_sense_is_explained_over_a_board(
    watched: Watched, hash_: str
) -> None:
    watched.page.goto(f"{watched.address}#{hash_}")
    expect(watched.page.locator(".shudan-vertex").first).to_be_visible()
    expect(watched.page.get_by_role("alert")).not_to_be_empty()


def test_settings_of_another_version_do_no_harm(watched: Watched) -> None:
    page = watched.open(recipe="stew")
    expect_stones(page, 0)
    page.get_by_role("button", name="New game").first.click()
    expect(page.locator("#recipe")).to_have_value("montego")


def test_variations_of_a_file_are_there(watched: Watched, tmp_path: Path) -> None:
    page = watched.open()
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[cc](;W[dd];B[bb])(;W[ca](;B[cb])(;B[da])))")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator(".tree circle")).to_have_count(7)


def test_a_link_is_copied_and_it_says_so(browser: Browser, server: Server) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with Watched(browser, server, permissions=permissions) as watched:
        page = watched.open(user="both")
        click(page, "C3")
        expect_stones(page, 1)
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator(".toast")).to_have_text("A link to this position is on the clipboard.")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{watched.address}#position?{watched.latest('state')['link']}"


def test_a_review_is_one_page_that_needs_no_server(
    browser: Browser, watched: Watched, tmp_path: Path
) -> None:
    page = watched.open()
    path, kept = tmp_path / "game.sgf", tmp_path / "review.html"
    names = f"PB[{HOSTILE}]PW[</script><script>alert(2)</script>]"
    path.write_text(f"(;SZ[5]KM[0.5]{names};B[cc];W[aa];B[bc];W[ae]C[{HOSTILE}];B[dc];W[ea])")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("main.analyse")).to_be_visible()
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator("#depth").select_option("200")
    page.get_by_role("button", name="Review the game").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").click()
    download.value.save_as(kept)
    wrong: list[str] = []
    with browser.new_context(offline=True) as context:
        alone = context.new_page()
        alone.on("console", lambda told: wrong.append(told.text))
        alone.on("pageerror", lambda error: wrong.append(str(error)))
        alone.on("dialog", lambda dialog: wrong.append(dialog.message))
        alone.on("request", lambda asked: wrong.append(asked.url))
        alone.goto(kept.as_uri())
        expect(alone.locator("body")).to_contain_text(HOSTILE)
        told = alone.locator("body").inner_text()
        assert alone.locator("img").count() == 0
    assert wrong == [kept.as_uri()]
    for move in watched.latest("reviewed")["moves"]:
        if move["verdict"]:
            assert move["best"] in told
