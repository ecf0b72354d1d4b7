"""Plans that are remembered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from montego import dft
from montego.dft import interface, wisdom
from montego.dft.plans import DftError
from montego.kernels.compiler import notices


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
        *(
            '{"format": "montego dft wisdom 1", "machines": {"a": {"8 double":'
            f' {{"plan": {plan}, "seconds": {seconds}}}}}}}}}'
            for plan, seconds in (
                ('["codelet", 8]', "1" + "0" * 400), ('["codelet", 8]', "null"),
                ('["codelet", 8]', "-1"), ("null", "1"), ('["codelet", [8]]', "1"),
                ('["four-step", "w1", "b0", "g0", "columns", "dif", 2, "rows", "dif", 4]', "1"),
            )
        ),
    ],
)  # fmt: skip
def test_what_is_no_wisdom_is_refused_and_changes_nothing(tmp_path: Path, text: str) -> None:
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(DftError, match="holds no wisdom"):
        dft.import_wisdom(tmp_path / "bad.json")
    assert wisdom.best(8) == ("codelet", 8)


@pytest.fixture
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_said", set())


@pytest.mark.parametrize("text", ["{", "[" * 100_000])
def test_a_damaged_file_of_wisdom_is_named_and_not_lost(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "wisdom.json").write_text(text)
    assert wisdom.best(8) is None
    assert wisdom.best(16) is None
    (said,) = caplog.messages
    assert f"{tmp_path / 'wisdom.json'} holds no wisdom, or is damaged" in said
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    assert (tmp_path / "wisdom.damaged").read_text() == text
    wisdom._known = None  # another process
    assert wisdom.best(8) == ("codelet", 8)
    assert len(caplog.messages) == 1


@pytest.mark.usefixtures("nothing_said")
def test_wisdom_that_cannot_be_kept_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "file" / "wisdom.json")
    for n in (8, 16):
        wisdom.learn(n, "double", ("codelet", n), 1e-6)
        assert wisdom.best(n) == ("codelet", n)
    (said,) = caplog.messages
    assert "plans of transforms cannot be kept in" in said
    assert "wisdom.json (Not a directory): set MONTEGO_CACHE" in said


@pytest.mark.usefixtures("nothing_said")
def test_a_folder_in_its_place_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "wisdom.json").mkdir()
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    read, written = caplog.messages
    assert "wisdom.json: Is a directory" in read
    assert "cannot be kept in" in written
    assert {path.name for path in tmp_path.iterdir()} == {"wisdom.json", "wisdom.json.lock"}


LEARNS = """
from pathlib import Path
from montego.dft import wisdom
wisdom.path = lambda: Path({file!r})
wisdom.best(8)
print("ready", flush=True)
input()
for r in {sizes}:
    wisdom.learn(r, "double", ("codelet", r), 1e-6)
"""


def test_processes_that_learn_at_the_same_time_keep_each_others_plans(tmp_path: Path) -> None:
    sizes = ([2, 4, 8, 16, 32, 64], [3, 6, 9, 12, 18, 24])
    learners = [
        subprocess.Popen(
            [sys.executable, "-c", LEARNS.format(file=str(wisdom.path()), sizes=some)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for some in sizes
    ]  # fmt: skip
    for learner in learners:
        assert learner.stdout is not None
        assert learner.stdout.readline() == "ready\n"  # both know of no plan
    for learner in learners:
        learner.communicate("go\n")
        assert learner.returncode == 0
    assert {int(key.split()[0]) for key in wisdom.entries()} == {*sizes[0], *sizes[1]}


def test_wisdom_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wisdom.learn(8, "double", ("codelet", 8), 1e-6)
    before = wisdom.path().read_text()

    def full(*names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    wisdom.learn(16, "double", ("codelet", 16), 1e-6)
    assert wisdom.best(16) == ("codelet", 16)
    assert wisdom.path().read_text() == before
    assert {path.name for path in tmp_path.iterdir()} == {"wisdom.json", "wisdom.json.lock"}
