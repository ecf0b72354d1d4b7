"""The pictures of docs/web.md, from a real game and a real search in Chromium.

python docs/screens.py      # writes docs/web-*.webp
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

FOLDER = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
GAME = "BE5.WC3.BG3.WF6.BE6.WF7.BD3.WC4.BE7.WE8.BD8.WC6.BC2.WB2.BF8.WG8"
"""An opening, to look at."""
LATER = ".BH7.WG7.BH6.WG5.BH5.WG4.BF4.WH4.BH3.WJ5.BE9.WD7.BC8.WB8"
"""And how it went on."""
PATIENCE = 120_000


def picture(page: Page, name: str) -> None:
    """What the page shows, as a small file."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.save(FOLDER / f"web-{name}.webp", quality=82, method=6)


def play(page: Page, address: str) -> None:
    page.goto(f"{address}#new?size=9&by=simulations&amount=2000")
    for x, y in ((4, 4), (6, 2), (2, 5), (6, 6)):
        expect(page.locator(".status")).to_contain_text("Your turn")
        page.locator(f".shudan-vertex[data-x='{x}'][data-y='{y}']").click()
        page.wait_for_timeout(300)
    expect(page.locator(".status")).to_contain_text("Your turn")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".overlay .hint")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("Your turn")
    page.mouse.move(2, 2)
    picture(page, "play")


def analyse(page: Page, address: str, name: str, owners: bool) -> None:
    page.goto(f"{address}licenses.txt")
    page.goto(f"{address}#position?size=9&komi=7.5&rules=chinese&user=black&moves={GAME}")
    page.locator(".panel").get_by_role("button", name="Analyse").click()
    if owners:
        page.get_by_label("Ownership").check()
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    page.wait_for_timeout(5000)
    page.mouse.move(2, 2)
    picture(page, name)


def review(page: Page, address: str) -> None:
    page.goto(f"{address}licenses.txt")
    page.goto(f"{address}#position?size=9&komi=7.5&rules=chinese&user=black&moves={GAME}{LATER}")
    page.get_by_role("button", name="Review", exact=True).click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Save with notes")).to_be_visible()
    page.locator(".mistakes tbody .link").first.click()
    expect(page.locator(".overlay .wrong")).to_have_count(1)
    page.mouse.move(2, 2)
    picture(page, "review")


def inside(page: Page, address: str) -> None:
    page.goto(f"{address}licenses.txt")
    page.goto(f"{address}#position?size=9&komi=7.5&rules=chinese&user=black&moves={GAME[:40]}")
    page.get_by_role("button", name="Inside").click()
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".search-tree .box").first).to_be_visible()
    page.wait_for_timeout(6000)
    page.locator(".search-tree .box").first.click()
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)
    picture(page, "inside")


def draw(browser: Browser, address: str) -> None:
    expect.set_options(timeout=PATIENCE)
    desk = browser.new_page(viewport={"width": 1180, "height": 760})
    play(desk, address)
    analyse(desk, address, "analyse", owners=True)
    review(desk, address)
    inside(desk, address)
    phone = browser.new_page(
        viewport={"width": 390, "height": 800}, device_scale_factor=1.5, color_scheme="dark"
    )
    analyse(phone, address, "phone", owners=False)


def main() -> None:
    command = [sys.executable, "-m", "montego", "web", "--no-open", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as driver,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().split()[4]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        draw(browser, address)
        browser.close()
        server.terminate()


if __name__ == "__main__":
    main()
