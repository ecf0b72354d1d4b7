"""The pictures of the documentation are made from real runs, and all of them are shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.browser.driver import CHROMIUM

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("web.md", "web-player.md", "web-teacher.md", "web-researcher.md")


def shown() -> set[str]:
    """The pictures that the pages show."""
    text = "".join((DOCS / page).read_text("utf-8") for page in PAGES)
    return set(re.findall(r"\]\((web-\w+\.webp)\)", text))


def test_every_picture_is_there_and_shown() -> None:
    assert shown() == {path.name for path in DOCS.glob("web-*.webp")}


@pytest.mark.slow
def test_every_picture_can_be_made_again(tmp_path: Path) -> None:
    """The board, the searches and the pages are real: this fails where one of them does."""
    assert CHROMIUM
    subprocess.run([sys.executable, DOCS / "screens.py", tmp_path], check=True)
    assert {path.name for path in tmp_path.iterdir()} == shown()
    assert all(path.stat().st_size > 5_000 for path in tmp_path.iterdir())
