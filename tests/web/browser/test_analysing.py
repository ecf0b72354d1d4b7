"""Analysing and reviewing in the browser."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.browser.driver import Watched, click, expect, expect_stone, expect_stones, fixed


def lead(points: float) -> str:
    """Points as the page writes them."""
    text = fixed(abs(points), 1)
    return f"−{text}" if points < 0 and float(text) else text


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
            fixed(100 * candidate["win_rate"], 1), lead(candidate["lead"]),
            f"{candidate['visits']:,}", fixed(100 * candidate["prior"], 1),
        ])  # fmt: skip
    best = page.locator(f".overlay .candidate.best[data-move='{told['move']}']")
    expect(best.locator(".rate")).to_have_text(fixed(100 * told["candidates"][0]["win_rate"], 0))
    line = told["candidates"][0]["line"]
    page.locator(".candidates tbody tr").first.hover()
    expect(page.locator(".overlay .expected")).to_have_count(len({*line} - {"pass"}))
    page.get_by_label("Candidates").uncheck()  # their circles cover the squares
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


def test_two_recipes_side_by_side(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator("#beside").select_option("uct")
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".found.second .figures")).to_contain_text("uct")
    expect(page.locator(".found.first .figures")).to_contain_text("montego")
    first, second = page.locator(".first .board"), page.locator(".second .board")
    expect(first.locator(".overlay .candidate.first").first).to_be_visible()
    expect(second.locator(".overlay .candidate.second").first).to_be_visible()
    page.locator(".panel").get_by_role("button", name="Stop").click()
    expect(page.locator(".panel").get_by_role("button", name="Analyse")).to_be_visible()
    watched.last("analysis")
    for beside, board in ((False, first), (True, second)):
        told = next(
            told
            for told in reversed(watched.heard)
            if told["type"] == "analysis" and told["beside"] == beside
        )
        best = board.locator(f".overlay .candidate.best[data-move='{told['move']}']")
        rate = fixed(100 * told["candidates"][0]["win_rate"], 0)
        expect(best.locator(".rate")).to_have_text(rate)
    page.locator(".found.second tbody tr").first.hover()
    expect(second.locator(".overlay .expected").first).to_be_visible()
    expect(first.locator(".overlay .expected")).to_have_count(0)


def test_a_review_leads_to_the_mistakes(watched: Watched, tmp_path: Path) -> None:
    page = watched.open()
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]KM[0.5];B[cc];W[bc];B[aa];W[cb];B[ea];W[dc];B[ae];W[cd])")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("main.analyse")).to_be_visible()
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator("#depth").select_option("200")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Save with notes")).to_be_visible()
    expect(page.locator(".curve canvas")).to_be_visible()
    told = watched.latest("reviewed")
    wrong = [move for move in told["moves"] if move["verdict"]]
    assert wrong  # Black in the corners while the stone in the middle is taken
    expect(page.locator(".mistakes tbody tr")).to_have_count(len(wrong))
    page.locator(".mistakes tbody .link").first.click()
    expect_stones(page, wrong[0]["number"] - 1)
    expect(page.locator(".overlay .hint")).to_have_count(1)
    expect(page.locator(".overlay .wrong")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").click()
    assert download.value.suggested_filename.endswith("-review.html")


def test_an_analysis_by_two_is_found_again_by_a_page_that_is_loaded_again(
    watched: Watched,
) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator("#beside").select_option("uct")
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".found.second .figures")).to_contain_text("uct")
    page.reload()
    expect(page.locator("#beside")).to_have_value("uct")
    expect(page.locator(".found.second .figures")).to_contain_text("uct")
    page.locator("#beside").select_option("")
    expect(page.locator(".board")).to_have_count(1)


def test_leads_have_a_true_minus_and_no_zero_below_zero(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Analyse").first.click()
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    expect(page.locator(".candidates tbody tr").nth(3)).to_be_visible()
    leads = page.locator(".candidates tbody td:nth-child(3)").all_inner_texts()
    assert all(re.fullmatch(r"−?\d+\.\d", lead) and lead != "−0.0" for lead in leads)
