"""The pictures of docs/web*.md, from a real game and a real search in Chromium.

python docs/screens.py [FOLDER]      # writes web-*.webp there, or into docs
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

DOCS = Path(__file__).parent
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
GAME = "BE5.WC3.BG3.WF6.BE6.WF7.BD3.WC4.BE7.WE8.BD8.WC6.BC2.WB2.BF8.WG8"
"""An opening, to look at."""
LATER = ".BH7.WG7.BH6.WG5.BH5.WG4.BF4.WH4.BH3.WJ5.BE9.WD7.BC8.WB8"
"""And how it went on."""
PATIENCE = 120_000
RESULTS = DOCS.parent / "results"
MATCH = "montego-1000-gnugo10"
"""A match to be shown, of which a book is made as well."""


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


def compare(page: Page) -> None:
    """Goes on with the position of ``analyse``."""
    page.get_by_label("Ownership").uncheck()
    page.locator("#beside").select_option("mango")
    expect(page.locator(".second .candidate").first).to_be_visible()
    page.wait_for_timeout(5000)
    page.mouse.move(2, 2)
    picture(page, "compare")


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
    expect(page.locator(".why")).to_be_visible()
    page.locator(".layers").get_by_text("H", exact=True).click(force=True)
    page.wait_for_timeout(6000)
    page.mouse.move(2, 2)
    picture(page, "inside")
    page.get_by_role("tab", name="Tree").click()
    page.locator(".search-tree .box").first.click()
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)
    picture(page, "tree")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("tab", name="Playouts").click()
    page.get_by_role("button", name="2,000 more").click()
    expect(page.locator(".rules")).to_be_visible()
    page.get_by_role("button", name="Play one").click()
    page.wait_for_timeout(8000)
    page.get_by_role("button", name="Pause").click()
    page.mouse.move(2, 2)
    picture(page, "playout")


def book(page: Page, address: str) -> None:
    page.goto(f"{address}licenses.txt")
    page.goto(f"{address}#position?size=9&komi=7.5&rules=chinese&user=black")
    page.get_by_role("button", name="Book").click()
    expect(page.locator(".book tbody tr").first).to_be_visible()
    page.mouse.move(2, 2)
    picture(page, "book")


def laboratory(page: Page) -> None:
    page.get_by_role("button", name="Laboratory").click()
    page.locator(".row", has_text=MATCH).first.click()
    expect(page.locator(".games")).to_be_visible()
    page.mouse.move(2, 2)
    picture(page, "laboratory")
    page.get_by_role("tab", name="The papers").click()
    page.locator(".row", has_text="R1").first.click()
    expect(page.locator(".paper")).to_be_visible()
    picture(page, "papers")


def draw(browser: Browser, address: str) -> None:
    expect.set_options(timeout=PATIENCE)
    desk = browser.new_page(viewport={"width": 1180, "height": 760})
    play(desk, address)
    analyse(desk, address, "analyse", owners=True)
    compare(desk)
    review(desk, address)
    inside(desk, address)
    book(desk, address)
    laboratory(desk)
    phone = browser.new_page(
        viewport={"width": 390, "height": 800}, device_scale_factor=1.5, color_scheme="dark"
    )
    analyse(phone, address, "phone", owners=False)


def make_book(folder: Path) -> Path:
    """A small book, of the games of a match."""
    path = folder / "gnugo.book"
    games = RESULTS / MATCH / "games.sgfs.gz"
    command = [sys.executable, "-m", "montego", "book", "import", path, games, "--moves", "12"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def main() -> None:
    command = [sys.executable, "-m", "montego", "web", "--no-open", "--port", "0"]
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as driver,
        subprocess.Popen(
            [*command, "--results", RESULTS, "--book", make_book(Path(folder))],
            stdout=subprocess.PIPE, text=True,
        ) as server,
    ):  # fmt: skip
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[4]
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            draw(browser, address)
            browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
