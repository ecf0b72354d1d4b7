"""Inside the search, in the browser: layers, the tree, playouts, constants."""

from __future__ import annotations

import pytest

from tests.web.browser.driver import Page, Watched, expect, expect_stones, fixed

ENOUGH_TO_CROWD = 3000
"""Simulations after which a narrow picture has no room for all of the tree."""


def test_the_layers_show_what_the_search_thinks(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".why caption")).to_contain_text("Why")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    told = watched.last("inside")
    first = [node for node in told["nodes"] if node["parent"] is None]

    def shown(layer: str, values: dict[str, str]) -> None:
        page.locator(".layers").get_by_text(layer, exact=True).click(force=True)
        expect(page.locator(".overlay .mark")).to_have_count(len(values.keys() - {"pass"}))
        best = "C3" if "C3" in values else next(iter(values.keys() - {"pass"}))
        mark = page.locator(f".overlay .mark[data-move='{best}'] text")
        expect(mark).to_have_text(values[best])

    shown("H", {n["move"]: fixed(n["h"], 2) for n in first if n["h"] >= 0.005})
    shown("Wins", {n["move"]: fixed(100 * n["win_rate"], 0) for n in first if n["visits"]})
    shown("RAVE", {n["move"]: fixed(100 * n["rave"], 0) for n in first if n["rave"] is not None})
    shown("Open", {n["move"]: str(i + 1) for i, n in enumerate(first) if n["is_open"]})
    known = watched.latest("known")["moves"]
    page.locator(".layers").get_by_text("Patterns", exact=True).click(force=True)
    expect(page.locator(".overlay .mark")).to_have_count(sum(move["pattern"] for move in known))
    page.locator(".layers").get_by_text("Owners", exact=True).click(force=True)
    surely = sum(abs(owner) >= 0.1 for row in told["ownership"] for owner in row)
    expect(page.locator(".overlay .owner")).to_have_count(surely)
    page.locator(".slider input").first.fill("0.5")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_the_tree_is_zoomed_and_its_numbers_are_those_of_the_formula(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator(".search-tree .box").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    told = watched.last("inside")
    best = max((n for n in told["nodes"] if n["parent"] is None), key=lambda node: node["visits"])
    page.locator(".search-tree .box").first.click()
    expect(page.locator(".formula caption")).to_have_text(best["move"])
    expect(page.locator(".formula")).to_contain_text(f"{best['visits']:,}")
    score = fixed(best["score"], 3).replace("-", "−")
    expect(page.locator(".formula .sum td")).to_have_text(score)
    expect(page.locator(".formula tfoot")).to_contain_text("beta")
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".crumbs")).to_contain_text(f"› {best['move']}")
    expect(page.locator(".search-tree .box").first).to_have_attribute("data-node", str(best["id"]))
    page.locator(".search-tree").focus()
    page.keyboard.press("ArrowDown")  # to the most visited answer
    below = [node for node in told["nodes"] if node["parent"] == best["id"]]
    answer = max(below, key=lambda node: node["visits"])
    expect(page.locator(".formula caption")).to_have_text(f"{best['move']} → {answer['move']}")
    page.keyboard.press("-")
    expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()


def test_a_playout_is_played_with_its_rules(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Inside").click()
    page.locator("#inside-recipe").select_option("mogo")
    page.get_by_role("tab", name="Playouts").click()
    page.locator("#speed").select_option("2")
    page.get_by_role("button", name="Play one").click()
    expect(page.locator(".rule-name")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    told = watched.latest("playouts")
    page.locator(".steps").fill(str(len(told["last"])))
    on_board = 0
    for move in told["last"]:
        on_board += (move["move"] != "pass") - len(move["taken"])
    expect_stones(page, on_board)
    expect(page.locator(".result.small")).to_contain_text("wins by")
    page.locator(".steps").fill("1")
    expect_stones(page, 1)
    expect(page.locator(".chosen")).to_have_attribute("data-rule", told["last"][0]["rule"])
    page.get_by_role("button", name="100 more").click()
    expect(page.locator("section[aria-label='Many playouts'] h2")).to_contain_text("101 playouts")
    told = watched.latest("playouts")
    rate = (told["black_wins"] + told["draws"] / 2) / told["games"]
    expect(page.locator(".win-rate")).to_have_text(f"{fixed(100 * rate, 0)} %")
    expect(page.locator(".rules tbody tr")).to_have_count(len(told["rules"]))
    page.get_by_label("Again and again").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("section[aria-label='Many playouts'] h2")).to_contain_text("103 playouts")
    page.get_by_role("tab", name="On the board").click()
    expect_stones(page, 0)


CONSTANTS = {
    "mango": ("C, exploration", "T, growth", "k_init, open at first"),
    "mogo": ("RAVE’s bias c₁",),
    "montego": ("λ, network’s value", "T, network"),
}


def shows_its_largest(page: Page, name: str) -> None:
    slider = page.get_by_label(name)
    most = f"{float(slider.get_attribute('max') or 0):.3g}"
    expect(page.locator(".slider", has_text=name).locator("output")).to_have_text(most)


@pytest.mark.parametrize("recipe", CONSTANTS)
def test_a_slider_starts_the_search_again(watched: Watched, recipe: str) -> None:
    page = watched.open(recipe=recipe, size=9)
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    for name in CONSTANTS[recipe]:
        slider = page.get_by_label(name)
        watched.skip()
        before = watched.hear_until("inside", lambda told: told["simulations"] > 15_000)
        watched.skip()
        slider.press("End")
        changed = watched.hear_until("state", lambda told: told["analysing"])
        after = watched.hear_until("inside", lambda told: True)
        assert after["simulations"] < before["simulations"]
        largest = float(slider.get_attribute("max") or 0)
        assert pytest.approx(largest) in changed["parameters"].values()
        shows_its_largest(page, name)
    page.reload()
    for name in CONSTANTS[recipe]:  # as the search that runs has them
        shows_its_largest(page, name)
    watched.skip()
    page.get_by_role("button", name="As before").click()
    watched.hear_until("state", lambda told: told["analysing"] and not told["parameters"])


def test_space_keeps_the_constants(watched: Watched) -> None:
    page = watched.open(recipe="mango")
    page.get_by_role("button", name="Inside").click()
    page.get_by_label("C, exploration").press("End")
    page.locator("#board").focus()
    page.keyboard.press("Space")
    told = watched.hear_until("state", lambda told: told["analysing"])
    assert told["parameters"].keys() == {"selection.c"}


def test_the_tree_grows_and_can_be_made_wide(watched: Watched) -> None:
    page = watched.open(size=9)
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    page.get_by_role("tab", name="Tree").click()
    early = watched.hear_until("inside", lambda told: True)
    watched.hear_until("inside", lambda told: told["size"] > 2 * early["size"])
    watched.hear_until("inside", lambda told: told["simulations"] > ENOUGH_TO_CROWD)
    expect(page.locator(".search-tree .box").nth(10)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    tree = page.locator(".search-tree")
    narrow, boxes = tree.bounding_box(), page.locator(".search-tree .box").count()
    page.get_by_role("button", name="Wider").click()
    expect(page.locator("main.wide")).to_be_visible()
    page.wait_for_function(
        "n => document.querySelectorAll('.search-tree .box').length > n", arg=boxes
    )
    wide = tree.bounding_box()
    assert narrow is not None
    assert wide is not None
    assert wide["width"] > 1.3 * narrow["width"]
    page.get_by_role("button", name="Narrower").click()
    expect(page.locator("main.wide")).to_have_count(0)
