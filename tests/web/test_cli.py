"""``montego web`` and the way from ``montego play`` to the browser."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from typing import Any

import pytest

from montego.cli import game, main, web


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the server was started with, in place of starting it."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(web, "start", lambda *told, **named: calls.append(named | {"told": told}))
    return calls


def test_where_there_is_a_browser_a_game_opens_there(
    started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "shows_pages", lambda: True)
    assert call("play", "--size", "13", "--color", "white", "--komi", "0", "--level", "3") == 0
    wish = started[0]["wish"]
    assert wish == "#new?size=13&komi=0.0&user=white&handicap=0&by=level&amount=3"


@pytest.mark.parametrize("option", [["--terminal"], ["--seed", "1"], ["--threads", "1"]])
def test_what_is_for_the_terminal_stays_there(
    started: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: list[str],
) -> None:
    monkeypatch.setattr(game, "shows_pages", lambda: True)
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    call("play", "--size", "5", "--simulations", "5", *option)
    assert started == []
    assert "You are Black on 5x5" in capsys.readouterr().out


def test_without_a_screen_there_is_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not web.has_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.Mozilla("firefox"))
    assert web.has_browser()
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("w3m"))
    assert not web.has_browser()

    def none() -> None:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none)
    assert not web.has_browser()


@pytest.mark.parametrize("token", ["short", "with blanks", "ümlaut-token", "a" * 201, 'a";b=12345'])
def test_a_token_has_to_fit_into_an_address(
    started: list[dict[str, Any]], capsys: pytest.CaptureFixture[str], token: str
) -> None:
    assert call("web", "--token", token) == 2
    assert "8 to 200" in capsys.readouterr().err
    assert started == []


def test_what_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(web, "is_installed", lambda: False)
    assert call("web") != 0
    assert "montego[web]" in capsys.readouterr().err


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert call("web", "--no-open", "--port", str(taken.getsockname()[1])) == 2
    assert "cannot listen at 127.0.0.1" in capsys.readouterr().err


def test_results_are_shown_where_they_are(
    started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("web") == 0
    (tmp_path / "results").mkdir()
    (tmp_path / "other").mkdir()
    assert call("web") == 0
    assert call("web", "--results", "other") == 0
    assert [told["results"] for told in started] == [None, Path("results"), Path("other")]


@pytest.mark.parametrize(
    ("option", "reason"),
    [("--results", "does not exist"), ("--book", "there is no book")],
)
def test_what_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, reason: str
) -> None:
    assert call("web", "--no-open", "--port", "0", option, str(tmp_path / "nothing")) == 2
    assert reason in capsys.readouterr().err
