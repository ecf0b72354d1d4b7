"""What tests of the transform share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from montego.dft import interface, wisdom


@pytest.fixture(autouse=True)
def own_wisdom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    monkeypatch.setattr(wisdom, "_known", None)
    interface.forget()
    yield
    interface.forget()
