"""Lines and commands: completion, and input that is no text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from montego.go import GoError
from montego.terminal.prompt import Command, Completer, Talk, files


def completed(line: str, words: list[str]) -> list[str]:
    """All that the tabulator offers behind a line."""
    completer = Completer(words, lambda: line)
    found: list[str] = []
    while (word := completer(line.rpartition(" ")[2], len(found))) is not None:
        found.append(word)
    return found


def test_commands_are_completed_at_the_beginning(tmp_path: Path) -> None:
    words = ["save", "score", "undo"]
    assert completed("S", words) == ["save ", "score "]
    assert completed("x", words) == []
    (tmp_path / "unfinished.sgf").touch()
    (tmp_path / "under").mkdir()
    start = f"{tmp_path}/un"
    assert completed(f"save {start}", words) == [
        f"{tmp_path}/under/",
        f"{tmp_path}/unfinished.sgf",
    ]


def test_odd_names_are_completed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a[1].sgf").touch()
    assert files("~/a[") == [str(tmp_path / "a[1].sgf")]


def test_a_command_is_given_what_it_needs() -> None:
    given: list[str] = []
    talk = Talk(
        Console(file=io.StringIO()),
        [
            Command("alone", "", "stands alone", given.append),
            Command("save", "FILE", "writes", given.append),
            Command("level", "[N]", "tells", given.append),
        ],
    )
    assert all(talk.obey(line) for line in ("ALONE", "save  a b ", "level", "level 3"))
    assert given == ["", "a b", "", "3"]
    for wrong in ("alone 1", "save", "save "):
        with pytest.raises(GoError):
            talk.obey(wrong)
    assert not talk.obey("D4")


def test_a_line_that_is_no_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(prompt: str) -> str:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    monkeypatch.setattr("builtins.input", read)
    output = io.StringIO()
    assert Talk(Console(file=output)).ask("> ") == ""
    assert "not text" in output.getvalue()
