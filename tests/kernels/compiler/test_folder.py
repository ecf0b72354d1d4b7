"""Folders of code: whole files, no links, nothing that others can write to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from montego.kernels.compiler import folder
from montego.kernels.compiler.folder import opened

needs_owners = pytest.mark.skipif(not folder.KNOWS_OWNERS, reason="a system without owners")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    with opened(tmp_path / "new", "a", "b", make=True) as inner:
        inner.try_writing()
        for content in (b"first", b"second\n" * 1000):
            inner.write("file", content)
            assert inner.read("file") == content
        assert inner.names() == ["file"]
        assert inner.has("file")
        assert not inner.has("other")
    assert (tmp_path / "new" / "a" / "b" / "file").is_file()


def test_a_folder_in_the_place_of_a_file_goes_aside(tmp_path: Path) -> None:
    (tmp_path / "a" / "file").mkdir(parents=True)
    (tmp_path / "a" / "file" / "within").write_text("kept")
    with opened(tmp_path, "a") as inner:
        with pytest.raises(OSError, match="damaged"):
            inner.read("file")
        inner.write("file", b"content")
        assert inner.read("file") == b"content"
    (within,) = tmp_path.glob("a/file.*.aside/within")
    assert within.read_text() == "kept"


def test_what_cannot_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no more room")

    monkeypatch.setattr(folder.Folder, "_replace", refuse)
    with opened(tmp_path, "a", make=True) as inner, pytest.raises(OSError, match="no more room"):
        inner.write("file", b"content")
    assert [*(tmp_path / "a").iterdir()] == []


@needs_owners
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a").chmod(mode)
    with pytest.raises(PermissionError, match="other users can write to a"), opened(tmp_path, "a"):
        pass
    with pytest.raises(PermissionError), opened(tmp_path, "a", "b"):
        pass


@needs_owners
def test_a_file_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    with opened(tmp_path, "a", make=True) as inner:
        inner.write("file", b"content")
        (tmp_path / "a" / "file").chmod(0o666)
        with pytest.raises(PermissionError, match="other users can write to file"):
            inner.read("file")


@needs_owners
def test_no_umask_opens_it_to_others(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with opened(tmp_path, "a", "b", make=True) as inner:
            inner.write("file", b"content")
    finally:
        os.umask(before)
    for path in tmp_path.glob("**/*"):
        assert path.stat().st_mode & 0o022 == 0


@needs_owners
def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("content")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "to-file").symlink_to("file")
    with pytest.raises(OSError, match="link is not a folder"), opened(tmp_path, "link"):
        pass
    with opened(tmp_path, "real") as real:
        with pytest.raises(OSError, match="symbolic link"):
            real.read("to-file")
        real.write("to-file", b"new")
    assert (tmp_path / "real" / "file").read_text() == "content"
    assert not (tmp_path / "real" / "to-file").is_symlink()


@needs_owners
def test_the_folder_that_the_user_has_chosen_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real").mkdir()
    with opened(tmp_path / "link", "a", make=True) as inner:
        inner.write("file", b"content")
    assert (tmp_path / "real" / "a" / "file").read_bytes() == b"content"


@needs_owners
def test_another_folder_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    """Somebody exchanges the folder between the look at it and the writing."""
    with opened(tmp_path, "a", make=True) as inner:
        (tmp_path / "a").rename(tmp_path / "moved")
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "a").symlink_to("elsewhere")
        inner.write("file", b"content")
    assert [*(tmp_path / "elsewhere").iterdir()] == []
    assert (tmp_path / "moved" / "file").exists()


@needs_owners
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "file", 0o600)
    with opened(tmp_path, "a") as inner, pytest.raises(OSError, match="damaged"):
        inner.read("file")


@needs_owners
def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    with opened(tmp_path, "a", make=True) as inner:
        inner.write("file", b"")
        os.truncate(tmp_path / "a" / "file", 1 << 40)
        with pytest.raises(OSError, match="damaged"):
            inner.read("file")


def test_without_owners_paths_do_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "KNOWS_OWNERS", False)
    with opened(tmp_path / "new", "a", "b", make=True) as inner:
        inner.write("file", b"content")
        assert inner.read("file") == b"content"
        assert inner.names() == ["file"]
        inner.remove("file")
    with opened(tmp_path / "new", "a") as outer:
        outer.remove_empty("b")
        assert not outer.has("b")
