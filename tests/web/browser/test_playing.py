"""Playing in the browser: clicks, undo, hints, the count, other settings."""

from __future__ import annotations

import pytest

from tests.web.browser.driver import (
    Watched,
    click,
    expect,
    expect_stones,
    expect_turn,
    fixed,
    stones,
)


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


def test_a_game_by_territory_is_counted_with_its_prisoners(watched: Watched) -> None:
    """Japan's count is another one than China's: points that are surrounded, and stones taken."""
    page = watched.open(user="both", rules="japanese", komi=6.5)
    moves = ["B1", "C1", "B2", "C2", "B3", "C3", "B4", "C4", "B5", "C5", "D2", "A1"]
    for number, move in enumerate(moves, start=1):
        click(page, move)
        expect_stones(page, number)
    for _ in range(2):
        page.get_by_role("button", name="Pass").click()
    rows = page.locator(".count tbody tr")
    expect(rows.first).to_have_text("Territory and prisoners611")  # 5 + 1, 10 + 1
    expect(rows.last).to_have_text("Total617.5")
    expect(page.locator(".result")).to_have_text("White wins by 11.5 points")
    click(page, "D2")  # alive: then nothing on the right is White's alone
    expect(rows.first).to_have_text("Territory and prisoners60")
    click(page, "D2")
    expect(rows.first).to_have_text("Territory and prisoners611")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".result")).to_have_text("White wins by 11.5 points")


@pytest.mark.parametrize("size", [2, 19])
def test_the_smallest_and_the_largest_board(watched: Watched, size: int) -> None:
    page = watched.open(user="both", size=size)
    expect(page.locator(".shudan-vertex")).to_have_count(size * size)
    page.locator(f".shudan-vertex[data-x='{size - 1}'][data-y='0']").click()
    expect_stones(page, 1)
    last = f"{'ABCDEFGHJKLMNOPQRST'[size - 1]}{size}"
    assert watched.latest("state")["board"]["last"] == last


def test_the_clock_of_the_program_runs(watched: Watched) -> None:
    page = watched.open(user="white", limit={"by": "seconds", "amount": 1.5})
    expect(page.locator(".status small")).to_contain_text("simulations")
    expect_turn(page)
    thought = [node["seconds"] for node in watched.latest("state")["nodes"] if node["move"]]
    assert thought[0] is not None
    assert thought[0] >= 0.1
    expect(page.locator(".clock")).to_have_text(f"Montego has thought {fixed(thought[0], 1)} s")


def test_the_sound_is_off_until_it_is_wanted(watched: Watched) -> None:
    page = watched.open()
    page.get_by_role("button", name="Sound is off").click()
    page.reload()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()


def test_a_dialog_that_closes_leaves_the_next_one_open(watched: Watched) -> None:
    """The browser tells that a dialog has closed a moment later: the next one may be there."""
    page = watched.open()
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(
        """() => {
            document.querySelector("dialog").close();
            dispatchKey("?");
            function dispatchKey(key) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            }
        }"""
    )
    expect(page.locator("#help-title")).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator("#help-title")).to_be_visible()
