"""Files of MPI's shared memory that a killed job has left."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from montego.cluster import shared_memory
from montego.cluster.shared_memory import FOLDER, forget_own, forget_unused

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there is no {FOLDER}")


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One with a name of this test's own, in place of MPI's."""
    own = f"montego-test-{os.getpid()}"
    monkeypatch.setattr(shared_memory, "BEGIN", own)
    monkeypatch.setattr(shared_memory, "LOOK_AGAIN", 0.0)
    path = FOLDER / f"{own}-1"
    path.write_bytes(bytes(4096))
    yield path
    with suppress(FileNotFoundError):
        path.unlink()


def test_what_nobody_uses_is_deleted(file: Path) -> None:
    other = FOLDER / f"other-{file.name}"
    other.write_bytes(b"")
    try:
        forget_unused(time.time() - 60)
        assert not file.exists()
        assert other.exists()
    finally:
        other.unlink()


def test_what_is_older_than_the_job_is_not_its_own(file: Path) -> None:
    forget_unused(time.time() + 60)
    assert file.exists()


def test_what_is_used_is_kept_until_its_user_forgets_it(file: Path) -> None:
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as memory:
        forget_unused(time.time() - 60)
        assert file.exists()
        forget_own()
        assert not file.exists()
        memory[0] = 1  # which is still there
