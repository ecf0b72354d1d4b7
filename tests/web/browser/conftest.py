"""A browser, a page of it, and a server with results and a book."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Server, running
from tests.web.test_laboratory import a_book, add

if TYPE_CHECKING:  # without a browser the tests are skipped before they need one
    from playwright.sync_api import Browser

    from tests.web.browser.driver import Watched


@pytest.fixture(scope="module")  # its event loop must not outlive these tests
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from tests.web.browser.driver import CHROMIUM, FLAGS, MILLISECONDS

    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Browser, server: Server) -> Iterator[Watched]:
    from tests.web.browser.driver import Watched

    with Watched(browser, server) as watched:
        yield watched


@pytest.fixture(scope="module")
def equipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    folder = tmp_path_factory.mktemp("results")
    add(folder / "mine", 1, 6, sprt=[0, 50])
    a_book(folder / "my.book")
    with running("--results", str(folder), "--book", str(folder / "my.book")) as server:
        yield server, folder
