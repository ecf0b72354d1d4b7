"""What is said when something cannot be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.kernels.compiler import cache, notices
from montego.kernels.compiler.native import Code
from montego.mcts import ready


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_said", set())


def test_an_obstacle_is_named(tmp_path: Path) -> None:
    assert notices.obstacle(tmp_path / "new" / "folder") is None
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    (tmp_path / "file").write_text("")
    assert notices.obstacle(tmp_path / "file" / "below") == "Not a directory"


def test_it_is_said_once_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cache, "ROOT", tmp_path / "file")
    for _ in range(2):
        assert not cache.can_keep()
        cache.keep(Code("symbol", "none", b""), "x.code")
    (said,) = caplog.messages
    assert f"compiled kernels cannot be kept in {tmp_path / 'file'} (Not a directory)" in said
    assert "set MONTEGO_CACHE" in said
    assert "\n" not in said


def test_there_is_no_helper_whose_work_nobody_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "is_compiled", lambda: False)
    monkeypatch.setattr(ready, "can_keep", lambda: False)
    monkeypatch.setattr(ready, "helper", lambda: pytest.fail("nobody finds its work"))
    monkeypatch.setattr(ready, "note_compiled", lambda: None)
    assert ready.warm_up() > 0
