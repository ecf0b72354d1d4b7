"""The cache of compiled kernels: an edit anywhere is seen, and nothing is compiled twice.

Each test works on a copy of the package with two small files more: a kernel, and in
another file the helper that it calls.  That is the case that Numba's own cache misses.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from montego.kernels import jit
from montego.kernels.jit import PACKAGE, sources_digest
from montego.kernels.native import Code

HELPER = """
from montego.kernels.jit import kernel, leaf

@{decorator}
def step(x):
    return x + {constant}
"""
CALLER = """
from montego.kernels.helper import step
from montego.kernels.jit import entry

@entry
def two_steps(x):
    return step(step(x))
"""
PROGRAM = """
from montego.kernels.caller import two_steps
from montego.kernels.jit import is_compiled, note_compiled

print(is_compiled(), two_steps(0))
note_compiled()
"""


class Copy:
    """A copy of the package with a cache of its own, run in fresh processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "montego"
        self.cache = folder / "cache"
        self.said = ""
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        (self.package / "kernels" / "caller.py").write_text(CALLER)

    def write_helper(self, decorator: str, constant: int) -> None:
        source = HELPER.format(decorator=decorator, constant=constant)
        (self.package / "kernels" / "helper.py").write_text(source)

    def run(self) -> tuple[str, str]:
        """Whether there were compiled kernels before, and what the kernel returned."""
        # No .pyc files: they are compared by seconds, and the edits here come faster.
        settings = {
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MONTEGO_CACHE": str(self.cache),
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=True,
        )
        was_compiled, result = done.stdout.split()
        self.said = done.stderr
        return was_compiled, result

    def compiled_files(self) -> dict[Path, int]:
        """The files with machine code, and when they were written."""
        return {path: path.stat().st_mtime_ns for path in self.cache.glob("*/*.code")}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


@pytest.mark.parametrize("decorator", ["kernel", "leaf"])
def test_an_edited_helper_in_another_file_is_seen(copy: Copy, decorator: str) -> None:
    copy.write_helper(decorator, 1)
    assert copy.run() == ("False", "2")
    copy.write_helper(decorator, 5)
    assert copy.run() == ("False", "10")


def test_unchanged_sources_are_not_compiled_again(copy: Copy) -> None:
    copy.write_helper("kernel", 1)
    assert copy.run() == ("False", "2")
    compiled = copy.compiled_files()
    assert compiled
    assert copy.run() == ("True", "2")
    assert copy.compiled_files() == compiled


def test_the_first_version_is_still_there_after_an_edit_is_taken_back(copy: Copy) -> None:
    for constant, expected in ((1, ("False", "2")), (5, ("False", "10")), (1, ("True", "2"))):
        copy.write_helper("leaf", constant)
        assert copy.run() == expected


def test_a_damaged_file_is_compiled_again(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    assert copy.run() == ("False", "2")
    (path,) = copy.compiled_files()
    whole = path.read_bytes()
    for damaged in (b"", whole[:-100], whole[:-1] + b"?", b"?" + whole):
        path.write_bytes(damaged)
        assert copy.run() == ("True", "2")
        assert path.read_bytes() == whole


def test_without_a_place_for_the_cache_everything_still_works(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.cache.write_text("a file, where a folder should be")
    for _ in range(2):
        assert copy.run() == ("False", "2")
        assert copy.said == (
            f"montego: compiled kernels cannot be kept in {copy.cache} (Not a directory): "
            "set MONTEGO_CACHE to a folder that can be written\n"
        )


def test_a_folder_that_must_not_be_looked_into_is_no_cache(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.cache = copy.folder / ("x" * 300)
    assert copy.run() == ("False", "2")
    assert copy.said.count("\n") == 1
    assert "File name too long" in copy.said


def test_a_cache_that_can_be_written_is_no_matter(copy: Copy) -> None:
    copy.write_helper("leaf", 1)
    copy.run()
    assert copy.said == ""


def test_who_starts_together_compiles_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    compiled = []

    def slowly(dispatcher: object, kinds: tuple[object, ...]) -> Code:
        time.sleep(0.2)
        compiled.append(kinds)
        return Code("symbol", "none", b"image")

    monkeypatch.setattr(jit, "compile_for", slowly)
    monkeypatch.setattr(jit, "CACHE_DIRECTORY", tmp_path)
    monkeypatch.setattr(Code, "link", lambda code: 7)
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(jit.entry(_nothing).address, int) for _ in range(4)]
    assert [one.result() for one in found] == [7] * 4
    assert len(compiled) == 1


def _nothing(x: int) -> None:
    """Something to compile."""


def test_the_digest_covers_names_and_contents(tmp_path: Path) -> None:
    room = tmp_path / "kernels"
    room.mkdir()
    digests = set()
    for name, text in (("a.py", "x = 1"), ("b.py", "x = 1"), ("b.py", "x = 2")):
        for old in room.iterdir():
            old.unlink()
        (room / name).write_text(text)
        digests.add(sources_digest(tmp_path))
    assert len(digests) == 3
