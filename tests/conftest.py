"""What all tests share: no test touches the user's own files."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for unfinished games that is empty at first."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("MONTEGO_DATA", str(folder))
    return folder
