"""The helper that compiles beside: it ends with the process that started it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from montego.mcts import ready


def test_the_helper_leaves_when_the_pipe_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTEGO_CACHE", str(tmp_path))
    with ready.start_helper() as process:
        assert process.stdin is not None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.stdin.close()
        assert process.wait(5) == 1


def test_the_helper_imports_from_where_this_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And from the current folder, where anything may lie, no more than this process."""
    path = [entry for entry in dict.fromkeys(sys.path) if entry not in ("", ".")]
    monkeypatch.setattr(sys, "path", path)
    monkeypatch.setattr(ready, "HELP", "import json, sys; json.dump(sys.path, open('path', 'w'))")
    monkeypatch.chdir(tmp_path)
    with ready.start_helper() as process:
        assert process.wait(10) == 0
    found = json.loads((tmp_path / "path").read_text())
    assert found[: len(path)] == path
    assert not {"", ".", str(tmp_path)} & set(found)


def test_without_another_process_everything_is_compiled_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(ready, "start_helper", refuse)
    with ready.helper():
        pass


def test_the_helper_is_waited_for_and_ended_by_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = ready.start_helper

    def note() -> subprocess.Popen[bytes]:
        started.append(start())
        return started[-1]

    monkeypatch.setattr(ready, "start_helper", note)
    monkeypatch.setattr(ready, "HELP", "import time; time.sleep(0.2)")
    with ready.helper():
        pass
    monkeypatch.setattr(ready, "HELP", "import time; time.sleep(60)")
    with pytest.raises(KeyboardInterrupt), ready.helper():
        raise KeyboardInterrupt
    assert started[0].returncode == 0
    assert started[1].returncode not in (0, None)
