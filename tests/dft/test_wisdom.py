"""Plans that are remembered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from montego import dft
from montego.dft import interface, wisdom
from montego.dft.plans import DftError


def test_plans_are_remembered_and_used(tmp_path: Path) -> None:
    assert wisdom.best(32) is None
    plan = dft.plan(32, "tag", 0.01)
    assert plan.mflops is not None
    assert wisdom.best(32) == plan.word
    assert interface.transform(32, "double", False, None, 1).word == plan.word
    x = np.random.default_rng(0).standard_normal(64).view(np.complex128)
    np.testing.assert_allclose(plan(x), np.fft.fft(x), atol=1e-13)
    wisdom._known = None  # another process
    assert wisdom.best(32) == plan.word
    assert dft.plan(32, "none").word == plan.word


def test_wisdom_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wisdom.learn(64, "double", ("dif", "w1", 8, 8), 1e-6)
    assert dft.export_wisdom(tmp_path / "away.json") == 1
    wisdom.forget_all()
    assert wisdom.best(64) is None
    assert dft.import_wisdom(tmp_path / "away.json") == 1
    assert wisdom.best(64) == ("dif", "w1", 8, 8)
    monkeypatch.setattr(wisdom, "machine", lambda: "another")
    assert wisdom.best(64) is None
    assert dft.import_wisdom(tmp_path / "away.json", foreign=True) == 1
    assert wisdom.best(64) == ("dif", "w1", 8, 8)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"format": "montego dft wisdom 1"}',
        '{"format": "montego dft wisdom 1", "machines": {"a": {"8 double": {}}}}',
        '{"format": "montego dft wisdom 1", "machines": {"a": {"8 double":'
        ' {"plan": ["codelet", 16], "seconds": 1}}}}',
    ],
)  # fmt: skip
def test_what_is_no_wisdom_is_refused_and_changes_nothing(tmp_path: Path, text: str) -> None:
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(DftError, match="holds no wisdom"):
        dft.import_wisdom(tmp_path / "bad.json")
    assert wisdom.best(8) == ("codelet", 8)


def test_a_damaged_file_of_wisdom_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "wisdom.json").write_text("{")
    assert wisdom.best(8) is None
